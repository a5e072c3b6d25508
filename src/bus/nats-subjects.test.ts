import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { locationPermissions } from './nats-permissions.ts'
import {
  assignmentSubject,
  configurationSubject,
  countersignSubject,
  inboxPrefix,
  locationOf,
  presenceSubject,
  resultsSubject,
  routeSubject,
  tokenOf,
  trialSubject,
  triedSubject,
} from './nats-subjects.ts'

describe('a token of a subject', () => {
  it('leaves the code of a location as it is', () => {
    assert.equal(tokenOf('eu-central-1'), 'eu-central-1')
    assert.equal(locationOf(resultsSubject('eu-central-1', 63)), 'eu-central-1')
  })

  it('is one token for any text, and another one for another text', () => {
    const units = fc.constantFrom('a', 'b', '\n', '«', '.', '*', '>', ' ', '=', '0')
    const text = fc.string({ unit: units, maxLength: 3 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        assert.match(tokenOf(one), /^[A-Za-z0-9_=-]*$/)
        assert.equal(tokenOf(one) === tokenOf(other), one === other)
      }),
      { numRuns: 5_000 },
    )
    assert.notEqual(tokenOf('\nb'), tokenOf('«'))
    assert.equal(presenceSubject('fra', 'host.example.com-1'), 'presence.fra.host=002eexample=002ecom-1')
  })
})

describe('the permissions of a location', () => {
  const { publish, subscribe } = locationPermissions('fra')
  it('cover all that its probers do', () => {
    for (const subject of [
      resultsSubject('fra', 0),
      resultsSubject('fra', 63),
      presenceSubject('fra', 'host.example.com-1'),
      configurationSubject('fra'),
      countersignSubject('fra'),
      routeSubject('fra'),
      triedSubject('fra', '9fb69823'),
    ])
      assert.ok(isAllowed(publish, subject), subject)
    for (const subject of [
      assignmentSubject('fra', 'host.example.com-1'),
      trialSubject('fra', 'host.example.com-1'),
      `${inboxPrefix('fra')}.abc`,
    ])
      assert.ok(isAllowed(subscribe, subject), subject)
  })

  it('cover nothing of other locations, nor what is the core’s', () => {
    for (const subject of [
      resultsSubject('nyc', 0),
      presenceSubject('fra-2', 'p'),
      configurationSubject('nyc'),
      countersignSubject('nyc'),
      triedSubject('nyc', '9fb69823'),
      trialSubject('fra', 'p'),
      'changes',
    ])
      assert.ok(!isAllowed(publish, subject), subject)
    for (const subject of [
      assignmentSubject('nyc', 'p'),
      trialSubject('nyc', 'p'),
      triedSubject('fra', '9fb69823'),
      `${inboxPrefix('fra-2')}.abc`,
      '_INBOX.abc',
      'changes',
    ])
      assert.ok(!isAllowed(subscribe, subject), subject)
  })
})

/** Compares as the broker does: `*` is one token, a final `>` one or more. */
function isAllowed(allowed: readonly string[], subject: string): boolean {
  const tokens = subject.split('.')
  return allowed.some((pattern) => {
    const wanted = pattern.split('.')
    const isOpen = wanted.at(-1) === '>'
    const fits = isOpen ? tokens.length >= wanted.length : tokens.length === wanted.length
    return fits && wanted.every((token, index) => token === '*' || token === '>' || token === tokens[index])
  })
}
