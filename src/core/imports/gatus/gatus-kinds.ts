// What an endpoint of Gatus becomes here, by the scheme of its address; null where no kind does what it does.
import { parseHostPort } from '#core/language/host-port.ts'
import {
  demandLatency,
  type GatusSettings,
  noCounterpart,
  noteLost,
  readConditions,
  type Reading,
  warnDaysOf,
} from './gatus-conditions.ts'
import type { Where } from '#core/imports/findings.ts'
import type { GatusEndpoint } from './gatus-rows.ts'
import { gatusGrpcSettings, gatusWebsocketSettings } from './gatus-messages.ts'
import { gatusWebSettings } from './gatus-web.ts'
import { shown } from '#core/imports/monitor-parts.ts'
import { resolverOptions } from '#core/imports/transport-parts.ts'

type Reader = (endpoint: GatusEndpoint, target: string, where: Reading) => GatusSettings | null

const readers: Readonly<Record<string, Reader>> = {
  http: webSettings,
  https: webSettings,
  tcp: tcpSettings,
  tls: tlsSettings,
  starttls: starttlsSettings,
  icmp: pingSettings,
  ssh: sshSettings,
  udp: udpSettings,
  ws: gatusWebsocketSettings,
  wss: gatusWebsocketSettings,
  grpc: gatusGrpcSettings,
  grpcs: gatusGrpcSettings,
}

const missing: Readonly<Record<string, string>> = {
  sctp: 'Checks do not support SCTP.',
}

export function gatusSettings(endpoint: GatusEndpoint, where: Where): GatusSettings | null {
  const { place, findings } = where
  const reading = { ...where, conditions: readConditions(endpoint.conditions ?? [], where) }
  if (endpoint.dns !== null && endpoint.dns !== undefined) return dnsSettings(endpoint, endpoint.dns, reading)
  const url = endpoint.url ?? ''
  const [, scheme = '', target = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url) ?? []
  const name = scheme.toLowerCase()
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
  if (reader !== undefined) return reader(endpoint, target, reading)
  const reason = Object.hasOwn(missing, name) ? missing[name] : undefined
  findings.lost(`${place}.url`, reason ?? `No kind of monitor supports "${shown(url)}".`)
  return null
}

function webSettings(endpoint: GatusEndpoint, _target: string, reading: Reading): GatusSettings {
  return gatusWebSettings(endpoint, reading)
}

function noteAll(reading: Reading): void {
  for (const condition of reading.conditions) noteLost(condition, reading, noCounterpart)
}

function tcpSettings(endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  noteAll(reading)
  if (endpoint.body !== null)
    reading.findings.lost(`${reading.place}.body`, 'The check only connects and sends nothing.')
  return hostOf(target, { kind: 'tcp' }, reading)
}

function tlsSettings(endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  const days = reading.conditions.flatMap((condition) => {
    const found = condition.left === '[CERTIFICATE_EXPIRATION]' ? warnDaysOf(condition) : null
    if (found === null) noteLost(condition, reading, noCounterpart)
    return found ?? []
  })
  if (endpoint.body !== null)
    reading.findings.lost(`${reading.place}.body`, 'The check only connects and sends nothing.')
  const options = days.length === 0 ? {} : { check_options: { warn_days: Math.max(...days) } }
  return hostOf(target, { kind: 'ssl', ...options }, reading)
}

function starttlsSettings(_endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  noteAll(reading)
  return hostOf(target, { kind: 'smtp', check_options: { security: 'starttls' } }, reading)
}

function pingSettings(_endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  const { place, findings, conditions } = reading
  const slow = conditions.find(({ left }) => left === '[RESPONSE_TIME]')
  const latencyMs = slow === undefined ? null : demandLatency(slow, reading)
  for (const condition of conditions) if (condition !== slow) noteLost(condition, reading, noCounterpart)
  const host = parseHostPort(target)?.host ?? parseHostPort(`[${target}]`)?.host ?? null
  if (host === null) {
    findings.lost(`${place}.url`, `"${shown(target)}" is no host that can be pinged.`)
    return null
  }
  const limit = latencyMs === null ? {} : { max_latency_ms: latencyMs }
  return { kind: 'ping', url: host, check_options: { packets: 1, ...limit } }
}

function sshSettings(endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  noteAll(reading)
  if (endpoint.ssh !== null && endpoint.ssh !== undefined)
    reading.findings.lost(`${reading.place}.ssh`, 'The check reads the banner of the server and does not log in.')
  return hostOf(target.replace(/^[^@/]*@/, ''), { kind: 'ssh' }, reading)
}

function udpSettings(endpoint: GatusEndpoint, target: string, reading: Reading): GatusSettings | null {
  const { place, findings } = reading
  if (endpoint.body === null) {
    findings.lost(
      `${place}.body`,
      'Over UDP, only the answer to a datagram shows that a service is running, and this endpoint sends none.',
    )
    return null
  }
  noteAll(reading)
  const bytes = new TextEncoder().encode(endpoint.body)
  if (bytes.length > 512) {
    findings.lost(`${place}.body`, 'In Perigee, a datagram has at most 512 bytes.')
    return null
  }
  const payload = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return hostOf(target, { kind: 'udp', check_options: { payload_base64: payload } }, reading)
}

const recordTypes = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV'])
const wholeRecords = new Set(['A', 'AAAA', 'CNAME', 'NS'])

function dnsSettings(
  { url }: GatusEndpoint,
  { 'query-name': name, 'query-type': queryType }: NonNullable<GatusEndpoint['dns']>,
  reading: Reading,
): GatusSettings | null {
  const { place, findings, conditions } = reading
  const type = (queryType ?? '').toUpperCase()
  if (name === null || !recordTypes.has(type)) {
    findings.lost(`${place}.dns`, `Checks do not support records of type ${shown(type)}.`)
    return null
  }
  const server = url === null ? {} : resolverOptions(url, { place: `${place}.url`, findings })
  let expected: string | null = null
  for (const condition of conditions) {
    const { left, operator, right } = condition
    const isEqual = left === '[BODY]' && operator === '==' && /^[\w.:-]+$/.test(right) && wholeRecords.has(type)
    if (isEqual && expected === null) expected = right
    else noteLost(condition, reading, 'A DNS check compares one record of the answer with one text.')
  }
  const options = { record_type: type, ...(expected === null ? {} : { expected_answer: expected }), ...server }
  return { kind: 'dns', url: name.replace(/\.$/, ''), check_options: options }
}

/** Null, with a note, for what is no host. */
function hostOf(target: string, settings: GatusSettings, { place, findings }: Where): GatusSettings | null {
  const url = target.replace(/\/.*$/s, '')
  const found = parseHostPort(url)
  const needsPort = settings.kind === 'tcp' || settings.kind === 'udp'
  if (found !== null && (found.port !== null || !needsPort)) return { ...settings, url }
  findings.lost(`${place}.url`, `"${shown(target)}" is no host${needsPort ? ' with a port' : ''} that can be checked.`)
  return null
}
