import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AccountRecord } from '#core/account.ts'
import { priceOf } from './plan-price.ts'
import type { ProjectEntry } from './project.ts'

const entry = (section: ProjectEntry['section'], fields: Record<string, unknown> = {}): ProjectEntry => {
  return { section, key: 'key', place: { file: 'a.yaml', line: 1 }, fields, outside: [] }
}
const create = (section: ProjectEntry['section'], fields?: Record<string, unknown>) =>
  ({ type: 'create', entry: entry(section, fields) }) as const
const pricing: AccountRecord['pricing'] = {
  currency: 'usd',
  price_per_location_cents: 1,
  lifetime_price_per_location_cents: 10,
  renewal_days: 30,
  grace_days: 7,
  minimum_top_up_cents: 50,
  payments_enabled: true,
  vat_included: true,
}
const three = [
  create('contacts'),
  create('monitors', { locations: ['eu', 'us'] }),
  create('monitors'),
  create('monitors', { locations: ['eu', 'us', 'in'], billing_period: 'lifetime' }),
]

describe('the price of a plan', () => {
  const cases: [free: number, price: [monitors: number, monthly: number, lifetime: number] | null][] = [
    [3, null],
    [4, null],
    [2, [1, 0, 30]],
    [1, [2, 1, 30]],
    [0, [3, 3, 30]],
    // Monitors of a claimed workspace may be in more slots than the plan has.
    [-2, [3, 3, 30]],
  ]
  for (const [free, price] of cases)
    it(`with ${free} free slots is ${JSON.stringify(price)}`, () => {
      const found = priceOf(
        { changes: three },
        { plan_monitors: { limit: 5, used: 5 - free, free }, pricing, credit_cents: 7 },
      )
      const told = found === null ? null : [found.monitors, found.monthlyCents, found.lifetimeCents]
      assert.deepEqual(told, price)
    })

  it('is that of new monitors alone', () => {
    const present = {
      section: 'monitors',
      key: 'key',
      id: '',
      name: '',
      fields: {},
      secrets: [],
      project: null,
      prunedAt: null,
    } as const
    const change = { type: 'change', entry: entry('monitors'), present, fields: [] } as const
    assert.equal(
      priceOf({ changes: [change] }, { plan_monitors: { limit: 0, used: 0, free: 0 }, pricing, credit_cents: 0 }),
      null,
    )
  })
})
