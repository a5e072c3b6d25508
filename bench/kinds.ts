import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { encodeQuestion } from '#net/dns/dns-message.ts'
import { createNet } from '#net/create-net.ts'
import { publicServices } from '#core/monitors/outside-services.ts'
import { bedrockRequest } from '#kinds/game/game-bedrock.ts'
import {
  emptyMessage,
  longText,
  methodFrame,
  methods,
  number,
  protocolHeader,
  shortText,
  table,
} from '#kinds/broker/amqp-frames.ts'
import { connectPacket, publishPacket, subscribePacket, unsubscribePacket } from '#kinds/broker/mqtt-packets.ts'
import { capabilities, clientHead, clientResponse, mysqlPacket } from '#kinds/database/mysql-packets.ts'
import { encodeFilter } from '#kinds/ldap/ldap-filter.ts'
import { bindRequest, ldapMessage, searchRequest, startTlsRequest } from '#kinds/ldap/ldap-messages.ts'
import { javaStatusRequest } from '#kinds/game/game-java.ts'
import {
  passwordMessage,
  simpleQuery,
  singleStatement,
  startup,
  tlsRequest,
} from '#kinds/database/postgresql-messages.ts'
import { redisCommand } from '#kinds/database/resp.ts'
import { encodeObjectId } from '#kinds/snmp/object-id.ts'
import { communityMessage, getRequest } from '#kinds/snmp/snmp-message.ts'
import { healthPath, healthRequest } from '#kinds/grpc/grpc-messages.ts'
import { clientFrame, opcodes } from '#kinds/websocket/websocket-frames.ts'
import { openingRequest } from '#kinds/websocket/websocket-handshake.ts'
import { ntpRequest } from '#kinds/ntp-packet.ts'
import { configurationOf } from '../test/support/check.ts'
import { makeCertificate } from '../test/support/certificates.ts'
import type { Subject } from '../test/support/robust-check.ts'
import { datagramSubjects, nameSubjects } from '../test/support/robust-datagrams.ts'
import { streamSubjects } from '../test/support/robust-subjects.ts'
import { pings } from './pings.ts'
import {
  http2Reference,
  httpReference,
  type Reference,
  starttlsReference,
  tcpReference,
  tlsReference,
  udpReference,
} from './support/kind-references.ts'
import type { KindTarget } from './support/kind-target.ts'
import { memoryOf, type MemoryOf } from './support/memory-of.ts'

type Measured = Pick<Subject, 'name' | 'kind' | 'check'>

const concurrency = 16
const measureMs = 1_500
const timeoutMs = 10_000
/** Higher than any check before, because some kinds remember what they were asked. */
const firstOfMemory = 1_000_000_000
/** The time of node:https, which a check would use without our exchange (docs/decisions/own-http-exchange.md). */
const httpsGoalMs = 1.6

/**
 * CPU of a check of each network kind, user and system time of the process that makes it, with nothing stored; beside
 * it the same exchange over Node's own sockets, in the same seconds and against the same server. Then the memory that a
 * check takes, and what 400 of them leave behind.
 */
export async function kinds(): Promise<void> {
  const child = fork(fileURLToPath(new URL('support/kind-target.ts', import.meta.url)), { stdio: 'ignore' })
  try {
    const [target]: KindTarget[] = await once(child, 'message')
    if (target === undefined) throw new Error('The target did not start.')
    setDefaultCACertificates([target.rootPem])
    const rows = new Map<string, Row>()
    for (const subject of subjects()) rows.set(subject.name, await measure(subject, target))
    await pings()
    printLast(rows)
  } finally {
    child.kill('SIGTERM')
  }
}

/** A registry is asked four times a second at most, which is no matter of CPU: bench/net-exchange.ts has the exchange. */
function subjects(): Measured[] {
  const unused = makeCertificate({ name: 'unused' })
  const all = [...streamSubjects(unused), ...nameSubjects, ...datagramSubjects]
  return all.filter(({ kind }) => kind.name !== 'domain')
}

type Row = { cpuMs: number; memory: MemoryOf; reference: { name: string; cpuMs: number } }

async function measure(subject: Measured, { ports }: KindTarget): Promise<Row> {
  const port = ports[subject.name] ?? 0
  const reference = referenceOf(subject)
  const check = checkOf(subject, port)
  const exchange = (): Promise<void> => reference.exchange(port)
  await costOf(check, measureMs / 4)
  await costOf(exchange, measureMs / 4)
  const row = {
    cpuMs: await costOf(check, measureMs),
    reference: { name: reference.name, cpuMs: await costOf(exchange, measureMs) },
    memory: await memoryOf((index) => check(firstOfMemory + index)),
  }
  const ratio = (row.cpuMs / row.reference.cpuMs).toFixed(2)
  console.log(
    `${subject.name.padEnd(30)} ${row.cpuMs.toFixed(3)} ms CPU a check, ${ratio} of ${reference.name} (${row.reference.cpuMs.toFixed(3)}); ` +
      `${row.memory.madeKb.toFixed(0)} kB made, ${row.memory.keptKb.toFixed(0)} kB kept of all`,
  )
  return row
}

/** A check as a prober makes it. What remembers its answers is asked about something else each time. */
function checkOf({ kind, check }: Measured, port: number): (index: number) => Promise<void> {
  const { url, options = {}, keyword = null, services = {}, dnsServers = [] } = check(port)
  const net = createNet({ allowPrivate: 'all', services: { ...publicServices, ...services }, dnsServers })
  const usual = configurationOf(kind, { url, options, keyword, timeoutMs })
  const isRemembered = kind.name === 'page_speed'
  return async (index) => {
    const configuration = isRemembered ? { ...usual, url: `${url}${index}` } : usual
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const verdict = await kind.check(configuration, net, deadline.signal).finally(() => clearTimeout(timer))
    if (verdict.status !== 'up') throw new Error(`${kind.name} is ${verdict.status}: ${verdict.error}`)
  }
}

async function costOf(work: (index: number) => Promise<void>, forMs: number): Promise<number> {
  let count = 0
  const endsAt = performance.now() + forMs
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < endsAt) await work(count++)
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}

const query = encodeQuestion({ name: 'example.com', type: 'A' }, { id: 7, hasEdns: true })
const capa = 'CAPA\r\n'
const ldapMessages: [Buffer, ...Buffer[]] = [
  ldapMessage(1, bindRequest('cn=ann', 'secret')),
  ldapMessage(
    2,
    searchRequest({
      base: 'dc=example',
      scope: 'base',
      filter: encodeFilter('(objectClass=*)'),
      sizeLimit: 1,
      timeLimitSeconds: 10,
      attribute: 'mail',
    }),
  ),
]
const snmpQuestion = communityMessage('public', getRequest(7, encodeObjectId([1, 3, 6, 1, 2, 1, 1, 3, 0])))
const mqttPackets: Buffer[] = [
  connectPacket('3.1.1', { clientId: 'a', keepAliveSeconds: 60 }),
  subscribePacket('3.1.1', { id: 1, topic: 'own', qos: 0 }),
  publishPacket('3.1.1', { id: 2, topic: 'own', qos: 0, payload: Buffer.from('hello') }),
  unsubscribePacket('3.1.1', { id: 1, topic: 'own' }),
  subscribePacket('3.1.1', { id: 3, topic: 'state', qos: 0 }),
]
const rabbitmqFrames: [Buffer, ...Buffer[]] = [
  protocolHeader,
  methodFrame(0, methods.startOk, table({}), shortText('PLAIN'), longText('\0ann\0secret'), shortText('en_US')),
  Buffer.concat([
    methodFrame(0, methods.tuneOk, number(1, 2), number(131_072, 4), number(60, 2)),
    methodFrame(0, methods.open, shortText('shop'), shortText(''), number(0, 1)),
  ]),
  methodFrame(1, methods.openChannel, shortText('')),
  methodFrame(1, methods.declareQueue, number(0, 2), shortText('orders'), number(1, 1), table({})),
  Buffer.concat([
    methodFrame(1, methods.publish, number(0, 2), shortText(''), shortText('none'), number(0, 1)),
    emptyMessage(1),
    methodFrame(0, methods.close, number(200, 2), shortText(''), number(0, 2), number(0, 2)),
  ]),
]
const mysqlClient = { username: 'ann', scramble: Buffer.alloc(32), database: null, plugin: 'caching_sha2_password' }
const mysqlPackets: [Buffer, ...Buffer[]] = [
  mysqlPacket({ order: 1, body: clientResponse(capabilities.protocol41, mysqlClient) }),
  ...['START TRANSACTION READ ONLY', 'SET a', 'SET b', 'show state'].map((text) =>
    mysqlPacket({ order: 0, body: Buffer.from(`\u0003${text}`) }),
  ),
]
const postgresqlMessages: [Buffer, ...Buffer[]] = [
  startup({ user: 'ann', database: 'postgres' }),
  passwordMessage(Buffer.from('x\0')),
  simpleQuery('BEGIN READ ONLY'),
  singleStatement('SELECT state'),
]
const redisCommands = ['AUTH secret', 'PING', 'INFO', 'GET state'].map((command) => redisCommand(command.split(' ')))

const websocketTexts = [
  openingRequest({
    path: '/feed',
    authority: 'a',
    key: 'AAAAAAAAAAAAAAAAAAAAAA==',
    subprotocol: undefined,
    headers: {},
  }),
  clientFrame(opcodes.text, Buffer.from('state')),
]

/** By the name of the subject. */
const references: Readonly<Record<string, Reference>> = {
  'http over TLS, with a keyword': httpReference(1, 'https'),
  'http by HTTP/2, with a keyword': http2Reference('/', null, 'https'),
  transaction: httpReference(2),
  micro_transaction: httpReference(2),
  extended_transaction: httpReference(2),
  'smtp by tls': tlsReference(['EHLO a\r\n']),
  'imap by tls': tlsReference(['a1 CAPABILITY\r\n']),
  'pop by tls': tlsReference([capa]),
  'ftps by tls': tlsReference(['PBSZ 0\r\n']),
  'smtp by starttls': starttlsReference(['EHLO a\r\n', 'STARTTLS\r\n'], ['EHLO a\r\n']),
  'imap by starttls': starttlsReference(['a1 CAPABILITY\r\n', 'a2 STARTTLS\r\n'], ['a3 CAPABILITY\r\n']),
  'pop by starttls': starttlsReference([capa, 'STLS\r\n'], [capa]),
  'ftps by starttls': starttlsReference(['AUTH TLS\r\n'], ['PBSZ 0\r\n']),
  ssl: tlsReference(null),
  tcp: tcpReference([]),
  ssh: tcpReference([]),
  ldap: tcpReference(ldapMessages, true),
  'ldap over TLS': tlsReference(ldapMessages, true),
  'ldap by StartTLS': starttlsReference([ldapMessage(1, startTlsRequest())], ldapMessages, { isAsked: true }),
  mqtt: tcpReference(mqttPackets, true),
  'mqtt over TLS': tlsReference(mqttPackets, true),
  rabbitmq: tcpReference(rabbitmqFrames, true),
  'rabbitmq over TLS': tlsReference(rabbitmqFrames, true),
  mysql: tcpReference(mysqlPackets),
  'mysql over TLS': starttlsReference([mysqlPacket({ order: 1, body: clientHead(capabilities.tls) })], mysqlPackets, {
    isUnanswered: true,
  }),
  postgresql: tcpReference(postgresqlMessages, true),
  'postgresql over TLS': starttlsReference([tlsRequest], postgresqlMessages, { isAsked: true }),
  redis: tcpReference(redisCommands, true),
  'redis over TLS': tlsReference(redisCommands, true),
  grpc: http2Reference(healthPath, healthRequest('shop.v1.Orders')),
  'grpc over TLS': http2Reference(healthPath, healthRequest('shop.v1.Orders'), 'https'),
  websocket: tcpReference(websocketTexts, true),
  'websocket over TLS': tlsReference(websocketTexts, true),
  'game_server, java': tcpReference([javaStatusRequest('127.0.0.1', 25_565)], true),
  'game_server, bedrock': udpReference(bedrockRequest(new Uint8Array(16))),
  snmp: udpReference(snmpQuestion),
  'snmp, version 3': udpReference(snmpQuestion, 2),
  ntp: udpReference(ntpRequest(new Uint8Array(8))),
  udp: udpReference(Buffer.from('ping')),
  dns: udpReference(query),
  // SPF and DMARC; the domain, two test entries and the list itself.
  email_auth: udpReference(query, 2),
  blacklist: udpReference(query, 4),
}

function referenceOf({ name }: Measured): Reference {
  return references[name] ?? httpReference()
}

function printLast(rows: ReadonlyMap<string, Row>): void {
  const shown = (name: string): string => (rows.get(name)?.cpuMs ?? Number.NaN).toFixed(3)
  const https = rows.get('http over TLS, with a keyword')
  console.log(
    `kinds: http ${shown('http')}, https ${shown('http over TLS, with a keyword')}, ssl ${shown('ssl')}, dns ${shown('dns')} ms CPU a check, ` +
      `goal ${httpsGoalMs} ms for https (node:https ${(https?.reference.cpuMs ?? Number.NaN).toFixed(3)} in the same minute)`,
  )
}
