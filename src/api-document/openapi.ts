import type { z } from 'zod'
import { alertMessages } from '#core/contacts/alert-message.ts'
import { statusMessageSchema } from '#core/status-pages/status-message.ts'
import { errorProblemSchema } from '#operations/pipeline/error-schema.ts'
import { madePaths } from '#operations/pipeline/made-paths.ts'
import { type AnyOperation, type Success, tagDescriptions } from '#operations/pipeline/operation.ts'
import { parametersOf } from './openapi-parameters.ts'
import { headerComponents, responseComponents, responsesOf } from './openapi-responses.ts'
import { type JsonSchema, isObject, schemaRoot, toJsonSchemas } from './openapi-schemas.ts'
import { examples } from './openapi-examples.ts'
import {
  type DescribedContacts,
  contactSchemas,
  withKindOfContact,
  withKindOfContactChange,
} from './openapi-contacts.ts'
import { type DescribedKinds, kindSchemas, withKindOfChange, withKindOfInput } from './openapi-kinds.ts'
import { webhookParameters, webhooks } from './openapi-webhooks.ts'
import { besideSchemas, besideTagList, pathsBesideApi } from './beside/beside.ts'
import type { OpenApiSource } from '#http/openapi-routes.ts'

export type OpenApiOptions = {
  operations: readonly AnyOperation[]
  /** Named schemas of answers. */
  components: Readonly<Record<string, z.ZodType>>
  /** The kinds of monitors by name. */
  kinds: DescribedKinds
  /** The kinds of contacts by name. */
  contactKinds: DescribedContacts
  publicUrl: string
  /** The offers of every operation that may cost something (draft-payment-discovery-00). */
  paymentOffers: readonly PaymentOffer[]
  /** Codes of the locations, in their order. */
  locationCodes: readonly string[]
}

/** How an operation may be paid. `amount` is null where it depends on what is due. */
export type PaymentOffer = {
  intent: string
  method: string
  amount: string | null
  currency?: string
  description: string
}

/** The version of the API (docs/versioning.md), not of this release. */
const version = '1.0.0'
const refreshMs = 60_000

/** The document as text; the locations in it are read again at most once a minute. */
export function createOpenApiSource(
  options: Omit<OpenApiOptions, 'locationCodes'> & { readLocationCodes: () => Promise<string[]>; now: () => Date },
): OpenApiSource {
  let written: { codes: string; text: string; at: number } | null = null
  return async () => {
    const at = options.now().getTime()
    if (written !== null && at - written.at < refreshMs) return written.text
    const locationCodes = await options.readLocationCodes()
    const codes = locationCodes.join(' ')
    const text = written?.codes === codes ? written.text : JSON.stringify(createOpenApi({ ...options, locationCodes }))
    written = { codes, text, at }
    return text
  }
}

/** OpenAPI 3.1 of the operations: nothing in it is written twice. */
export function createOpenApi(options: OpenApiOptions): JsonSchema {
  const { publicUrl } = options
  const operations = options.operations.filter(({ surface }) => surface !== 'console')
  const named = {
    ...options.components,
    ...alertMessages,
    StatusMessage: statusMessageSchema,
    ErrorProblem: errorProblemSchema,
  }
  const answers = toJsonSchemas({ named, inline: successSchemas(operations), direction: 'output' })
  const bodies = toJsonSchemas({ named: bodySchemas(operations), inline: new Map(), direction: 'input' })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perigee',
      version,
      summary: 'Uptime monitoring: monitors, results, incidents and alerts.',
      description:
        'Every request needs an API token in `X-API-Key`, except `POST /monitors` and its quote, which also accept ' +
        'callers without an account. A list is an object with a `data` array, and a single record an object with a ' +
        '`data` member; only receipts and software reports are plain objects. Answers may get new members at any ' +
        'time.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    'x-service-info': serviceInfo(publicUrl),
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: [...tagsOf(operations), ...besideTagList],
    paths: { ...pathsOf(operations, answers, options.paymentOffers), ...pathsBesideApi(publicUrl) },
    webhooks,
    components: {
      securitySchemes,
      headers: headerComponents,
      parameters: webhookParameters(),
      responses: responseComponents(operations),
      schemas: withExamples({
        ...namedOnly(answers, named),
        ...Object.fromEntries([...bodies].map(([name, schema]) => [name, describeBody(name, schema, options)])),
        ...kindSchemas(options.kinds),
        ...contactSchemas(options.contactKinds),
        LocationCode: locationCode(options.locationCodes),
        ...besideSchemas(),
      }),
    },
  }
}

const securitySchemes: JsonSchema = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The recommended form; works on every request.',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The same token, on requests without a payment credential.' },
}

/** In the order of the operations. */
function tagsOf(operations: readonly AnyOperation[]): JsonSchema[] {
  const used = new Set(operations.map(({ tag }) => tag))
  return [...used].map((name) => ({ name, description: tagDescriptions[name] }))
}

function successSchemas(operations: readonly AnyOperation[]): Map<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>()
  for (const operation of operations)
    for (const success of [operation.success, operation.otherSuccess])
      if (success?.schema !== undefined) schemas.set(successKey(operation, success), success.schema)
  return schemas
}

function successKey(operation: AnyOperation, success: Success): string {
  return `${operation.name} ${success.status}`
}

function bodySchemas(operations: readonly AnyOperation[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    operations.flatMap(({ body }) => (body === undefined ? [] : [[body.schemaName, body.schema]])),
  )
}

function pathsOf(
  operations: readonly AnyOperation[],
  answers: Map<string, JsonSchema>,
  offers: readonly PaymentOffer[],
): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  const made = madePaths(operations)
  for (const operation of operations) {
    const { path, method } = operation
    const schemaOf = (success: Success): JsonSchema | undefined => answers.get(successKey(operation, success))
    const responses = responsesOf(operation, { schemaOf, makesReadable: made.has(operation) })
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { ...operationObject(operation), responses, ...paymentOf(operation, offers) },
    }
  }
  return paths
}

function operationObject(operation: AnyOperation): JsonSchema {
  const { name, tag, summary, description } = operation
  const parameters = parametersOf(operation)
  const scope = operation.scope === 'write' ? 'Needs the write scope.' : 'Needs the read scope.'
  const media = operation.success.asMarkdown === undefined ? [] : ['JSON, or Markdown with `Accept: text/markdown`.']
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [...(description === undefined ? [] : [description]), ...media, scope].join('\n\n'),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(operation),
  }
}

function requestBodyOf({ body, file }: AnyOperation): JsonSchema {
  if (file !== undefined) {
    const schema = { type: 'string', format: 'binary', description: file.description }
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } }
  }
  if (body === undefined) return {}
  const schema = { $ref: schemaRoot + body.schemaName }
  return { requestBody: { required: body.isRequired, content: { 'application/json': { schema } } } }
}

/** Who may call without a token, and how to pay. */
function paymentOf(operation: AnyOperation, offers: readonly PaymentOffer[]): JsonSchema {
  const takesStrangers = operation.actsFor === 'workspace' && operation.performForStranger !== null
  return {
    ...(takesStrangers ? { security: [{ ApiKey: [] }, { Bearer: [] }, {}] } : {}),
    ...(operation.paid === true ? { 'x-payment-info': { offers } } : {}),
  }
}

/** What a directory of services that can be paid shows. */
function serviceInfo(publicUrl: string): JsonSchema {
  return {
    categories: ['monitoring', 'developer-tools'],
    docs: { homepage: publicUrl, apiReference: `${publicUrl}/reference` },
  }
}

function namedOnly(schemas: Map<string, JsonSchema>, names: OpenApiOptions['components']): Record<string, JsonSchema> {
  return Object.fromEntries([...schemas].filter(([name]) => Object.hasOwn(names, name)))
}

/** Callers without an account cannot ask for the list, which needs a token, so the document names the codes. */
function locationCode(codes: readonly string[]): JsonSchema {
  const description = 'Code of a location, as `GET /locations` lists them; the first is the default.'
  return { type: 'string', description, ...(codes.length === 0 ? {} : { enum: codes, examples: [codes[0]] }) }
}

type Described = Pick<OpenApiOptions, 'kinds' | 'contactKinds'>

function describeBody(name: string, schema: JsonSchema, { kinds, contactKinds }: Described): JsonSchema {
  switch (name) {
    case 'MonitorInput':
      return withKindOfInput(nameLocations(schema))
    case 'MonitorChange':
      return withKindOfChange(nameLocations(schema), kinds)
    case 'AlertChannelInput':
      return withKindOfContact(schema, contactKinds)
    case 'AlertChannelChange':
      return withKindOfContactChange(schema, contactKinds)
    default:
      return schema
  }
}

/** Answers keep plain text: a location may be added at any time. */
function nameLocations(schema: JsonSchema): JsonSchema {
  const { properties } = schema
  if (!isObject(properties) || !isObject(properties['locations'])) return schema
  const locations = { ...properties['locations'], items: { $ref: `${schemaRoot}LocationCode` } }
  return { ...schema, properties: { ...properties, locations } }
}

function withExamples(schemas: Record<string, JsonSchema>): JsonSchema {
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const example = examples[name]
    return [name, example === undefined ? schema : { ...schema, examples: [example] }]
  })
  return Object.fromEntries(entries)
}
