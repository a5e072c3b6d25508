import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { memberStates, standardRate } from './vat-rates.ts'
import { countryOfVatId, decideVat } from './vat.ts'

const at = new Date('2026-11-21T12:00:00Z')
const seller = { country: 'BG', isOssRegistered: true, needsConfirmedVatIds: false }
const nobody = { country: null, vatId: null, isVatIdConfirmed: null }

describe('the VAT of a payment', () => {
  const home = { isOssRegistered: false }
  const careful = { needsConfirmedVatIds: true }
  // Amount 1200: 200 of it are VAT at 20 %.
  const cases = [
    ['somebody unknown', nobody, {}, 'domestic', '20.00', 200],
    ['a person at home', { country: 'BG' }, {}, 'domestic', '20.00', 200],
    ['a business at home', { country: 'BG', vatId: 'BG175074752' }, {}, 'domestic', '20.00', 200],
    ['a person in Germany', { country: 'DE' }, {}, 'oss', '19.00', 192],
    ['a person in Finland', { country: 'FI' }, {}, 'oss', '25.50', 244],
    ['a person in Monaco', { country: 'MC' }, {}, 'oss', '20.00', 200],
    ['a person in Germany, sold to without the One Stop Shop', { country: 'DE' }, home, 'domestic', '20.00', 200],
    ['a business in Germany', { country: 'DE', vatId: 'DE811569869' }, {}, 'reverse_charge', '0.00', 0],
    [
      'a business in Germany, sold to without the One Stop Shop',
      { country: 'DE', vatId: 'DE811569869' },
      home,
      'reverse_charge',
      '0.00',
      0,
    ],
    [
      'a business in Greece, whose prefix is EL',
      { country: 'GR', vatId: 'EL094259216' },
      {},
      'reverse_charge',
      '0.00',
      0,
    ],
    [
      'a business in Monaco, whose prefix is FR',
      { country: 'MC', vatId: 'FR40303265045' },
      {},
      'reverse_charge',
      '0.00',
      0,
    ],
    ['a business that names no country but its VAT id', { vatId: 'DE811569869' }, {}, 'reverse_charge', '0.00', 0],
    ['a business with the VAT id of another country', { country: 'FR', vatId: 'DE811569869' }, {}, 'oss', '20.00', 200],
    [
      'a business that was confirmed',
      { country: 'DE', vatId: 'DE811569869', isVatIdConfirmed: true },
      careful,
      'reverse_charge',
      '0.00',
      0,
    ],
    [
      'a business that is unknown to the authorities',
      { country: 'DE', vatId: 'DE811569869', isVatIdConfirmed: false },
      careful,
      'oss',
      '19.00',
      192,
    ],
    ['a business that nobody could confirm yet', { country: 'DE', vatId: 'DE811569869' }, careful, 'oss', '19.00', 192],
    ['somebody in the United States', { country: 'US' }, {}, 'outside_scope', '0.00', 0],
    ['somebody in Switzerland', { country: 'CH' }, {}, 'outside_scope', '0.00', 0],
    ['somebody in the United Kingdom', { country: 'GB' }, {}, 'outside_scope', '0.00', 0],
    ['somebody in Guadeloupe, which has a code of its own', { country: 'GP' }, {}, 'outside_scope', '0.00', 0],
    [
      'somebody outside with a VAT id of the EU',
      { country: 'US', vatId: 'DE811569869' },
      {},
      'outside_scope',
      '0.00',
      0,
    ],
  ] as const
  for (const [who, customer, terms, treatment, rate, vatCents] of cases)
    it(`of ${who} is ${treatment}`, () => {
      const vat = decideVat({ ...nobody, ...customer }, { ...seller, ...terms }, { amountCents: 1200, at })
      assert.deepEqual(
        [vat.treatment, vat.rate, vat.vatCents, vat.netCents],
        [treatment, rate, vatCents, 1200 - vatCents],
      )
      assert.equal(vat.note === null, treatment === 'domestic')
    })

  // Worked by hand from vat = amount × rate / (100 + rate), rounded half up (docs/decisions/vat-and-receipts.md).
  for (const [amountCents, vatCents] of [
    [1, 0],
    [3, 1],
    [50, 8],
    [100, 17],
    [100_000, 16_667],
  ] as const)
    it(`is ${vatCents} within ${amountCents} cents at home`, () => {
      assert.equal(decideVat(nobody, seller, { amountCents, at }).vatCents, vatCents)
    })

  it('adds up, and is the nearest whole cent, whoever pays', () => {
    const country = fc.constantFrom(...memberStates, 'US', 'MC', null)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), country, (amountCents, code) => {
        const vat = decideVat({ ...nobody, country: code }, seller, { amountCents, at })
        assert.equal(vat.netCents + vat.vatCents, amountCents)
        const rate = Number(vat.rate)
        assert.ok(Math.abs(vat.vatCents - (amountCents * rate) / (100 + rate)) <= 0.5 + 1e-6)
        assert.match(vat.rate, /^\d{1,2}\.\d\d$/)
      }),
    )
  })
})

describe('the rates of VAT', () => {
  it('are known of the 27 member states', () => {
    assert.equal(memberStates.size, 27)
    for (const country of memberStates) assert.notEqual(standardRate(country, at), null, country)
  })

  const changes = [
    ['EE', '2025-06-30T23:59:59Z', 2200],
    ['EE', '2025-07-01T00:00:00Z', 2400],
    ['RO', '2025-07-31T23:59:59Z', 1900],
    ['RO', '2025-08-01T00:00:00Z', 2100],
    ['SK', '2024-12-31T23:59:59Z', 2000],
    ['SK', '2025-01-01T00:00:00Z', 2300],
    ['BG', '1970-01-01T00:00:00Z', 2000],
    ['US', '2026-01-01T00:00:00Z', null],
    ['constructor', '2026-01-01T00:00:00Z', null],
  ] as const
  for (const [country, when, rate] of changes)
    it(`is ${rate} in ${country} at ${when}`, () => assert.equal(standardRate(country, new Date(when)), rate))
})

describe('the country of a VAT id', () => {
  for (const [vatId, country] of [
    ['BG175074752', 'BG'],
    ['de811569869', 'DE'],
    ['EL094259216', 'GR'],
    ['GR094259216', null],
    ['XI123456789', null],
    ['GB123456789', null],
    ['', null],
  ] as const)
    it(`${vatId === '' ? 'of nothing' : vatId} is ${country}`, () => assert.equal(countryOfVatId(vatId), country))
})
