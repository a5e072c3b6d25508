import { type DescribedContacts, contactOptionSchemas } from '#api-document/openapi-contacts.ts'
import type { DescribedKinds } from '#api-document/openapi-kinds.ts'
import { type JsonSchema, isObject, toJsonSchemas } from '#api-document/openapi-schemas.ts'
import { inWords } from '#core/language/in-words.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'

/** Where a model finds the options of a kind in full. */
export const kindRoot = 'perigee://kinds/'
export const contactKindRoot = 'perigee://contact-kinds/'

/**
 * Says in an input schema which `check_options` the kinds have. In full, and for each tool, they would fill a context, and
 * so would the names of kinds that share little with the others.
 */
export function withOptionNames<Schema extends JsonSchema>(schema: Schema, kinds: DescribedKinds): Schema {
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties['check_options'])) return schema
  const description = `By kind. ${optionNames(kinds)}: the resource ${kindRoot}{kind}.`
  return { ...schema, properties: { ...properties, check_options: { ...properties['check_options'], description } } }
}

/** More options than so many, that the usual kind does not have, are left to where a kind is described in full. */
const mostToldOfKind = 3

/** Options that several kinds have stand once, after all of these. */
function optionNames(kinds: DescribedKinds): string {
  const names = new Map([...kindOptions(kinds)].map(([kind, { properties }]) => [kind, Object.keys(properties ?? {})]))
  const usual = new Set(names.get(usualKind))
  const isLong = (own: readonly string[]): boolean => own.filter((name) => !usual.has(name)).length > mostToldOfKind
  const [long, told] = [true, false].map((is) => [...names].filter(([, own]) => isLong(own) === is))
  const kindsOf = new Map<string, string[]>()
  for (const [kind, own] of told ?? []) for (const name of own) kindsOf.set(name, [...(kindsOf.get(name) ?? []), kind])
  const alike = Map.groupBy(kindsOf, ([, owners]) => owners.join(', '))
  const listed = [...alike].map(([owners, named]) => `${owners}: ${named.map(([name]) => name).join(', ')}`).join('; ')
  const others = (long ?? []).map(([kind]) => kind)
  return `${listed}. ${others.length === 0 ? 'In full' : `${inWords(others)}, and all in full`}`
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
