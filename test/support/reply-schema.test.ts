import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { assertReply } from './reply-schema.ts'

const operation = defineOperation({
  name: 'get_thing',
  method: 'GET',
  path: '/thing',
  scope: 'read',
  tag: 'Account',
  summary: 'A thing',
  errors: [401],
  success: { status: 200, description: 'It.', schema: z.strictObject({ data: z.int() }) },
  otherSuccess: { status: 204, description: 'None.' },
  run: async () => ({ status: 200, body: { data: 1 } }),
})

const rates = { 'ratelimit-limit': '300', 'ratelimit-remaining': '299', 'ratelimit-reset': '60' }
const challenge = { 'www-authenticate': 'Bearer realm="perigee", resource_metadata="http://a/b"' }
const refusal = { error: 'a', message: 'b' }

describe('the check of every answer', () => {
  const cases: [string, boolean, { status: number; headers: Record<string, string>; body: unknown }][] = [
    ['what the schema says', true, { status: 200, headers: rates, body: { data: 1 } }],
    ['another type', false, { status: 200, headers: rates, body: { data: '1' } }],
    ['a member more', false, { status: 200, headers: rates, body: { data: 1, more: 1 } }],
    ['a member less', false, { status: 200, headers: rates, body: {} }],
    ['no rates', false, { status: 200, headers: {}, body: { data: 1 } }],
    ['the other success', true, { status: 204, headers: rates, body: undefined }],
    ['a body where there is none', false, { status: 204, headers: rates, body: { data: 1 } }],
    ['a refusal', true, { status: 401, headers: challenge, body: refusal }],
    ['a refusal without its challenge', false, { status: 401, headers: {}, body: refusal }],
    ['a refusal of another shape', false, { status: 401, headers: challenge, body: { error: 'a' } }],
    ['a refusal that is not listed', false, { status: 404, headers: {}, body: refusal }],
    ['a success that is not listed', false, { status: 201, headers: rates, body: { data: 1 } }],
    ['too many requests', true, { status: 429, headers: { 'retry-after': '5' }, body: refusal }],
    ['too many requests without a time', false, { status: 429, headers: {}, body: refusal }],
  ]
  for (const [what, passes, { status, headers, body }] of cases)
    it(`${passes ? 'passes' : 'refuses'} ${what}`, () => {
      const reply = { status, headers: new Headers(headers), body }
      if (passes) assertReply(operation, reply)
      else assert.throws(() => assertReply(operation, reply), assert.AssertionError)
    })
})
