import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { readKumaTables } from './kuma-rows.ts'
import { kumaWebSettings } from './kuma-web.ts'

const proxies = [
  { id: 1, protocol: 'http', host: 'proxy.example', port: 3128, auth: 0, username: 'ann', active: 1 },
  {
    id: 2,
    protocol: 'socks5h',
    host: 'fd00::1',
    port: 1080,
    auth: 1,
    username: 'ann@home',
    password: 'a:b/c',
    active: 1,
  },
  { id: 3, protocol: 'socks4', host: 'proxy.example', port: 1080, auth: 0, active: 1 },
  { id: 4, protocol: 'http', host: 'proxy.example', port: 3128, auth: 0, active: 0 },
]
const oauth = {
  auth_method: 'oauth2-cc',
  oauth_client_id: 'me',
  oauth_client_secret: 'mine',
  oauth_token_url: 'https://login.example/token',
}
const token = {
  sign_in: 'oauth2',
  sign_in_name: 'me',
  sign_in_secret: 'mine',
  token_url: 'https://login.example/token',
}

function settingsOf(row: object) {
  const whole = { id: 1, name: 'One', type: 'http', url: 'https://a.example', ...row }
  const { monitor: monitors, proxy } = readKumaTables({ monitor: [whole], proxy: proxies })
  const [monitor] = monitors
  assert.ok(monitor !== undefined)
  const findings = createFindings()
  const settings = kumaWebSettings(monitor, { place: 'm', findings }, new Map(proxy.map((each) => [each.id, each])))
  return { settings, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place}`) }
}

type Case = [what: string, row: object, changed: object, notes?: string[]]

const usual = {
  kind: 'http',
  url: 'https://a.example',
  method: 'GET',
  expected_status_min: 200,
  expected_status_max: 299,
  expiry_alerts: false,
}

function play(cases: readonly Case[]): void {
  for (const [what, row, changed, notes = []] of cases)
    it(what, () => assert.deepEqual(settingsOf(row), { settings: { ...usual, ...changed }, notes }))
}

const sent = (type: string): object => ({ request_body: '{}', request_headers: { 'content-type': type } })
const signed = (authorization: string): object => ({ request_headers: { authorization } })

describe('a request of Uptime Kuma', () => {
  for (const url of [null, '', 'ftp://a.example', 'https:///', 'see https://a.example'])
    it(`is lost where its address is ${url}`, () =>
      assert.deepEqual(settingsOf({ url }), { settings: null, notes: ['lost m.url'] }))

  const body = { body: '{}' }
  play([
    ['is what it is', {}, {}],
    ['has an address in any case', { url: 'HTTP://a.example' }, { url: 'HTTP://a.example' }],
    ['has a body of JSON', body, sent('application/json')],
    ['has a form', { ...body, http_body_encoding: 'form' }, sent('application/x-www-form-urlencoded')],
    ['has a body of XML', { ...body, http_body_encoding: 'xml' }, sent('text/xml; charset=utf-8')],
    ['has a body of another type', { ...body, http_body_encoding: 'text' }, { request_body: '{}' }],
    ['has headers', { headers: '{"X-One":"1","X-Two":2}' }, { request_headers: { 'X-One': '1', 'X-Two': '2' } }],
    [
      'has its own headers before others',
      { ...body, headers: '{"Content-Type":"a/b"}' },
      { request_body: '{}', request_headers: { 'Content-Type': 'a/b' } },
    ],
    ['has no headers of a list', { headers: '["X-One"]' }, {}, ['lost m.headers']],
    ['has no headers of nothing', { headers: 'null' }, {}, ['lost m.headers']],
    ['has no headers of a text', { headers: '"X-One"' }, {}, ['lost m.headers']],
    ['has no headers that cannot be read', { headers: '{' }, {}, ['lost m.headers']],
    ['is signed in', { basic_auth_user: 'me', basic_auth_pass: 'secret' }, signed('Basic bWU6c2VjcmV0')],
    ['is signed in without a password', { auth_method: 'basic', basic_auth_user: 'me' }, signed('Basic bWU6')],
    ['is signed in without a name', { auth_method: 'basic', basic_auth_pass: 'me' }, signed('Basic Om1l')],
    ['is not signed in', { auth_method: 'null', basic_auth_user: 'me' }, {}],
    ['is signed in by a token', { auth_method: 'bearer', bearer_token: 'abc' }, signed('Bearer abc')],
    ['is signed in with a token', oauth, { check_options: token }],
    [
      'is signed in with a token for which it names itself in the body',
      { ...oauth, oauth_scopes: 'read all', oauth_audience: 'shop', oauth_auth_method: 'client_secret_post' },
      { check_options: { ...token, token_method: 'post', token_scope: 'read all', token_audience: 'shop' } },
    ],
    ['is not signed in without a client', { ...oauth, oauth_client_id: null }, {}, ['lost m.auth_method']],
    [
      'shows a certificate',
      { auth_method: 'mtls', tls_cert: ' cert\n', tls_key: 'key', tls_ca: 'ca' },
      { check_options: { client_certificate: 'cert\nkey\n', certificate_authorities: 'ca' } },
    ],
    [
      'shows a certificate to a server of a known authority',
      { auth_method: 'mtls', tls_cert: 'cert', tls_key: 'key', tls_ca: ' ' },
      { check_options: { client_certificate: 'cert\nkey\n' } },
    ],
    ['shows no certificate without a key', { auth_method: 'mtls', tls_cert: 'cert' }, {}, ['lost m.auth_method']],
    ['is not signed in otherwise', { auth_method: 'ntlm' }, {}, ['lost m.auth_method']],
    ['may have any certificate', { ignore_tls: 1 }, { check_options: { accept_any_certificate: true } }],
    ['is sent directly where its proxy is lost', { proxy_id: 9 }, {}, ['lost m.proxy_id']],
    ['is sent directly where its proxy is not active', { proxy_id: 4 }, {}],
    ['is sent directly where its proxy is of another kind', { proxy_id: 3 }, {}, ['lost m.proxy_id']],
    ['is sent by a proxy', { proxy_id: 1 }, { check_options: { proxy: 'http://proxy.example:3128' } }],
    [
      'is sent by a proxy that lets it in, and chooses the way',
      { proxy_id: 2, ip_family: 'ipv4' },
      { check_options: { proxy: 'socks5://[fd00::1]:1080', proxy_name: 'ann@home', proxy_secret: 'a:b/c' } },
    ],
    ['is the same each time', { cache_bust: 1 }, {}, ['changed m.cache_bust']],
    ['takes one way', { ip_family: 'ipv4' }, { check_options: { ip_version: 'ipv4' } }],
    ['takes any way', { ip_family: 'auto' }, {}],
    ['follows redirects', { maxredirects: 0 }, {}, ['changed m.maxredirects']],
    ['follows one redirect', { maxredirects: 1 }, {}],
    ['tells of the end of a certificate', { expiry_notification: 1 }, { expiry_alerts: true }],
    ['tells of the end of a registration', { domain_expiry_notification: 1 }, { expiry_alerts: true }],
  ])
})

const statusesFrom = (min: number, max: number): object => ({ expected_status_min: min, expected_status_max: max })
const accepting = (...statuses: unknown[]): object => ({ accepted_statuscodes_json: JSON.stringify(statuses) })

describe('the statuses of Uptime Kuma', () => {
  const place = 'm.accepted_statuscodes_json'
  const told = [`changed ${place}`]
  const many = Array.from({ length: 1001 }, (_, at) => (at === 0 ? '201' : at === 1000 ? '203' : '202'))
  play([
    ['are one', accepting('204'), statusesFrom(204, 204)],
    ['are numbers too', accepting(204), statusesFrom(204, 204)],
    ['are from one to another', accepting(' 200 - 204 '), statusesFrom(200, 204)],
    ['are several', accepting('200-203', '204'), statusesFrom(200, 204)],
    [
      'are a list where they are apart',
      accepting('404', '200'),
      { ...statusesFrom(200, 404), expected_statuses: ['200', '404'] },
    ],
    ['are what they usually are where there are none', accepting(), statusesFrom(200, 399), told],
    ['are that where they cannot be read', accepting('ok', '12345', '200-'), statusesFrom(200, 399), told],
    ['are that where they are no list', { accepted_statuscodes_json: '{}' }, statusesFrom(200, 399), told],
    ['are a thousand', accepting(...many), statusesFrom(201, 202)],
  ])
})

const api = (options: object): object => ({ kind: 'api', check_options: options })

describe('what Uptime Kuma expects of a body', () => {
  const keyword = { type: 'keyword', keyword: 'well' }
  const query = { type: 'json-query', json_path: 'a', expected_value: 'ok' }
  const path = { json_path: 'a' }
  play([
    ['is a text', keyword, { keyword: 'well' }],
    ['is no text of another type', { ...keyword, type: 'http' }, {}],
    ['may be no text', { type: 'keyword' }, {}],
    ['is that a text is missing', { ...keyword, invert_keyword: 1 }, { check_options: { absent_keyword: 'well' } }],
    ['is not that no text is missing', { ...keyword, keyword: '', invert_keyword: 1 }, {}],
    ['is a value', query, api({ ...path, expected_value: 'ok' })],
    ['is an equal value', { ...query, json_path_operator: '==' }, api({ ...path, expected_value: 'ok' })],
    ['is no other value', { ...query, json_path_operator: '!=' }, api({ jsonata: '$string((a)) != "ok"' })],
    [
      'is a part of it',
      { ...query, json_path_operator: 'contains' },
      api({ jsonata: '$contains($string((a)), "ok")' }),
    ],
    [
      'is a number above another',
      { ...query, json_path_operator: '>=', expected_value: '1.5' },
      api({ jsonata: '$number((a)) >= $number("1.5")' }),
    ],
    ['is an empty text', { ...query, expected_value: null }, api({ jsonata: '$string((a)) = ""' })],
    ['is the whole', { ...query, json_path: null }, api({ jsonata: '$string(($)) = "ok"' })],
    [
      'is what an expression gives',
      { ...query, json_path: '$count(a[b = "c"])', expected_value: '"3"' },
      api({ jsonata: '$string(($count(a[b = "c"]))) = "\\"3\\""' }),
    ],
    [
      'is compared in an unknown way',
      { ...query, json_path_operator: '~' },
      { kind: 'api' },
      ['lost m.json_path_operator'],
    ],
  ])
})
