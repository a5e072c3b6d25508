import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { memberStates, standardRate } from '#core/money/vat-rates.ts'

const at = new Date('2026-11-21T12:00:00Z')
const ratesSchema = z.record(z.string(), z.looseObject({ rate: z.number() }))

describe('the rates of VAT', () => {
  it('are those of the 27 member states that sales-tax knows', () => {
    const file = createRequire(import.meta.url).resolve('sales-tax/res/sales_tax_rates.json')
    const known = ratesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    assert.equal(memberStates.size, 27)
    for (const country of memberStates)
      assert.equal(standardRate(country, at), Math.round((known[country]?.rate ?? Number.NaN) * 10_000), country)
  })
})
