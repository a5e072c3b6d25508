import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { AppError } from '#core/language/error.ts'
import { readInput } from './input.ts'

describe('an Idempotency-Key', () => {
  const length = 'Must have 1 to 255 characters.'
  const cases: [what: string, key: string | null, problem: string | null][] = [
    ['none', null, null],
    ['one character', 'k', null],
    ['255 characters', 'k'.repeat(255), null],
    ['256 characters', 'k'.repeat(256), length],
    ['nothing', '', length],
    ['a zero character', 'k\u0000', 'Contains a character that cannot be stored.'],
    ['half a surrogate pair', 'k\ud800', 'Contains a character that cannot be stored.'],
  ]
  for (const [what, idempotencyKey, problem] of cases)
    it(`of ${what} is ${problem === null ? 'taken' : 'refused'}`, async () => {
      const request = { path: {}, query: {}, readBody: async () => undefined, idempotencyKey, payment: undefined }
      const read = readInput({ takesIdempotencyKey: true }, request)
      if (problem === null) return assert.equal((await read).idempotencyKey, idempotencyKey)
      await assert.rejects(read, (error) => {
        assert.ok(error instanceof AppError)
        assert.deepEqual([error.status, error.fields], [422, { 'Idempotency-Key': [problem] }])
        return true
      })
    })
})

it('a field that is called __proto__ is named as any other', async () => {
  const body = { schema: z.strictObject({ name: z.string() }), isRequired: true, schemaName: 'Name' }
  const sent: unknown = JSON.parse('{"name":"a","__proto__":0}')
  const request = { path: {}, query: {}, readBody: async () => sent, idempotencyKey: null, payment: undefined }
  await assert.rejects(readInput({ body }, request), (error) => {
    assert.ok(error instanceof AppError)
    assert.deepEqual(Object.entries(error.fields ?? {}), [['__proto__', ['Unknown field.']]])
    return true
  })
})
