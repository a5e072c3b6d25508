// What a monitor of Uptime Kuma becomes here, by its type; null where no kind does what it does.
import { parseHostPort } from '#core/language/host-port.ts'
import type { Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { mysqlSettings, postgresqlSettings, redisSettings } from './kuma-databases.ts'
import { grpcSettings, mqttSettings, rabbitmqSettings, websocketSettings } from './kuma-messages.ts'
import type { KumaMonitor } from './kuma-rows.ts'
import { type KumaProxies, kumaWebSettings } from './kuma-web.ts'
import { hostPortOf, shown } from '#core/imports/monitor-parts.ts'
import { resolverOptions } from '#core/imports/transport-parts.ts'

export type KumaSettings = Partial<ImportedMonitorInput>
type Reader = (row: KumaMonitor, where: Where, proxies: KumaProxies) => KumaSettings | null

/** Groups and `push` are not here: they are made of more than their own row. */
const readers: Readonly<Record<string, Reader>> = {
  http: kumaWebSettings,
  keyword: kumaWebSettings,
  'json-query': kumaWebSettings,
  port: portSettings,
  ping: pingSettings,
  dns: dnsSettings,
  smtp: smtpSettings,
  ntp: ntpSettings,
  gamedig: gameSettings,
  globalping: globalpingSettings,
  postgres: postgresqlSettings,
  mysql: mysqlSettings,
  redis: redisSettings,
  mqtt: mqttSettings,
  rabbitmq: rabbitmqSettings,
  'websocket-upgrade': websocketSettings,
  'grpc-keyword': grpcSettings,
}

const connects = 'A tcp monitor can check whether its port accepts connections.'
const pushes = 'A job next to it could call a heartbeat monitor.'

/** Why a type has no counterpart, and what comes near. */
const missing: Readonly<Record<string, string>> = {
  docker: `Checks do not support Docker. ${pushes}`,
  pm2: `Checks do not support PM2. ${pushes}`,
  'system-service': `Checks do not support system services. ${pushes}`,
  'real-browser': 'Checks do not use a browser. A transaction monitor can make several requests in a row.',
  'tailscale-ping': `Checks do not go through Tailscale. ${pushes}`,
  manual: 'In Perigee, you cannot set the status of a monitor by hand. Use an announcement on a status page instead.',
  'kafka-producer': `Checks do not support Kafka. ${connects}`,
  'sip-options': 'Checks do not support SIP. A udp monitor can send a datagram and wait for an answer.',
  snmp: 'Communities and conditions of SNMP are not imported. Create an snmp monitor by hand.',
  sqlserver: `Checks do not sign in to Microsoft SQL Server. ${connects}`,
  mongodb: `Checks do not sign in to MongoDB. ${connects}`,
  oracledb: `Checks do not sign in to Oracle Database. ${connects}`,
  radius: `Checks do not support RADIUS. ${pushes}`,
  steam: "Checks do not ask Steam's directory of game servers.",
}

export function kumaSettings(row: KumaMonitor, where: Where, proxies: KumaProxies = new Map()): KumaSettings | null {
  const reader = Object.hasOwn(readers, row.type) ? readers[row.type] : undefined
  if (reader !== undefined) return reader(row, where, proxies)
  const reason = Object.hasOwn(missing, row.type) ? missing[row.type] : undefined
  where.findings.lost(`${where.place}.type`, reason ?? `No kind of monitor does what "${shown(row.type)}" does.`)
  return null
}

function portSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const { place, findings } = where
  if (row.expected_tls_alert !== null && row.expected_tls_alert !== 'none') {
    findings.lost(`${place}.expected_tls_alert`, 'Checks do not wait for TLS to be refused.')
    return null
  }
  if (row.smtp_security === 'secure' || row.smtp_security === 'starttls')
    findings.changed(
      `${place}.smtp_security`,
      'Perigee only checks the connection; Uptime Kuma also checked TLS. An ssl monitor checks the certificate.',
    )
  return target(row, where, { port: row.port, kind: 'tcp' })
}

const maxPackets = 10
const usualPacketSizes = new Set([32, 56])

function pingSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const { place, findings } = where
  const { ping_count: count, packet_size: size } = row
  if (size !== null && !usualPacketSizes.has(size))
    findings.changed(`${place}.packet_size`, `Perigee sends packets of the usual size instead of ${size} bytes.`)
  const packets = count === null ? null : Math.min(maxPackets, Math.max(1, Math.round(count)))
  if (packets !== count)
    findings.changed(`${place}.ping_count`, `Perigee sends ${packets} packets per check instead of ${count}.`)
  const options = packets === null ? {} : { check_options: { packets } }
  return target(row, where, { port: null, kind: 'ping', ...options })
}

const usualDnsPort = 53
const recordTypes = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV'])

function dnsSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const { place, findings } = where
  const { hostname } = row
  const type = (row.dns_resolve_type ?? 'A').toUpperCase()
  if (hostname === null) {
    findings.lost(`${place}.hostname`, 'It has no name to look up.')
    return null
  }
  if (!recordTypes.has(type)) {
    findings.lost(`${place}.dns_resolve_type`, `Checks do not support records of type ${shown(type)}.`)
    return null
  }
  const server = row.dns_resolve_server
  const hasPort = row.port !== null && row.port !== usualDnsPort && server !== null && !server.includes(',')
  const whole = hasPort ? hostPortOf(server, row.port) : server
  const resolver = whole === null ? {} : resolverOptions(whole, { place: `${place}.dns_resolve_server`, findings })
  const expected = expectedRecord(row, type, where)
  return {
    kind: 'dns',
    url: hostname,
    check_options: { record_type: type, ...(expected === null ? {} : { expected_answer: expected }), ...resolver },
  }
}

/** Of these the whole record is compared on both sides; of the others Uptime Kuma compares one part. */
const wholeRecords = new Set(['A', 'AAAA', 'CNAME', 'TXT', 'NS'])

function expectedRecord({ conditions }: KumaMonitor, type: string, { place, findings }: Where): string | null {
  const listed = innerJson(conditions)
  if (!Array.isArray(listed) || listed.length === 0) return null
  const [only] = listed.map(conditionOf)
  if (listed.length === 1 && only !== null && only !== undefined && wholeRecords.has(type)) return only
  findings.lost(`${place}.conditions`, 'Its conditions cannot be imported. Any record of the type counts as up.')
  return null
}

/** The text that a record has to equal; null for other conditions. */
function conditionOf(condition: unknown): string | null {
  if (typeof condition !== 'object' || condition === null) return null
  const { type, variable, operator, value } = { type: '', variable: '', operator: '', value: '', ...condition }
  const isEquality = type === 'expression' && variable === 'record' && operator === 'equals'
  return isEquality && typeof value === 'string' && value !== '' ? value : null
}

function smtpSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const { place, findings } = where
  const port = row.port ?? 25
  if (row.smtp_security === 'secure' || row.smtp_security === 'starttls')
    return target(row, where, {
      port,
      kind: 'smtp',
      check_options: { security: row.smtp_security === 'secure' ? 'tls' : 'starttls' },
    })
  findings.changed(
    `${place}.smtp_security`,
    'smtp monitors check mail servers over TLS. This server has no TLS, so the check waits for a greeting that begins with 220.',
  )
  return target(row, where, { port, kind: 'tcp', check_options: { expected_text: '220' } })
}

const usualMaxOffsetMs = 1_000

function ntpSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const offset = row.ntp_time_offset_threshold ?? usualMaxOffsetMs
  where.findings.changed(
    where.place,
    'Its limits for stratum and root dispersion cannot be imported; the limit for the clock offset can.',
  )
  const maxOffsetMs = Math.min(60_000, Math.max(1, Math.round(offset)))
  return target(row, where, { port: row.port, kind: 'ntp', check_options: { max_offset_ms: maxOffsetMs } })
}

/** By the names that GameDig had before its version 5, and has since. */
const editions: Readonly<Record<string, 'java' | 'bedrock'>> = {
  minecraft: 'java',
  minecraftping: 'java',
  mbe: 'bedrock',
  minecraftbe: 'bedrock',
  minecraftpe: 'bedrock',
}

function gameSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const edition = editions[row.game ?? '']
  if (edition !== undefined)
    return target(row, where, { port: row.port, kind: 'game_server', check_options: { edition } })
  where.findings.lost(`${where.place}.game`, `Checks do not support the game "${shown(row.game ?? '')}".`)
  return null
}

function globalpingSettings(row: KumaMonitor, where: Where): KumaSettings | null {
  const { place, findings } = where
  findings.changed(
    `${place}.type`,
    'It is checked from the locations of this installation instead of those of Globalping.',
  )
  if (row.subtype === 'http') return kumaWebSettings(row, where)
  if (row.subtype === 'dns') return dnsSettings(row, where)
  return row.protocol === 'TCP' ? portSettings({ ...row, port: row.port ?? 80 }, where) : pingSettings(row, where)
}

/** Settings of a check of a host; null, with a note, where the row names none. */
function target(
  { hostname }: KumaMonitor,
  { place, findings }: Where,
  { port, ...settings }: KumaSettings & { port: number | null },
): KumaSettings | null {
  const url = hostPortOf(hostname, port)
  if (url !== null && !(settings.kind === 'tcp' && port === null)) return { ...settings, url: pingable(url, settings) }
  const missed = hostname !== null && port === null ? `${place}.port` : `${place}.hostname`
  findings.lost(missed, `It has no host${settings.kind === 'ping' ? '' : ' and port'} that can be checked.`)
  return null
}

/** Where ports have no place, IPv6 stands without brackets. */
function pingable(url: string, { kind }: KumaSettings): string {
  return kind === 'ping' ? (parseHostPort(url)?.host ?? url) : url
}
