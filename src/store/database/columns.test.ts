import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { columnOf, isoTimeColumn, momentColumn } from './columns.ts'

describe('the column of a schema', () => {
  const cases: [schema: z.ZodType, text: string | null, value: unknown][] = [
    [z.string(), 'a', 'a'],
    [z.uuid(), '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10', '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10'],
    [z.string().nullable(), null, null],
    [z.string().nullable().describe('A word.'), 'a', 'a'],
    [z.int(), '42', 42],
    [z.boolean(), 't', true],
    [z.boolean(), 'f', false],
    [z.enum(['up', 'down']), 'up', 'up'],
    [z.enum(['up', 'down']).nullable(), null, null],
    [z.iso.datetime(), '2031-02-03 04:05:06.789999+00', '2031-02-03T04:05:06.789Z'],
    [z.iso.datetime(), '2031-02-03 04:05:06+00', '2031-02-03T04:05:06.000Z'],
    [z.iso.datetime(), '2031-02-03 04:05:06.7+00', '2031-02-03T04:05:06.700Z'],
    [z.array(z.string()), '{a,b}', ['a', 'b']],
    [z.record(z.string(), z.unknown()), '{"a": 1}', { a: 1 }],
  ]
  for (const [schema, text, value] of cases)
    it(`reads ${schema.def.type} ${text}`, () => assert.deepEqual(columnOf(schema)(text), value))

  const refused: [schema: z.ZodType, text: string | null][] = [
    [z.string(), null],
    [z.int(), 'x'],
    [z.int(), null],
    [z.enum(['up']), 'down'],
    [z.array(z.string()), null],
    [z.iso.datetime(), null],
    [z.iso.datetime(), 'infinity'],
    [z.iso.datetime(), '2031-02-03 04:05:06+01'],
    [z.iso.datetime(), '10031-02-03 04:05:06+00'],
    [z.iso.datetime(), '0031-02-03 04:05:06+00 BC'],
  ]
  for (const [schema, text] of refused)
    it(`refuses ${schema.def.type} ${text}`, () => assert.throws(() => columnOf(schema)(text), SyntaxError))

  it('says of a time what a Date says, however many digits its second has', () => {
    const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }
    const microseconds = fc.integer({ min: 0, max: 999_999 })
    fc.assert(
      fc.property(fc.date(years), microseconds, (time, fraction) => {
        const second = time.toISOString().slice(0, 19)
        // PostgreSQL leaves out zeros at the end.
        const digits = `.${String(fraction).padStart(6, '0')}`.replace(/\.?0*$/, '')
        const written = `${second.replace('T', ' ')}${digits}+00`
        const read = new Date(`${second}${digits}Z`)
        assert.equal(isoTimeColumn(written), read.toISOString())
        assert.equal(momentColumn(written), read.getTime())
      }),
    )
  })

  it('has to be known', () => assert.throws(() => columnOf(z.date()), TypeError))
})
