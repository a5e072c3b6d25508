import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { after } from 'node:test'

/** What a name server says: addresses with their TTL, an rcode, or nothing at all. */
export type DnsReply = { addresses: string[]; ttlSeconds?: number } | 'nxdomain' | 'servfail' | 'refused' | 'silent'

export type DnsServer = {
  /** host:port */
  address: string
  /** The questions so far, as "A name" and "AAAA name". */
  questions: string[]
}

const rcodes = { servfail: 2, nxdomain: 3, refused: 5 }

/** A name server on loopback that answers A and AAAA questions as told; closed after the file. */
export async function dnsServer(reply: (name: string, type: 'A' | 'AAAA') => DnsReply): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query)
    if (type !== 'A' && type !== 'AAAA') return
    questions.push(`${type} ${name}`)
    const said = reply(name, type)
    if (said === 'silent') return
    const addresses = typeof said === 'string' ? [] : said.addresses
    const ttl = typeof said === 'string' ? 0 : (said.ttlSeconds ?? 60)
    const fitting = addresses.filter((address) => isIPv4(address) === (type === 'A'))
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (typeof said === 'string' ? rcodes[said] : 0), 2)
    header.writeUInt16BE(fitting.length, 6)
    header.writeUInt32BE(0, 8)
    const records = fitting.map((address) => record(address, ttl))
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let offset = 12
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  const code = query.readUInt16BE(offset + 1)
  const type = code === 1 ? 'A' : code === 28 ? 'AAAA' : 'other'
  return { name: labels.join('.').toLowerCase(), type, end: offset + 5 }
}

/** RFC 1035 3.2.1, its name a pointer to the question's. */
function record(address: string, ttl: number): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : expandIpv6(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(isIPv4(address) ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function expandIpv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const middle = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const bytes = Buffer.alloc(16)
  for (const [index, group] of [...left, ...middle, ...right].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  return bytes
}
