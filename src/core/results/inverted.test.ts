import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { concluded } from './inverted.ts'
import { noPhases, type Verdict } from './result.ts'

const expiry = { certificate: { host: 'a', issuer: 'CA', notBefore: '2026-01-01', notAfter: '2026-12-31' } }
const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases: noPhases, details: {}, expiry }
const inverted = { options: { inverted: true } }

describe('the last word on a check', () => {
  it('is what it found', () => {
    assert.equal(concluded(up, { options: {} }), up)
    assert.equal(concluded(up, { options: { inverted: false } }), up)
  })

  for (const status of ['up', 'degraded'] as const)
    it(`is down where an inverted one is ${status}`, () =>
      assert.deepEqual(concluded({ ...up, status, details: { redirects: 1 } }, inverted), {
        ...up,
        status: 'down',
        error: 'The check succeeded, and the monitor is inverted',
        details: { redirects: 1, failed_assertion: 'inverted' },
      }))

  it('is up where an inverted one failed, and tells how', () => {
    const down: Verdict = { ...up, status: 'down', latencyMs: null, error: 'Connection refused by a:1' }
    const found = concluded({ ...down, details: { own_network: 'not verified' } }, inverted)
    const details = { own_network: 'not verified', inverted: 'Connection refused by a:1' }
    assert.deepEqual(found, { ...down, status: 'up', error: null, details })
  })
})
