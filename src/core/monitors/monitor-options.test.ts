import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decideOptions, joinOptions, type OptionRules } from './monitor-options.ts'

type Step = Record<string, unknown>

const rules: OptionRules = {
  secretOptions: ['api_key', { list: 'steps', member: 'headers', sameBy: ['method', 'url'] }],
  parseOptions: (options) =>
    'steps' in options && !Array.isArray(options['steps'])
      ? { ok: false, fields: { 'check_options.steps': ['Must be a list.'] } }
      : { ok: true, value: options },
}

function decide(given: Record<string, unknown> | undefined, held: Record<string, unknown> | null) {
  const before = held === null ? null : decideOptions(held, null, rules)
  const current = before === null ? null : { check_options: before.publicOptions, secret_options: before.secretOptions }
  return decideOptions(given, current, rules)
}

/** The headers of each step after a change of `held` to `given`. */
function headersAfter(held: Step[], given: Step[]): unknown[] {
  const { publicOptions, secretOptions } = decide({ steps: given }, { steps: held })
  const { steps } = joinOptions(publicOptions, secretOptions)
  return Array.isArray(steps) ? steps.map((step: Step) => step['headers']) : []
}

const login = { url: '/login', method: 'POST' }
const cart = { url: '/cart' }
const key = { authorization: 'Bearer 1' }
const other = { authorization: 'Bearer 2' }

it('a secret that is of another form than what is open takes its place', () => {
  const secrets = { steps: 'a', token: ['b'] }
  assert.deepEqual(joinOptions({ steps: [login], token: 'c', room: 'd' }, secrets), { ...secrets, room: 'd' })
})

describe('secrets inside a list', () => {
  it('are kept apart, item by item', () => {
    assert.deepEqual(decide({ steps: [login, { ...cart, headers: key }], api_key: 'k' }, null), {
      publicOptions: { steps: [login, cart] },
      secretOptions: { api_key: 'k', steps: [{}, { headers: key }] },
      fields: {},
    })
  })

  it('leave nothing behind where there are none', () => {
    assert.deepEqual(decide({ steps: [login, { ...cart, headers: null }] }, null), {
      publicOptions: { steps: [login, cart] },
      secretOptions: {},
      fields: {},
    })
  })

  it('stay when the options are left out', () => {
    const held = { steps: [{ ...cart, headers: key }], api_key: 'k' }
    assert.deepEqual(decide(undefined, held), decide(held, null))
  })

  it('end with their list', () => {
    assert.deepEqual(decide({}, { steps: [{ ...cart, headers: key }] }).secretOptions, {})
  })

  it('are not looked for in what is no list', () => {
    const { fields } = decide({ steps: 'none' }, { steps: [{ ...cart, headers: key }] })
    assert.deepEqual(fields, { 'check_options.steps': ['Must be a list.'] })
  })

  const changes: [what: string, held: Step[], given: Step[], expected: unknown[]][] = [
    ['stay with a step that leaves them out', [{ ...cart, headers: key }], [{ ...cart, keyword: 'x' }], [key]],
    ['go with null', [{ ...cart, headers: key }], [{ ...cart, headers: null }], [undefined]],
    ['are replaced', [{ ...cart, headers: key }], [{ ...cart, headers: other }], [other]],
    ['may be none at all', [{ ...cart, headers: key }], [{ ...cart, headers: {} }], [{}]],
    [
      'follow a step that moves',
      [
        { ...login, headers: key },
        { ...cart, headers: other },
      ],
      [cart, login],
      [other, key],
    ],
    ['do not move to a step put before', [{ ...cart, headers: key }], [login, cart], [undefined, key]],
    [
      'stay at the place of a step that changes',
      [login, { ...cart, headers: key }],
      [login, { url: '/basket' }],
      [undefined, key],
    ],
    ['are given to one of two equal steps', [{ ...cart, headers: key }], [cart, cart], [key, undefined]],
    [
      'are not passed on by the step that replaced them',
      [{ ...cart, headers: key }],
      [{ ...cart, headers: other }, cart],
      [other, undefined],
    ],
    ['end with a step that goes', [login, { ...cart, headers: key }], [login], [undefined]],
  ]
  for (const [what, held, given, expected] of changes)
    it(what, () => assert.deepEqual(headersAfter(held, given), expected))

  it('are joined as they were, and stand in the open nowhere', () => {
    const step = fc.record(
      {
        url: fc.string(),
        method: fc.constantFrom('GET', 'POST'),
        headers: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
      },
      { requiredKeys: ['url'], noNullPrototype: true },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), fc.option(fc.string(), { nil: undefined }), (steps, apiKey) => {
        const options = { steps, ...(apiKey === undefined ? {} : { api_key: apiKey }) }
        const { publicOptions, secretOptions } = decide(options, null)
        assert.deepEqual(joinOptions(publicOptions, secretOptions), options)
        assert.doesNotMatch(JSON.stringify(publicOptions), /"headers":|"api_key":/)
      }),
    )
  })

  it('count to the size of the options, also where the caller leaves them out', () => {
    const half = 'x'.repeat(40_000)
    const held = { api_key: half }
    assert.deepEqual(decide({ steps: [{ ...cart, keyword: half }] }, held).fields, {
      check_options: ['Must have at most 65536 bytes of JSON, the bodies of steps aside; has 80053.'],
    })
    assert.deepEqual(decide({ steps: [{ ...cart, keyword: half }], api_key: null }, held).fields, {})
  })

  it('never throw for what a caller sends', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('steps', 'api_key', 'x'), fc.jsonValue()), (given) => {
        decide(given, { steps: [{ ...cart, headers: key }] })
      }),
    )
  })
})
