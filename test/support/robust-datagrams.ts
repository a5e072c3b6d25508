import type { Piece } from './broken-behaviours.ts'
import { dnsServer, type DnsReply } from './dns-server.ts'
import { bedrockFields, bedrockServer, pong } from './game-server.ts'
import { kindOf, type Subject } from './robust-check.ts'
import { agentUser, snmpAgent } from './snmp-stand-in.ts'
import { udpServer } from './udp-server.ts'

/** The counterpart of `Subject` for kinds that read datagrams. */
export type DatagramSubject = Omit<Subject, 'layer' | 'dialogue' | 'isAsked'> & {
  /** Puts foreign bytes into an answer that passes for one at first sight: the beginning of it. */
  answerBeginning: readonly Piece[]
}

/** The id and flags of an answer, then its question, as it was asked. */
const dnsBeginning: readonly Piece[] = [{ from: 0, to: 2 }, Buffer.from([0x81, 0x80]), { from: 4, to: null }]

const strong = 'v=DMARC1; p=reject; rua=mailto:postmaster@example.com; ruf=mailto:postmaster@example.com'

/** A domain with everything; the zone of a list, in which nothing but its test entry stands. */
function wellKnown(name: string, type: string): DnsReply {
  const ttl = 60
  if (type === 'TXT' && name === 'example.com') return { records: [{ type, name, ttl, data: 'v=spf1 -all' }] }
  if (type === 'TXT' && name === '_dmarc.example.com') return { records: [{ type, name, ttl, data: strong }] }
  if (type === 'A' && name === 'test.list.example') return { addresses: ['127.0.0.2'] }
  if (type === 'A' && name === 'example.com') return { addresses: ['192.0.2.1', '192.0.2.2'] }
  if (type === 'MX' && name === 'example.com')
    return { records: [{ type, name, ttl, data: { preference: 10, exchange: 'mx.example.com' } }] }
  return name.endsWith('list.example') ? 'nxdomain' : { records: [] }
}

const overDns = {
  broken: 'down',
  needs: 0.9,
  answerBeginning: dnsBeginning,
  good: async (): Promise<number> => Number((await dnsServer(wellKnown)).address.split(':')[1]),
} as const

export const nameSubjects: readonly DatagramSubject[] = [
  {
    ...overDns,
    name: 'dns',
    kind: kindOf('dns'),
    check: (port) => ({ url: 'example.com', dnsServers: [`127.0.0.1:${port}`] }),
  },
  {
    ...overDns,
    name: 'email_auth',
    kind: kindOf('email_auth'),
    check: (port) => ({ url: 'example.com', dnsServers: [`127.0.0.1:${port}`] }),
  },
  {
    ...overDns,
    broken: 'degraded',
    name: 'blacklist',
    kind: kindOf('blacklist'),
    check: (port) => ({
      url: 'example.com',
      options: { dnsbl_zone: 'list.example' },
      dnsServers: [`127.0.0.1:${port}`],
    }),
  },
]

const timeServer = (query: Buffer): Buffer => {
  const reply = Buffer.alloc(48)
  reply.set([0x24, 2], 0)
  query.copy(reply, 24, 40, 48)
  const seconds = Math.floor(Date.now() / 1000) + 2_208_988_800
  reply.writeUInt32BE(seconds, 32)
  reply.writeUInt32BE(seconds, 40)
  return reply
}

export const datagramSubjects: readonly DatagramSubject[] = [
  {
    name: 'ntp',
    kind: kindOf('ntp'),
    check: (port) => ({ url: `127.0.0.1:${port}` }),
    good: async () => (await udpServer((query, send) => send(timeServer(query)))).port,
    broken: 'down',
    needs: 0.9,
    answerBeginning: [Buffer.from([0x24, 2])],
  },
  {
    name: 'udp',
    kind: kindOf('udp'),
    check: (port) => ({
      url: `127.0.0.1:${port}`,
      options: { payload_base64: 'cGluZw==', expected_text: 'all is well' },
    }),
    good: async () => (await udpServer((_, send) => send(Buffer.from('Yes, all is well')))).port,
    broken: 'down',
    needs: 0.9,
    answerBeginning: [Buffer.from('all is ')],
  },
  {
    name: 'game_server, bedrock',
    kind: kindOf('game_server'),
    check: (port) => ({ url: `127.0.0.1:${port}`, options: { edition: 'bedrock' } }),
    good: async () => (await bedrockServer((ping) => pong(ping, bedrockFields))).port,
    broken: 'down',
    needs: 0.9,
    answerBeginning: [
      Buffer.from([0x1c]),
      { from: 1, to: 9 },
      Buffer.alloc(8),
      { from: 9, to: 25 },
      Buffer.from([9, 9]),
    ],
  },
  {
    name: 'snmp',
    kind: kindOf('snmp'),
    check: (port) => ({ url: `127.0.0.1:${port}` }),
    good: async () => (await snmpAgent()).port,
    broken: 'down',
    needs: 0.9,
    // The question as it came: a message of the same version and number.
    answerBeginning: [{ from: 0, to: null }],
  },
  {
    name: 'snmp, version 3',
    kind: kindOf('snmp'),
    check: (port) => ({ url: `127.0.0.1:${port}`, options: { version: '3', ...agentUser } }),
    good: async () => (await snmpAgent()).port,
    broken: 'down',
    needs: 0.9,
    answerBeginning: [{ from: 0, to: null }],
  },
]
