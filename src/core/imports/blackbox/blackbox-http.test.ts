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
type Case = [what: string, http: object, changed: object, notes?: string[]]

function play(cases: readonly Case[], url = usual.url): void {
  for (const [what, http, changed, notes = []] of cases)
    it(what, () => assert.deepEqual(settingsOf(http, url), { settings: { ...usual, url, ...changed }, notes }))
}

const sent = (...headers: [name: string, value: string][]): object => ({
  request_headers: Object.fromEntries(headers),
})
const found = (json_path: string, expected_value: unknown): object => ({
  kind: 'api',
  check_options: { json_path, expected_value },
})
const text = (...texts: (string | null)[]): object => ({ fail_if_body_not_matches_regexp: texts })
const json = (comparison: string): object => ({ fail_if_body_json_not_matches_cel: comparison })
const noText = ['lost m.fail_if_body_not_matches_regexp']
const noJson = ['lost m.fail_if_body_json_not_matches_cel']

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
    ...['fail_if_header_matches', 'fail_if_header_not_matches'].flatMap((name): Case[] => [
      [`does not ask for ${name}`, { [name]: ['a'] }, {}, [`lost m.${name}`]],
      [`does not ask for ${name} of nothing`, { [name]: [] }, {}],
    ]),
    ['does not ask CEL', { fail_if_body_json_matches_cel: 'body.a' }, {}, ['lost m.fail_if_body_json_matches_cel']],
    ['has no body of a file', { body_file: 'a' }, {}, ['lost m.body_file']],
    ['checks certificates', { tls_config: { insecure_skip_verify: true } }, {}, ['changed m.tls_config']],
    ['checks certificates there as well', { tls_config: { insecure_skip_verify: false } }, {}],
    ...['ca_file', 'cert_file', 'key_file'].map((name): Case => [
      `has no ${name}`,
      { tls_config: { [name]: 'a' } },
      {},
      ['changed m.tls_config'],
    ]),
    ['has no proxy', { proxy_url: 'http://b.example' }, {}, ['changed m.proxy_url']],
    ['takes the way of its location', { ip_protocol_fallback: false }, {}, ['changed m.ip_protocol_fallback']],
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
    ['is not signed in with OAuth', { oauth2: {} }, {}, ['lost m.oauth2']],
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
