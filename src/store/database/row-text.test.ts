import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/support/database.ts'
import {
  type Column,
  booleanColumn,
  choiceColumn,
  integerColumn,
  jsonColumn,
  orNull,
  textColumn,
  textsColumn,
  isoTimeColumn,
} from './columns.ts'
import { readRowText, recordsReader, valuesIn } from './row-text.ts'

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
    const next = valuesIn(found.rows[0]?.row ?? '')
    const status = choiceColumn(['up', 'down'])
    assert.deepEqual(
      [
        next(textColumn),
        next(orNull(textColumn)),
        next(integerColumn),
        next(orNull(integerColumn)),
        next(booleanColumn),
        next(booleanColumn),
        next(isoTimeColumn),
        next(isoTimeColumn),
        next(orNull(isoTimeColumn)),
        next(textsColumn),
        next(textsColumn),
        next(textsColumn),
        next(orNull(textsColumn)),
        next(status),
        next(orNull(status)),
        next(jsonColumn),
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
    assert.throws(() => next(textColumn), RangeError)
  })

  const wrong: [row: string, column: Column<unknown>][] = [
    ['(x)', integerColumn],
    ['(1.5)', integerColumn],
    ['(9007199254740993)', orNull(integerColumn)],
    ['(true)', booleanColumn],
    ['()', booleanColumn],
    ['()', textColumn],
    ['(sideways)', choiceColumn(['up', 'down'])],
    ['("2031-02-03 04:05:06+01")', isoTimeColumn],
    ['(infinity)', isoTimeColumn],
    ['', textColumn],
    ['a,b', textColumn],
    ['("a)', textColumn],
  ]
  for (const [row, column] of wrong)
    it(`that is not what was asked for is refused: ${row}`, () => {
      assert.throws(() => valuesIn(row)(column), SyntaxError)
    })

  it('becomes a record, whose members may depend on those before them and on what is told', () => {
    type Named = { first: string; count: number; words: string }
    const read = recordsReader<Named, string>({
      first: textColumn,
      count: integerColumn,
      words: { compute: (text, { first, count }, end) => `${first} ${count} ${text}${end}` },
    })
    assert.deepEqual(read(['(a,7,b)'], '!'), [{ first: 'a', count: 7, words: 'a 7 b!' }])
    assert.deepEqual(
      read(['(a,7,b)'], '').map((record) => Object.keys(record)),
      [['first', 'count', 'words']],
    )
    assert.throws(() => read(['(a,7)'], ''), RangeError)
  })

  it('becomes the same record after any other as alone', () => {
    type Alike = { word: string | null; words: string[]; place: string }
    const read = recordsReader<Alike, null>({
      word: orNull(textColumn),
      words: textsColumn,
      place: { compute: (text, { word, words }) => `${text} ${word} ${words.length}` },
    })
    const columns = [
      // Some begin as another one does.
      ['', 'a', 'b', 'ab', '"a"', '"a,"', '"a"","', '"a"""'],
      ['{}', '{a}', '"{a,b}"'],
      ['x', 'y'],
    ].map((texts) => fc.constantFrom(...texts))
    const row = fc.tuple(...columns).map((texts) => `(${texts.join(',')})`)
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        assert.deepEqual(
          read(rows, null),
          rows.flatMap((each) => read([each], null)),
        )
      }),
    )
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
