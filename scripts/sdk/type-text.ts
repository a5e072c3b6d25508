// TypeScript of the schemas of our OpenAPI document. It takes what that document uses, and stops at anything else.
import { isObject, type JsonSchema, schemaRoot } from '#api-document/openapi-schemas.ts'

export type Schemas = Readonly<Record<string, JsonSchema>>

/** `type` or `interface`-like text of a schema. `schemas` are those that others refer to by name. */
export function typeText(schema: unknown, schemas: Schemas): string {
  if (!isObject(schema)) return 'unknown'
  const { $ref, allOf, anyOf, oneOf, type } = schema
  if (typeof $ref === 'string') return nameOf($ref)
  if (allOf !== undefined) throw new Error('The document has an allOf, which scripts/sdk/type-text.ts does not write.')
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : null
  if (alternatives !== null) return alternativesText(schema, alternatives, schemas)
  if (Array.isArray(type)) return type.map((each) => typeText({ ...schema, type: each }, schemas)).join(' | ')
  if (typeof type === 'string') return plainText(type, schema, schemas)
  return schema['properties'] !== undefined || schema['required'] !== undefined
    ? objectText(schema, schemas)
    : 'unknown'
}

function plainText(type: string, schema: JsonSchema, schemas: Schemas): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `${grouped(typeText(schema['items'], schemas))}[]`
    case 'object':
      return objectText(schema, schemas)
    default:
      throw new Error(`The document has the type ${type}, which scripts/sdk/type-text.ts does not write.`)
  }
}

/** What the alternatives say of a property takes the place of what the schema around them says. */
function alternativesText(schema: JsonSchema, alternatives: readonly unknown[], schemas: Schemas): string {
  const union = alternatives.map((each) => typeText(each, schemas)).join(' | ')
  const { properties } = schema
  if (!isObject(properties)) return union
  const told = new Set(alternatives.flatMap((each) => propertyNames(each, schemas)))
  const kept = Object.entries(properties).filter(([name]) => !told.has(name))
  return `${objectText({ ...schema, properties: Object.fromEntries(kept) }, schemas)} & (${union})`
}

function propertyNames(schema: unknown, schemas: Schemas): string[] {
  if (!isObject(schema)) return []
  const { $ref, oneOf, properties } = schema
  if (typeof $ref === 'string') return propertyNames(schemas[nameOf($ref)], schemas)
  const own = isObject(properties) ? Object.keys(properties) : []
  return [...own, ...(Array.isArray(oneOf) ? oneOf.flatMap((each) => propertyNames(each, schemas)) : [])]
}

function objectText(schema: JsonSchema, schemas: Schemas): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = textsOf(schema['required'])
  const refused = isObject(schema['not']) ? textsOf(schema['not']['required']) : []
  const members = [
    ...Object.entries(properties).map(([name, each]) => memberText(name, each, { required, schemas })),
    // Together with another type that has the member, this says that it must be there.
    ...required.filter((name) => properties[name] === undefined).map((name) => `${keyText(name)}: unknown`),
    ...refused.map((name) => `${keyText(name)}?: undefined`),
  ]
  const open = schema['additionalProperties']
  if (members.length === 0)
    return `{ [member: string]: ${isObject(open) ? typeText(open, schemas) : open === false ? 'never' : 'unknown'} }`
  return `{\n${members.join('\n')}\n}`
}

function memberText(
  name: string,
  schema: unknown,
  { required, schemas }: { required: readonly string[]; schemas: Schemas },
): string {
  const description = isObject(schema) ? schema['description'] : undefined
  const type = typeText(schema, schemas)
  const member = required.includes(name) ? `${keyText(name)}: ${type}` : `${keyText(name)}?: ${type} | undefined`
  return typeof description === 'string' ? `${comment(description)}\n${member}` : member
}

function keyText(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
}

function grouped(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`
}

/** A comment that tools show; nothing in the text ends it. */
export function comment(text: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */`
}

function nameOf(reference: string): string {
  if (!reference.startsWith(schemaRoot)) throw new Error(`The document refers to ${reference}, which is no schema.`)
  return reference.slice(schemaRoot.length)
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
