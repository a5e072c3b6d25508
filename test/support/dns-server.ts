import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv4, type Socket } from 'node:net'
import { after } from 'node:test'
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet'
import { portOf } from './raw-server.ts'

/** The reply of a name server: addresses with their TTL, records, an rcode, bytes of any kind, or nothing at all. */
export type DnsReply =
  | { addresses: string[]; ttlSeconds?: number }
  | { records: Answer[]; rcode?: keyof typeof rcodes; authorities?: Answer[]; isLong?: boolean; hasEdns?: boolean }
  | { datagrams: (query: Buffer) => Buffer[] }
  | 'nxdomain'
  | 'servfail'
  | 'refused'
  | 'silent'

export type DnsServer = {
  /** host:port */
  address: string
  /** The questions so far over UDP, as "A name" and "MX name". */
  questions: string[]
  /** The UDP queries so far. */
  queries: Buffer[]
  /** The questions that came over TCP. */
  tcpQuestions: string[]
}

/** Sends the answer (in its frame) over TCP in another way than the server does by default. */
export type TcpReply = (socket: Socket, frame: Buffer) => void

const rcodes = { noerror: 0, formerr: 1, servfail: 2, nxdomain: 3, notimp: 4, refused: 5 }

/**
 * A name server on loopback that answers as told, over UDP and, on the same port, over TCP: there records that are
 * `isLong` come, for which UDP says only that they do not fit. Closed after the file.
 */
export async function dnsServer(
  reply: (name: string, type: string) => DnsReply,
  replyOverTcp: TcpReply = (socket, frame) => socket.end(frame),
): Promise<DnsServer> {
  const server: DnsServer = { address: '', questions: [], queries: [], tcpQuestions: [] }
  const { udp, tcp } = await listen()
  server.address = `127.0.0.1:${portOf(tcp)}`
  udp.on('message', (query, peer) => {
    const question = questionIn(query)
    if (question === null) return
    server.questions.push(question.text)
    server.queries.push(query)
    const said = reply(question.name, question.type)
    for (const bytes of answersTo(query, said, false)) udp.send(bytes, peer.port, peer.address)
  })
  tcp.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.once('data', (frame) => {
      const query = frame.subarray(2)
      const { name, type, text } = readQuestion(query)
      server.tcpQuestions.push(text)
      for (const bytes of answersTo(query, reply(name, type), true)) replyOverTcp(socket, inFrame(bytes))
    })
  })
  after(() => {
    udp.close()
    tcp.close()
  })
  return server
}

/** UDP and TCP on one port: the one that TCP was given may be taken for UDP, then another one is tried. */
async function listen(): Promise<{ udp: ReturnType<typeof createSocket>; tcp: ReturnType<typeof createServer> }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const tcp = createServer().listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const udp = createSocket('udp4').bind(portOf(tcp), '127.0.0.1')
    try {
      await once(udp, 'listening')
      return { udp, tcp }
    } catch {
      tcp.close()
    }
  }
  throw new Error('No port is free for UDP and TCP alike.')
}

type Question = { name: string; type: string; text: string }

/**
 * Null for a datagram that is no query: datagrams of an earlier check may come late, to the server that has their port
 * by then.
 */
function questionIn(datagram: Buffer): Question | null {
  try {
    return readQuestion(datagram)
  } catch {
    return null
  }
}

function readQuestion(query: Buffer): Question {
  const [question] = decode(query).questions ?? []
  if (question === undefined) throw new Error('A query without a question.')
  const name = question.name.toLowerCase()
  return { name, type: question.type, text: `${question.type} ${name}` }
}

function answersTo(query: Buffer, said: DnsReply, isTcp: boolean): Buffer[] {
  if (said === 'silent') return []
  if (typeof said === 'object' && 'datagrams' in said) return said.datagrams(query)
  const { id = 0, questions = [] } = decode(query)
  const asked = questions[0]
  const { records, rcode, authorities, isLong, hasEdns } = recordsOf(said, asked?.name ?? '', asked?.type ?? '')
  const flags = AUTHORITATIVE_ANSWER | 0x180 | rcodes[rcode]
  const isCut = isLong && !isTcp
  const answers = isCut ? [] : records
  const edns = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0 } as const
  const additionals: Answer[] = hasEdns ? [{ ...edns, flag_do: false, options: [] }] : []
  const packet = { id, questions, answers, authorities, additionals }
  return [encode({ ...packet, type: 'response', flags: isCut ? flags | TRUNCATED_RESPONSE : flags })]
}

type Said = { records: Answer[]; rcode: keyof typeof rcodes; authorities: Answer[]; isLong: boolean; hasEdns: boolean }

function recordsOf(said: Exclude<DnsReply, 'silent' | { datagrams: unknown }>, name: string, type: string): Said {
  const usual = { authorities: [], isLong: false, hasEdns: true }
  if (typeof said === 'string') return { ...usual, records: [], rcode: said }
  if ('records' in said) return { ...usual, rcode: 'noerror', ...said }
  const family = type === 'A' || type === 'AAAA' ? type : null
  const fitting = family === null ? [] : said.addresses.filter((address) => isIPv4(address) === (family === 'A'))
  const ttl = said.ttlSeconds ?? 60
  return { ...usual, rcode: 'noerror', records: fitting.map((data) => ({ type: family ?? 'A', name, ttl, data })) }
}

function inFrame(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
