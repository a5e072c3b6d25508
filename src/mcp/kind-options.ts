import { type DescribedContacts, contactOptionSchemas } from '#api-document/openapi-contacts.ts'
import type { DescribedKinds } from '#api-document/openapi-kinds.ts'
import { type JsonSchema, isObject, toJsonSchemas } from '#api-document/openapi-schemas.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'

/** Where a model finds the options of a kind in full. */
export const kindRoot = 'perigee://kinds/'
export const contactKindRoot = 'perigee://contact-kinds/'

/** Says in an input schema which `check_options` each kind has. In full, and for each tool, they would fill a context. */
export function withOptionNames<Schema extends JsonSchema>(schema: Schema, kinds: DescribedKinds): Schema {
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties['check_options'])) return schema
  const description = `By kind. ${optionNames(kinds)}. In full: the resource ${kindRoot}{kind}.`
  return { ...schema, properties: { ...properties, check_options: { ...properties['check_options'], description } } }
}

/** Options that several kinds have stand once, after all of these. */
function optionNames(kinds: DescribedKinds): string {
  const kindsOf = new Map<string, string[]>()
  for (const [kind, { properties }] of kindOptions(kinds))
    for (const name of Object.keys(isObject(properties) ? properties : {}))
      kindsOf.set(name, [...(kindsOf.get(name) ?? []), kind])
  const alike = Map.groupBy(kindsOf, ([, owners]) => owners.join(', '))
  return [...alike].map(([owners, named]) => `${owners}: ${named.map(([name]) => name).join(', ')}`).join('; ')
}

const contactBodies: ReadonlySet<unknown> = new Set(['AlertChannelInput', 'AlertChannelChange'])

/** Says in the input schema of a tool that makes or changes contacts which `options` each kind has. */
export function withContactOptions<Schema extends JsonSchema>(
  schema: Schema,
  { body }: WorkspaceVerb,
  kinds: DescribedContacts,
): Schema {
  const { properties } = schema
  if (!contactBodies.has(body?.schemaName) || !isObject(properties)) return schema
  const options = properties['options']
  if (!isObject(options)) throw new Error('A contact has no options.')
  const names = Object.entries(contactOptionSchemas(kinds)).flatMap(([kind, { properties: given, required }]) => {
    const members = Object.entries(isObject(given) ? given : {}).map(([name, option]) => {
      const isSecret = isObject(option) && option['writeOnly'] === true
      const isOptional = !(Array.isArray(required) && required.includes(name))
      return `${name}${isSecret ? '*' : ''}${isOptional ? '?' : ''}`
    })
    return members.length === 0 ? [] : [`${kind}: ${members.join(', ')}`]
  })
  const description =
    'What the kind adds. `*` marks secrets, which are never returned, `?` what a new contact may leave out. ' +
    `${names.join('; ')}. In full: the resource ${contactKindRoot}{kind}.`
  return { ...schema, properties: { ...properties, options: { ...options, description } } }
}

/** The JSON Schema of the `check_options` of each kind. */
export function kindOptions(kinds: DescribedKinds): Map<string, JsonSchema> {
  const named = Object.entries(kinds).flatMap(([kind, described]) =>
    described === undefined ? [] : [[kind, described.options] as const],
  )
  return toJsonSchemas({ named: {}, inline: new Map(named), direction: 'input' })
}
