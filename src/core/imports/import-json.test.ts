import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import {
  assertLength,
  flag,
  ifGiven,
  innerJson,
  numberOrNull,
  parseImportJson,
  readAs,
  textOrNull,
} from './import-json.ts'
import { ImportError, importLimits } from './imported.ts'

/** A list of so many lists, of more characters than are read without a look at them. */
const list = (length: number): string => `[${Array.from({ length }, () => '[]').join()}]`.padEnd(70_000)

describe('a value of another tool', () => {
  const values: [given: unknown, text: string | null, number: number | null, isSet: boolean][] = [
    ['', null, null, false],
    [null, null, null, false],
    [undefined, null, null, false],
    ['a', 'a', null, false],
    ['1', '1', 1, true],
    ['10', '10', 10, true],
    ['01', '01', 1, false],
    [0, '0', 0, false],
    [2, '2', 2, true],
    [-1, '-1', -1, false],
    [true, 'true', 1, true],
    ['true', 'true', null, true],
    [false, 'false', 0, false],
    [5n, '5', 5, true],
    ['Infinity', 'Infinity', null, false],
  ]
  for (const [given, text, number, isSet] of values)
    it(`is read: ${typeof given} ${String(given)}`, () =>
      assert.deepEqual([textOrNull.parse(given), numberOrNull.parse(given), flag.parse(given)], [text, number, isSet]))

  it('is no list and no object', () => {
    for (const schema of [textOrNull, numberOrNull, flag])
      for (const given of [[], {}]) assert.equal(schema.safeParse(given).success, false)
  })

  it('has 100,000 characters at most', () => {
    const long = 'x'.repeat(100_000)
    assert.equal(textOrNull.parse(long), long)
    assert.equal(textOrNull.safeParse(`${long}x`).success, false)
  })

  it('may be left out, or empty', () => {
    const schema = z.object({ a: ifGiven(z.number()) })
    assert.deepEqual(
      [{}, { a: '' }, { a: null }, { a: 1 }].map((given) => schema.parse(given).a),
      [undefined, null, null, 1],
    )
    assert.equal(schema.safeParse({ a: 'b' }).success, false)
  })

  it('may be JSON within a text', () => {
    assert.deepEqual([null, '', '{', '{"a":[1]}', '1'].map(innerJson), [undefined, undefined, undefined, { a: [1] }, 1])
    assert.deepEqual([innerJson(list(18_000)) !== undefined, innerJson(list(19_000))], [true, undefined])
  })
})

describe('the file of another tool', () => {
  it('is JSON, and not too much of it', () => {
    assert.deepEqual(parseImportJson('{"a":1}'), { a: 1 })
    assert.throws(() => parseImportJson('{'), new ImportError('It is not JSON.'))
    const intricate = `[${'[],'.repeat(4_000_000)}[]]`
    assert.throws(() => parseImportJson(intricate), new ImportError('It is too large to be read at once.'))
  })

  it('has twenty million characters at most', () => {
    assert.doesNotThrow(() => assertLength(' '.repeat(importLimits.length)))
    assert.throws(
      () => assertLength(' '.repeat(importLimits.length + 1)),
      new ImportError('It has more than 20000000 characters.'),
    )
  })

  it('is refused with the place of what is wrong', () => {
    const schema = z.object({ a: z.array(z.number('Must be a number.')) })
    assert.deepEqual(readAs({ a: [1] }, schema), { a: [1] })
    const wrong = { a: [1, 'b'] }
    assert.throws(() => readAs(wrong, schema), new ImportError('a[1]: Must be a number.'))
    assert.throws(() => readAs(wrong, schema, 'file 2'), new ImportError('file 2.a[1]: Must be a number.'))
    assert.throws(() => readAs('b', z.number('Must be a number.')), new ImportError('Must be a number.'))
  })
})
