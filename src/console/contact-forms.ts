import { type DescribedContacts, contactOptionSchemas } from '#api-document/openapi-contacts.ts'
import type { JsonSchema } from '#api-document/openapi-schemas.ts'

/** The schema of the options of each kind of contact, by which the API reads what the console's forms send. */
export type ContactForms = Record<string, { options: JsonSchema }>

export function contactForms(kinds: DescribedContacts): ContactForms {
  const schemas = Object.entries(contactOptionSchemas(kinds))
  return Object.fromEntries(schemas.map(([name, options]) => [name, { options }]))
}
