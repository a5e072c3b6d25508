import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { blackboxHttpSettings } from './blackbox-http.ts'
import { moduleSchema } from './blackbox-rows.ts'

function settingsOf(http: object, url: string) {
  const findings = createFindings()
  const module = moduleSchema.parse({ http }).http ?? assert.fail()
  const settings = blackboxHttpSettings(module, url, { place: 'm', findings })
  return { settings, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place}`) }
}

const usual = {
  kind: 'http',
  url: 'https://a.example',
  method: 'GET',
  expected_status_min: 200,
  expected_status_max: 299,
}
type Settings = { check_options?: object; [name: string]: unknown }
type Case = [what: string, http: object, changed: Settings, notes?: string[]]

function play(cases: readonly Case[], url = usual.url): void {
  for (const [what, http, changed, notes = []] of cases)
    it(what, () => assert.deepEqual(settingsOf(http, url), { settings: expectedOf(http, { url, ...changed }), notes }))
}

/** The exporter offers HTTP/2 unless it is told otherwise. */
function expectedOf(http: object, { check_options: options = {}, ...changed }: Settings): object {
  const offered = { ...options, ...('enable_http2' in http ? {} : { http2: true }) }
  return { ...usual, ...changed, ...(Object.keys(offered).length === 0 ? {} : { check_options: offered }) }
}

const sent = (...headers: [name: string, value: string][]): Settings => ({
  request_headers: Object.fromEntries(headers),
})
const found = (json_path: string, expected_value: unknown): Settings => ({
  kind: 'api',
  check_options: { json_path, expected_value },
})
const text = (...texts: (string | null)[]): object => ({ fail_if_body_not_matches_regexp: texts })
const json = (comparison: string): object => ({ fail_if_body_json_not_matches_cel: comparison })
const noText = ['lost m.fail_if_body_not_matches_regexp']
const noJson = ['lost m.fail_if_body_json_not_matches_cel']

const header = { header: 'X-A', regexp: 'b+' }
const matching = { name: 'X-A', match: 'matches', value: 'b+' }
const any = { check_options: { accept_any_certificate: true } }
const shows = { check_options: { client_certificate: 'c\nk\n', certificate_authorities: 'a' } }
const by = (proxy: string): Settings => ({ check_options: { proxy } })
const client = { client_id: 'me', client_secret: 'mine', token_url: 'https://login.example/token' }
const signIn = {
  sign_in: 'oauth2',
  sign_in_name: 'me',
  sign_in_secret: 'mine',
  token_url: 'https://login.example/token',
}

const codes = (...valid: unknown[]): object => ({ valid_status_codes: valid })

describe('a request of blackbox_exporter', () => {
  play([
    ['is what it is', {}, {}],
    ['has a method', { method: 'POST' }, { method: 'POST' }],
    ['has a body', { body: '{}' }, { request_body: '{}' }],
    ['has one status', codes(204), { expected_status_min: 204, expected_status_max: 204 }],
    [
      'has some statuses',
      codes(201, 301),
      { expected_status_min: 201, expected_status_max: 301, expected_statuses: ['201', '301'] },
    ],
    ['has no statuses but numbers', codes('2xx', null), {}],
    ['follows redirects', { follow_redirects: false }, {}, ['changed m.follow_redirects']],
    [
      'judges a redirect that is expected',
      { ...codes(301), follow_redirects: false },
      { expected_status_min: 301, expected_status_max: 301 },
    ],
    ['is of a page without TLS', { fail_if_ssl: true }, {}, ['lost m.fail_if_ssl']],
    ['is of a page with TLS', { fail_if_not_ssl: true }, {}],
    [
      'does not ask that a header does not match',
      { fail_if_header_matches: [header] },
      {},
      ['lost m.fail_if_header_matches'],
    ],
    ['asks nothing of no headers', { fail_if_header_matches: [], fail_if_header_not_matches: [] }, {}],
    [
      'asks that headers match',
      { fail_if_header_not_matches: [header] },
      { check_options: { expected_headers: [matching] } },
    ],
    [
      'asks nothing of a header that may miss',
      { fail_if_header_not_matches: [{ ...header, allow_missing: true }] },
      {},
      ['lost m.fail_if_header_not_matches'],
    ],
    [
      'asks ten headers at most',
      { fail_if_header_not_matches: Array.from({ length: 11 }, () => header) },
      { check_options: { expected_headers: Array.from({ length: 10 }, () => matching) } },
      ['lost m.fail_if_header_not_matches'],
    ],
    ['does not ask CEL', { fail_if_body_json_matches_cel: 'body.a' }, {}, ['lost m.fail_if_body_json_matches_cel']],
    ['has no body of a file', { body_file: 'a' }, {}, ['lost m.body_file']],
    ['takes any certificate', { tls_config: { insecure_skip_verify: true } }, any],
    ['shows a certificate', { tls_config: { cert: 'c', key: 'k', ca: 'a' } }, shows],
    ['checks certificates there as well', { tls_config: { insecure_skip_verify: false } }, {}],
    ...['ca_file', 'cert_file', 'key_file'].map((name): Case => [
      `has no ${name}`,
      { tls_config: { [name]: 'a' } },
      {},
      ['lost m.tls_config'],
    ]),
    ['has a proxy', { proxy_url: 'http://b.example', ip_protocol_fallback: false }, by('http://b.example')],
    ['has no proxy of another kind', { proxy_url: 'https://b.example' }, {}, ['lost m.proxy_url']],
    ['takes one way', { ip_protocol_fallback: false }, { check_options: { ip_version: 'ipv6' } }],
    [
      'takes the other way',
      { ip_protocol_fallback: false, preferred_ip_protocol: 'ip4' },
      { check_options: { ip_version: 'ipv4' } },
    ],
    ['offers no HTTP/2', { enable_http2: false }, {}],
    ['offers HTTP/2', { enable_http2: true }, { check_options: { http2: true } }],
    [
      'expects HTTP/2',
      { valid_http_versions: ['HTTP/2.0', 'HTTP/2'] },
      { check_options: { expected_http_version: '2' } },
    ],
    ['expects HTTP/1.1', { valid_http_versions: ['HTTP/1.1'] }, { check_options: { expected_http_version: '1.1' } }],
    [
      'expects HTTP/1.1 and offers nothing else',
      { valid_http_versions: ['HTTP/1.1'], enable_http2: false },
      { check_options: { expected_http_version: '1.1' } },
    ],
    ['expects no version', { valid_http_versions: [] }, {}],
    ...[['HTTP/1.1', 'HTTP/2.0'], ['HTTP/1.0'], ['HTTP/3']].map((versions): Case => [
      `does not expect ${versions.join(' or ')}`,
      { valid_http_versions: versions },
      {},
      ['lost m.valid_http_versions'],
    ]),
    [
      'expects no HTTP/2 that it does not offer',
      { valid_http_versions: ['HTTP/2.0'], enable_http2: false },
      {},
      ['lost m.valid_http_versions'],
    ],
    ['takes both', { preferred_ip_protocol: 'ip4' }, {}],
    ['has headers', { headers: { 'X-A': 'b', 'X-C': 'd' } }, sent(['X-A', 'b'], ['X-C', 'd'])],
    ['has headers in a list', { http_headers: { 'X-A': { values: ['b', 'c'] } } }, sent(['X-A', 'c'])],
    ['has secret headers', { http_headers: { 'X-A': { secrets: ['b'] } } }, sent(['X-A', 'b'])],
    ['has headers of no file', { http_headers: { 'X-A': { files: ['b'] } } }, {}, ['lost m.http_headers']],
    ['has headers of nothing', { http_headers: { 'X-A': { files: [] } } }, {}],
    [
      'is signed in',
      { basic_auth: { username: 'me', password: 'secret' } },
      sent(['authorization', 'Basic bWU6c2VjcmV0']),
    ],
    ['is not signed in by a file', { basic_auth: { username: 'me' } }, {}, ['lost m.basic_auth']],
    ['is not signed in without a name', { basic_auth: { password: 'me' } }, {}, ['lost m.basic_auth']],
    ['has a token', { authorization: { credentials: 'abc' } }, sent(['authorization', 'Bearer abc'])],
    [
      'has another form of token',
      { authorization: { type: 'Token', credentials: 'abc' } },
      sent(['authorization', 'Token abc']),
    ],
    ['has no token of a file', { authorization: { type: 'Token' } }, {}, ['lost m.authorization']],
    ['is not signed in with OAuth without a client', { oauth2: {} }, {}, ['lost m.oauth2']],
    ['is signed in with OAuth', { oauth2: client }, { check_options: signIn }],
    [
      'is signed in with OAuth for something',
      { oauth2: { ...client, scopes: ['read', 'all'], endpoint_params: { audience: 'shop', resource: 'x' } } },
      { check_options: { ...signIn, token_scope: 'read all', token_audience: 'shop' } },
      ['lost m.oauth2'],
    ],
    ['is signed in with nothing', { basic_auth: null, authorization: null, oauth2: null }, {}],
    ['looks for a text', text('Download <b>'), { keyword: 'Download <b>' }],
    ['looks for one of two texts', text('a', 'b'), { keyword: 'a' }, noText],
    ['looks for an expression', text('a|b'), { check_options: { body_pattern: 'a|b' } }],
    [
      'looks for an expression that must not be there',
      { fail_if_body_matches_regexp: ['a.'] },
      { check_options: { absent_pattern: 'a.' } },
    ],
    [
      'looks for one of several',
      { fail_if_body_matches_regexp: ['a|b', 'c'] },
      { check_options: { absent_pattern: '(?:a|b)|(?:c)' } },
    ],
    ['looks for no such expression', { fail_if_body_matches_regexp: [] }, {}],
    ['looks for nothing', text(null), {}],
    ['looks for a text rather than a value', { ...text('a'), ...json('body.a == 1') }, { keyword: 'a' }, noText],
    [
      'looks for an expression rather than a value',
      { ...text('a|b'), ...json('body.a == 1') },
      { check_options: { body_pattern: 'a|b' } },
      noText,
    ],
    ['looks for a value', json(" body.a.b == 'c' "), found('a.b', 'c')],
    ['looks for a value in other quotes', json('body.a=="c"'), found('a', 'c')],
    ['looks for true', json('body.a == true'), found('a', true)],
    ['looks for no other comparison', json('body.a > 1'), {}, noJson],
  ])
  play([['has an address in any case', {}, {}]], 'HTTP://a.example')
  play([['is asked for TLS that it has', { fail_if_not_ssl: true }, {}]], 'HTTPS://a.example')
  play(
    [['has an address', { fail_if_not_ssl: true }, { url: 'http://a.example' }, ['lost m.fail_if_not_ssl']]],
    'a.example',
  )
})
