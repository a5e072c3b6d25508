// A description of an API: OpenAPI 3.0 and 3.1 (https://spec.openapis.org/oas/v3.1.1). What only reads becomes a monitor.
import { z } from 'zod'
import { createFindings, type Findings } from '#core/imports/findings.ts'
import { textOrNull } from '#core/imports/import-json.ts'
import { ImportError, type ImportedFile, importLimits, type ImportedMonitorInput } from '#core/imports/imported.ts'
import { headersOf, nameOf, oneLine, shown, tagsOf } from '#core/imports/monitor-parts.ts'
import { type StatusRange, statusesWithin } from '#core/monitors/expected-statuses.ts'
import { isRecord, membersOf, resolverOf } from './openapi-references.ts'
import { neededValues, pathWith, serverOf } from './openapi-requests.ts'
import { bundledSchema, schemaBudget, type SchemaReading } from './openapi-schemas.ts'

const operationSchema = z.object({
  summary: textOrNull,
  operationId: textOrNull,
  tags: z.array(z.unknown()).nullish(),
  parameters: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()).nullish(),
  security: z.unknown().optional(),
  servers: z.unknown().optional(),
})
type Operation = z.infer<typeof operationSchema>

/** `documents` are the values of a file, of which one is the description. Throws ImportError. */
export function readOpenapi(documents: readonly unknown[]): ImportedFile {
  const document = documents.find((each) => 'openapi' in membersOf(each)) ?? documents[0]
  const { openapi, swagger, paths, servers } = membersOf(document)
  if (swagger !== undefined) throw new ImportError('It is of Swagger 2.0. Convert it to OpenAPI 3 first.')
  if (!/^3(?:\.\d|$)/.test(String(openapi))) throw new ImportError('It is no description of OpenAPI 3.')
  const findings = createFindings()
  const resolve = resolverOf(document)
  const reading: Reading = {
    document,
    resolve,
    budget: { left: schemaBudget },
    findings,
    signedIn: new Map(),
    count: 0,
    withoutServer: 0,
  }
  let others = 0
  for (const [path, given] of Object.entries(membersOf(paths))) {
    const item = membersOf(resolve(given))
    others += changing.filter((method) => item[method] !== undefined).length
    if (item['get'] !== undefined) readOperation(path, item, reading)
  }
  noteServers(servers, reading)
  if (others > 0)
    findings.lost('paths', `Operations that do not only read are left out, since checks repeat them: ${others}.`)
  if (reading.count > importLimits.monitors)
    findings.lost('paths', `An import takes ${importLimits.monitors} monitors, so that the others are left out.`)
  noteSignedIn(reading)
  if (reading.count === 0 && others === 0) throw new ImportError('It describes no operations.')
  return findings.file()
}

const changing = ['put', 'post', 'delete', 'patch', 'options', 'head', 'trace', 'query'] as const

type Reading = SchemaReading & {
  findings: Findings
  /** How many monitors need what a security scheme asks for. */
  signedIn: Map<string, number>
  count: number
  /** How many operations have no address. */
  withoutServer: number
}

function readOperation(path: string, item: Readonly<Record<string, unknown>>, reading: Reading): void {
  const { findings, resolve, document } = reading
  reading.count += 1
  if (reading.count > importLimits.monitors) return
  const place = oneLine(`GET ${path}`, 200)
  const parsed = operationSchema.safeParse(item['get'])
  if (!parsed.success) return findings.lost(place, 'Its description does not have the expected form.')
  const operation = parsed.data
  const { security = membersOf(document)['security'] } = operation
  const server = serverOf([operation.servers, item['servers'], membersOf(document)['servers']])
  if (server === null) {
    reading.withoutServer += 1
    return
  }
  const needed = neededValues([item['parameters'], operation.parameters], resolve)
  const route = pathWith(path, needed.path)
  if (route === null || needed.missing.length > 0) {
    const names = needed.missing.length === 0 ? 'a part of its path' : needed.missing.slice(0, 5).map(shown).join(', ')
    return findings.lost(place, `It needs a value, and the file has neither an example nor a default for it: ${names}.`)
  }
  const schemes = schemesOf(security)
  for (const scheme of schemes) reading.signedIn.set(scheme, (reading.signedIn.get(scheme) ?? 0) + 1)
  const name = nameOf(operation.summary ?? operation.operationId, place)
  const headers = headersOf(needed.headers, { place, findings })
  findings.addMonitor({
    key: findings.keyOf('monitors', operation.operationId ?? place),
    place,
    isPaused: schemes.length > 0,
    history: [],
    input: {
      name,
      kind: 'api',
      url: `${server}${route.startsWith('/') ? route : `/${route}`}${queryOf(needed.query)}`,
      ...expectedOf(operation, place, reading),
      ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
      tags: tagsOf(wordsOf(operation.tags), { place, findings }),
      contacts: null,
    },
  })
}

function queryOf(pairs: readonly (readonly [name: string, value: string])[]): string {
  const written = pairs.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
  return written.length === 0 ? '' : `?${written.join('&')}`
}

function wordsOf(tags: readonly unknown[] | null | undefined): string[] {
  return (tags ?? []).slice(0, 100).filter((tag) => typeof tag === 'string')
}

/** None where one of the ways to ask has no scheme; of the others the first. */
function schemesOf(security: unknown): string[] {
  const ways = Array.isArray(security) ? security.filter(isRecord) : []
  const [first] = ways
  if (first === undefined || ways.some((way) => Object.keys(way).length === 0)) return []
  return Object.keys(first).slice(0, 10)
}

type Expected = Pick<
  ImportedMonitorInput,
  'expected_status_min' | 'expected_status_max' | 'expected_statuses' | 'check_options'
>

function expectedOf({ responses }: Operation, place: string, reading: Reading): Expected {
  const answers = Object.entries(responses ?? {}).filter(([status]) => /^2(?:\d\d|xx)$/i.test(status))
  const ranges = answers.map(([status]): StatusRange =>
    /xx$/i.test(status) ? [200, 299] : [Number(status), Number(status)],
  )
  const statuses = statusesWithin(ranges.length === 0 ? [[200, 299]] : ranges)
  const schemas = answers.map(([, answer]) => schemaOf(answer, reading))
  const [only] = schemas
  if (only === undefined) return statuses
  if (schemas.length > 1) {
    if (schemas.some((schema) => schema !== undefined))
      reading.findings.lost(place, 'It has several right answers, so that none of their schemas is expected.')
    return statuses
  }
  const bundled = bundledSchema(only, reading)
  if ('problem' in bundled) {
    reading.findings.lost(place, `Its schema is not expected. ${bundled.problem}`)
    return statuses
  }
  const isEmpty = Object.keys(bundled.schema).length === 0
  return isEmpty ? statuses : { ...statuses, check_options: { json_schema: bundled.schema } }
}

function schemaOf(answer: unknown, { resolve }: Reading): unknown {
  const media = Object.entries(membersOf(membersOf(resolve(answer))['content']))
  const [, found] = media.find(([type]) => /^application\/(?:[\w.-]+\+)?json\b/i.test(type)) ?? []
  return membersOf(found)['schema']
}

function noteServers(servers: unknown, { withoutServer, findings }: Reading): void {
  if (withoutServer > 0)
    findings.lost(
      'servers',
      `Operations are left out, because the file has no address of http or https for them: ${withoutServer}. Add one to "servers".`,
    )
  if (Array.isArray(servers) && servers.length > 1)
    findings.changed('servers', `It has ${servers.length} servers, and the first one is checked.`)
}

/** Where a credential stands, as a sentence; of schemes that say too little, none. */
function credentialOf(scheme: Readonly<Record<string, unknown>>): string {
  const { type, in: place, name, scheme: way } = scheme
  if (type === 'apiKey' && place === 'header') return `Add the header ${shown(String(name))}.`
  if (type === 'apiKey' && place === 'query') return `Add the parameter ${shown(String(name))} to the address.`
  if (type === 'http') return `Add the header Authorization, in the form of ${shown(String(way))}.`
  if (type === 'oauth2' || type === 'openIdConnect') return 'Let the monitor sign in by OAuth 2, or add a token.'
  return 'Add them.'
}

function noteSignedIn({ signedIn, document, resolve, findings }: Reading): void {
  const schemes = membersOf(membersOf(membersOf(document)['components'])['securitySchemes'])
  for (const [name, count] of signedIn) {
    const scheme = Object.hasOwn(schemes, name) ? membersOf(resolve(schemes[name])) : {}
    const monitors = count === 1 ? '1 monitor needs' : `${count} monitors need`
    findings.changed(
      `components.securitySchemes.${shown(name)}`,
      `${monitors} credentials that are not in the file. ${credentialOf(scheme)} Until then they are paused.`,
    )
  }
}
