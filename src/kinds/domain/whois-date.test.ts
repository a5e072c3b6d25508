import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { parseWhoisDate } from './whois-date.ts'

describe('a date in WHOIS', () => {
  const day = '2027-03-04T00:00:00.000Z'
  const cases: [string, string | null][] = [
    ['2027-03-04T05:06:07Z', '2027-03-04T05:06:07.000Z'],
    ['2027-03-04T05:06:07.123Z', '2027-03-04T05:06:07.000Z'],
    ['2027-03-04T05:06:07+02:00', '2027-03-04T03:06:07.000Z'],
    ['2027-03-04T05:06:07-0330', '2027-03-04T08:36:07.000Z'],
    ['2027-03-04 05:06:07', '2027-03-04T05:06:07.000Z'],
    ['2027-03-04 05:06:07 (UTC+8)', '2027-03-04T05:06:07.000Z'],
    ['2027-03-04 14:00:00+02', '2027-03-04T12:00:00.000Z'],
    ['2027-03-04 05:06:07 CLST', '2027-03-04T05:06:07.000Z'],
    ['2027-03-04 05:06', '2027-03-04T05:06:00.000Z'],
    ['2027-03-04', day],
    ['  2027-03-04  (YYYY-MM-DD)', day],
    ['2027/03/04', day],
    ['2027/03/04 01:05:01 (JST)', '2027-03-04T01:05:01.000Z'],
    ['2027.03.04 14:00:00', '2027-03-04T14:00:00.000Z'],
    ['2027. 03. 04.', day],
    ['2027.3.4', day],
    ['20270304', day],
    ['20270304 #4711', day],
    ['20270304050607', day],
    ['2027-Mar-04.', day],
    ['04-Mar-2027', day],
    ['04-mar-2027 23:59:59 UTC', '2027-03-04T23:59:59.000Z'],
    ['4 March 2027', day],
    ['4th March 2027 at 00:00:00.000', day],
    ['4th of March 2027', day],
    ['04 Mar 2027', day],
    ['04/Mar/2027', day],
    ['04.Mar.2027', day],
    ['Thu, 04 Mar 2027 10:00:00 GMT', '2027-03-04T10:00:00.000Z'],
    ['Thu Mar 04 05:06:07 2027', '2027-03-04T05:06:07.000Z'],
    ['Thu Mar  4 05:06:07 UTC 2027', '2027-03-04T05:06:07.000Z'],
    ['March 4 2027', day],
    ['Mar 4, 2027', day],
    ['September 30, 2027', '2027-09-30T00:00:00.000Z'],
    ['04.03.2027', day],
    ['4.3.2027 05:06:07', '2027-03-04T05:06:07.000Z'],
    ['04/03/2027 00:00:00 EET', day],
    ['04-03-2027', day],
    ['03/13/2027', '2027-03-13T00:00:00.000Z'],
    ['13/03/2027', '2027-03-13T00:00:00.000Z'],
    ['29.02.2028', '2028-02-29T00:00:00.000Z'],
    ['29.02.2027', null],
    ['2027-13-01', null],
    ['2027-00-10', null],
    ['31-Apr-2027', null],
    ['0000-00-00T00:00:00Z', null],
    ['27-03-04', null],
    ['2027-03', null],
    ['2027-03-045', null],
    ['expires soon', null],
    ['', null],
    ['None', null],
    ['4711', null],
  ]
  for (const [text, expected] of cases)
    it(`"${text}" is ${expected ?? 'none'}`, () => assert.equal(parseWhoisDate(text)?.toISOString() ?? null, expected))

  it('is read month first where the registry says so, unless that cannot be', () => {
    assert.equal(parseWhoisDate('03/04/2027', 'month_first')?.toISOString(), day)
    assert.equal(parseWhoisDate('13/04/2027', 'month_first')?.toISOString(), '2027-04-13T00:00:00.000Z')
  })

  const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const shapes: ((parts: { y: number; m: number; d: number }) => string)[] = [
    ({ y, m, d }) => `${y}-${two(m)}-${two(d)}`,
    ({ y, m, d }) => `${y}/${m}/${d}`,
    ({ y, m, d }) => `${y}${two(m)}${two(d)}`,
    ({ y, m, d }) => `${two(d)}-${names[m - 1]}-${y}`,
    ({ y, m, d }) => `${d} ${names[m - 1]?.toUpperCase()} ${y}`,
    ({ y, m, d }) => `${names[m - 1]} ${d}, ${y}`,
    ({ y, m, d }) => `${y}-${names[m - 1]}-${two(d)}`,
    ({ y, m, d }) => `${two(d)}.${two(m)}.${y}`,
  ]
  it('is read back as it was written, in every shape, with every time', () => {
    const moments = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(moments, fc.nat(shapes.length - 1), fc.boolean(), (moment, shape, hasTime) => {
        const [y, m, d] = [moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()]
        const time = moment.toISOString().slice(11, 19)
        const text = `${shapes[shape]?.({ y, m, d })}${hasTime ? ` ${time}` : ''}`
        const expected = `${moment.toISOString().slice(0, 10)}T${hasTime ? time : '00:00:00'}.000Z`
        assert.equal(parseWhoisDate(text)?.toISOString(), expected)
      }),
    )
  })

  it('is a date or null whatever the text', () => {
    const pieces = fc.array(
      fc.constantFrom('20', '27', '-', '/', '.', ' ', 'mar', 'T', ':', '0', '31', '12', '+', 'Z', 'th'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          pieces.map((parts) => parts.join('')),
        ),
        (text) => {
          const date = parseWhoisDate(text)
          assert.ok(date === null || !Number.isNaN(date.getTime()))
        },
      ),
      { numRuns: 2000 },
    )
  })
})

function two(number: number): string {
  return String(number).padStart(2, '0')
}
