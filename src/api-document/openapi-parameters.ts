import type { AnyOperation } from '#operations/pipeline/operation.ts'
import { type JsonSchema, isObject, toJsonSchemas } from './openapi-schemas.ts'

/** What an operation takes beside its body. */
export function parametersOf(operation: AnyOperation): JsonSchema[] {
  return [...toolParametersOf(operation), ...programHeaders(operation)]
}

/** The same for models, which keep no files, and pay by their client. */
export function toolParametersOf(operation: AnyOperation): JsonSchema[] {
  const { takesIdempotencyKey } = operation
  const keys = takesIdempotencyKey === true ? [idempotencyKey] : []
  return [...pathParameters(operation), ...queryParameters(operation), ...keys]
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
  return Object.entries(isObject(parsed?.['properties']) ? parsed['properties'] : {}).map(([member, schema]) =>
    queryParameter(member, schema, Array.isArray(required) && required.includes(member)),
  )
}

/** Several values of a parameter are separated by commas, and it stands there once. */
function queryParameter(name: string, schema: unknown, required: boolean): JsonSchema {
  const isList = isObject(schema) && schema['type'] === 'array'
  return { name, in: 'query', required, schema, ...(isList ? { style: 'form', explode: false } : {}) }
}

function programHeaders({ makes, takesMaxPrice }: AnyOperation): JsonSchema[] {
  return [...(makes === undefined ? [] : [projectKey]), ...(takesMaxPrice === true ? [maxPrice] : [])]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat within 24 hours answers what the first request made.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const projectKey = {
  name: 'Perigee-Project',
  in: 'header',
  required: false,
  description:
    'A project of files and a key in it, such as `shop/site`, which stands for what is made from then on. Refused where ' +
    'the key stands for something else. Callers without a token own nothing.',
  schema: { type: 'string', maxLength: 161 },
}

const maxPrice = {
  name: 'Perigee-Max-Price',
  in: 'header',
  required: false,
  description: 'The most that may be taken from credit, in cents, VAT included. Refused where the price is higher.',
  schema: { type: 'string', pattern: '^[0-9]{1,9}$' },
}
