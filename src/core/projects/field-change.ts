/**
 * Values as the API has them. Both are null for a secret: one that is to be set, or with `isOther` one that is set to
 * another value.
 */
export type FieldChange = { field: string; before: unknown; after: unknown; isOther?: boolean }
