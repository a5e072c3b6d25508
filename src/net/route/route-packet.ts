// What comes back for probes of a route: echo replies, and errors of ICMP that quote the probe they are about.
import { cookieBytes, type Family, readEchoReply, withoutHeader } from '#net/ping/icmp-packet.ts'

export type AnswerType = 'reply' | 'exceeded' | 'unreachable'

/** `cookie` is empty where the router quoted no more than the 64 bits that RFC 792 demands. */
export type Answer = { type: AnswerType; code: number; identifier: number; sequence: number; cookie: Uint8Array }

/** By the type of ICMP (RFC 792) and ICMPv6 (RFC 4443). Of the others none says anything of a route. */
const errorTypes: Readonly<Record<Family, ReadonlyMap<number, AnswerType>>> = {
  4: new Map([
    [11, 'exceeded'],
    [3, 'unreachable'],
  ]),
  6: new Map([
    [3, 'exceeded'],
    [1, 'unreachable'],
  ]),
}

const headerBytes = 8
const ipv6HeaderBytes = 40
const protocols = { 4: 1, 6: 58 } as const
const requestTypes = { 4: 8, 6: 128 } as const

/** A packet of a raw socket; null when it is neither a reply nor an error about an echo request. */
export function readAnswer(family: Family, received: Uint8Array): Answer | null {
  const reply = readEchoReply(family, received)
  if (reply !== null) return { type: 'reply', code: 0, ...reply }
  const packet = family === 4 ? withoutHeader(received) : received
  const type = errorTypeOf(family, packet[0] ?? -1, packet[1] ?? -1)
  if (type === null || packet.length < headerBytes) return null
  const quoted = quotedRequest(family, packet.subarray(headerBytes))
  return quoted === null ? null : { type, code: packet[1] ?? 0, ...quoted }
}

/** Null for types that are no answer, and for fragments that came too late (code 1 of a time that is exceeded). */
export function errorTypeOf(family: Family, type: number, code: number): AnswerType | null {
  const found = errorTypes[family].get(type) ?? null
  return found === 'exceeded' && code !== 0 ? null : found
}

export type Quoted = Pick<Answer, 'identifier' | 'sequence' | 'cookie'>

/** The echo request after its IP header, as an error quotes it. An IPv6 probe has no further headers. */
function quotedRequest(family: Family, quote: Uint8Array): Quoted | null {
  const isOfFamily = (quote[0] ?? 0) >> 4 === family
  const protocol = family === 4 ? quote[9] : quote[6]
  if (!isOfFamily || protocol !== protocols[family]) return null
  const length = family === 4 ? ((quote[0] ?? 0) & 15) * 4 : ipv6HeaderBytes
  return length < 20 ? null : readRequest(family, quote.subarray(length))
}

/** The beginning of an echo request; null when it is none, or too short to be told from others. */
export function readRequest(family: Family, request: Uint8Array): Quoted | null {
  if (request.length < headerBytes || request[0] !== requestTypes[family] || request[1] !== 0) return null
  const view = new DataView(request.buffer, request.byteOffset, headerBytes)
  const rest = request.subarray(headerBytes, headerBytes + cookieBytes)
  // Quotes are padded with zeros where extensions follow (RFC 4884 5.1).
  const isQuoted = rest.length === cookieBytes && rest.some((byte) => byte !== 0)
  return {
    identifier: view.getUint16(4),
    sequence: view.getUint16(6),
    cookie: isQuoted ? rest : rest.subarray(0, 0),
  }
}

const reasons: Readonly<Record<Family, ReadonlyMap<number, string>>> = {
  4: new Map([
    [0, 'network_unreachable'],
    [1, 'host_unreachable'],
    [2, 'protocol_unreachable'],
    [3, 'port_unreachable'],
    [4, 'too_big'],
    [6, 'network_unreachable'],
    [7, 'host_unreachable'],
    [9, 'prohibited'],
    [10, 'prohibited'],
    [13, 'prohibited'],
  ]),
  6: new Map([
    [0, 'network_unreachable'],
    [1, 'prohibited'],
    [3, 'host_unreachable'],
    [4, 'port_unreachable'],
    [5, 'prohibited'],
    [6, 'prohibited'],
  ]),
}

/** What the code of an unreachable destination means (RFC 792, RFC 1812 5.2.7.1, RFC 4443 3.1). */
export function unreachableReason(family: Family, code: number): string {
  return reasons[family].get(code) ?? 'other'
}
