import type { z } from 'zod'
import { idRule, type Section, sections } from '#core/projects/entries.ts'
import { type NamingField, sectionTraits } from '#core/projects/section-traits.ts'
import { groupMembers, sectionMonitor } from '#core/projects/wire.ts'
import { type DescribedContacts, contactOptionSchemas } from './openapi-contacts.ts'
import { type DescribedKinds, optionSchemas } from './openapi-kinds.ts'
import { type JsonSchema, isObject, toJsonSchemas } from './openapi-schemas.ts'

/** The bodies of the operations that create what a project has, and what its entries say beside them. */
export type EntrySchemas = Readonly<Record<Section, { body: z.ZodType; own: z.ZodType }>>

type Described = { entries: EntrySchemas; kinds: DescribedKinds; contactKinds: DescribedContacts }

/** JSON Schema (draft 2020-12) of the files of a project: editors complete and check by it while they are written. */
export function createProjectSchema({ entries, kinds, contactKinds }: Described): JsonSchema {
  const conditions: Partial<Record<Section, JsonSchema[]>> = {
    contacts: byKind('options', contactOptionSchemas(contactKinds)),
    monitors: byKind('check_options', withMembers(optionSchemas(kinds))),
  }
  const fields = Object.fromEntries(sections.map((section) => [section, fieldsOf(section, entries[section])]))
  const lists = sections.map((section) => {
    const ofKinds = conditions[section] === undefined ? {} : { allOf: conditions[section] }
    const entry = { ...entryOf(fields[section] ?? {}), ...ofKinds }
    return [section, { type: 'array', items: entry, description: sectionTraits[section].description }] as const
  })
  const defaults = sections.map((section) => [section, { type: 'object', properties: fields[section] }] as const)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A file of a Perigee project',
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x-': { description: 'A place for anchors. It means nothing.' } },
    properties: {
      project: { ...key, description: 'The id of the project, in one of its files.' },
      variables: {
        description: 'Values for `${NAME}`, before those of the environment.',
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      },
      defaults: {
        description: 'Fields of every entry that does not have them itself.',
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(defaults),
      },
      ...Object.fromEntries(lists),
    },
    $defs: { variable, reference },
  }
}

const key: JsonSchema = { type: 'string', pattern: '^[a-z0-9$][^\\s]*$', description: idRule }
/** In place of a value of another type. */
const variable: JsonSchema = {
  type: 'string',
  pattern: '^\\$\\{[^{}]+\\}$',
  description: 'Filled in from `variables`, the environment, a file (`${file:path}`) or `for_each` (`${each.name}`).',
}
const named: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' } },
}
const reference: JsonSchema = { anyOf: [{ type: 'string' }, named], description: 'A key, or the name of another.' }
const references: JsonSchema = { type: 'array', items: { $ref: '#/$defs/reference' } }

function fieldsOf(section: Section, { body, own }: EntrySchemas[Section]): Record<string, JsonSchema> {
  const schemas = toJsonSchemas({ named: { body, own }, inline: new Map(), direction: 'input' })
  const sent: JsonSchema = { properties: { ...propertiesOf(schemas.get('body')), ...propertiesOf(schemas.get('own')) } }
  // Members that one kind alone has are among the options of that kind.
  const naming = sectionTraits[section].references.filter(({ ofKind }) => ofKind === undefined)
  const written = naming.reduce((done, field) => inEach(done, field.within, (found) => withNames(found, field)), sent)
  return Object.fromEntries(
    Object.entries(propertiesOf(written)).map(([name, schema]) => [name, withVariables(schema)]),
  )
}

/** The same with other schemas of objects where a path leads, in which `*` stands for the items of a list. */
function inEach(schema: JsonSchema, path: readonly string[], change: (found: JsonSchema) => JsonSchema): JsonSchema {
  const [name, ...rest] = path
  if (name === undefined) return change(schema)
  const member = name === '*' ? 'items' : 'properties'
  const inner = schema[member]
  if (!isObject(inner)) return schema
  if (name === '*') return { ...schema, items: inEach(inner, rest, change) }
  const field = inner[name]
  return isObject(field) ? { ...schema, properties: { ...inner, [name]: inEach(field, rest, change) } } : schema
}

/** What names others does so by keys, in a member that keeps its place. */
function withNames(schema: JsonSchema, { written, sent, form }: NamingField): JsonSchema {
  const { required } = schema
  const properties = Object.entries(propertiesOf(schema)).map(([name, field]) => {
    if (name !== sent) return [name, field] as const
    const { description } = field
    const told = typeof description === 'string' ? { description } : {}
    const names = form === 'placed' ? placed : form === 'one' ? oneReference : references
    return [written, { ...told, ...(takesNull(field) ? { anyOf: [names, { type: 'null' }] } : names) }] as const
  })
  const needed = Array.isArray(required) ? required.map((name) => (name === sent ? written : name)) : null
  return { ...schema, properties: Object.fromEntries(properties), ...(needed === null ? {} : { required: needed }) }
}

function takesNull({ type, anyOf }: JsonSchema): boolean {
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true
  return Array.isArray(anyOf) && anyOf.some((each: unknown) => isObject(each) && takesNull(each))
}

const oneReference: JsonSchema = { $ref: '#/$defs/reference' }
const placed: JsonSchema = {
  type: 'array',
  items: {
    anyOf: [
      oneReference,
      {
        type: 'object',
        additionalProperties: false,
        required: [sectionMonitor.written],
        properties: {
          [sectionMonitor.written]: oneReference,
          name: { type: ['string', 'null'], description: "Shown in place of the monitor's own name." },
        },
      },
    ],
  },
}

/** Only the key is required: all else may come from `defaults`. */
function entryOf(fields: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['key'],
    properties: {
      key: { ...key, description: `By it the entry stays the same when its name changes. ${idRule}` },
      for_each: {
        description: 'Makes an entry for each of a list, which is `${each}` in it, or `${each.name}` of a map.',
        anyOf: [{ type: 'array' }, { $ref: '#/$defs/variable' }],
      },
      ...fields,
    },
  }
}

/** The options of the kind that an entry names; of any kind where it names none, which may stand in `defaults`. */
function byKind(member: string, options: Readonly<Record<string, JsonSchema>>): JsonSchema[] {
  const open = Object.entries(options).map(([kind, schema]) => [kind, withVariables(schema)] as const)
  // Said the other way round, because an object with a member "then" looks like a promise.
  const ofKind = open.map(([kind, schema]) => ({
    if: { not: { properties: { kind: { const: kind } }, required: ['kind'] } },
    else: { properties: { [member]: schema } },
  }))
  const any = { properties: { [member]: { anyOf: open.map(([, schema]) => schema) } } }
  return [...ofKind, { if: { required: ['kind'] }, else: any }]
}

function withMembers({ group, ...others }: Record<string, JsonSchema>): Record<string, JsonSchema> {
  if (group === undefined) return others
  const { written, sent } = groupMembers
  const { [sent]: ids, ...properties } = propertiesOf(group)
  const members = { ...references, description: 'Monitors, no groups among them, each once.' }
  return {
    ...others,
    group: { ...group, required: [written], properties: { [written]: ids && members, ...properties } },
  }
}

/** Where a text of any form, a number, a list or a choice stands, `${…}` may stand as well. */
function withVariables(schema: JsonSchema): JsonSchema {
  const inner = withInner(schema)
  const { description, ...rest } = inner
  const isOpen = inner['type'] === 'object' || '$ref' in inner || 'const' in inner || isAnyText(rest)
  if (isOpen) return inner
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { $ref: '#/$defs/variable' }] }
}

function withInner(schema: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties: values } = schema
  return {
    ...schema,
    ...(isObject(properties) ? { properties: mapValues(properties, withVariables) } : {}),
    ...(isObject(items) ? { items: withVariables(items) } : {}),
    ...(isObject(values) ? { additionalProperties: withVariables(values) } : {}),
  }
}

function isAnyText({ type, ...rules }: JsonSchema): boolean {
  return type === 'string' && Object.keys(rules).every((rule) => rule === 'maxLength')
}

function mapValues(values: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isObject(value) ? change(value) : value]),
  )
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  const properties = schema?.['properties']
  if (!isObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => (isObject(each) ? [[name, each]] : [])),
  )
}
