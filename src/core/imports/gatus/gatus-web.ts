// Endpoints of Gatus that are asked by HTTP.
import {
  bodyExpectation,
  type BodyExpectation,
  type Condition,
  demandLatency,
  type GatusSettings,
  intersected,
  noteLost,
  rangesOf,
  type Reading,
  warnDaysOf,
} from './gatus-conditions.ts'
import { expressionOf } from './gatus-expressions.ts'
import type { Where } from '#core/imports/findings.ts'
import {
  asCheckOptions,
  type CheckOptions,
  clientCredentials,
  proxyOptions,
  resolverOptions,
} from '#core/imports/transport-parts.ts'
import type { GatusEndpoint, GatusOauth } from './gatus-rows.ts'
import { headersOf, methodOf, noteRedirects, statusesOf } from '#core/imports/monitor-parts.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

export function gatusWebSettings(endpoint: GatusEndpoint, reading: Reading): GatusSettings {
  const { place, findings } = reading
  const { statuses, text, value, expressions, hasExpiry, latencyMs } = demandsOf(reading)
  const range = statusesOf(statuses, { place: `${place}.conditions`, findings })
  if (endpoint.client?.['ignore-redirect'] === true)
    noteRedirects(range, { place: `${place}.client.ignore-redirect`, findings })
  const body = bodyOf(endpoint)
  const headers = headersOf(headerEntries(endpoint), { place: `${place}.headers`, findings })
  const { keyword, ...pattern } = { keyword: undefined, ...text }
  const jsonata = expressions.length === 0 ? {} : { jsonata: expressions.join(' and ') }
  const slow = latencyMs === null ? {} : { max_latency_ms: latencyMs }
  const options = {
    ...pattern,
    ...value,
    ...jsonata,
    ...slow,
    ...wayOf(endpoint, { place: `${place}.client`, findings }),
  }
  if (body !== null && /\[(?:ENDPOINT_\w+|LOCAL_ADDRESS|RANDOM_STRING_\d+)\]/.test(body))
    findings.changed(`${place}.body`, 'Placeholders in its body are sent unchanged.')
  return {
    kind: value === null && expressions.length === 0 ? 'http' : 'api',
    url: endpoint.url ?? '',
    method: methodOf(endpoint.method ?? (endpoint.graphql ? 'POST' : null), { place: `${place}.method`, findings }),
    ...range,
    ...(body === null ? {} : { request_body: body }),
    ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
    ...(keyword === undefined ? {} : { keyword }),
    ...asCheckOptions(options),
    expiry_alerts: hasExpiry,
  }
}

/** How its server is reached and signed in to. */
function wayOf({ client }: GatusEndpoint, { place, findings }: Where): CheckOptions {
  if (client === null || client === undefined) return {}
  const { oauth2, 'proxy-url': proxy, 'dns-resolver': server } = client
  const at = (member: string): Where => ({ place: `${place}.${member}`, findings })
  const route = proxy === null ? {} : proxyOptions(proxy, at('proxy-url'))
  const isDirect = !('proxy' in route)
  return {
    ...(client.insecure ? { accept_any_certificate: true } : {}),
    ...(server !== null && isDirect ? resolverOptions(server, at('dns-resolver')) : {}),
    ...route,
    ...(oauth2 === null || oauth2 === undefined ? {} : tokenOf(oauth2, at('oauth2'))),
  }
}

function tokenOf(oauth2: GatusOauth, where: Where): CheckOptions {
  const { 'token-url': url, 'client-id': id, 'client-secret': secret, scopes } = oauth2
  const scope = (scopes ?? []).filter((each) => each !== null).join(' ')
  return clientCredentials({ url, id, secret, scope }, where)
}

/** A question of GraphQL is sent as JSON. */
function bodyOf({ body, graphql }: GatusEndpoint): string | null {
  return body === null || !graphql ? body : JSON.stringify({ query: body })
}

function headerEntries({ headers, graphql }: GatusEndpoint): [name: string, value: string][] {
  const own = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, value ?? ''])
  const hasType = own.some(([name]) => name.toLowerCase() === 'content-type')
  return graphql && !hasType ? [['content-type', 'application/json'], ...own] : own
}

type Demands = {
  statuses: readonly StatusRange[]
  /** What the whole body has to be or hold. */
  text: BodyExpectation | null
  /** What one place in its JSON has to hold. */
  value: BodyExpectation | null
  /** What further places have to hold, in JSONata. */
  expressions: string[]
  /** Whether a condition is of the end of a certificate or a registration. */
  hasExpiry: boolean
  latencyMs: number | null
}

const anyStatus: readonly StatusRange[] = [[100, 599]]

function demandsOf(reading: Reading): Demands {
  const demands: Demands = {
    statuses: anyStatus,
    text: null,
    value: null,
    expressions: [],
    hasExpiry: false,
    latencyMs: null,
  }
  for (const condition of reading.conditions) {
    switch (condition.left) {
      case '[STATUS]':
        demandStatus(demands, condition, reading)
        break
      case '[RESPONSE_TIME]':
        if (demands.latencyMs === null) demands.latencyMs = demandLatency(condition, reading)
        else noteLost(condition, reading, 'Checks have one limit for the response time.')
        break
      case '[CERTIFICATE_EXPIRATION]':
      case '[DOMAIN_EXPIRATION]':
        demandExpiry(demands, condition, reading)
        break
      default:
        demandBody(demands, condition, reading)
    }
  }
  return demands
}

function demandStatus(demands: Demands, condition: Condition, reading: Reading): void {
  const ranges = rangesOf(condition)
  if (ranges === null) return noteLost(condition, reading, 'It names no status.')
  const both = intersected(demands.statuses, ranges)
  if (both.length > 0) demands.statuses = both
  else noteLost(condition, reading, 'Together with the others it leaves no status that is right.')
}

function demandExpiry(demands: Demands, condition: Condition, reading: Reading): void {
  demands.hasExpiry = true
  const days = warnDaysOf(condition)
  const told = days === null ? '' : `: ${days} days before it there, and several times before it here`
  reading.findings.changed(
    condition.place,
    `In Perigee, an approaching expiry sends an alert; in Gatus it was an outage${told}.`,
  )
}

/** In characters, of what a check takes. */
const longestExpression = 2000

function demandBody(demands: Demands, condition: Condition, reading: Reading): void {
  const part = condition.left === '[BODY]' ? 'text' : 'value'
  const found = demands[part] === null ? bodyExpectation(condition, reading) : null
  if (found !== null) {
    demands[part] = found
    return
  }
  const expression = part === 'value' ? expressionOf(condition) : null
  const isShort = [...demands.expressions, expression].join(' and ').length <= longestExpression
  if (expression !== null && isShort) demands.expressions.push(expression)
  else
    noteLost(
      condition,
      reading,
      expression === null ? oneExpectation : 'All conditions of the body are too long together.',
    )
}

const oneExpectation = 'A check looks for one text in the body, and for values of its JSON.'
