import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { gatusSettings } from './gatus-kinds.ts'
import type { GatusEndpoint } from './gatus-rows.ts'

function settingsOf(changed: Partial<GatusEndpoint>) {
  const endpoint: GatusEndpoint = {
    enabled: true,
    name: null,
    group: null,
    url: null,
    method: null,
    body: null,
    graphql: false,
    interval: null,
    ...changed,
  }
  const findings = createFindings()
  const settings = gatusSettings(endpoint, { place: 'e', findings })
  const { notes } = findings.file()
  return {
    settings,
    notes: notes.map(({ effect, place }) => `${effect} ${place}`),
    messages: notes.map(({ message }) => message),
  }
}

const client = {
  timeout: null,
  insecure: false,
  'ignore-redirect': false,
  'proxy-url': null,
  'dns-resolver': null,
}

type Case = [what: string, endpoint: Partial<GatusEndpoint>, settings: object | null, notes?: string[]]

function play(cases: readonly Case[]): void {
  for (const [what, endpoint, settings, notes = []] of cases)
    it(what, () => {
      const found = settingsOf(endpoint)
      assert.deepEqual([found.settings, found.notes], [settings, notes])
    })
}

const [slow, ended, status] = ['[RESPONSE_TIME] < 200ms', '[CERTIFICATE_EXPIRATION] > 48h', '[STATUS] == 0']

describe('an endpoint of Gatus that is connected to', () => {
  play([
    ['is a tcp monitor', { url: 'TCP://a.example:1/x' }, { kind: 'tcp', url: 'a.example:1' }],
    ['has a port', { url: 'tcp://a.example' }, null, ['lost e.url']],
    ['has a host', { url: 'tcp://:1' }, null, ['lost e.url']],
    [
      'sends nothing and expects nothing',
      { url: 'tcp://a.example:1', body: 'x', conditions: [status, slow] },
      { kind: 'tcp', url: 'a.example:1' },
      ['lost e.conditions[0]', 'lost e.conditions[1]', 'lost e.body'],
    ],
    ['is an ssl monitor by TLS', { url: 'tls://a.example' }, { kind: 'ssl', url: 'a.example' }],
    ['has a host by TLS', { url: 'tls://a b' }, null, ['lost e.url']],
    [
      'warns as early as the longest of its times says',
      { url: 'tls://a.example:1', conditions: [ended, '[CERTIFICATE_EXPIRATION] > 240h', ended] },
      { kind: 'ssl', url: 'a.example:1', check_options: { warn_days: 10 } },
    ],
    [
      'expects nothing else by TLS, and sends nothing',
      { url: 'tls://a.example:1', body: 'x', conditions: [slow, '[CERTIFICATE_EXPIRATION] > soon', '[BODY] > 48h'] },
      { kind: 'ssl', url: 'a.example:1' },
      ['lost e.conditions[0]', 'lost e.conditions[1]', 'lost e.conditions[2]', 'lost e.body'],
    ],
    [
      'is an smtp monitor by STARTTLS',
      { url: 'starttls://a.example:25', conditions: [slow] },
      { kind: 'smtp', url: 'a.example:25', check_options: { security: 'starttls' } },
      ['lost e.conditions[0]'],
    ],
    ['is an ssh monitor without its user', { url: 'ssh://me@a.example' }, { kind: 'ssh', url: 'a.example' }],
    [
      'is not signed in to',
      { url: 'ssh://a.example:22', ssh: { username: 'me' }, conditions: [status] },
      { kind: 'ssh', url: 'a.example:22' },
      ['lost e.conditions[0]', 'lost e.ssh'],
    ],
    ['has no account where that is empty', { url: 'ssh://a.example', ssh: null }, { kind: 'ssh', url: 'a.example' }],
  ])
})

const ping = (url: string, more: object = {}): object => ({
  kind: 'ping',
  url,
  check_options: { packets: 1, ...more },
})

describe('an endpoint of Gatus that is sent packets', () => {
  play([
    ['is pinged', { url: 'icmp://a.example' }, ping('a.example')],
    ['is pinged by IPv6', { url: 'icmp://::1' }, ping('::1')],
    ['is no host', { url: 'icmp://a b' }, null, ['lost e.url']],
    [
      'has one limit of the response time',
      { url: 'icmp://a.example', conditions: [status, slow, slow] },
      ping('a.example', { max_latency_ms: 200 }),
      ['changed e.conditions[1]', 'lost e.conditions[0]', 'lost e.conditions[2]'],
    ],
    [
      'is a udp monitor that sends its body',
      { url: 'udp://a.example:9', body: 'hi', conditions: [slow] },
      { kind: 'udp', url: 'a.example:9', check_options: { payload_base64: 'aGk=' } },
      ['lost e.conditions[0]'],
    ],
    ['has something to send', { url: 'udp://a.example:9', conditions: [slow] }, null, ['lost e.body']],
    ['has a port to send it to', { url: 'udp://a.example', body: 'hi' }, null, ['lost e.url']],
    [
      'sends 512 bytes',
      { url: 'udp://a.example:9', body: 'ä'.repeat(256) },
      { kind: 'udp', url: 'a.example:9', check_options: { payload_base64: btoa('Ã¤'.repeat(256)) } },
    ],
    ['sends no more', { url: 'udp://a.example:9', body: `${'ä'.repeat(256)}x` }, null, ['lost e.body']],
  ])
})

const question = (type: string | null, name: string | null = 'a.example'): Pick<GatusEndpoint, 'dns'> => ({
  dns: { 'query-type': type, 'query-name': name },
})
const asked = (type: string, more: object = {}): object => ({
  kind: 'dns',
  url: 'a.example',
  check_options: { record_type: type, ...more },
})

describe('an endpoint of Gatus that is a question of DNS', () => {
  play([
    ['has a type in any case', question('aaaa'), asked('AAAA')],
    ['has a name without a dot at its end', question('A', 'a.example.'), asked('A')],
    ['has a type that checks know', question('TXT'), null, ['lost e.dns']],
    ['has a type', question(null), null, ['lost e.dns']],
    ['has a name', question('A', null), null, ['lost e.dns']],
    ['is asked of a name server', { ...question('A'), url: '8.8.8.8' }, asked('A', { resolver: '8.8.8.8' })],
    [
      'is asked of those of the location where the one has a name',
      { ...question('A'), url: 'dns.example' },
      asked('A'),
      ['changed e.url'],
    ],
    [
      'expects one record',
      { ...question('A'), conditions: ['[BODY] == 192.0.2.1', '[BODY] == 192.0.2.2', '[STATUS] == 1'] },
      asked('A', { expected_answer: '192.0.2.1' }),
      ['lost e.conditions[1]', 'lost e.conditions[2]'],
    ],
    [
      'expects a record itself',
      { ...question('NS'), conditions: ['[BODY] != a', '[BODY] == pat(*a*)', '[STATUS] == a'] },
      asked('NS'),
      ['lost e.conditions[0]', 'lost e.conditions[1]', 'lost e.conditions[2]'],
    ],
    [
      'expects no record that has several parts',
      { ...question('MX'), conditions: ['[BODY] == mail.a.example'] },
      asked('MX'),
      ['lost e.conditions[0]'],
    ],
  ])
})

describe('an endpoint of Gatus of another scheme', () => {
  for (const [url, reason] of [
    ['sctp://a.example:1', /SCTP/],
    ['gopher://a.example', /supports "gopher:\/\/a\.example"/],
    ['constructor://a.example', /supports "constructor/],
    ['a.example', /supports "a\.example"/],
    [null, /supports ""/],
  ] as const)
    it(`is lost: ${url}`, () => {
      const { settings, notes, messages } = settingsOf({ url, dns: null })
      assert.deepEqual([settings, notes], [null, ['lost e.url']])
      assert.match(messages[0] ?? '', reason)
    })
})

describe('an endpoint of Gatus that is asked by WebSocket', () => {
  const url = 'wss://a.example/feed'
  const socket = (options?: object): object => ({
    kind: 'websocket',
    url,
    ...(options === undefined ? {} : { check_options: options }),
  })
  play([
    ['answers a ping where it is sent nothing', { url }, socket(), ['changed e.body']],
    ['is sent a message', { url, body: 'state' }, socket({ send: 'state' })],
    [
      'has a text in a message',
      { url, body: 'state', conditions: ['[BODY] == pat(*ready*)', '[CONNECTED] == true', slow ?? ''] },
      socket({ send: 'state', expected_message: 'ready', max_latency_ms: 200 }),
      ['changed e.conditions[2]'],
    ],
    [
      'has a message like a pattern',
      { url, conditions: ['[BODY] == pat(a?c)', '[STATUS] == 101', '[BODY] == b', '[BODY].a == 1'] },
      socket({ message_pattern: String.raw`^a[\s\S]c$` }),
      ['lost e.conditions[1]', 'lost e.conditions[2]', 'lost e.conditions[3]'],
    ],
    [
      'is sent headers, and may have any certificate',
      {
        url: 'ws://10.0.0.7/',
        body: 'a'.repeat(4097),
        headers: { Authorization: 'Bearer a' },
        client: { ...client, insecure: true, 'ignore-redirect': false },
      },
      {
        kind: 'websocket',
        url: 'ws://10.0.0.7/',
        request_headers: { Authorization: 'Bearer a' },
        check_options: { accept_any_certificate: true },
      },
      ['changed e.url', 'lost e.body', 'changed e.body'],
    ],
  ])
})

describe('an endpoint of Gatus that is asked by gRPC', () => {
  play([
    [
      'serves',
      { url: 'grpcs://a.example:443', conditions: ['[CONNECTED] == true', '[BODY] == SERVING'] },
      { kind: 'grpc', url: 'grpcs://a.example:443' },
    ],
    [
      'has no TLS, and a limit',
      { url: 'GRPC://10.0.0.7:50051/', conditions: [slow ?? '', '[BODY] == NOT_SERVING'], headers: { a: 'b' } },
      {
        kind: 'grpc',
        url: 'grpc://10.0.0.7:50051',
        request_headers: { a: 'b' },
        check_options: { max_latency_ms: 200 },
      },
      ['changed e.url', 'changed e.conditions[0]', 'lost e.conditions[1]'],
    ],
    ['has a port', { url: 'grpcs://a.example' }, null, ['lost e.url']],
  ])
})

const webMonitor = (more: object = {}): object => ({
  kind: 'http',
  url: 'https://a.example',
  method: 'GET',
  expected_status_min: 100,
  expected_status_max: 599,
  expiry_alerts: false,
  ...more,
})

describe('an endpoint of Gatus that is asked by HTTP', () => {
  const endpoint = { url: 'https://a.example' }
  play([
    ['is an http monitor', endpoint, webMonitor()],
    [
      'follows redirects',
      { ...endpoint, client: { ...client, insecure: false, 'ignore-redirect': true } },
      webMonitor(),
      ['changed e.client.ignore-redirect'],
    ],
    [
      'takes any certificate',
      { ...endpoint, client: { ...client, insecure: true } },
      webMonitor({ check_options: { accept_any_certificate: true } }),
    ],
    [
      'asks a name server of its own',
      { ...endpoint, client: { ...client, 'dns-resolver': 'udp://8.8.8.8:53' } },
      webMonitor({ check_options: { resolver: '8.8.8.8:53' } }),
    ],
    [
      'goes by a proxy, which looks up names',
      {
        ...endpoint,
        client: { ...client, 'dns-resolver': '8.8.8.8', 'proxy-url': 'http://ann:100%25@b.example:3128' },
      },
      webMonitor({
        check_options: { proxy: 'http://b.example:3128', proxy_name: 'ann', proxy_secret: '100%' },
      }),
    ],
    [
      'signs in with a token',
      {
        ...endpoint,
        client: {
          ...client,
          oauth2: {
            'token-url': 'https://login.example/token',
            'client-id': 'me',
            'client-secret': 'mine',
            scopes: ['read', 'all'],
          },
        },
      },
      webMonitor({
        check_options: {
          sign_in: 'oauth2',
          sign_in_name: 'me',
          sign_in_secret: 'mine',
          token_url: 'https://login.example/token',
          token_scope: 'read all',
        },
      }),
    ],
    [
      'sends placeholders as they are',
      { ...endpoint, method: 'put', body: '[ENDPOINT_NAME]' },
      webMonitor({ method: 'PUT', request_body: '[ENDPOINT_NAME]' }),
      ['changed e.body'],
    ],
    ['sends other brackets', { ...endpoint, body: '[OTHER]' }, webMonitor({ request_body: '[OTHER]' })],
    [
      'sends headers, and those without a value empty',
      { ...endpoint, headers: { 'x-one': '1', 'x-none': null } },
      webMonitor({ request_headers: { 'x-one': '1', 'x-none': '' } }),
    ],
    [
      'sends a question of GraphQL as JSON',
      { ...endpoint, graphql: true, body: '{ a }' },
      webMonitor({
        method: 'POST',
        request_body: '{"query":"{ a }"}',
        request_headers: { 'content-type': 'application/json' },
      }),
    ],
    [
      'sends it as it says',
      { ...endpoint, graphql: true, method: 'GET', headers: { 'Content-Type': 'application/graphql' } },
      webMonitor({ request_headers: { 'Content-Type': 'application/graphql' } }),
    ],
    [
      'has one limit of the response time',
      { ...endpoint, conditions: [slow, '[RESPONSE_TIME] < 300ms'] },
      webMonitor({ check_options: { max_latency_ms: 200 } }),
      ['changed e.conditions[0]', 'lost e.conditions[1]'],
    ],
    [
      'tells of the end of its certificate and of its registration',
      { ...endpoint, conditions: [ended] },
      webMonitor({ expiry_alerts: true }),
      ['changed e.conditions[0]'],
    ],
    [
      'tells of the end of its registration',
      { ...endpoint, conditions: ['[DOMAIN_EXPIRATION] > 720h'] },
      webMonitor({ expiry_alerts: true }),
      ['changed e.conditions[0]'],
    ],
    [
      'expects one text of its body',
      { ...endpoint, conditions: ['[BODY] == pat(*well*)', '[BODY] == pat(*done*)'] },
      webMonitor({ keyword: 'well' }),
      ['lost e.conditions[1]'],
    ],
    [
      'is an api monitor where that is a value of JSON',
      { ...endpoint, conditions: ['[BODY].a == b', '[BODY] == pat(*well*)', '[BODY].c > 3', 'has([BODY].d) == true'] },
      webMonitor({
        kind: 'api',
        keyword: 'well',
        check_options: { json_path: 'a', expected_value: 'b', jsonata: '$number(`c`) > 3 and $exists(`d`)' },
      }),
      [],
    ],
    [
      'expects no more of its body than an expression can say',
      { ...endpoint, conditions: ['[BODY].a == b', ...Array.from({ length: 120 }, () => '[BODY].long.path.to > 3')] },
      webMonitor({
        kind: 'api',
        check_options: {
          json_path: 'a',
          expected_value: 'b',
          jsonata: Array.from({ length: 55 }, () => '$number(`long`.`path`.`to`) > 3').join(' and '),
        },
      }),
      Array.from({ length: 65 }, (_, at) => `lost e.conditions[${at + 56}]`),
    ],
    [
      'expects statuses that all of its conditions name',
      { ...endpoint, conditions: ['[STATUS] < 300', '[STATUS] >= 300', '[STATUS] != 201', '[STATUS] > 199'] },
      webMonitor({ expected_status_min: 200, expected_status_max: 299, expected_statuses: ['200', '202-299'] }),
      ['lost e.conditions[1]'],
    ],
  ])

  it('says how early its certificate was told of, where it says so', () => {
    const messages = [ended, '[CERTIFICATE_EXPIRATION] < 48h'].map(
      (condition) => settingsOf({ ...endpoint, conditions: [condition] }).messages[0] ?? '',
    )
    assert.match(messages[0] ?? '', /it was an outage: 2 days before it there, and several times before it here\.$/)
    assert.match(messages[1] ?? '', /it was an outage\.$/)
  })
})
