import { Hono } from 'hono'
import { isKnown, textTag } from '#http/encoded.ts'
import { shortFormPath } from './entrance/places.ts'
import {
  type ApiDocument,
  type Described,
  type Member,
  membersOf,
  nameOf,
  namedSchema,
  readDocument,
  type Schema,
} from './reference-document.ts'
import { operationsOf, type Placed } from './reference-operations.ts'

const shared = { 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' } as const

/** The API on a few pages of Markdown, for models that have no room for the whole document; made anew when that is. */
export function createShortForm({ openApi }: { openApi: () => Promise<string> }): Hono {
  const routes = new Hono()
  let written: { of: string; text: string; tag: string } | null = null
  routes.get(shortFormPath, async ({ req }) => {
    const whole = await openApi()
    if (written === null || written.of !== whole) {
      const text = shortForm(readDocument(whole))
      written = { of: whole, text, tag: textTag(text) }
    }
    const headers = { ...shared, ETag: written.tag }
    if (isKnown(req.header('if-none-match') ?? '', written.tag)) return new Response(null, { status: 304, headers })
    return new Response(written.text, { headers: { ...headers, 'Content-Type': 'text/markdown; charset=utf-8' } })
  })
  return routes
}

/** `/llms.txt` lists these. */
const leftOut = 'Discovery'

/** Every operation in a line, and the members of every body by name. */
export function shortForm(document: ApiDocument): string {
  const shown = operationsOf(document).filter(({ operation }) => operation.tags[0] !== leftOut)
  const byTag = Map.groupBy(shown, ({ operation }) => operation.tags[0])
  const sections = document.tags.flatMap(({ name }) => sectionOf(name, byTag.get(name) ?? []))
  return [introduction(document), ...sections, bodiesOf(document, shown)].join('\n')
}

function introduction({ info, servers: [{ url }] }: ApiDocument): string {
  const { origin } = new URL(url)
  return `# ${info.title} API ${info.version} in short

Paths are below ${url} unless a section says otherwise. Send a token in \`X-API-Key\`; ${origin}/auth.md says how a program gets one. Bodies and answers are JSON, ids UUIDs, times ISO 8601. A list answers \`{"data": […]}\`, a record \`{"data": {…}}\`. Errors are \`{"error", "message", "fields"}\`; 429 and 503 say in \`Retry-After\` when to ask again. A 402 says in \`help\` what is due and how to pay.

After \`?\` stand the parameters of the query, after "Body:" the name of its schema below. \`*\` marks what is required, \`|\` parts the values of a member. Types, limits, the options of each kind and answers are in ${origin}/openapi.json, by the same paths and names. The smallest monitor is \`{"name": "Shop", "url": "https://example.com"}\`.
`
}

function sectionOf(name: string, placed: readonly Placed[]): string[] {
  const [first] = placed
  if (first === undefined) return []
  const server = first.operation.servers?.[0].url
  const place = server === undefined ? '' : `Below ${server}:\n\n`
  return [`## ${name}\n\n${place}${placed.map(lineOf).join('\n')}\n`]
}

function lineOf({ method, path, operation }: Placed): string {
  const { summary, parameters, servers, security } = operation
  const names = parameters.filter((each) => each.in === 'query').map(({ name, required }) => marked(name, required))
  const query = names.length === 0 ? '' : `?${names.join('&')}`
  const isOpen = servers === undefined && security !== undefined
  return `- ${method} ${path}${query}: ${summary}.${bodyOf(operation)}${isOpen ? ' Also without a token.' : ''}`
}

function bodyOf({ requestBody }: Described): string {
  const [schema] = schemasOf(requestBody)
  const name = schema === undefined ? null : nameOf(schema)
  if (name !== null) return ` Body: ${name}.`
  return requestBody?.required === true ? ' Body: the file as it is.' : ''
}

function schemasOf(body: Described['requestBody']): Schema[] {
  return Object.values(body?.content ?? {}).map(({ schema }) => schema)
}

function bodiesOf(document: ApiDocument, shown: readonly Placed[]): string {
  const names = shown
    .flatMap(({ operation }) => schemasOf(operation.requestBody))
    .flatMap((schema) => nameOf(schema) ?? [])
  const lines = [...new Set(names)].map((name) => `- ${name}: ${membersOfBody(document, name)}`)
  return `## Bodies\n\n${lines.join('\n')}\n`
}

/** The members of a change are told by those of the input, where it has all of them. */
function membersOfBody(document: ApiDocument, name: string): string {
  const schema = namedSchema(document, name)
  const input = name.endsWith('Change') ? name.replace(/Change$/, 'Input') : null
  const known = membersOf(input === null ? {} : namedSchema(document, input)).map((member) => member.name)
  const members = membersOf(schema)
  const more = members.filter((member) => !known.includes(member.name)).map((member) => member.name)
  if (known.length === 0 || more.length + known.length !== members.length) return alternativesText(document, schema)
  const required = members.filter(({ isRequired }) => isRequired).map((member) => marked(member.name, true))
  const but = required.length === 0 ? '' : ` but ${required.join(', ')}`
  return `${[`all of ${input}`, ...more].join(', ')}; each optional${but}`
}

function alternativesText(document: ApiDocument, schema: Schema): string {
  const { oneOf = [] } = schema
  if (schema.properties !== undefined || oneOf.length === 0) return membersText(document, schema)
  return oneOf.map((each) => membersText(document, each)).join('; or ')
}

function membersText(document: ApiDocument, schema: Schema): string {
  const members = membersOf(schema).map((member) => {
    const choices = choicesOf(document, schema, member)
    return marked(member.name, member.isRequired) + (choices.length === 0 ? '' : ` (${choices.join('|')})`)
  })
  return members.length === 0 ? 'none' : members.join(', ')
}

/** The values of a member that has few, said by itself or by the alternatives around it. */
function choicesOf(document: ApiDocument, { oneOf = [] }: Schema, { name, schema }: Member): string[] {
  const own = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  const others = oneOf.flatMap((each) => {
    const alternative = nameOf(each)
    const { properties = {} } = alternative === null ? each : namedSchema(document, alternative)
    return properties[name]?.const ?? []
  })
  return [...new Set((own.length === 0 ? others : own).map(String))]
}

function marked(name: string, isRequired: boolean): string {
  return isRequired ? `${name}*` : name
}
