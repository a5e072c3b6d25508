// Collections of Postman, versions 2.0 and 2.1 (https://schema.getpostman.com/json/collection/v2.1.0/docs/index.html).
import { z } from 'zod'
import { ifGiven, textOrNull } from '#core/imports/import-json.ts'
import { listOf } from '#core/language/foreign-lists.ts'

const maxMembers = 1_000

const isOff = z
  .boolean()
  .nullish()
  .transform((value) => value === true)

/** A variable is named by its key, or in old collections by its id. */
const variableSchema = z.object({
  key: textOrNull,
  id: textOrNull,
  value: z.unknown().optional(),
  disabled: isOff,
})
export const variablesSchema = ifGiven(listOf(variableSchema, maxMembers))
export type PostmanVariable = z.infer<typeof variableSchema>

const fieldSchema = z.object({ key: textOrNull, value: z.unknown().optional(), type: textOrNull, disabled: isOff })
const fields = ifGiven(listOf(fieldSchema, maxMembers))
export type PostmanField = z.infer<typeof fieldSchema>

/** The members of the type that is named are lists of keys and values, or in version 2.0 objects. */
export const authSchema = ifGiven(z.looseObject({ type: textOrNull }))
export type PostmanAuth = NonNullable<z.infer<typeof authSchema>>

const description = z.union([z.string(), z.object({ content: z.string().nullish() })]).nullish()

const part = z.union([z.string(), z.number(), z.object({ value: textOrNull })])
const parts = z.union([z.string(), listOf(part, maxMembers)]).nullish()

const urlSchema = z.union([
  z.string(),
  z.object({
    raw: z.string().nullish(),
    protocol: textOrNull,
    host: parts,
    port: textOrNull,
    path: parts,
    query: fields,
    variable: variablesSchema,
  }),
])
export type PostmanUrl = z.infer<typeof urlSchema>
export type PostmanParts = z.infer<typeof parts>

const bodySchema = ifGiven(
  z.object({
    mode: textOrNull,
    raw: z.string().nullish(),
    urlencoded: fields,
    formdata: fields,
    graphql: ifGiven(z.object({ query: z.string().nullish(), variables: z.unknown().optional() })),
    options: ifGiven(z.object({ raw: ifGiven(z.object({ language: textOrNull })) })),
    disabled: isOff,
  }),
)
export type PostmanBody = NonNullable<z.infer<typeof bodySchema>>

export const requestSchema = z.union([
  z.string(),
  z.object({
    url: urlSchema.nullish(),
    method: textOrNull,
    auth: authSchema,
    header: z.union([z.string(), listOf(fieldSchema, maxMembers)]).nullish(),
    body: bodySchema,
  }),
])

const script = z.union([z.string(), listOf(z.string(), 10_000)]).nullish()
export const eventsSchema = ifGiven(
  listOf(z.object({ listen: textOrNull, disabled: isOff, script: ifGiven(z.object({ exec: script })) }), 100),
)
export type PostmanEvents = z.infer<typeof eventsSchema>

/** A folder has items, each other item a request. */
export const itemSchema = z.object({
  name: textOrNull,
  description,
  item: z.array(z.unknown()).max(10_000, 'Must have at most 10000 entries.').nullish(),
  request: z.unknown().optional(),
  auth: authSchema,
  event: z.unknown().optional(),
  variable: variablesSchema,
})
export type PostmanItem = z.infer<typeof itemSchema>

export const collectionSchema = itemSchema.omit({ name: true, request: true }).extend({
  info: z.object({ name: textOrNull, description, schema: z.string() }),
  item: z.array(z.unknown()).max(10_000, 'Must have at most 10000 entries.'),
})
export type PostmanCollection = z.infer<typeof collectionSchema>

/** An environment, which is a file of its own. */
export const environmentSchema = z.object({
  name: textOrNull,
  values: listOf(z.object({ key: textOrNull, value: z.unknown().optional(), enabled: z.boolean().nullish() }), 10_000),
})
