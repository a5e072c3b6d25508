import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../test/support/database.ts'
import { numberArray, readTextArray, textArray } from './array-literal.ts'

it('writes arrays that PostgreSQL reads back as they were', async () => {
  const { pool } = await testDatabase()
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '').toWellFormed())
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.oneof(text, fc.constantFrom('NULL', '', '{}', '",\\"', ' ', '\n'))), { minLength: 1 }),
      fc.array(fc.option(fc.maxSafeInteger()), { minLength: 1 }),
      async (texts, numbers) => {
        const read = await pool.query<{ texts: unknown; written: string; numbers: string }>(
          'select $1::text[] as texts, array_remove($1::text[], null)::text as written, array_to_json($2::bigint[])::text as numbers',
          [textArray(texts), numberArray(numbers)],
        )
        assert.deepEqual(read.rows[0]?.texts, texts)
        const written = read.rows[0]?.written ?? assert.fail('nothing was written')
        assert.deepEqual(
          readTextArray(written),
          texts.filter((each) => each !== null),
        )
        assert.equal(read.rows[0]?.numbers, JSON.stringify(numbers))
      },
    ),
    { numRuns: 200 },
  )
})
