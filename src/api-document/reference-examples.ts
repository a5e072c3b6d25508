import {
  type ApiDocument,
  type Described,
  membersOf,
  nameOf,
  namedSchema,
  type Parameter,
  type Schema,
} from './reference-document.ts'

/** Deeper there is nothing to learn. */
const maxDepth = 6

const byFormat: Record<string, string> = {
  uuid: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'ops@example.com',
  uri: 'https://example.com/',
}

/** What a value of the schema may be: its own example where it has one. */
export function exampleOf(document: ApiDocument, schema: Schema, depth = 0): unknown {
  const name = nameOf(schema)
  const given = name === null ? schema : namedSchema(document, name)
  const [example] = given.examples ?? []
  const fixed = example ?? given.const ?? given.default ?? given.enum?.[0]
  if (fixed !== undefined) return fixed
  const [first] = given.oneOf ?? given.anyOf ?? []
  if (depth > maxDepth) return null
  return first === undefined ? byType(document, given, depth + 1) : exampleOf(document, first, depth + 1)
}

function byType(document: ApiDocument, schema: Schema, depth: number): unknown {
  const { type, format = '', items = {}, minimum = 0 } = schema
  switch (typeof type === 'string' ? type : (type?.[0] ?? '')) {
    case 'object':
      return Object.fromEntries(
        membersOf(schema).map((member) => [member.name, exampleOf(document, member.schema, depth)]),
      )
    case 'array':
      return [exampleOf(document, items, depth)]
    case 'string':
      return byFormat[format] ?? 'text'
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return true
    default:
      return null
  }
}

/** A request as a shell sends it; the token is in the environment. */
export function curlOf(
  document: ApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Described },
): string {
  const { parameters, requestBody, security, servers = document.servers } = operation
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, exampleText(document, parameter)), path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleText(document, parameter))}`)
  const body = requestBody?.content['application/json']?.schema
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema
  const isFile = requestBody?.content['application/octet-stream'] !== undefined
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${servers[0].url}${address}${query.length === 0 ? '' : `?${query.join('&')}`}'`,
    ...(security?.length === 0 ? [] : ['-H "X-API-Key: $PERIGEE_TOKEN"']),
    ...(isFile ? ["-H 'Content-Type: application/octet-stream'", '--data-binary @file'] : []),
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${jsonOf(exampleOf(document, body)).replaceAll("'", String.raw`'\''`)}'`,
        ]),
    ...(form === undefined ? [] : Object.entries(Object(exampleOf(document, form))).map(formPart)),
  ].join(' \\\n  ')
}

function formPart([name, value]: [string, unknown]): string {
  return `-d '${name}=${encodeURIComponent(String(value))}'`
}

export function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

function exampleText(document: ApiDocument, { schema }: Parameter): string {
  return String(exampleOf(document, schema))
}
