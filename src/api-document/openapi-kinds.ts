import type { z } from 'zod'
import { usualKind } from '#core/monitors/kind-traits.ts'
import type { SecretOption } from '#core/monitors/monitor-options.ts'
import { type JsonSchema, isObject, schemaRoot, toJsonSchemas } from './openapi-schemas.ts'

/** What the document says of a kind of monitor. */
export type DescribedKind = {
  options: z.ZodType
  secretOptions: readonly SecretOption[]
  /** No location checks it, so it needs no target. */
  isPassive: boolean
}
export type DescribedKinds = Readonly<Partial<Record<string, DescribedKind>>>

/**
 * The schemas of a MonitorInput's fields that depend on the kind: `SslOptions` and `SslInput` for the kind ssl and so
 * on, `KindInput` to choose among them, `UsualInput` where no kind is named. A discriminator needs a member that names
 * the kind (OpenAPI 3.1, Discriminator Object).
 */
export function kindSchemas(kinds: DescribedKinds): Record<string, JsonSchema> {
  const described = entriesOf(kinds)
  const named = Object.fromEntries(described.map(([name, { options }]) => [optionsName(name), options]))
  const options = toJsonSchemas({ named, inline: new Map(), direction: 'input' })
  const schemas = described.flatMap(([name, kind]) => [
    [optionsName(name), kind.secretOptions.reduce(markSecret, options.get(optionsName(name)) ?? {})],
    [inputName(name), inputSchema(name, kind)],
  ])
  const names = described.map(([name]) => name)
  return { UsualInput: usualInput, KindInput: kindInput(names), ...Object.fromEntries(schemas) }
}

/** The options of each kind by its name, secrets marked: what a form of the console is made from. */
export function optionSchemas(kinds: DescribedKinds): Record<string, JsonSchema> {
  const schemas = kindSchemas(kinds)
  return Object.fromEntries(entriesOf(kinds).map(([name]) => [name, schemas[optionsName(name)] ?? {}]))
}

/** A new monitor. */
export function withKindOfInput(input: JsonSchema): JsonSchema {
  return { ...input, oneOf: [refer('UsualInput'), refer('KindInput')] }
}

/** A change: `check_options` are those of the kind that is named, else of the kind that the monitor has. */
export function withKindOfChange(change: JsonSchema, kinds: DescribedKinds): JsonSchema {
  const names = entriesOf(kinds).map(([name]) => name)
  const kept: JsonSchema = {
    title: 'The kind stays',
    properties: { check_options: { anyOf: names.map((name) => refer(optionsName(name))) } },
    not: { required: ['kind'] },
  }
  return { ...change, oneOf: [kept, ...names.map((name) => ofKind(name, ['kind']))] }
}

const usualInput: JsonSchema = {
  description: `What a MonitorInput has that names no kind: it is one of the kind \`${usualKind}\`.`,
  type: 'object',
  properties: { check_options: refer(optionsName(usualKind)) },
  required: ['url'],
  not: { required: ['kind'] },
}

function kindInput(names: string[]): JsonSchema {
  return {
    description: 'What a MonitorInput has that names its kind.',
    oneOf: names.map((name) => refer(inputName(name))),
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(names.map((name) => [name, schemaRoot + inputName(name)])),
    },
  }
}

function inputSchema(name: string, { options, isPassive }: DescribedKind): JsonSchema {
  const required = ['kind', ...(isPassive ? [] : ['url']), ...(options.safeParse({}).success ? [] : ['check_options'])]
  const description = `What a MonitorInput of the kind \`${name}\` has. ${options.description ?? ''}`
  return { description, type: 'object', ...ofKind(name, required) }
}

function ofKind(name: string, required: string[]): JsonSchema {
  const properties = { kind: { type: 'string', const: name }, check_options: refer(optionsName(name)) }
  return { title: name, properties, required }
}

/** A secret is never in an answer; in a request null clears it. */
function markSecret(schema: JsonSchema, secret: SecretOption): JsonSchema {
  if (typeof secret === 'string') return withProperty(schema, secret, asSecret)
  return withProperty(schema, secret.list, (list) => {
    const { items } = list
    return isObject(items) ? { ...list, items: withProperty(items, secret.member, asSecret) } : list
  })
}

function asSecret(schema: JsonSchema): JsonSchema {
  const { type } = schema
  return { ...schema, ...(typeof type === 'string' ? { type: [type, 'null'] } : {}), writeOnly: true }
}

function withProperty(schema: JsonSchema, name: string, change: (property: JsonSchema) => JsonSchema): JsonSchema {
  const properties = propertiesOf(schema)
  const property = properties[name]
  if (!isObject(property)) throw new Error(`The secret option ${name} is not in its schema.`)
  return { ...schema, properties: { ...properties, [name]: change(property) } }
}

function propertiesOf({ properties }: JsonSchema): JsonSchema {
  return isObject(properties) ? properties : {}
}

function entriesOf(kinds: DescribedKinds): [name: string, kind: DescribedKind][] {
  return Object.entries(kinds).flatMap(([name, kind]) => (kind === undefined ? [] : [[name, kind]]))
}

export function refer(name: string): JsonSchema {
  return { $ref: schemaRoot + name }
}

function optionsName(kind: string): string {
  return `${pascalCase(kind)}Options`
}

function inputName(kind: string): string {
  return `${pascalCase(kind)}Input`
}

export function pascalCase(kind: string): string {
  return kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
