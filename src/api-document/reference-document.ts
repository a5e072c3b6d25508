// The parts of our own OpenAPI document that the reference shows.
import { z } from 'zod'

const number = z.number().optional()

/** The part of JSON Schema that the reference shows. */
export type Schema = {
  $ref?: string | undefined
  type?: string | string[] | undefined
  format?: string | undefined
  description?: string | undefined
  enum?: z.core.util.JSONType[] | undefined
  const?: z.core.util.JSONType | undefined
  default?: z.core.util.JSONType | undefined
  examples?: z.core.util.JSONType[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  writeOnly?: boolean | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  properties?: Record<string, Schema> | undefined
  oneOf?: Schema[] | undefined
  anyOf?: Schema[] | undefined
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.json()).optional(),
    const: z.json().optional(),
    default: z.json().optional(),
    examples: z.array(z.json()).optional(),
    minimum: number,
    maximum: number,
    minLength: number,
    maxLength: number,
    minItems: number,
    maxItems: number,
    writeOnly: z.boolean().optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional(),
    oneOf: z.array(schema).optional(),
    anyOf: z.array(schema).optional(),
  }),
)

const content = z.record(z.string(), z.object({ schema }))
const response = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: content.optional(),
})
export type Response = z.infer<typeof response>

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  schema,
})
export type Parameter = z.infer<typeof parameter>

const operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  /** Where it is served, if not where the API is. */
  servers: z.tuple([z.object({ url: z.string() })]).optional(),
  /** Empty where no token is asked for. */
  security: z.array(z.unknown()).optional(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), response),
})
export type Described = z.infer<typeof operation>

const documentSchema = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.tuple([z.object({ url: z.string() })]),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ responses: z.record(z.string(), response), schemas: z.record(z.string(), schema) }),
})
export type ApiDocument = z.infer<typeof documentSchema>

/** Throws when a document is not like ours. */
export function readDocument(text: string): ApiDocument {
  return documentSchema.parse(JSON.parse(text))
}

const schemaPrefix = '#/components/schemas/'
const responsePrefix = '#/components/responses/'

/** The name that a schema refers to; null for one that stands where it is. */
export function nameOf({ $ref }: Schema): string | null {
  return $ref?.startsWith(schemaPrefix) === true ? $ref.slice(schemaPrefix.length) : null
}

export function namedSchema({ components }: ApiDocument, name: string): Schema {
  return components.schemas[name] ?? {}
}

/** A response with what it refers to. */
export function responseOf({ components }: ApiDocument, given: Response): Response {
  return given.$ref === undefined ? given : (components.responses[given.$ref.slice(responsePrefix.length)] ?? {})
}

/** The members of an object, in their order. */
export function membersOf({ properties = {}, required = [] }: Schema): Member[] {
  return Object.entries(properties).map(([name, of]) => ({ name, isRequired: required.includes(name), schema: of }))
}

export type Member = { name: string; isRequired: boolean; schema: Schema }
