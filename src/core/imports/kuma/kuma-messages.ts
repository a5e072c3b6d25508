// Uptime Kuma's checks of MQTT, RabbitMQ, WebSocket and gRPC.
import type { Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { basicAuthorization, hostPortOf, shown } from '#core/imports/monitor-parts.ts'
import type { KumaMonitor } from './kuma-rows.ts'

type Settings = Partial<ImportedMonitorInput>
type Options = Record<string, unknown>

const usualMqttPort = 1883
const usualIntervalSeconds = 60
const longestTimeoutMs = 60_000
/** In characters, of what a message may be expected to hold. */
const longestText = 1000

export function mqttSettings(row: KumaMonitor, where: Where): Settings | null {
  const { place, findings } = where
  const [, scheme = 'mqtt', host = ''] = /^(?:([a-z]+):\/\/)?([^/]*)\/?$/i.exec((row.hostname ?? '').trim()) ?? []
  const address = hostPortOf(host, row.port ?? usualMqttPort)
  if (address === null || !/^mqtts?$/i.test(scheme)) {
    findings.lost(`${place}.hostname`, 'It has no host of MQTT that can be checked, or one of MQTT over WebSocket.')
    return null
  }
  const isSecured = scheme.toLowerCase() === 'mqtts'
  if (!isSecured) notePrivacy(where, 'hostname')
  const { mqtt_username: username, mqtt_password: password } = row
  return {
    kind: 'mqtt',
    url: `${isSecured ? 'mqtts' : 'mqtt'}://${address}`,
    ...optionsOf({
      ...(username === null ? {} : { username, ...(password === null ? {} : { password }) }),
      ...watchedOf(row, where),
    }),
    // Uptime Kuma waits for a message for that part of the interval.
    timeout_ms: Math.min(longestTimeoutMs, Math.round((row.interval ?? usualIntervalSeconds) * 800)),
  }
}

function watchedOf(row: KumaMonitor, { place, findings }: Where): Options {
  const { mqtt_topic: topic, mqtt_success_message: text } = row
  if (topic === null) return {}
  if (/[+#]/.test(topic)) {
    findings.lost(`${place}.mqtt_topic`, 'Checks wait for a message of one topic, so this one only signs in.')
    return {}
  }
  const conditions = innerJson(row.conditions)
  const rule =
    Array.isArray(conditions) && conditions.length > 0
      ? 'conditions'
      : row.mqtt_check_type === 'json-query'
        ? 'json_path'
        : (text ?? '').length > longestText
          ? 'mqtt_success_message'
          : null
  if (rule !== null) {
    findings.lost(`${place}.${rule}`, 'What it expects of a message cannot be imported. Any message counts as up.')
    return { watched_topic: topic }
  }
  return { watched_topic: topic, ...(text === null || text === '' ? {} : { expected_message: text }) }
}

/** It asks the management API for alarms, one node after the other until one has none. */
export function rabbitmqSettings(row: KumaMonitor, { place, findings }: Where): Settings | null {
  const nodes = innerJson(row.rabbitmq_nodes)
  const [first, ...others]: unknown[] = Array.isArray(nodes) ? nodes : []
  if (typeof first !== 'string' || !/^https?:\/\/[^/]/i.test(first)) {
    findings.lost(`${place}.rabbitmq_nodes`, 'It has no address of a management API that can be checked.')
    return null
  }
  if (others.length > 0)
    findings.changed(`${place}.rabbitmq_nodes`, `In Perigee, ${shown(first)} is asked alone, the first of the nodes.`)
  const authorization = basicAuthorization(row.rabbitmq_username ?? '', row.rabbitmq_password ?? '')
  return {
    kind: 'http',
    url: `${first.replace(/\/?$/, '/')}api/health/checks/alarms`,
    request_headers: { accept: 'application/json', authorization },
    expected_status_min: 200,
    expected_status_max: 200,
  }
}

export function websocketSettings(row: KumaMonitor, where: Where): Settings | null {
  const { place, findings } = where
  if (row.url === null || !/^wss?:\/\/[^/]/i.test(row.url)) {
    findings.lost(`${place}.url`, `"${shown(row.url ?? '')}" is no address that begins with wss:// or ws://.`)
    return null
  }
  if (/^ws:/i.test(row.url)) notePrivacy(where, 'url')
  if (row.ws_ignore_sec_websocket_accept_header)
    findings.changed(
      `${place}.ws_ignore_sec_websocket_accept_header`,
      'In Perigee, the answer has to belong to the handshake.',
    )
  const codes = innerJson(row.accepted_statuscodes_json)
  if (Array.isArray(codes) && codes.join(',') !== '1000')
    findings.lost(`${place}.accepted_statuscodes_json`, 'The code with which the server closes does not count.')
  const offered = (row.ws_subprotocol ?? '').split(',').map((each) => each.trim())
  const [subprotocol = '', ...others] = offered.filter((each) => each !== '')
  if (others.length > 0)
    findings.changed(`${place}.ws_subprotocol`, `Perigee offers ${shown(subprotocol)} alone, the first of them.`)
  return { kind: 'websocket', url: row.url, ...optionsOf(subprotocol === '' ? {} : { subprotocol }) }
}

/** Other methods than that of the health service would need their schema. */
export function grpcSettings(row: KumaMonitor, where: Where): Settings | null {
  const { place, findings } = where
  const isHealth =
    /^\s*package\s+grpc\.health\.v1\s*;/m.test(row.grpc_protobuf ?? '') &&
    /(?:^|\.)Health$/.test(row.grpc_service_name ?? '') &&
    /^check$/i.test(row.grpc_method ?? '')
  if (!isHealth) {
    findings.lost(`${place}.grpc_method`, 'Checks of gRPC call Check of grpc.health.v1.Health, and no other method.')
    return null
  }
  const [, , host = '', port = ''] = /^(?:([a-z]+):\/\/)?([^/]*):(\d{1,5})\/?$/i.exec((row.grpc_url ?? '').trim()) ?? []
  const address = hostPortOf(host.replace(/^\[(.*)\]$/, '$1'), Number(port))
  if (address === null) {
    findings.lost(`${place}.grpc_url`, 'It has no host and port that can be checked.')
    return null
  }
  if (!row.grpc_enable_tls) notePrivacy(where, 'grpc_url')
  if (row.invert_keyword || row.keyword !== 'SERVING')
    findings.changed(`${place}.keyword`, 'In Perigee, the server has to say SERVING.')
  const { service }: { service?: unknown } = Object(innerJson(row.grpc_body))
  const options = typeof service === 'string' && service !== '' ? { service } : {}
  return { kind: 'grpc', url: `${row.grpc_enable_tls ? 'grpcs' : 'grpc'}://${address}`, ...optionsOf(options) }
}

function notePrivacy({ place, findings }: Where, member: string): void {
  findings.changed(`${place}.${member}`, 'It asks for no TLS. In Perigee, it is checked so at a private address alone.')
}

function optionsOf(options: Options): Settings {
  return Object.keys(options).length === 0 ? {} : { check_options: options }
}
