import type { DescribedKinds } from '#api-document/openapi-kinds.ts'
import { type JsonSchema, isObject, toJsonSchemas } from '#api-document/openapi-schemas.ts'

/** Where a model finds the options of a kind in full. */
export const kindRoot = 'perigee://kinds/'

/** Says in an input schema which `check_options` each kind has. In full, and for each tool, they would fill a context. */
export function withOptionNames<Schema extends JsonSchema>(schema: Schema, kinds: DescribedKinds): Schema {
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties['check_options'])) return schema
  const names = [...kindOptions(kinds)].flatMap(([kind, options]) => {
    const members = Object.keys(isObject(options['properties']) ? options['properties'] : {})
    return members.length === 0 ? [] : [`${kind}: ${members.join(', ')}`]
  })
  const description = `What the kind of the monitor adds. ${names.join('; ')}. In full: the resource ${kindRoot}{kind}.`
  return { ...schema, properties: { ...properties, check_options: { ...properties['check_options'], description } } }
}

/** The JSON Schema of the `check_options` of each kind. */
export function kindOptions(kinds: DescribedKinds): Map<string, JsonSchema> {
  const named = Object.entries(kinds).flatMap(([kind, described]) =>
    described === undefined ? [] : [[kind, described.options] as const],
  )
  return toJsonSchemas({ named: {}, inline: new Map(named), direction: 'input' })
}
