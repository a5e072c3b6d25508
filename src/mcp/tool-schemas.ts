import { sizeParameters } from './answer-size.ts'
import { toolParametersOf } from '#api-document/openapi-parameters.ts'
import { type JsonSchema, isObject, toJsonSchemas } from '#api-document/openapi-schemas.ts'
import { errorSchema } from '#operations/pipeline/error-schema.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'

type ObjectSchema = JsonSchema & { type: 'object' }

/** The only header that a tool takes, and the argument in which a model gives it. */
export const keyHeader = 'Idempotency-Key'
export const keyArgument = 'idempotency_key'

/** Path, query, key and body in one flat object, which models fill in best, with `more` that the transport takes. */
export function inputOf(operation: WorkspaceVerb, more: Record<string, JsonSchema>): ObjectSchema {
  const parts = [...toolParametersOf(operation).map(argumentOf), ...bodyArguments(operation)]
  const properties: Record<string, unknown> = {}
  for (const { name, schema } of parts) {
    if (name in properties) throw new Error(`The tool ${operation.name} has two arguments ${name}.`)
    properties[name] = schema
  }
  const required = parts.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: { ...properties, ...more },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** The tool that described an argument first, by the argument's name and schema. */
export type Described = Map<string, string>

/** A shorter schema says no more than the words that would send its reader elsewhere. */
const shortSchema = 80

/**
 * All tools are read together, so that an argument, or a member of one, that several take alike is described by the
 * first of them and has only its type in the others: changes and quotes take most of what their create takes. `like` names the tools that
 * describe what is left out. The service checks every call against the whole schema.
 */
export function describeOnce(
  { properties, ...schema }: ObjectSchema,
  { tool, described }: { tool: string; described: Described },
): { schema: ObjectSchema; like: string[] } {
  const like = new Set<string>()
  const tellOnce = (name: string, property: unknown): unknown => {
    const { default: _, ...constant } = isObject(property) ? property : {}
    const key = JSON.stringify([name, constant])
    const first = described.get(key)
    if (first === undefined) described.set(key, tool)
    if (first === undefined && isObject(property) && isObject(property['properties']))
      return { ...property, properties: eachOf(property['properties'], tellOnce) }
    if (first === undefined || constant['type'] === undefined || key.length < shortSchema) return property
    // What every list takes is said by a sentence of its own.
    if (!Object.hasOwn(sizeParameters, name) && first !== tool) like.add(first)
    return { type: constant['type'] }
  }
  const told = eachOf(isObject(properties) ? properties : {}, tellOnce)
  return { schema: { ...schema, properties: told }, like: [...like] }
}

function eachOf(properties: JsonSchema, tell: (name: string, property: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, tell(name, property)]))
}

/**
 * What an operation answers, or its refusal: clients hold `structuredContent` against this on errors too. `isCut`: its
 * lists may be shown in part. Null where it answers nothing.
 */
export function outputOf({ name, success, otherSuccess }: WorkspaceVerb, isCut: boolean): ObjectSchema | null {
  const schemas = [success.schema, success.partSchema, otherSuccess?.schema].filter((schema) => schema !== undefined)
  if (schemas.length === 0) return null
  const entries = [...schemas, errorSchema].map((schema, at) => [`${name} ${at}`, schema] as const)
  const written = toJsonSchemas({ named: {}, inline: new Map(entries), direction: 'output' })
  const anyOf = entries.flatMap(([key]) => written.get(key) ?? [])
  return { type: 'object', anyOf: isCut ? anyOf.map(withoutMinimum) : anyOf }
}

/** The schema of a part: what has at least so many entries may have fewer of them. */
function withoutMinimum(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutMinimum)
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'minItems')
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutMinimum(value)]))
}

type Argument = { name: string; schema: unknown; isRequired: boolean }

function argumentOf({ name, in: place, required, description, schema }: JsonSchema): Argument {
  const short = place === 'query' ? shortened(schema) : schema
  const described = isObject(short) && description !== undefined ? { ...short, description } : short
  return { name: place === 'header' ? keyArgument : String(name), schema: described, isRequired: required === true }
}

const mostChoices = 6

/**
 * What a list is asked for, in few words: a refusal tells lengths. All members of a record, or all kinds, a model has
 * met where they stand, and a refusal names them.
 */
function shortened(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { minLength: _least, maxLength: _most, ...short } = schema
  if (!isObject(schema['items'])) return short
  const { description, items } = schema
  const { type, enum: words } = items
  const isShort = Array.isArray(words) && words.length <= mostChoices
  return {
    ...(description === undefined ? {} : { description }),
    type: 'array',
    items: isShort ? { type, enum: words } : { type },
  }
}

function bodyArguments({ name, body }: WorkspaceVerb): Argument[] {
  if (body === undefined) return []
  const inline = new Map([[name, body.toolSchema ?? body.schema]])
  const schema = withoutTextPatterns(toJsonSchemas({ named: {}, inline, direction: 'input' }).get(name))
  const { properties, required } = objectOf(schema)
  const names: unknown[] = Array.isArray(required) && body.isRequired ? required : []
  return Object.entries(isObject(properties) ? properties : {}).map(([member, each]) => ({
    name: member,
    schema: each,
    isRequired: names.includes(member),
  }))
}

/** That a text has characters, and which ones, no model has to be told: it writes no others. */
function withoutTextPatterns(schema: unknown): JsonSchema {
  return isObject(schema) ? Object.fromEntries(Object.entries(schema).flatMap(withoutTextPattern)) : {}
}

function withoutTextPattern([keyword, value]: [string, unknown]): [string, unknown][] {
  if (keyword === 'minLength' && value === 1) return []
  if (keyword === 'pattern' && typeof value === 'string' && value.includes(String.raw`\p{`)) return []
  return [[keyword, isObject(value) ? withoutTextPatterns(value) : value]]
}

/** A body that may be left out is `anyOf` of an object and of nothing. */
function objectOf(schema: JsonSchema | undefined): JsonSchema {
  if (schema === undefined || schema['properties'] !== undefined) return schema ?? {}
  const choices: unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  return choices.filter(isObject).find(({ properties }) => properties !== undefined) ?? {}
}
