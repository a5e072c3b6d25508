import { type DescribedKind, optionSchemas } from '#api-document/openapi-kinds.ts'
import type { JsonSchema } from '#api-document/openapi-schemas.ts'

type DescribedContacts = Readonly<Record<string, Pick<DescribedKind, 'options' | 'secretOptions'>>>

/** The schema of the options of each kind of contact, by which the API reads what the console's forms send. */
export type ContactForms = Record<string, { options: JsonSchema }>

export function contactForms(kinds: DescribedContacts): ContactForms {
  const described = Object.entries(kinds).map(([name, { options, secretOptions }]) => {
    return [name, { options, secretOptions, isPassive: false }] as const
  })
  const schemas = Object.entries(optionSchemas(Object.fromEntries(described)))
  return Object.fromEntries(schemas.map(([name, options]) => [name, { options }]))
}
