import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { robotSettings, robotWebSchema } from './uptimerobot-kinds.ts'

function settingsOf(monitor: object) {
  const findings = createFindings()
  const whole = robotWebSchema.parse({ type: 1, url: 'https://a.example', ...monitor })
  const settings = robotSettings(whole, { place: 'm', findings })
  return { settings, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place}`) }
}

type Case = [what: string, monitor: object, settings: object | null, notes?: string[]]

function play(cases: readonly Case[], usual: object = {}): void {
  for (const [what, monitor, changed, notes = []] of cases) {
    const settings = changed === null ? null : { ...usual, ...changed }
    it(what, () => assert.deepEqual(settingsOf(monitor), { settings, notes }))
  }
}

const tcp = (port: number): object => ({ kind: 'tcp', url: `a.example:${port}` })

describe('a monitor of UptimeRobot', () => {
  play([
    ['of a host is a ping', { type: 3, url: 'a.example' }, { kind: 'ping', url: 'a.example' }],
    ['of a host in an address, too', { type: 3, url: 'https://a.example/b?c#d' }, { kind: 'ping', url: 'a.example' }],
    ['of an IPv6 address has no brackets', { type: 3, url: '[2001:db8::1]' }, { kind: 'ping', url: '2001:db8::1' }],
    ['of no host is lost', { type: 3, url: '' }, null, ['lost m.url']],
    ...[80, 443, 21, 25, 110, 143].map((port, place): Case => [
      `of the service ${place + 1} has its port`,
      { type: 4, url: 'a.example', sub_type: place + 1, port: 9 },
      tcp(port),
    ]),
    ['of another port', { type: 4, url: 'a.example', sub_type: 99, port: 8443 }, tcp(8443)],
    ['of a port without a service', { type: 4, url: 'a.example', port: 8443 }, tcp(8443)],
    ['of no port is lost', { type: 4, url: 'a.example' }, null, ['lost m.url']],
    ['of a port of no host is lost', { type: 4, url: null, port: 80 }, null, ['lost m.url']],
    [
      'that waits for calls has a new address',
      { type: 5, url: null },
      { kind: 'heartbeat', recovery_threshold: 1 },
      ['changed m.url'],
    ],
    ['of an unknown type is lost', { type: 9 }, null, ['lost m.type']],
    ['of no type is lost', { type: null }, null, ['lost m.type']],
    ...[null, '', 'ftp://a.example', 'https:///a', 'see https://a.example'].map((url): Case => [
      `of the web without an address is lost: ${url}`,
      { url },
      null,
      ['lost m.url'],
    ]),
  ])

  it('says whether a host is missing, or a port too', () => {
    const findings = createFindings()
    for (const type of [3, 4]) robotSettings(robotWebSchema.parse({ type, url: 'a b' }), { place: 'm', findings })
    assert.deepEqual(
      findings.file().notes.map(({ message }) => message),
      ['"a b" is no host that can be checked.', '"a b" is no host and port that can be checked.'],
    )
  })
})

const usual = {
  kind: 'http',
  url: 'https://a.example',
  method: 'GET',
  expected_status_min: 200,
  expected_status_max: 399,
}
const sent = (text: string, type: string): object => ({ request_body: text, request_headers: { 'content-type': type } })
const form = 'application/x-www-form-urlencoded'
const wanted = { type: 2, keyword_type: 2, keyword_value: 'Welcome' }
const signedIn = (authorization: string): object => ({ request_headers: { authorization } })

describe('a request of UptimeRobot', () => {
  play(
    [
      ['is what it is', {}, {}],
      ...['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method, place): Case => [
        `has the method ${method}`,
        { http_method: place + 1 },
        { method },
      ]),
      ['is a GET where checks have no such method', { http_method: 7 }, {}, ['changed m']],
      ['has a text to find', wanted, { keyword: 'Welcome' }],
      ['has a text in the body, which no answer to HEAD has', { ...wanted, http_method: 1 }, { keyword: 'Welcome' }],
      ['has a text where it is of that type', { ...wanted, type: 1 }, {}],
      ['has no text where none is named', { type: 2 }, {}],
      [
        'has a text that must be missing',
        { ...wanted, keyword_type: 1 },
        { check_options: { absent_keyword: 'Welcome' } },
      ],
      ['has no text where it is empty', { ...wanted, keyword_value: '', keyword_type: 1 }, {}],
      [
        'has a text in upper and lower case',
        { ...wanted, keyword_case_type: 1 },
        { keyword: 'Welcome' },
        ['changed m.keyword_case_type'],
      ],
      ['has a text as it is written', { ...wanted, keyword_case_type: 0 }, { keyword: 'Welcome' }],
      ...[true, 1].map((ignored): Case => [
        `is checked by its certificate: ${ignored}`,
        { ignore_ssl_errors: ignored },
        {},
        ['changed m.ignore_ssl_errors'],
      ]),
      ['is checked by its certificate there as well', { ignore_ssl_errors: 0 }, {}],
      ['has no body', { post_value: null }, {}],
      ['has an empty body', { post_value: '' }, {}],
      ['has a text', { post_value: 'a=1', post_type: 2 }, sent('a=1', 'text/html')],
      ['has a number', { post_value: 5 }, sent('5', 'text/html')],
      ['has JSON as a text', { post_value: '{ "a":1}', post_type: 2 }, sent('{ "a":1}', 'application/json')],
      ['has JSON', { post_value: { a: 1 }, post_type: 2 }, sent('{"a":1}', 'application/json')],
      ['has a form', { post_value: { a: 1, b: 'x y' }, post_type: 1 }, sent('a=1&b=x+y', form)],
      ['has a form as a text', { post_value: '{"a":"1"}', post_type: 1 }, sent('a=1', form)],
      ['has a form that is none', { post_value: 'a=1', post_type: 1 }, sent('a=1', 'text/html')],
      [
        'has headers',
        { custom_http_headers: { 'X-A': 'b', 'X-N': 1 } },
        { request_headers: { 'X-A': 'b', 'X-N': '1' } },
      ],
      ['has headers as a text', { custom_http_headers: '{"X-A":"b"}' }, { request_headers: { 'X-A': 'b' } }],
      ['has headers that are none', { custom_http_headers: 'X-A: b' }, {}],
      [
        'has its own headers before others',
        { custom_http_headers: { 'Content-Type': 'a/b' }, post_value: 'c' },
        { request_body: 'c', request_headers: { 'Content-Type': 'a/b' } },
      ],
      [
        'is signed in',
        { http_username: 'me', http_password: 'secret', http_auth_type: 1 },
        signedIn('Basic bWU6c2VjcmV0'),
      ],
      ['is signed in without a password', { http_username: 'me' }, signedIn('Basic bWU6')],
      ['is not signed in with digest', { http_username: 'me', http_auth_type: 2 }, {}, ['lost m.http_auth_type']],
      ['is not signed in without a name', { http_auth_type: 2 }, {}],
    ],
    usual,
  )
})

const from = (min: number, max: number): object => ({ expected_status_min: min, expected_status_max: max })

describe('the statuses of UptimeRobot', () => {
  const many = Array.from({ length: 100 }, () => 404)
  const cases: [given: unknown, settings: object][] = [
    [{ down: [201] }, { expected_statuses: ['200', '202-399'] }],
    [{ down: [200, 399] }, from(201, 398)],
    [{ down: [199, 400] }, {}],
    [{ up: [400, '401'], down: [200] }, from(201, 401)],
    [{ up: [404], down: [404] }, {}],
    [{ up: [400.5, 'a', 400] }, from(200, 400)],
    [{ up: [...many.with(99, 405), 500] }, { ...from(200, 405), expected_statuses: ['200-399', '404-405'] }],
    [{ up: 404 }, {}],
    ['200:0_400:1', from(201, 400)],
    ['400:1_401:2', {}],
    [null, {}],
  ]
  play(
    cases.map(([given, settings]): Case => [
      `are those that are right: ${JSON.stringify(given)?.slice(0, 40)}`,
      { custom_http_statuses: given },
      settings,
    ]),
    usual,
  )
})
