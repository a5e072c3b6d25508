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
import type { GatusEndpoint } from './gatus-rows.ts'
import { headersOf, methodOf, noteRedirects, statusesOf } from '#core/imports/monitor-parts.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

export function gatusWebSettings(endpoint: GatusEndpoint, reading: Reading): GatusSettings {
  const { place, findings } = reading
  const { statuses, expectation, hasExpiry, latencyMs } = demandsOf(reading)
  const range = statusesOf(statuses, { place: `${place}.conditions`, findings })
  if (endpoint.client?.['ignore-redirect'] === true)
    noteRedirects(range, { place: `${place}.client.ignore-redirect`, findings })
  const body = bodyOf(endpoint)
  const headers = headersOf(headerEntries(endpoint), { place: `${place}.headers`, findings })
  const { keyword, ...value } = { keyword: undefined, ...expectation }
  const options = { ...value, ...(latencyMs === null ? {} : { max_latency_ms: latencyMs }) }
  if (body !== null && /\[(?:ENDPOINT_\w+|LOCAL_ADDRESS|RANDOM_STRING_\d+)\]/.test(body))
    findings.changed(`${place}.body`, 'Placeholders in its body are sent unchanged.')
  return {
    kind: 'json_path' in value ? 'api' : 'http',
    url: endpoint.url ?? '',
    method: methodOf(endpoint.method ?? (endpoint.graphql ? 'POST' : null), { place: `${place}.method`, findings }),
    ...range,
    ...(body === null ? {} : { request_body: body }),
    ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
    ...(keyword === undefined ? {} : { keyword }),
    ...(Object.keys(options).length === 0 ? {} : { check_options: options }),
    expiry_alerts: hasExpiry,
  }
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
  expectation: BodyExpectation | null
  /** Whether a condition is of the end of a certificate or a registration. */
  hasExpiry: boolean
  latencyMs: number | null
}

const anyStatus: readonly StatusRange[] = [[100, 599]]

function demandsOf(reading: Reading): Demands {
  const demands: Demands = { statuses: anyStatus, expectation: null, hasExpiry: false, latencyMs: null }
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

const oneExpectation = 'A check looks for one text or one JSON value in the body.'

function demandBody(demands: Demands, condition: Condition, reading: Reading): void {
  const found = demands.expectation === null ? bodyExpectation(condition, reading) : null
  if (found === null) noteLost(condition, reading, oneExpectation)
  else demands.expectation = found
}
