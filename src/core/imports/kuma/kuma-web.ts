// Uptime Kuma's checks by HTTP: `http`, `keyword` and `json-query`.
import {
  basicAuthorization,
  headersOf,
  hostPortOf,
  methodOf,
  noteRedirects,
  shown,
  statusesOf,
} from '#core/imports/monitor-parts.ts'
import { asCheckOptions, type CheckOptions, clientCredentials, proxyOptions } from '#core/imports/transport-parts.ts'
import type { Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import type { KumaMonitor, KumaRow } from './kuma-rows.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

type Settings = Partial<ImportedMonitorInput>

/** By the ids that they have there. */
export type KumaProxies = ReadonlyMap<number, KumaRow<'proxy'>>

/** Null, with a note, where the row has no address. */
export function kumaWebSettings(row: KumaMonitor, where: Where, proxies: KumaProxies = new Map()): Settings | null {
  const { place, findings } = where
  if (row.url === null || !/^https?:\/\/[^/]/i.test(row.url)) {
    findings.lost(`${place}.url`, `"${shown(row.url ?? '')}" is no address that begins with https:// or http://.`)
    return null
  }
  const headers = headersOf(headerEntries(row, where), where)
  const statuses = statusesOf(rangesOf(row.accepted_statuscodes_json), {
    place: `${place}.accepted_statuscodes_json`,
    findings,
  })
  const { check_options: expected, ...expectation } = expectationOf(row, where)
  if (row.cache_bust)
    findings.changed(
      `${place}.cache_bust`,
      'Perigee does not add a parameter that changes with each check to the address.',
    )
  if (row.maxredirects === 0) noteRedirects(statuses, { place: `${place}.maxredirects`, findings })
  return {
    kind: row.type === 'json-query' ? 'api' : 'http',
    url: row.url,
    method: methodOf(row.method, where),
    ...statuses,
    ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
    ...(row.body === null ? {} : { request_body: row.body }),
    expiry_alerts: row.expiry_notification || row.domain_expiry_notification,
    ...expectation,
    ...asCheckOptions({ ...expected, ...wayOf(row, where, proxies), ...signInOf(row, where) }),
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
}

/** A header of the same name that the monitor has itself wins there, whatever its case. */
function headerEntries(row: KumaMonitor, where: Where): [name: string, value: string][] {
  const own = ownHeaders(row, where)
  const given = new Set(own.map(([name]) => name.toLowerCase()))
  const implied: [string, string][] = []
  const type = contentTypes[row.http_body_encoding ?? 'json']
  if (row.body !== null && type !== undefined) implied.push(['content-type', type])
  const authorization = authorizationOf(row, where)
  if (authorization !== null) implied.push(['authorization', authorization])
  return [...implied.filter(([name]) => !given.has(name)), ...own]
}

function ownHeaders({ headers }: KumaMonitor, { place, findings }: Where): [name: string, value: string][] {
  if (headers === null) return []
  const value = innerJson(headers)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([name, each]) => [name, typeof each === 'string' ? each : JSON.stringify(each)])
  findings.lost(`${place}.headers`, 'The headers are not a JSON object.')
  return []
}

function authorizationOf(row: KumaMonitor, { place, findings }: Where): string | null {
  switch (row.auth_method ?? (row.basic_auth_user === null ? '' : 'basic')) {
    case '':
    case 'null':
    case 'oauth2-cc':
    case 'mtls':
      return null
    case 'basic':
      return basicAuthorization(row.basic_auth_user ?? '', row.basic_auth_pass ?? '')
    case 'bearer':
      return `Bearer ${row.bearer_token ?? ''}`
    default:
      findings.lost(
        `${place}.auth_method`,
        `Checks do not sign in with ${shown(row.auth_method ?? '')}, so this one is sent without credentials.`,
      )
      return null
  }
}

/** What is no header. */
function signInOf(row: KumaMonitor, { place, findings }: Where): CheckOptions {
  if (row.auth_method === 'oauth2-cc')
    return clientCredentials(
      {
        url: row.oauth_token_url,
        id: row.oauth_client_id,
        secret: row.oauth_client_secret,
        scope: row.oauth_scopes,
        audience: row.oauth_audience,
        isInBody: row.oauth_auth_method === 'client_secret_post',
      },
      { place: `${place}.auth_method`, findings },
    )
  if (row.auth_method !== 'mtls') return {}
  const { tls_cert: certificate, tls_key: key, tls_ca: authorities } = row
  if (certificate === null || key === null) {
    findings.lost(`${place}.auth_method`, 'It has no certificate or no key, so the check shows none.')
    return {}
  }
  return {
    client_certificate: `${certificate.trim()}\n${key.trim()}\n`,
    ...(authorities === null || authorities.trim() === '' ? {} : { certificate_authorities: authorities }),
  }
}

function wayOf(row: KumaMonitor, { place, findings }: Where, proxies: KumaProxies): CheckOptions {
  const { proxy_id: proxyId, ip_family: family } = row
  const proxy = proxyId === null ? undefined : proxies.get(proxyId)
  const route = proxy === undefined ? {} : kumaProxyOptions(proxy, { place: `${place}.proxy_id`, findings })
  if (proxyId !== null && proxy === undefined)
    findings.lost(`${place}.proxy_id`, 'Its proxy is not in the file, so the check goes directly to its target.')
  const isOnlyOne = (family === 'ipv4' || family === 'ipv6') && !('proxy' in route)
  return {
    ...(row.ignore_tls ? { accept_any_certificate: true } : {}),
    ...(isOnlyOne ? { ip_version: family } : {}),
    ...route,
  }
}

/** One that is not active is not used there either. */
function kumaProxyOptions(proxy: KumaRow<'proxy'>, where: Where): CheckOptions {
  const { protocol, host, port, auth: hasSignIn, username, password, active: isActive } = proxy
  if (!isActive) return {}
  const place = hostPortOf(host, port)
  const signIn = hasSignIn ? `${encodeURIComponent(username ?? '')}:${encodeURIComponent(password ?? '')}@` : ''
  return proxyOptions(`${protocol ?? ''}://${signIn}${place ?? ''}`, where)
}

function rangesOf(json: string | null): StatusRange[] {
  const listed = json === null ? ['200-299'] : innerJson(json)
  if (!Array.isArray(listed)) return []
  return listed.slice(0, 1_000).flatMap((each): StatusRange[] => {
    const found = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(String(each))
    if (found === null) return []
    const min = Number(found[1])
    return [[min, found[2] === undefined ? min : Number(found[2])]]
  })
}

function expectationOf(row: KumaMonitor, where: Where): Settings {
  if (row.type === 'keyword') return keywordOf(row)
  return row.type === 'json-query' ? jsonOf(row, where) : {}
}

function keywordOf({ keyword, invert_keyword: isInverted }: KumaMonitor): Settings {
  if (keyword === null || keyword === '') return {}
  return isInverted ? { check_options: { absent_keyword: keyword } } : { keyword }
}

/** Names and places in lists of JSONata (https://docs.jsonata.org/simple), which is all that our paths have of it. */
const plainPath = /^\$?\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)$/

function jsonOf(row: KumaMonitor, { place, findings }: Where): Settings {
  const query = (row.json_path ?? '').trim()
  const path = plainPath.exec(query)?.[1]?.replaceAll(/\[(\d+)\]/g, '.$1')
  const operator = row.json_path_operator ?? '=='
  const { expected_value: expected } = row
  if (path !== undefined && operator === '==' && expected !== null)
    return { check_options: { json_path: path, expected_value: valueOf(expected, { place, findings }) } }
  const expression = comparisonOf(query === '' ? '$' : query, { operator, expected: expected ?? '' })
  if (expression !== null) return { check_options: { jsonata: expression } }
  findings.lost(
    `${place}.json_path_operator`,
    `No check compares values by "${shown(operator)}", so the check only looks at the status.`,
  )
  return {}
}

/** Uptime Kuma compares the value as a text, or as a number where the operator is about numbers. */
function comparisonOf(query: string, { operator, expected }: { operator: string; expected: string }): string | null {
  const value = `$string((${query}))`
  const text = JSON.stringify(expected)
  switch (operator) {
    case '==':
      return `${value} = ${text}`
    case '!=':
      return `${value} != ${text}`
    case 'contains':
      return `$contains(${value}, ${text})`
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `$number((${query})) ${operator} $number(${text})`
    default:
      return null
  }
}

/** Uptime Kuma compares texts. What could be a number or a truth value most likely is one in the answer. */
function valueOf(expected: string, { place, findings }: Where): unknown {
  const value = /^(?:true|false|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?)$/.test(expected) ? innerJson(expected) : expected
  if (value !== expected)
    findings.changed(
      `${place}.expected_value`,
      `In Perigee, the value must be ${expected} itself; Uptime Kuma also accepted the text "${expected}".`,
    )
  return value
}
