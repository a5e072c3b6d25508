import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { kumaSettings } from './kuma-kinds.ts'
import { readKumaTables } from './kuma-rows.ts'

function settingsOf(row: object): { settings: object | null; notes: string[] } {
  const [monitor] = readKumaTables({ monitor: [{ id: 1, ...row }] }).monitor
  assert.ok(monitor)
  const findings = createFindings()
  const settings = kumaSettings(monitor, { place: 'm', findings })
  return { settings, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place.replace('m.', '')}`) }
}

type Case = [what: string, row: object, settings: object | null, notes?: string[]]

function play(type: string, cases: readonly Case[]): void {
  for (const [what, row, settings, notes = []] of cases)
    it(what, () => assert.deepEqual(settingsOf({ type, ...row }), { settings, notes }))
}

function mqtt(options: object, timeout = 48_000): object {
  return { kind: 'mqtt', url: 'mqtts://broker.example:8883', check_options: options, timeout_ms: timeout }
}

function nodes(...addresses: readonly string[]): object {
  return { rabbitmq_nodes: JSON.stringify(addresses) }
}

function alarmsAsked(base: string, authorization: string): object {
  return {
    kind: 'http',
    url: `${base}/api/health/checks/alarms`,
    request_headers: { accept: 'application/json', authorization },
    expected_status_min: 200,
    expected_status_max: 200,
  }
}

describe('a broker of RabbitMQ in Uptime Kuma', () => {
  play('rabbitmq', [
    [
      'is asked by its management API',
      { ...nodes('https://mq.example:15671'), rabbitmq_username: 'ann', rabbitmq_password: 'x' },
      alarmsAsked('https://mq.example:15671', 'Basic YW5uOng='),
    ],
    ['may have no user, and a path', nodes('http://mq.example/mq/'), alarmsAsked('http://mq.example/mq', 'Basic Og==')],
    [
      'is the first of its nodes',
      nodes('http://a.example/', 'http://b.example/'),
      alarmsAsked('http://a.example', 'Basic Og=='),
      ['changed rabbitmq_nodes'],
    ],
    ['has a node', nodes(), null, ['lost rabbitmq_nodes']],
    ['has a node that is an address', nodes('mq.example'), null, ['lost rabbitmq_nodes']],
    ['has nodes that are a list', { rabbitmq_nodes: '"http://a.example"' }, null, ['lost rabbitmq_nodes']],
    ['has nodes that can be read', { rabbitmq_nodes: '[' }, null, ['lost rabbitmq_nodes']],
  ])
})

describe('a broker of MQTT in Uptime Kuma', () => {
  const at = { hostname: 'mqtts://broker.example', port: 8883 }
  const watched = { mqtt_topic: 'plant/state' }
  play('mqtt', [
    [
      'is signed in to, and a message has its text',
      { ...at, ...watched, mqtt_username: 'ann', mqtt_password: 'x', mqtt_success_message: 'running', interval: 20 },
      mqtt({ username: 'ann', password: 'x', watched_topic: 'plant/state', expected_message: 'running' }, 16_000),
    ],
    [
      'has a message of any sort',
      { ...at, ...watched, mqtt_success_message: '' },
      mqtt({ watched_topic: 'plant/state' }),
    ],
    [
      'is waited for as long as a check may take',
      { ...at, ...watched, interval: 3600 },
      mqtt({ watched_topic: 'plant/state' }, 60_000),
    ],
    [
      'is asked by JSON',
      { ...at, ...watched, mqtt_check_type: 'json-query', json_path: 'a', expected_value: 'b' },
      mqtt({ watched_topic: 'plant/state' }),
      ['lost json_path'],
    ],
    [
      'has conditions',
      { ...at, ...watched, conditions: '[{}]', mqtt_success_message: 'a' },
      mqtt({ watched_topic: 'plant/state' }),
      ['lost conditions'],
    ],
    [
      'has a long text',
      { ...at, ...watched, mqtt_success_message: 'a'.repeat(1001) },
      mqtt({ watched_topic: 'plant/state' }),
      ['lost mqtt_success_message'],
    ],
    [
      'has many topics',
      { ...at, mqtt_topic: 'plant/+', mqtt_success_message: 'a' },
      { kind: 'mqtt', url: 'mqtts://broker.example:8883', timeout_ms: 48_000 },
      ['lost mqtt_topic'],
    ],
    [
      'has no TLS, and no port',
      { hostname: '10.0.0.7' },
      { kind: 'mqtt', url: 'mqtt://10.0.0.7:1883', timeout_ms: 48_000 },
      ['changed hostname'],
    ],
    [
      'has an address of IPv6',
      { hostname: 'mqtts://[2001:db8::1]', port: 8883 },
      { kind: 'mqtt', url: 'mqtts://[2001:db8::1]:8883', timeout_ms: 48_000 },
    ],
    ['is reached by WebSocket', { hostname: 'wss://broker.example', port: 443 }, null, ['lost hostname']],
    ['has no host', { port: 1883 }, null, ['lost hostname']],
  ])
})

describe('a WebSocket server in Uptime Kuma', () => {
  const url = 'wss://live.example/feed'
  play('websocket-upgrade', [
    ['opens a connection', { url, accepted_statuscodes_json: '["1000"]' }, { kind: 'websocket', url }],
    [
      'is offered a subprotocol',
      { url, ws_subprotocol: ' mqtt ' },
      { kind: 'websocket', url, check_options: { subprotocol: 'mqtt' } },
    ],
    [
      'is offered several',
      { url, ws_subprotocol: 'mqtt, wamp' },
      { kind: 'websocket', url, check_options: { subprotocol: 'mqtt' } },
      ['changed ws_subprotocol'],
    ],
    [
      'is not compliant',
      { url, ws_ignore_sec_websocket_accept_header: 1, accepted_statuscodes_json: '["1000","1006"]' },
      { kind: 'websocket', url },
      ['changed ws_ignore_sec_websocket_accept_header', 'lost accepted_statuscodes_json'],
    ],
    ['has no TLS', { url: 'ws://10.0.0.7/' }, { kind: 'websocket', url: 'ws://10.0.0.7/' }, ['changed url']],
    ['has another address', { url: 'https://live.example' }, null, ['lost url']],
    ['has no address', {}, null, ['lost url']],
  ])
})

describe('a gRPC server in Uptime Kuma', () => {
  const health = {
    grpc_url: 'api.example:443',
    grpc_enable_tls: 1,
    grpc_protobuf: 'syntax = "proto3";\n\npackage grpc.health.v1;\n\nservice Health {}',
    grpc_service_name: 'Health',
    grpc_method: 'check',
    keyword: 'SERVING',
  }
  const url = 'grpcs://api.example:443'
  play('grpc-keyword', [
    ['is asked for its health', { ...health, grpc_body: '{}' }, { kind: 'grpc', url }],
    [
      'is asked for that of a service',
      { ...health, grpc_service_name: 'grpc.health.v1.Health', grpc_body: '{"service":"shop.Orders"}' },
      { kind: 'grpc', url, check_options: { service: 'shop.Orders' } },
    ],
    [
      'has no TLS, and another text',
      { ...health, grpc_enable_tls: 0, grpc_url: '[2001:db8::1]:50051', keyword: 'status' },
      { kind: 'grpc', url: 'grpc://[2001:db8::1]:50051' },
      ['changed grpc_url', 'changed keyword'],
    ],
    ['must not serve', { ...health, invert_keyword: 1 }, { kind: 'grpc', url }, ['changed keyword']],
    ['is asked another method', { ...health, grpc_method: 'Watch' }, null, ['lost grpc_method']],
    ['is asked another service', { ...health, grpc_protobuf: 'package shop;' }, null, ['lost grpc_method']],
    ['has no port', { ...health, grpc_url: 'api.example' }, null, ['lost grpc_url']],
  ])
})
