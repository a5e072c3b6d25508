import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { AppError } from '#core/language/error.ts'
import { parse } from './validation.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(5),
  count: z.int().min(2).max(9).optional(),
  ratio: z.number().optional(),
  isOn: z.boolean().optional(),
  kind: z.enum(['http', 'api']).optional(),
  id: z.uuid().optional(),
  day: z.iso.date().optional(),
  code: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be two capital letters.')
    .optional(),
  headers: z.record(z.string().regex(/^[a-z]+$/, 'Must be a header name.'), z.string()).optional(),
  steps: z
    .array(z.strictObject({ url: z.string() }))
    .min(1)
    .max(2)
    .optional(),
})

describe('validation', () => {
  const cases: [string, unknown, Record<string, string[]>][] = [
    ['a missing field', {}, { name: ['This field is required.'] }],
    ['null for text', { name: null }, { name: ['Must be text.'] }],
    ['a number for text, never coerced', { name: 5 }, { name: ['Must be text.'] }],
    ['empty text', { name: '' }, { name: ['Must not be empty.'] }],
    ['long text', { name: 'abcdef' }, { name: ['Must have at most 5 characters.'] }],
    ['text for a number, never coerced', { name: 'a', count: '5' }, { count: ['Must be a number.'] }],
    ['a fraction', { name: 'a', count: 2.5 }, { count: ['Must be a whole number.'] }],
    ['a number below', { name: 'a', count: 1 }, { count: ['Must be at least 2.'] }],
    ['a number above', { name: 'a', count: 10 }, { count: ['Must be at most 9.'] }],
    ['text for true', { name: 'a', isOn: 'true' }, { isOn: ['Must be true or false.'] }],
    ['an unknown value', { name: 'a', kind: 'ftp' }, { kind: ['Must be one of http, api.'] }],
    ['an id of another form', { name: 'a', id: '7' }, { id: ['Must be a UUID.'] }],
    ['a day that does not exist', { name: 'a', day: '2026-02-30' }, { day: ['Must be a date such as 2026-01-31.'] }],
    ["the schema's own sentence", { name: 'a', code: 'x' }, { code: ['Must be two capital letters.'] }],
    ['an unknown field', { name: 'a', colour: 1 }, { colour: ['Unknown field.'] }],
    ['a problem in a list', { name: 'a', steps: [{ url: 'x' }, { url: 1 }] }, { 'steps.1.url': ['Must be text.'] }],
    ['an unknown field in a list', { name: 'a', steps: [{ url: 'x', to: 1 }] }, { 'steps.0.to': ['Unknown field.'] }],
    ['an empty list', { name: 'a', steps: [] }, { steps: ['Must have at least 1 item.'] }],
    ['a name in a record', { name: 'a', headers: { 'A B': 'x' } }, { 'headers.A B': ['Must be a header name.'] }],
    ['several fields', { count: 1 }, { name: ['This field is required.'], count: ['Must be at least 2.'] }],
    ['a list for the whole', [], { body: ['Must be an object.'] }],
    ['a zero character', { name: 'a\u0000' }, { name: ['Contains a character that cannot be stored.'] }],
    ['half a surrogate pair', { name: '\ud800' }, { name: ['Contains a character that cannot be stored.'] }],
    [
      'a zero character in a name',
      { name: 'a', headers: { 'a\u0000': '' } },
      { headers: ['Has a member with a name that cannot be stored.'] },
    ],
  ]
  for (const [what, value, fields] of cases)
    it(`names ${what}`, () => assert.deepEqual(parse(schema, value), { ok: false, fields }))

  it('passes what is valid unchanged', () => {
    const value = { name: 'a', count: 2, headers: { a: '' }, steps: [{ url: '' }] }
    assert.deepEqual(parse(schema, value), { ok: true, value })
  })

  it('names at most 100 fields, with names of bounded length', () => {
    const value = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]))
    const parsed = parse(schema, value)
    assert.ok(!parsed.ok)
    assert.equal(Object.keys(parsed.fields).length, 100)
    assert.ok(Object.keys(parsed.fields).every((name) => name.length <= 200))
  })

  it('refuses nesting that would exhaust the stack', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    assert.throws(
      () => parse(z.unknown(), deep),
      (error) => error instanceof AppError && error.code === 'invalid_json',
    )
  })

  it('never throws anything but its own refusal, and names a field for every refusal', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 70 }), (value) => {
        try {
          const parsed = parse(schema, value)
          assert.ok(parsed.ok || Object.keys(parsed.fields).length > 0)
        } catch (error) {
          assert.ok(error instanceof AppError)
        }
      }),
    )
  })
})
