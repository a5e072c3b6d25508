import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTexts } from '#core/language/texts.ts'
import { daysText, momentText, monthText, pageTexts, spanText } from './page-texts.ts'

const i18n = pageTexts(createTexts())

describe('a status page', () => {
  it('writes days, months and shares', () => {
    assert.equal(i18n.day('2026-11-21'), '21 Nov 2026')
    assert.equal(i18n.day('2026-01-01'), '1 Jan 2026')
    assert.equal(i18n.shortDay('2026-12-09'), '9 Dec')
    assert.equal(monthText(i18n, '2026-11-21'), 'November 2026')
    assert.deepEqual([100, 99.5, 99.999, 0].map(i18n.percent), ['100 %', '99.50 %', '100.00 %', '0.00 %'])
  })

  const days: [from: string, to: string, short: string, whole: string][] = [
    ['2026-11-21', '2026-11-21', '21 Nov', '21 Nov 2026'],
    ['2026-11-21', '2026-11-24', '21 to 24 Nov', '21 to 24 Nov 2026'],
    ['2026-10-30', '2026-11-02', '30 Oct to 2 Nov', '30 Oct 2026 to 2 Nov 2026'],
    ['2026-12-30', '2027-01-02', '30 Dec to 2 Jan', '30 Dec 2026 to 2 Jan 2027'],
    ['2026-11-21', '2027-11-24', '21 Nov to 24 Nov', '21 Nov 2026 to 24 Nov 2027'],
    ['1926-11-21', '2026-11-24', '21 Nov to 24 Nov', '21 Nov 1926 to 24 Nov 2026'],
  ]
  for (const [from, to, short, whole] of days)
    it(`writes days as ${whole}, or ${short}`, () => {
      assert.deepEqual(
        [true, false].map((isShort) => daysText(i18n, { from, to }, isShort)),
        [short, whole],
      )
    })

  it('writes moments by the clocks of a zone', () => {
    const at = new Date('2026-11-21T23:04:59Z')
    assert.equal(momentText(i18n, at), '21 Nov 2026, 23:04 UTC')
    assert.equal(momentText(i18n, at, 'Europe/Berlin'), '22 Nov 2026, 00:04 GMT+1')
    assert.equal(momentText(i18n, new Date('2026-01-05T08:30:00Z'), 'Asia/Kolkata'), '5 Jan 2026, 14:00 GMT+5:30')
  })

  const minuteMs = 60_000
  const spans: [ms: number, text: string][] = [
    [-minuteMs, 'less than a minute'],
    [minuteMs - 1, 'less than a minute'],
    [minuteMs, '1 min'],
    [60 * minuteMs - 1, '59 min'],
    [60 * minuteMs, '1 h'],
    [61 * minuteMs, '1 h 1 min'],
    [1440 * minuteMs - 1, '23 h 59 min'],
    [1440 * minuteMs, '1 d'],
    [1499 * minuteMs, '1 d'],
    [1500 * minuteMs, '1 d 1 h'],
    [2940 * minuteMs, '2 d 1 h'],
  ]
  for (const [ms, text] of spans) it(`writes ${ms} ms as ${text}`, () => assert.equal(spanText(i18n, ms), text))
})
