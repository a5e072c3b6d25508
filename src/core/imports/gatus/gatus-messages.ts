// Endpoints of Gatus that are asked by WebSocket or gRPC.
import { parseHostPort } from '#core/language/host-port.ts'
import {
  bodyExpectation,
  type BodyExpectation,
  demandLatency,
  type GatusSettings,
  noCounterpart,
  noteLost,
  type Reading,
} from './gatus-conditions.ts'
import type { GatusEndpoint } from './gatus-rows.ts'
import { headersOf, shown } from '#core/imports/monitor-parts.ts'

/** In characters, of what a check sends, and of what a message may be expected to hold. */
const longest = { send: 4096, text: 1000 }

/** Gatus sends its body, or an empty message, and waits for any one. */
export function gatusWebsocketSettings(endpoint: GatusEndpoint, _target: string, reading: Reading): GatusSettings {
  const { place, findings } = reading
  const { text, latencyMs } = demandsOf(reading, { hasText: true })
  const { body } = endpoint
  if (/^ws:/i.test(endpoint.url ?? '')) notePrivacy(reading)
  if (body !== null && body.length > longest.send)
    findings.lost(`${place}.body`, `Checks send messages of up to ${longest.send} characters.`)
  const send = body === null || body === '' || body.length > longest.send ? {} : { send: body }
  if (!('send' in send) && text === null)
    findings.changed(`${place}.body`, 'Perigee sends a ping and waits for its answer; Gatus waited for a message.')
  return {
    kind: 'websocket',
    url: endpoint.url ?? '',
    ...headersIn(endpoint, reading),
    ...optionsOf(endpoint, { ...send, ...expected(text), ...latencyMs }),
  }
}

/** Gatus asks for the health of the server as a whole. */
export function gatusGrpcSettings(endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  const { place, findings } = reading
  const host = target.replace(/[/?#].*$/s, '')
  const port = parseHostPort(host)?.port ?? null
  if (port === null) {
    findings.lost(`${place}.url`, `"${shown(target)}" is no host with a port that can be checked.`)
    return null
  }
  const isSecured = /^grpcs:/i.test(endpoint.url ?? '')
  if (!isSecured) notePrivacy(reading)
  const conditions = reading.conditions.filter(({ text }) => !/^\s*\[BODY\]\s*==\s*SERVING\s*$/.test(text))
  const { latencyMs } = demandsOf({ ...reading, conditions }, { hasText: false })
  return {
    kind: 'grpc',
    url: `${isSecured ? 'grpcs' : 'grpc'}://${host}`,
    ...headersIn(endpoint, reading),
    ...optionsOf(endpoint, latencyMs),
  }
}

type Demands = { text: BodyExpectation | null; latencyMs: { max_latency_ms?: number } }

function demandsOf(reading: Reading, { hasText }: { hasText: boolean }): Demands {
  const demands: Demands = { text: null, latencyMs: {} }
  for (const condition of reading.conditions) {
    const { left } = condition
    const text = hasText && left === '[BODY]' && demands.text === null ? bodyExpectation(condition, reading) : null
    if (text !== null) demands.text = text
    else if (left === '[RESPONSE_TIME]' && demands.latencyMs.max_latency_ms === undefined) {
      const limit = demandLatency(condition, reading)
      if (limit !== null) demands.latencyMs = { max_latency_ms: limit }
    } else noteLost(condition, reading, noCounterpart)
  }
  return demands
}

function expected(text: BodyExpectation | null): { expected_message?: string; message_pattern?: string } {
  if (text !== null && 'keyword' in text) return { expected_message: text.keyword.slice(0, longest.text) }
  if (text !== null && 'body_pattern' in text) return { message_pattern: text.body_pattern }
  return {}
}

function notePrivacy({ place, findings }: Reading): void {
  findings.changed(`${place}.url`, 'It asks for no TLS. In Perigee, it is checked so at a private address alone.')
}

function headersIn({ headers }: GatusEndpoint, { place, findings }: Reading): GatusSettings {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [name, value ?? ''] as const)
  const found = headersOf(entries, { place: `${place}.headers`, findings })
  return Object.keys(found).length === 0 ? {} : { request_headers: found }
}

function optionsOf({ client }: GatusEndpoint, options: Record<string, unknown>): GatusSettings {
  const all = { ...options, ...(client?.insecure === true ? { accept_any_certificate: true } : {}) }
  return Object.keys(all).length === 0 ? {} : { check_options: all }
}
