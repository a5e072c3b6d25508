// The files of the SDK that are made from the OpenAPI document: its types, and a method for each operation.
import { z } from 'zod'
import { isObject, type JsonSchema } from '#api-document/openapi-schemas.ts'
import { camelCase, capitalised, methodName } from './method-names.ts'
import { comment, typeText } from './type-text.ts'

const schema = z.record(z.string(), z.unknown())
const parameterSchema = z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema })
const content = z.record(z.string(), z.object({ schema }))
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  /** Only operations beside the API have servers of their own. */
  servers: z.array(z.unknown()).optional(),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.default({}) })),
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})

type Document = z.infer<typeof documentSchema>
type Placed = z.infer<typeof operationSchema> & { path: string; verb: string; group: string; method: string }

/** TypeScript by the name of its file. */
export function clientFiles(openApi: JsonSchema): Record<string, string> {
  const document = documentSchema.parse(openApi)
  const operations = placed(document)
  return {
    'types.ts': typesText(document, operations),
    'client.ts': clientText(document, operations),
    'index.ts': indexText,
  }
}

const indexText = `export * from './client.ts'
export * from './errors.ts'
export { credentialFor, type PaymentChallenge } from './payments.ts'
export type { CallOptions, PerigeeOptions } from './request.ts'
export * from './types.ts'
export { type VerifyOptions, WebhookError, type WebhookHeaders } from './webhooks.ts'
`

function placed({ paths }: Document): Placed[] {
  const found: Placed[] = []
  const names = new Set<string>()
  for (const [path, methods] of Object.entries(paths))
    for (const [verb, operation] of Object.entries(methods)) {
      if (operation.servers !== undefined) continue
      const { group, method } = methodName({ operationId: operation.operationId, path })
      const name = `${group}.${method}`
      if (names.has(name)) throw new Error(`Two operations would be ${name}: name one in scripts/sdk/method-names.ts.`)
      names.add(name)
      found.push({ ...operation, path, verb: verb.toUpperCase(), group, method })
    }
  return found
}

function typesText({ components: { schemas } }: Document, operations: readonly Placed[]): string {
  const named = Object.entries(schemas).map(([name, each]) => {
    const { description } = each
    const told = typeof description === 'string' ? `${comment(description)}\n` : ''
    return `${told}export type ${name} = ${typeText(each, schemas)}\n`
  })
  const queries = operations.flatMap((operation) => {
    const parameters = queryOf(operation)
    if (parameters.length === 0) return []
    const properties = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema]))
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
    return [`export type ${queryName(operation)} = ${typeText({ type: 'object', properties, required }, schemas)}\n`]
  })
  const answers = operations.flatMap((operation) => {
    const texts = new Set(answersOf(operation).map((each) => typeText(each, schemas)))
    return texts.size === 0 ? [] : [`export type ${answerName(operation)} = ${[...texts].join(' | ')}\n`]
  })
  return [...named, ...queries, ...answers].join('\n')
}

function clientText({ components: { schemas } }: Document, operations: readonly Placed[]): string {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const classes = groups.map((group) => {
    const methods = operations.filter((each) => each.group === group).flatMap((each) => methodsOf(each, schemas))
    return `export class ${capitalised(group)}Calls {
readonly #send: Send
constructor(send: Send) {
this.#send = send
}

${methods.join('\n\n')}
}
`
  })
  const members = groups.map((group) => `readonly ${group}: ${capitalised(group)}Calls`)
  const made = groups.map((group) => `this.${group} = new ${capitalised(group)}Calls(send)`)
  return `import { itemsOf } from './pages.ts'
import { type CallOptions, createSend, type PerigeeOptions, type Send } from './request.ts'
import type * as Types from './types.ts'
import { verifiedBody, type VerifyOptions, type WebhookHeaders } from './webhooks.ts'

/** A client of one service, for one workspace. It holds no connection and needs no end. */
export class Perigee {
${members.join('\n')}

constructor(options: PerigeeOptions) {
const send = createSend(options)
${made.join('\n')}
}
}

/** What a contact is alerted of, or what is new on a status page. Types that are not known yet may come. */
export type WebhookEvent = Types.AlertMessage | Types.StatusMessage

/**
 * What a webhook got, once its signature and its time are right; throws WebhookError otherwise. \`body\` is what came,
 * byte for byte. While a secret is replaced, give both.
 */
export async function verifyWebhook(
body: string | Uint8Array,
headers: WebhookHeaders,
secret: string | readonly string[],
options: VerifyOptions = {},
): Promise<WebhookEvent> {
const secrets = typeof secret === 'string' ? [secret] : secret
return (await verifiedBody(body, headers, { ...options, secrets })) as WebhookEvent
}

${classes.join('\n')}`
}

/** The method of an operation and, where its list has pages, the one that reads all of them. */
function methodsOf(operation: Placed, schemas: Document['components']['schemas']): string[] {
  const { method, summary, description } = operation
  const { item, choosesFields } = listOf(operation)
  const taken = parametersText(operation, schemas)
  const order = orderText(operation)
  const generic = choosesFields ? `<Field extends keyof (${item}) & string = keyof (${item}) & string>` : ''
  const shown = choosesFields ? `Pick<${item}, Field>` : item
  const whole = answersOf(operation).length === 0 ? 'void' : `Types.${answerName(operation)}`
  const answer = choosesFields ? `Omit<${whole}, 'data'> & { data: ${shown}[] }` : whole
  const plain = `${comment(`${summary}.\n\n${description}`)}
async ${method}${generic}(${taken}): Promise<${answer}> {
return (await this.#send({ ${order} }, options)) as ${answer}
}`
  if (shown === null || !queryOf(operation).some(({ name }) => name === 'cursor')) return [plain]
  const page = order.replace('query', 'query: { limit: 100, ...query, ...(cursor === undefined ? {} : { cursor }) }')
  return [
    plain,
    `${comment(`${summary}: all of them, page by page, as they are asked for.\n\n${description}`)}
async *${method}All${generic}(${taken}): AsyncGenerator<${shown}, void> {
const askPage = (cursor: string | undefined) => this.#send({ ${page} }, options)
for await (const item of itemsOf(askPage)) yield item as ${shown}
}`,
  ]
}

/** The ids of the path, the body, the query and the options, in this order. */
function parametersText(operation: Placed, schemas: Document['components']['schemas']): string {
  const { requestBody } = operation
  const query = queryOf(operation)
  const body = bodyOf(operation)
  const mayLack = query.some(({ required }) => required) ? '' : ' = {}'
  const name = `Types.${queryName(operation)}`
  const type = listOf(operation).choosesFields
    ? `Omit<${name}, 'fields'> & { fields?: readonly Field[] | undefined }`
    : name
  return [
    ...idsOf(operation).map((id) => `${id}: string`),
    ...(body === undefined
      ? []
      : [`body${requestBody?.required === true ? '' : '?'}: Types.${typeText(body, schemas)}`]),
    ...(takesFile(operation) ? ['file: Blob | Uint8Array<ArrayBuffer>'] : []),
    ...(query.length === 0 ? [] : [`query: ${type}${mayLack}`]),
    'options: CallOptions = {}',
  ].join(', ')
}

function orderText(operation: Placed): string {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `\${encodeURIComponent(${camelCase(name.split('_'))})}`,
  )
  return [
    `method: '${operation.verb}'`,
    `path: \`${path}\``,
    ...(bodyOf(operation) === undefined ? [] : ['body']),
    ...(takesFile(operation) ? ['file'] : []),
    ...(queryOf(operation).length === 0 ? [] : ['query']),
    ...(operation.parameters.some(({ name }) => name === 'Idempotency-Key') ? ['takesKey: true'] : []),
  ].join(', ')
}

function idsOf({ path }: Placed): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => camelCase(name.split('_')))
}

/** Bodies are schemas with a name. */
function bodyOf({ requestBody }: Placed): JsonSchema | undefined {
  return requestBody?.content['application/json']?.schema
}

function takesFile({ requestBody }: Placed): boolean {
  return requestBody?.content['application/octet-stream'] !== undefined
}

function queryOf({ parameters }: Placed): Placed['parameters'] {
  return parameters.filter((parameter) => parameter.in === 'query')
}

/** The bodies of the successes; of one that is text alone, a text. */
function answersOf({ responses }: Placed): JsonSchema[] {
  return Object.entries(responses).flatMap(([status, { content: types }]) => {
    if (!status.startsWith('2')) return []
    const json = types['application/json']
    if (json !== undefined) return [json.schema]
    return Object.keys(types).length === 0 ? [] : [{ type: 'string' }]
  })
}

/** The type of the members of a list, null where the answer is none, and whether a caller may choose theirs. */
function listOf(operation: Placed): { item: string | null; choosesFields: boolean } {
  const [answer] = answersOf(operation)
  const properties = answer?.['properties']
  const list = isObject(properties) ? properties['data'] : undefined
  if (!isObject(list) || list['type'] !== 'array') return { item: null, choosesFields: false }
  const choosesFields = queryOf(operation).some(({ name }) => name === 'fields')
  return { item: `Types.${answerName(operation)}['data'][number]`, choosesFields }
}

function queryName({ operationId }: Placed): string {
  return `${pascalCase(operationId)}Query`
}

function answerName({ operationId }: Placed): string {
  return `${pascalCase(operationId)}Answer`
}

function pascalCase(name: string): string {
  return name.split('_').map(capitalised).join('')
}
