import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { AppError } from '#core/language/error.ts'
import { quoteSchema } from './payment-required.ts'
import {
  decimal,
  endOfGrace,
  firstPaidUntil,
  priceOfChange,
  priceOfCreate,
  priceOfRenewal,
  quoteOf,
  quoteOfTopUp,
  renewedUntil,
  replayQuote,
} from './quote.ts'

const three = ['amsterdam', 'boston', 'chennai']
const ten = Array.from({ length: 10 }, (_, index) => `location-${index}`)

describe('the price of a new monitor', () => {
  const cases = [
    ['nothing in a slot of the plan', true, three, null, { billing: 'plan', billingPeriod: null, priceCents: 0 }],
    [
      'nothing in a slot, even where a lifetime is wished for',
      true,
      three,
      'lifetime',
      { billing: 'plan', billingPeriod: null, priceCents: 0 },
    ],
    [
      'a cent for a location and month',
      false,
      ['amsterdam'],
      'monthly',
      { billing: 'paid', billingPeriod: 'monthly', priceCents: 1 },
    ],
    ['the month by default', false, three, undefined, { billing: 'paid', billingPeriod: 'monthly', priceCents: 3 }],
    ['the month for null', false, three, null, { billing: 'paid', billingPeriod: 'monthly', priceCents: 3 }],
    [
      'ten times as much for life',
      false,
      three,
      'lifetime',
      { billing: 'paid', billingPeriod: 'lifetime', priceCents: 30 },
    ],
    ['ten locations for life', false, ten, 'lifetime', { billing: 'paid', billingPeriod: 'lifetime', priceCents: 100 }],
  ] as const
  for (const [what, hasFreeSlot, locations, billingPeriod, price] of cases)
    it(`is ${what}`, () => {
      assert.deepEqual(priceOfCreate({ hasFreeSlot, locations, billingPeriod }), { ...price, locations })
    })
})

describe('the price of a change', () => {
  const cases = [
    ['nothing in a slot of the plan', { billing: 'plan', billingPeriod: null, paidLocations: 0 }, ten, 0],
    ['nothing in a slot, by any period', { billing: 'plan', billingPeriod: 'monthly', paidLocations: 0 }, ten, 0],
    ['nothing without a period', { billing: 'paid', billingPeriod: null, paidLocations: 0 }, ten, 0],
    [
      'nothing for locations that are swapped',
      { billing: 'paid', billingPeriod: 'monthly', paidLocations: 3 },
      three,
      0,
    ],
    ['nothing for fewer', { billing: 'paid', billingPeriod: 'monthly', paidLocations: 3 }, ['boston'], 0],
    ['a cent for each beyond those paid for', { billing: 'paid', billingPeriod: 'monthly', paidLocations: 3 }, ten, 7],
    ['ten cents of a monitor for life', { billing: 'paid', billingPeriod: 'lifetime', paidLocations: 1 }, three, 20],
  ] as const
  for (const [what, paid, locations, priceCents] of cases)
    it(`is ${what}`, () => {
      const { billing, billingPeriod } = paid
      assert.deepEqual(priceOfChange(paid, locations), { billing, billingPeriod, locations, priceCents })
    })
})

describe('the price of a renewal', () => {
  it('is a cent for each location that the monitor has now, however many were paid for', () => {
    const paid = { billing: 'paid', billingPeriod: 'monthly', paidLocations: 7 } as const
    assert.deepEqual(priceOfRenewal(paid, three), {
      billing: 'paid',
      billingPeriod: 'monthly',
      locations: three,
      priceCents: 3,
    })
  })

  for (const [what, paid] of [
    ['in a slot of the plan', { billing: 'plan', billingPeriod: null, paidLocations: 0 }],
    ['paid for life', { billing: 'paid', billingPeriod: 'lifetime', paidLocations: 3 }],
  ] as const)
    it(`is not asked of a monitor ${what}`, () => {
      assert.throws(
        () => priceOfRenewal(paid, three),
        (error) => error instanceof AppError && error.code === 'not_renewable' && error.status === 422,
      )
    })
})

describe('a quote', () => {
  const price = { billing: 'paid', billingPeriod: 'monthly', locations: three, priceCents: 3 } as const
  const cases = [
    ['no credit', 0, 3],
    ['too little credit', 2, 1],
    ['just enough', 3, 0],
    ['more than enough', 500, 0],
  ] as const
  for (const [what, credit, due] of cases)
    it(`asks for ${due} with ${what}`, () => {
      const quote = quoteSchema.parse(quoteOf(price, credit))
      assert.deepEqual(quote, {
        billing: 'paid',
        billing_period: 'monthly',
        locations: three,
        price_cents: 3,
        credit_cents: credit,
        amount_due_cents: due,
      })
    })

  it('of a request that is done asks for nothing', () => {
    assert.deepEqual(quoteSchema.parse(replayQuote({ billingPeriod: 'lifetime', locations: three }, 7)), {
      billing: 'replay',
      billing_period: 'lifetime',
      locations: three,
      price_cents: 0,
      credit_cents: 7,
      amount_due_cents: 0,
    })
  })

  it('of credit asks for all of it, whatever credit there is', () => {
    assert.deepEqual(quoteSchema.parse(quoteOfTopUp(500, 700)), {
      billing: 'paid',
      billing_period: null,
      locations: [],
      price_cents: 500,
      credit_cents: 700,
      amount_due_cents: 500,
    })
  })
})

describe('a paid period', () => {
  const paidUntil = new Date('2026-11-01T12:00:00Z')

  it('begins with the payment, and never ends for life or in a slot', () => {
    assert.deepEqual(firstPaidUntil('monthly', paidUntil), new Date('2026-12-01T12:00:00Z'))
    assert.equal(firstPaidUntil('lifetime', paidUntil), null)
    assert.equal(firstPaidUntil(null, paidUntil), null)
  })

  it('has seven days of grace', () => assert.deepEqual(endOfGrace(paidUntil), new Date('2026-11-08T12:00:00Z')))

  const renewals = [
    ['days before its end', '2026-10-20T00:00:00Z', '2026-12-01T12:00:00Z'],
    ['at its end', '2026-11-01T12:00:00Z', '2026-12-01T12:00:00Z'],
    ['in the last moment of the grace', '2026-11-08T11:59:59.999Z', '2026-12-01T12:00:00Z'],
    ['when the grace has ended', '2026-11-08T12:00:00Z', '2026-12-08T12:00:00Z'],
    ['months later', '2027-02-01T00:00:00Z', '2027-03-03T00:00:00Z'],
  ] as const
  for (const [when, now, until] of renewals)
    it(`renewed ${when} lasts until ${until}`, () => {
      assert.deepEqual(renewedUntil(paidUntil, new Date(now)), new Date(until))
    })
})

describe('an amount in words', () => {
  for (const [cents, text] of [
    [0, '0.00'],
    [1, '0.01'],
    [50, '0.50'],
    [100, '1.00'],
    [123_456, '1234.56'],
    [-1, '-0.01'],
  ] as const)
    it(`of ${cents} cents is ${text}`, () => assert.equal(decimal(cents), text))

  it('means the same number of cents', () => {
    fc.assert(
      fc.property(fc.integer(), (cents) => {
        assert.match(decimal(cents), /^-?\d+\.\d\d$/)
        assert.equal(Number(decimal(cents).replace('.', '')) + 0, cents + 0)
      }),
    )
  })
})
