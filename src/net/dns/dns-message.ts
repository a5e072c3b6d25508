import { isIPv4, isIPv6 } from 'node:net'
import { type Answer, CHECKING_DISABLED, decode, encode, type OptAnswer, RECURSION_DESIRED } from 'dns-packet'
import type { DnsAnswer, DnsQuestion, DnsRecord, DnsValue } from './dns-record.ts'
import { readSignedSections } from './signed-sections.ts'

/** A size that is not fragmented on usual paths (DNS flag day 2020). */
const udpPayloadBytes = 1232
/** Each may have a name of 127 labels, which takes a hundredth of a millisecond to read. */
const maxRecords = 2500
const maxPointerDepth = 16
/** "DNSSEC answer OK" (RFC 3225 3). */
const answerOk = 0x8000

export type DnsMessage = {
  answer: Omit<DnsAnswer, 'isTcp'>
  isTruncated: boolean
  /** Whether the server understands EDNS. */
  hasEdns: boolean
}

/**
 * A question in wire format that asks for recursion, with or without EDNS (RFC 6891), which signatures need. Who asks
 * for these looks at them himself, so that the name server shall not keep back what it finds wrong (RFC 4035 3.2.2).
 */
export function encodeQuestion(question: DnsQuestion, { id, hasEdns }: { id: number; hasEdns: boolean }): Buffer {
  const { name, type, isSigned = false } = question
  const edns: OptAnswer = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: udpPayloadBytes,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: isSigned ? answerOk : 0,
    flag_do: isSigned,
    options: [],
  }
  return encode({
    type: 'query',
    id,
    flags: isSigned ? RECURSION_DESIRED | CHECKING_DISABLED : RECURSION_DESIRED,
    questions: [{ name, type }],
    additionals: hasEdns ? [edns] : [],
  })
}

/** 'foreign' does not answer this question, whichever host sent it; 'garbled' has the right id and cannot be read. */
export function decodeAnswer(bytes: Buffer, question: DnsQuestion, id: number): DnsMessage | 'foreign' | 'garbled' {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id || ((bytes[2] ?? 0) & 0x80) === 0) return 'foreign'
  if (countRecords(bytes) > maxRecords || hasLongPointerChain(bytes)) return 'garbled'
  try {
    return readMessage(bytes, question)
  } catch {
    return 'garbled'
  }
}

function countRecords(bytes: Buffer): number {
  return bytes.readUInt16BE(4) + bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10)
}

/**
 * Whether pointers lead to pointers in a long chain, which no name needs: names made of such chains would keep the
 * decoder busy for a second. Text that looks like pointers does not form chains by chance.
 */
function hasLongPointerChain(bytes: Buffer): boolean {
  const reach = Math.min(bytes.length - 1, 0x4000)
  const depths = new Uint8Array(reach)
  for (let offset = 0; offset < reach; offset++) {
    const high = bytes[offset] ?? 0
    const target = (high & 0x3f) * 256 + (bytes[offset + 1] ?? 0)
    if (high < 0xc0 || target >= offset) continue
    const depth = 1 + (depths[target] ?? 0)
    if (depth > maxPointerDepth) return true
    depths[offset] = depth
  }
  return false
}

function readMessage(bytes: Buffer, question: DnsQuestion): DnsMessage | 'foreign' {
  const packet = decode(bytes)
  if (!(decode.bytes <= bytes.length)) throw new RangeError('A record ends behind the message.')
  const low = (bytes[3] ?? 0) & 0x0f
  const [asked, another] = packet.questions ?? []
  // Old servers return nothing but the header of a question that they do not understand.
  if (another !== undefined || (asked === undefined && low === 0)) throw new TypeError('Not one question.')
  if (asked !== undefined && (plain(asked.name) !== plain(question.name) || asked.type !== question.type))
    return 'foreign'
  const additionals = packet.additionals ?? []
  const edns = additionals.find((each) => each.type === 'OPT')
  return {
    isTruncated: packet.flag_tc,
    hasEdns: edns !== undefined,
    answer: {
      rcode: rcodeName(low + (edns?.extendedRcode ?? 0) * 16),
      isAuthoritative: packet.flag_aa,
      answers: (packet.answers ?? []).map(toRecord),
      authorities: (packet.authorities ?? []).map(toRecord),
      additionals: additionals.filter((each) => each.type !== 'OPT').map(toRecord),
      ...(question.isSigned === true ? { signed: readSignedSections(bytes) } : {}),
    },
  }
}

/** IANA's names of the codes that resolvers use. */
function rcodeName(code: number): string {
  return rcodeNames[code] ?? `RCODE${code}`
}

const rcodeNames: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  16: 'BADVERS',
  23: 'BADCOOKIE',
}

function plain(name: string): string {
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

function toRecord(answer: Answer): DnsRecord {
  const ttlSeconds = answer.type === 'OPT' ? 0 : (answer.ttl ?? 0)
  return { name: answer.name, ttlSeconds, ...toValue(answer) }
}

/** Throws when the data of a record do not fit its type. */
function toValue(answer: Answer): DnsValue {
  if (answer.type === 'A') return { type: 'A', address: checked(answer.data, isIPv4) }
  if (answer.type === 'AAAA') return { type: 'AAAA', address: checked(answer.data, isIPv6) }
  if (answer.type === 'CNAME' || answer.type === 'NS') return { type: answer.type, target: answer.data }
  if (answer.type === 'TXT') return { type: 'TXT', text: joined(answer.data) }
  if (answer.type === 'MX')
    return { type: 'MX', preference: whole(answer.data.preference), exchange: answer.data.exchange }
  if (answer.type === 'SRV') {
    const { priority, weight, port, target } = answer.data
    return { type: 'SRV', priority: whole(priority), weight: whole(weight), port, target }
  }
  if (answer.type === 'SOA') {
    const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data
    return { type: 'SOA', mname, rname, numbers: [serial, refresh, retry, expire, minimum].map(whole) }
  }
  return { type: 'other' }
}

function checked(address: string, isRight: (text: string) => boolean): string {
  if (!isRight(address)) throw new TypeError('Not an address.')
  return address
}

function whole(number: number | undefined): number {
  if (number === undefined) throw new TypeError('A number is missing.')
  return number
}

/** RFC 7208 3.3: the strings of one record are joined without a separator. */
function joined(strings: string | Buffer | (string | Buffer)[]): string {
  const list = Array.isArray(strings) ? strings : [strings]
  return Buffer.concat(list.map((each) => Buffer.from(each))).toString('utf8')
}
