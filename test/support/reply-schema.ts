import assert from 'node:assert/strict'
import { z } from 'zod'
import { paymentRequiredSchema } from '#core/money/payment-required.ts'
import { errorSchema } from '#operations/pipeline/error-schema.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'

/** Statuses that every operation can answer beside its own. */
const generalStatuses = [400, 413, 415, 429, 500, 503]

/** Fails when an answer is not what its operation says of that status: body, headers, and the status itself. */
export function assertReply(operation: AnyOperation, reply: { status: number; headers: Headers; body: unknown }): void {
  const { status, headers, body } = reply
  const where = `${operation.name} answered ${status}`
  const success = [operation.success, operation.otherSuccess].find((candidate) => candidate?.status === status)
  if (success === undefined) {
    assert.ok([...operation.errors, ...generalStatuses].includes(status), `${where}, which it does not list`)
    parse(status === 402 && operation.paid === true ? paymentRequiredSchema : errorSchema, body, where)
    if (status === 402 && operation.paid === true) assertChallenge(headers, where)
    if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Bearer .*resource_metadata="/, where)
    if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, where)
    return
  }
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    assert.match(headers.get(name) ?? '', /^\d+$/, `${where} without ${name}`)
  if (headers.get('content-type')?.startsWith('text/markdown') === true)
    return assert.ok(success.asMarkdown !== undefined && typeof body === 'string', `${where} with Markdown`)
  const text = success.texts?.find(({ type }) => headers.get('content-type')?.startsWith(`${type};`) === true)
  if (success.texts !== undefined)
    return assert.ok(text !== undefined && typeof body === 'string', `${where} with another form of text`)
  if (success.schema === undefined) assert.equal(body, undefined, `${where} with a body`)
  else
    parse(
      success.partSchema === undefined ? success.schema : z.union([success.schema, success.partSchema]),
      body,
      where,
    )
}

/** draft-httpauth-payment-00: a 402 never goes without a challenge, and no cache keeps it. */
function assertChallenge(headers: Headers, where: string): void {
  assert.match(headers.get('www-authenticate') ?? '', /^Payment id="/, where)
  assert.equal(headers.get('content-type'), 'application/problem+json', where)
  assert.equal(headers.get('cache-control'), 'no-store', where)
}

type Schema = NonNullable<AnyOperation['success']['schema']>

function parse(schema: Schema, body: unknown, where: string): void {
  const parsed = schema.safeParse(body)
  if (!parsed.success)
    assert.fail(
      `${where} with a body that is not its schema's: ${parsed.error.message}\n${JSON.stringify(body, null, 2)}`,
    )
}
