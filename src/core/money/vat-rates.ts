/** Standard rates of VAT in hundredths of a percent, as they changed: the last one that has begun counts. */
type Rates = readonly { from: string; rate: number }[]

/** The member states of the EU by ISO 3166-1 code. The first entry of each also stands for the time before. */
const standardRates: Readonly<Record<string, Rates>> = {
  AT: [{ from: '2016-01-01', rate: 2000 }],
  BE: [{ from: '1996-01-01', rate: 2100 }],
  BG: [{ from: '1999-01-01', rate: 2000 }],
  CY: [{ from: '2014-01-13', rate: 1900 }],
  CZ: [{ from: '2013-01-01', rate: 2100 }],
  DE: [{ from: '2021-01-01', rate: 1900 }],
  DK: [{ from: '1992-01-01', rate: 2500 }],
  EE: [
    { from: '2024-01-01', rate: 2200 },
    { from: '2025-07-01', rate: 2400 },
  ],
  ES: [{ from: '2012-09-01', rate: 2100 }],
  FI: [
    { from: '2013-01-01', rate: 2400 },
    { from: '2024-09-01', rate: 2550 },
  ],
  FR: [{ from: '2014-01-01', rate: 2000 }],
  GR: [{ from: '2016-06-01', rate: 2400 }],
  HR: [{ from: '2012-03-01', rate: 2500 }],
  HU: [{ from: '2012-01-01', rate: 2700 }],
  IE: [{ from: '2021-03-01', rate: 2300 }],
  IT: [{ from: '2013-10-01', rate: 2200 }],
  LT: [{ from: '2009-09-01', rate: 2100 }],
  LU: [{ from: '2024-01-01', rate: 1700 }],
  LV: [{ from: '2012-07-01', rate: 2100 }],
  MT: [{ from: '2004-01-01', rate: 1800 }],
  NL: [{ from: '2012-10-01', rate: 2100 }],
  PL: [{ from: '2011-01-01', rate: 2300 }],
  PT: [{ from: '2011-01-01', rate: 2300 }],
  RO: [
    { from: '2017-01-01', rate: 1900 },
    { from: '2025-08-01', rate: 2100 },
  ],
  SE: [{ from: '1990-07-01', rate: 2500 }],
  SI: [{ from: '2013-07-01', rate: 2200 }],
  SK: [
    { from: '2011-01-01', rate: 2000 },
    { from: '2025-01-01', rate: 2300 },
  ],
}

/** ISO 3166-1 codes. Territories with a code of their own (GP, RE, AX …) lie outside the EU's VAT area. */
export const memberStates: ReadonlySet<string> = new Set(Object.keys(standardRates))

/** The standard rate of a member state at a time, in hundredths of a percent; null for other countries. */
export function standardRate(country: string, at: Date): number | null {
  const rates = Object.hasOwn(standardRates, country) ? standardRates[country] : undefined
  if (rates === undefined) return null
  const day = at.toISOString().slice(0, 10)
  return (rates.findLast(({ from }) => from <= day) ?? rates[0])?.rate ?? null
}
