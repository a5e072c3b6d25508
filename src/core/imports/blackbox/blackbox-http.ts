// Modules of blackbox_exporter whose prober is http.
import type { BlackboxHttp } from './blackbox-rows.ts'
import type { Where } from '#core/imports/findings.ts'
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
  noteTransport(module, notes)
  const headers = headersOf(headerEntries(module, notes), { ...notes, place: `${place}.headers` })
  const expectation = expectationOf(module, notes)
  return {
    kind: 'http',
    url: /^https?:\/\//i.test(url) ? url : `http://${url}`,
    method: methodOf(module.method, at(notes, 'method')),
    ...statuses,
    ...(module.body === null ? {} : { request_body: module.body }),
    ...(Object.keys(headers).length === 0 ? {} : { request_headers: headers }),
    ...expectation,
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
  if (module.oauth2 !== null && module.oauth2 !== undefined)
    findings.lost(`${place}.oauth2`, 'Checks do not sign in with OAuth 2, so this one is sent without credentials.')
  return []
}

function noteDemands(module: BlackboxHttp, url: string, { place, findings }: Where): void {
  if (module.fail_if_ssl) findings.lost(`${place}.fail_if_ssl`, 'In Perigee, TLS is never a failure.')
  if (module.fail_if_not_ssl && !/^https:/i.test(url))
    findings.lost(`${place}.fail_if_not_ssl`, 'A check cannot require TLS. Use an https target instead.')
  const unsayable = {
    fail_if_header_matches: module.fail_if_header_matches,
    fail_if_header_not_matches: module.fail_if_header_not_matches,
    fail_if_body_json_matches_cel: module.fail_if_body_json_matches_cel,
  }
  for (const [name, demand] of Object.entries(unsayable))
    if (demand !== null && demand !== undefined && demand.length > 0)
      findings.lost(`${place}.${name}`, 'Checks have no such expectation, so it is not checked.')
  if (module.body_file !== null) findings.lost(`${place}.body_file`, 'The file with its body is not read.')
}

function noteTransport(module: BlackboxHttp, { place, findings }: Where): void {
  const { tls_config: tls } = module
  if (tls?.insecure_skip_verify === true)
    findings.changed(`${place}.tls_config`, 'Perigee checks the certificate of an https target; the exporter did not.')
  if (['ca_file', 'cert_file', 'key_file'].some((name) => tls?.[name] !== undefined))
    findings.changed(
      `${place}.tls_config`,
      'Checks trust public certificate authorities only, and send no client certificate.',
    )
  if (module.proxy_url !== null)
    findings.changed(`${place}.proxy_url`, 'The exporter used a proxy; Perigee checks the target directly.')
  if (!module.ip_protocol_fallback)
    findings.changed(`${place}.ip_protocol_fallback`, 'In Perigee, the location chooses between IPv4 and IPv6.')
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
    if (plainText.test(first)) return { keyword: first, ...asOptions(unwanted) }
    return asOptions({ body_pattern: first, ...unwanted })
  }
  if (cel === null) return asOptions(unwanted)
  const [, path, single, double, bare] = plainCel.exec(cel.trim()) ?? []
  if (path === undefined) {
    findings.lost(`${place}.fail_if_body_json_not_matches_cel`, `"${shown(cel)}" is no comparison of one value.`)
    return asOptions(unwanted)
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

function asOptions(options: Record<string, string>): Settings {
  return Object.keys(options).length === 0 ? {} : { check_options: options }
}
