import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memberStates, standardRate } from './vat-rates.ts'

/** As the Commission's "Taxes in Europe" database has them, in hundredths of a percent. */
const rates = {
  AT: 2000,
  BE: 2100,
  BG: 2000,
  CY: 1900,
  CZ: 2100,
  DE: 1900,
  DK: 2500,
  EE: 2400,
  ES: 2100,
  FI: 2550,
  FR: 2000,
  GR: 2400,
  HR: 2500,
  HU: 2700,
  IE: 2300,
  IT: 2200,
  LT: 2100,
  LU: 1700,
  LV: 2100,
  MT: 1800,
  NL: 2100,
  PL: 2300,
  PT: 2300,
  RO: 2100,
  SE: 2500,
  SI: 2200,
  SK: 2300,
}

describe('the standard rate of VAT', () => {
  it('is that of each member state', () => {
    const at = new Date('2026-11-21T12:00:00Z')
    const found = [...memberStates].map((country) => [country, standardRate(country, at)])
    assert.deepEqual(Object.fromEntries(found), rates)
  })

  const changes: [country: string, day: string, rate: number][] = [
    ['EE', '2025-06-30', 2200],
    ['EE', '2025-07-01', 2400],
    ['FI', '2024-08-31', 2400],
    ['FI', '2024-09-01', 2550],
    ['RO', '2025-07-31', 1900],
    ['RO', '2025-08-01', 2100],
    ['SK', '2024-12-31', 2000],
    ['SK', '2025-01-01', 2300],
    ['SK', '2000-01-01', 2000],
  ]
  for (const [country, day, rate] of changes)
    it(`is ${rate / 100} % in ${country} on ${day}`, () => {
      assert.equal(standardRate(country, new Date(`${day}T00:00:00Z`)), rate)
      assert.equal(standardRate(country, new Date(`${day}T23:59:59Z`)), rate)
    })

  it('is not known of other countries', () => {
    for (const country of ['CH', 'GB', 'RE', 'toString'])
      assert.equal(standardRate(country, new Date('2026-11-21T12:00:00Z')), null)
  })
})
