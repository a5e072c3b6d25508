import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { type JsonSchema, isObject, toJsonSchemas } from './openapi-schemas.ts'

/** What an operation takes beside its body. */
export function parametersOf(operation: AnyOperation): JsonSchema[] {
  return [...pathParameters(operation), ...queryParameters(operation), ...keyParameter(operation)]
}

function pathParameters({ path }: AnyOperation): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
}

/** What a member must be is its parsed form; whether it must be there, its sent one. */
function queryParameters({ name, query }: AnyOperation): JsonSchema[] {
  if (query === undefined) return []
  const inline = new Map([[name, query.schema]])
  const parsed = toJsonSchemas({ named: {}, inline, direction: 'output' }).get(name)
  const sent = toJsonSchemas({ named: {}, inline, direction: 'input' }).get(name)
  const required: unknown = sent?.['required']
  return Object.entries(isObject(parsed?.['properties']) ? parsed['properties'] : {}).map(([member, schema]) => ({
    name: member,
    in: 'query',
    required: Array.isArray(required) && required.includes(member),
    schema,
  }))
}

function keyParameter({ takesIdempotencyKey }: AnyOperation): JsonSchema[] {
  if (takesIdempotencyKey !== true) return []
  const description = 'A repeat with the same key within 24 hours answers what the first request made.'
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }]
}
