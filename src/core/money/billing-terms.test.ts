import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { vatIdStateOf, vatPreviewOf, vatPreviewSchema } from './billing-terms.ts'

describe('the state of a VAT id', () => {
  const cases = [
    [null, null, true, 'none'],
    [null, true, false, 'none'],
    ['DE811569869', null, false, 'valid'],
    ['DE811569869', false, false, 'valid'],
    ['DE811569869', true, true, 'valid'],
    ['DE811569869', null, true, 'unanswered'],
    ['DE811569869', false, true, 'unknown'],
  ] as const
  for (const [vatId, isVatIdConfirmed, needsConfirmedVatIds, expected] of cases)
    it(`of ${vatId}, ${isVatIdConfirmed} of the authorities, who ${needsConfirmedVatIds ? 'are' : 'are not'} asked: ${expected}`, () => {
      const customer = { country: null, vatId, isVatIdConfirmed }
      assert.equal(vatIdStateOf(customer, { needsConfirmedVatIds }), expected)
    })
})

describe('a preview of VAT', () => {
  it('is what would stand on the payment', () => {
    const vat = { treatment: 'oss', rate: '19.00', netCents: 84, vatCents: 16, note: 'VAT of DE' } as const
    assert.deepEqual(vatPreviewSchema.parse(vatPreviewOf(100, { vat, state: 'unknown' })), {
      amount_cents: 100,
      net_cents: 84,
      vat_cents: 16,
      vat_rate: '19.00',
      vat_treatment: 'oss',
      vat_note: 'VAT of DE',
      vat_id_state: 'unknown',
    })
  })
})
