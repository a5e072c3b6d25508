// Modules of blackbox_exporter whose prober is http.
import type { BlackboxHttp } from './blackbox-rows.ts'
import type { Where } from '#core/imports/findings.ts'
import { asCheckOptions, type CheckOptions, clientCredentials, proxyOptions } from '#core/imports/transport-parts.ts'
import { innerJson } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import {
  basicAuthorization,
  headersOf,
  methodOf,
  noteRedirects,
  shown,
  statusesOf,
} from '#core/imports/monitor-parts.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

type Settings = Partial<ImportedMonitorInput>

/** `notes` are of the module, so that they are told once for all of its targets. */
export function blackboxHttpSettings(module: BlackboxHttp, url: string, notes: Where): Settings {
  const { place } = notes
  const statuses = statusesOf(rangesOf(module.valid_status_codes ?? []), at(notes, 'valid_status_codes'))
  if (!module.follow_redirects) noteRedirects(statuses, at(notes, 'follow_redirects'))
  noteDemands(module, url, notes)
  const headers = headersOf(headerEntries(module, notes), { ...notes, place: `${place}.headers` })
  const { check_options: expected, ...expectation } = expectationOf(module, notes)
  return {
    kind: 'http',
    url: /^https?:\/\//i.test(url) ? url : `http://${url}`,
    method: methodOf(module.method, at(notes, 'method')),
    ...statuses,
    ...(module.body === null ? {} : { request_body: module.body }),
    ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
    ...expectation,
    ...asCheckOptions({
      ...expected,
      ...headersExpected(module, notes),
      ...versionOf(module, notes),
      ...wayOf(module, notes),
    }),
  }
}

function at({ place, findings }: Where, member: string): Where {
  return { place: `${place}.${member}`, findings }
}

function rangesOf(codes: readonly (string | null)[]): StatusRange[] {
  const listed = codes.flatMap((code): StatusRange[] =>
    /^\d{3}$/.test(code ?? '') ? [[Number(code), Number(code)]] : [],
  )
  return listed.length === 0 ? [[200, 299]] : listed
}

/** Files that a header or a password stands in are not part of what is imported. */
function headerEntries(module: BlackboxHttp, { place, findings }: Where): [name: string, value: string][] {
  const plain = Object.entries(module.headers ?? {}).map(([name, value]): [string, string] => [name, value ?? ''])
  const listed = Object.entries(module.http_headers ?? {}).flatMap(
    ([name, { values, secrets, files }]): [string, string][] => {
      if (files?.length) findings.lost(`${place}.http_headers`, `The file with the header ${shown(name)} is not read.`)
      const value = [...(secrets ?? []), ...(values ?? [])].at(-1) ?? null
      return value === null ? [] : [[name, value]]
    },
  )
  return [...plain, ...listed, ...authorizationOf(module, { place, findings })]
}

function authorizationOf(module: BlackboxHttp, { place, findings }: Where): [name: string, value: string][] {
  const { basic_auth: basic, authorization } = module
  if (basic !== null && basic !== undefined) {
    if (basic.username !== null && basic.password !== null)
      return [['authorization', basicAuthorization(basic.username, basic.password)]]
    findings.lost(
      `${place}.basic_auth`,
      'The file with its credentials is not read, so the check is sent without credentials.',
    )
  }
  if (authorization !== null && authorization !== undefined) {
    if (authorization.credentials !== null)
      return [['authorization', `${authorization.type ?? 'Bearer'} ${authorization.credentials}`]]
    findings.lost(
      `${place}.authorization`,
      'The file with its credentials is not read, so the check is sent without credentials.',
    )
  }
  return []
}

function noteDemands(module: BlackboxHttp, url: string, { place, findings }: Where): void {
  if (module.fail_if_ssl) findings.lost(`${place}.fail_if_ssl`, 'In Perigee, TLS is never a failure.')
  if (module.fail_if_not_ssl && !/^https:/i.test(url))
    findings.lost(`${place}.fail_if_not_ssl`, 'A check cannot require TLS. Use an https target instead.')
  const unsayable = {
    fail_if_body_json_matches_cel: module.fail_if_body_json_matches_cel,
  }
  for (const [name, demand] of Object.entries(unsayable))
    if (demand !== null && demand !== undefined && demand.length > 0)
      findings.lost(`${place}.${name}`, 'Checks have no such expectation, so it is not checked.')
  if (module.body_file !== null) findings.lost(`${place}.body_file`, 'The file with its body is not read.')
}

/** How its servers are reached and signed in to. */
function wayOf(module: BlackboxHttp, notes: Where): CheckOptions {
  const { proxy_url: proxy, oauth2, preferred_ip_protocol: preferred } = module
  const route = proxy === null || proxy === '' ? {} : proxyOptions(proxy, at(notes, 'proxy_url'))
  const version = preferred === 'ip4' ? 'ipv4' : 'ipv6'
  const isOnlyOne = !module.ip_protocol_fallback && !('proxy' in route)
  return {
    ...tlsOf(module, at(notes, 'tls_config')),
    ...(isOnlyOne ? { ip_version: version } : {}),
    ...route,
    ...(oauth2 === null || oauth2 === undefined ? {} : tokenOf(oauth2, at(notes, 'oauth2'))),
  }
}

function tlsOf({ tls_config: tls }: BlackboxHttp, { place, findings }: Where): CheckOptions {
  if (tls === null || tls === undefined) return {}
  const { ca, cert, key } = tls
  if (['ca_file', 'cert_file', 'key_file'].some((name) => tls[name] !== undefined))
    findings.lost(
      place,
      'The files with its certificates are not read. Put their content into the options of the check.',
    )
  return {
    ...(tls.insecure_skip_verify ? { accept_any_certificate: true } : {}),
    ...(ca === null ? {} : { certificate_authorities: ca }),
    ...(cert === null || key === null ? {} : { client_certificate: `${cert.trim()}\n${key.trim()}\n` }),
  }
}

function tokenOf(oauth2: NonNullable<BlackboxHttp['oauth2']>, where: Where): CheckOptions {
  const { client_id: id, client_secret: secret, token_url: url, scopes, endpoint_params: params } = oauth2
  const { audience = null, ...others } = params ?? {}
  const [other] = Object.keys(others)
  if (other !== undefined)
    where.findings.lost(where.place, `The parameter ${shown(other)} is not sent to the token endpoint.`)
  const scope = (scopes ?? []).filter((each) => each !== null).join(' ')
  return clientCredentials({ url, id, secret, scope, audience }, where)
}

/** The exporter offers HTTP/2 unless it is told otherwise. */
function versionOf({ enable_http2: offers, valid_http_versions: valid }: BlackboxHttp, notes: Where): CheckOptions {
  const offered = offers ? { http2: true } : {}
  const [only, ...others] = new Set((valid ?? []).filter((version) => version !== null).map(shortVersion))
  if (only === undefined) return offered
  const isSaid = others.length === 0 && (only === '1.1' || (only === '2' && offers))
  if (isSaid) return { ...offered, expected_http_version: only }
  notes.findings.lost(
    `${notes.place}.valid_http_versions`,
    'A check expects HTTP/1.1, or HTTP/2 where it offers it, or any version; so any is accepted.',
  )
  return offered
}

/** Of `HTTP/2.0`, which it may call `HTTP/2`. */
function shortVersion(version: string): string {
  return version.replace(/^HTTP\//i, '').replace(/^([2-9])\.0$/, '$1')
}

const mostHeaders = 10

/** Its patterns have the syntax of RE2 as ours have. A header that is missing fails there where it had to match. */
function headersExpected(module: BlackboxHttp, notes: Where): CheckOptions {
  const { fail_if_header_not_matches: wanted, fail_if_header_matches: unwanted } = module
  if ((unwanted ?? []).length > 0)
    notes.findings.lost(
      `${notes.place}.fail_if_header_matches`,
      'A check cannot demand that a header does not match, so this is not checked.',
    )
  const expected = (wanted ?? []).flatMap(({ header: name, regexp: value, allow_missing: mayMiss }) =>
    name === null || value === null || mayMiss ? [] : [{ name, match: 'matches', value }],
  )
  const kept = expected.slice(0, mostHeaders)
  if (kept.length < (wanted ?? []).length)
    notes.findings.lost(
      `${notes.place}.fail_if_header_not_matches`,
      `A check expects up to ${mostHeaders} headers, which all have to be there, so not all of these are checked.`,
    )
  return kept.length === 0 ? {} : { expected_headers: kept }
}

const plainText = /^[\w\s<>/'",;:!@#%&=~-]+$/
const plainCel = /^body((?:\.[A-Za-z_]\w*)+)\s*==\s*(?:'([^'\\]*)'|"([^"\\]*)"|(true|false|\d{1,15}))$/

/** A regular expression without signs of its own is a text; of CEL a comparison of one member is one of ours. */
function expectationOf(module: BlackboxHttp, { place, findings }: Where): Settings {
  const [first, ...more] = module.fail_if_body_not_matches_regexp ?? []
  const cel = module.fail_if_body_json_not_matches_cel
  const unwanted = unwantedOf(module)
  if (first !== null && first !== undefined) {
    if (more.length > 0 || cel !== null)
      findings.lost(
        `${place}.fail_if_body_not_matches_regexp`,
        'A check looks for one text or regular expression in the body, and for no value beside it.',
      )
    if (plainText.test(first)) return { keyword: first, ...asCheckOptions(unwanted) }
    return asCheckOptions({ body_pattern: first, ...unwanted })
  }
  if (cel === null) return asCheckOptions(unwanted)
  const [, path, single, double, bare] = plainCel.exec(cel.trim()) ?? []
  if (path === undefined) {
    findings.lost(`${place}.fail_if_body_json_not_matches_cel`, `"${shown(cel)}" is no comparison of one value.`)
    return asCheckOptions(unwanted)
  }
  const value = single ?? double ?? innerJson(bare ?? null)
  return { kind: 'api', check_options: { json_path: path.slice(1), expected_value: value, ...unwanted } }
}

/** The exporter's expressions have the syntax of RE2 as well, in which one of them stands for several. */
function unwantedOf({ fail_if_body_matches_regexp: patterns }: BlackboxHttp): Record<string, string> {
  const given = (patterns ?? []).filter((pattern) => pattern !== null)
  if (given.length === 0) return {}
  const [only = ''] = given
  return { absent_pattern: given.length === 1 ? only : given.map((pattern) => `(?:${pattern})`).join('|') }
}
