import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { [member: string]: unknown }

export type SchemaRequest = {
  /** Schemas with a name of their own; others refer to them. */
  named: Readonly<Record<string, z.ZodType>>
  /** Schemas that appear in one place, by any key that is not a name. */
  inline: ReadonlyMap<string, z.ZodType>
  /** What is sent to us, or what we answer. Answers may gain members, so theirs are never closed. */
  direction: 'input' | 'output'
}

export const schemaRoot = '#/components/schemas/'

/** JSON Schemas by name and by key, with references to the named ones. */
export function toJsonSchemas({ named, inline, direction }: SchemaRequest): Map<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [name, schema] of Object.entries(named)) registry.add(schema, { id: name })
  for (const [key, schema] of inline) if (!registry.has(schema)) registry.add(schema, { id: key })
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => schemaRoot + id, io: direction })
  const tidied = new Map(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema, direction)]))
  for (const [key, schema] of inline) {
    const id = registry.get(schema)?.id ?? key
    const written = Object.hasOwn(named, id) ? { $ref: schemaRoot + id } : tidied.get(id)
    if (written !== undefined) tidied.set(key, written)
  }
  return tidied
}

/** Formats whose patterns say nothing more. */
const plainFormats = new Set(['uuid', 'date', 'date-time'])
const safeBounds = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

/** Takes out what only a machine would write: bounds of every integer, patterns of known formats, wrapped nulls. */
function tidy(schema: JsonSchema, direction: SchemaRequest['direction']): JsonSchema {
  const clean: JsonSchema = {}
  for (const [member, value] of Object.entries(schema)) {
    if (member === '$schema' || member === '$id' || member === '~standard') continue
    if (member === 'pattern' && plainFormats.has(String(schema['format']))) continue
    if ((member === 'minimum' || member === 'maximum') && safeBounds.has(Number(value))) continue
    if (member === 'additionalProperties' && value === false && direction === 'output') continue
    if (member === 'propertyNames' && isDeepStrictEqual(value, { type: 'string' })) continue
    clean[member] = tidyMember(member, value, direction)
  }
  return mergeNull(clean)
}

const schemaMembers = new Set(['items', 'additionalProperties', 'propertyNames', 'not', 'contains'])
const listMembers = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const mapMembers = new Set(['properties', 'patternProperties', '$defs'])

function tidyMember(member: string, value: unknown, direction: SchemaRequest['direction']): unknown {
  if (schemaMembers.has(member) && isObject(value)) return tidy(value, direction)
  if (listMembers.has(member) && Array.isArray(value))
    return value.map((each: unknown) => (isObject(each) ? tidy(each, direction) : each))
  if (!mapMembers.has(member) || !isObject(value)) return value
  const entries = Object.entries(value).map(([name, each]) => [name, isObject(each) ? tidy(each, direction) : each])
  return Object.fromEntries(entries)
}

/** `{anyOf: [{type: "string"}, {type: "null"}]}` is `{type: ["string", "null"]}`, in an enum too. */
function mergeNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [inner, none]: unknown[] = anyOf
  if (!isObject(inner) || !isObject(none) || none['type'] !== 'null' || typeof inner['type'] !== 'string') return schema
  const values: unknown = inner['enum']
  return {
    ...inner,
    ...outer,
    type: [inner['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

export function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
