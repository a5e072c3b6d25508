import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/support/database.ts'
import { choicesOf, readRowText, rowValues } from './row-text.ts'

describe('the text of a row', async () => {
  const { pool } = await testDatabase({ maxConnections: 1 })

  it('is read as what PostgreSQL wrote', async () => {
    const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '').toWellFormed())
    const special = fc.constantFrom(
      '',
      ' ',
      ',',
      '(',
      ')',
      '"',
      '""',
      '\\',
      '\\"',
      '(a,"b")',
      '\n',
      'NULL',
      '{"a\\"b"}',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...Array.from({ length: 5 }, () => fc.option(fc.oneof(text, special)))),
        async (row) => {
          const written = await pool.query<{ row: string }>(
            'select row($1::text, $2::text, $3::text, $4::text, $5::text)::text as row',
            row,
          )
          assert.deepEqual(readRowText(written.rows[0]?.row ?? ''), row)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('gives its values in their order and kinds', async () => {
    const found = await pool.query<{ row: string }>(
      `select row(
        'a "quoted", \\ text', null::text, 42, null::integer, true, false, '2031-02-03 04:05:06.789999+00'::timestamptz,
        '2031-02-03 04:05:06+00'::timestamptz, null::timestamptz, '{a,b}'::text[], '{"a b",","}'::text[], '{}'::text[],
        null::text[], 'up', null::text, '{"a": ["b,c", "d\\"e"]}'::jsonb
      )::text as row`,
    )
    const next = rowValues(found.rows[0]?.row ?? '')
    const status = choicesOf(['up', 'down'])
    assert.deepEqual(
      [
        next.text(),
        next.textOrNull(),
        next.integer(),
        next.integerOrNull(),
        next.boolean(),
        next.boolean(),
        next.timeOrNull()?.toISOString(),
        next.timeOrNull()?.toISOString(),
        next.timeOrNull(),
        next.textsOrNull(),
        next.textsOrNull(),
        next.textsOrNull(),
        next.textsOrNull(),
        next.oneOf(status),
        next.oneOfOrNull(status),
        next.json(),
      ],
      [
        'a "quoted", \\ text',
        null,
        42,
        null,
        true,
        false,
        '2031-02-03T04:05:06.789Z',
        '2031-02-03T04:05:06.000Z',
        null,
        ['a', 'b'],
        ['a b', ','],
        [],
        null,
        'up',
        null,
        { a: ['b,c', 'd"e'] },
      ],
    )
    assert.throws(next.text, RangeError)
  })

  const wrong: [row: string, take: (row: string) => unknown][] = [
    ['(x)', (row) => rowValues(row).integer()],
    ['(1.5)', (row) => rowValues(row).integer()],
    ['(9007199254740993)', (row) => rowValues(row).integerOrNull()],
    ['(true)', (row) => rowValues(row).boolean()],
    ['()', (row) => rowValues(row).text()],
    ['(sideways)', (row) => rowValues(row).oneOf(choicesOf(['up', 'down']))],
    ['("2031-02-03 04:05:06+01")', (row) => rowValues(row).timeOrNull()],
    ['(infinity)', (row) => rowValues(row).timeOrNull()],
    ['', readRowText],
    ['a,b', readRowText],
    ['("a)', readRowText],
  ]
  for (const [row, take] of wrong)
    it(`that is not what was asked for is refused: ${row}`, () => {
      assert.throws(() => take(row), SyntaxError)
    })

  it('throws nothing but its own errors, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('(', ')', '"', ',', '\\', 'a') })), (row) => {
        try {
          assert.ok(readRowText(row).length > 0)
        } catch (error) {
          assert.ok(error instanceof SyntaxError)
        }
      }),
    )
  })
})
