import { type DescribedKind, optionSchemas, pascalCase, refer } from './openapi-kinds.ts'
import { type JsonSchema, schemaRoot } from './openapi-schemas.ts'

/** What the document says of a kind of contact. */
export type DescribedContact = Pick<DescribedKind, 'options' | 'secretOptions'>
export type DescribedContacts = Readonly<Record<string, DescribedContact>>

/** The options of each kind of contact by its name, secrets marked. */
export function contactOptionSchemas(kinds: DescribedContacts): Record<string, JsonSchema> {
  const described = Object.entries(kinds).map(([name, kind]) => [name, { ...kind, isPassive: false }] as const)
  return optionSchemas(Object.fromEntries(described))
}

/**
 * The schemas of `options` that depend on the kind of a contact: `TelegramChannelInput` and `TelegramChannelOptions` of
 * a new one, `TelegramChannelOptionsChange` of a change, which may leave out the secrets that are kept.
 */
export function contactSchemas(kinds: DescribedContacts): Record<string, JsonSchema> {
  const entries = Object.entries(contactOptionSchemas(kinds)).flatMap(([name, options]) => {
    const secrets = kinds[name]?.secretOptions ?? []
    return [
      [optionsName(name), options],
      [
        changeName(name),
        withoutRequired(
          options,
          secrets.flatMap((secret) => (typeof secret === 'string' ? [secret] : [])),
        ),
      ],
      [inputName(name), inputSchema(name, options)],
    ]
  })
  return Object.fromEntries(entries)
}

/** A new contact. */
export function withKindOfContact(input: JsonSchema, kinds: DescribedContacts): JsonSchema {
  const names = Object.keys(kinds)
  return {
    ...input,
    oneOf: names.map((name) => refer(inputName(name))),
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(names.map((name) => [name, schemaRoot + inputName(name)])),
    },
  }
}

/** A change: `options` are those of the kind that the contact has, whether it is named or not. */
export function withKindOfContactChange(change: JsonSchema, kinds: DescribedContacts): JsonSchema {
  const names = Object.keys(kinds)
  const unnamed: JsonSchema = {
    title: 'The kind is not named',
    properties: { options: { anyOf: names.map((name) => refer(changeName(name))) } },
    not: { required: ['kind'] },
  }
  return { ...change, oneOf: [unnamed, ...names.map((name) => ofKind(name, changeName(name), ['kind']))] }
}

function inputSchema(name: string, options: JsonSchema): JsonSchema {
  const required = ['kind', ...(requiredOf(options).length === 0 ? [] : ['options'])]
  const description = `What an AlertChannelInput of the kind \`${name}\` has.`
  return { description, type: 'object', ...ofKind(name, optionsName(name), required) }
}

function ofKind(name: string, options: string, required: string[]): JsonSchema {
  return { title: name, properties: { kind: { type: 'string', const: name }, options: refer(options) }, required }
}

function withoutRequired({ required, ...schema }: JsonSchema, names: readonly string[]): JsonSchema {
  const left = requiredOf({ required }).filter((name) => !names.includes(name))
  return left.length === 0 ? schema : { ...schema, required: left }
}

function requiredOf({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.map(String) : []
}

function optionsName(kind: string): string {
  return `${pascalCase(kind)}ChannelOptions`
}

function changeName(kind: string): string {
  return `${pascalCase(kind)}ChannelOptionsChange`
}

function inputName(kind: string): string {
  return `${pascalCase(kind)}ChannelInput`
}
