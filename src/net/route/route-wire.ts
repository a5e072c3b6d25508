import { randomBytes, randomInt } from 'node:crypto'
import { cookieBytes, echoRequest, type Family } from '#net/ping/icmp-packet.ts'
import type { SocketKind } from '#net/ping/icmp-system.ts'
import { plainAddress, readSocketAddress, writeSocketAddress } from '#net/ping/socket-address.ts'
import { type Answer, type AnswerType, errorTypeOf, type Quoted, readAnswer, readRequest } from './route-packet.ts'
import { type Message, type RouteSystem, timeOf } from './route-system.ts'

/** What came back for the probe of this number. `receivedMs` is by `performance.now()`. */
export type Heard = { probe: number; type: AnswerType; code: number; sender: string; receivedMs: number }

/** Probes of one route, over a socket of its own: a hop limit is one of the socket. */
export type ProbeWire = {
  /** Sends an echo request that lives for `ttl` hops. Returns the code of an error, null for none. */
  send: (probe: number, ttl: number) => string | null
  /** What has come so far. */
  receive: () => Heard[]
  close: () => void
}

export type WireOptions = { fd: number; kind: SocketKind; family: Family; address: string }

const sequences = 65_536
/** A socket that others flood may hold the thread up no longer. */
const maxMessages = 200
/** An error that came for an earlier packet is told to the next call that sends, once for each. */
const maxSends = 4
const receiveBufferBytes = 256 * 1024

export function openProbeWire(system: RouteSystem, { fd, kind, family, address }: WireOptions): ProbeWire {
  const [first, identifier, cookie] = [randomInt(sequences), randomInt(sequences), randomBytes(cookieBytes)]
  const target = writeSocketAddress(address, family)
  const own = plainAddress(address)
  for (const option of optionsOf(kind, family)) system.setOption(fd, option)

  /** The kernel gives a ping socket an identifier of its own, and hears for it only what has this one. */
  const isOwn = (answer: Quoted): boolean =>
    (kind === 'datagram' || answer.identifier === identifier) &&
    (answer.cookie.length === 0 || cookie.equals(answer.cookie))

  function heardOf(message: Message, from: 'packets' | 'errors'): Omit<Heard, 'receivedMs'> | null {
    const answer = from === 'packets' ? packetOf(message, family) : errorOf(message, family)
    if (answer === null || !isOwn(answer)) return null
    if (answer.type === 'reply' && answer.sender !== own) return null
    const probe = (answer.sequence - first + sequences) % sequences
    return { probe, type: answer.type, code: answer.code, sender: answer.sender }
  }

  function take(from: 'packets' | 'errors', receivedMs: (message: Message) => number): Heard[] {
    const heard: Heard[] = []
    for (let count = 0; count < maxMessages; count += 1) {
      const message = system.receive(fd, from)
      if (message === null) break
      const known = heardOf(message, from)
      if (known !== null) heard.push({ ...known, receivedMs: receivedMs(message) })
    }
    return heard
  }

  return {
    send: (probe, ttl) => {
      const sequence = (first + probe) % sequences
      const packet = echoRequest(family, { identifier, sequence, cookie })
      system.setOption(fd, hopLimit(family, ttl))
      let code: string | null = null
      for (let sends = 0; sends < maxSends; sends += 1) {
        code = system.send(fd, packet, target)
        if (code === null) return null
      }
      return code
    },
    receive: () => {
      const nowMs = performance.now()
      const wallMs = system.wallMs()
      const receivedMs = ({ control }: Message): number => nowMs - Math.max(0, wallMs - (stampOf(control) ?? wallMs))
      return [...take('errors', receivedMs), ...take('packets', receivedMs)]
    },
    close: () => system.close(fd),
  }
}

type Sent = Answer & { sender: string }

function packetOf({ data, name }: Message, family: Family): Sent | null {
  const answer = readAnswer(family, data)
  return answer === null ? null : { ...answer, sender: readSocketAddress(name, family) }
}

/** A sock_extended_err with the address of who sent the error (ip(7), IP_RECVERR); its data is the quote. */
function errorOf({ data, control }: Message, family: Family): Sent | null {
  const { level, error } = controls[family]
  const extended = partOf(control, level, error)
  const addressBytes = family === 4 ? 16 : 28
  if (extended === null || extended.length < errorBytes + addressBytes || extended[4] !== origins[family]) return null
  const code = extended[6] ?? 0
  const type = errorTypeOf(family, extended[5] ?? -1, code)
  const quoted = readRequest(family, data)
  if (type === null || quoted === null) return null
  return { type, code, ...quoted, sender: readSocketAddress(extended.subarray(errorBytes), family) }
}

/** Of a sock_extended_err. */
const errorBytes = 16
/** SO_EE_ORIGIN_ICMP and SO_EE_ORIGIN_ICMP6: other errors are of this machine. */
const origins = { 4: 2, 6: 3 } as const
/** IP_RECVERR with IP_TTL, and IPV6_RECVERR with IPV6_UNICAST_HOPS. */
const controls = { 4: { level: 0, error: 11, hops: 2 }, 6: { level: 41, error: 25, hops: 16 } } as const
const socketLevel = 1
/** SO_TIMESTAMPNS, under which the stamp comes as well. */
const stamps = 35

/** When the packet came, by the kernel's clock; null where it says nothing of it. */
function stampOf(control: Buffer): number | null {
  const stamp = partOf(control, socketLevel, stamps)
  return stamp === null || stamp.length < 16 ? null : timeOf(stamp)
}

/** The content of a control message (cmsg(3)): length, level, type, content, each aligned to eight bytes. */
function partOf(control: Buffer, level: number, type: number): Buffer | null {
  let start = 0
  while (start + 16 <= control.length) {
    const length = Number(control.readBigUInt64LE(start))
    if (length < 16) return null
    if (control.readInt32LE(start + 8) === level && control.readInt32LE(start + 12) === type)
      return control.subarray(start + 16, start + length)
    start += Math.ceil(length / 8) * 8
  }
  return null
}

type Option = Parameters<RouteSystem['setOption']>[1]

function optionsOf(kind: SocketKind, family: Family): Option[] {
  const { level, error } = controls[family]
  const common = [number(socketLevel, 8, receiveBufferBytes), number(socketLevel, stamps, 1)]
  return kind === 'datagram' ? [...common, number(level, error, 1)] : [...common, answersAlone(family)]
}

function hopLimit(family: Family, ttl: number): Option {
  const { level, hops } = controls[family]
  return number(level, hops, ttl)
}

function number(level: number, name: number, content: number): Option {
  const value = Buffer.alloc(4)
  value.writeInt32LE(content)
  return { level, name, value }
}

/** Types that a raw socket is to hear: replies, exceeded times, unreachable destinations. */
const heardTypes = { 4: [0, 11, 3], 6: [129, 3, 1] } as const

/** SOL_RAW with ICMP_FILTER, or IPPROTO_ICMPV6 with ICMPV6_FILTER: a set bit drops a type. */
function answersAlone(family: Family): Option {
  const value = Buffer.alloc(family === 4 ? 4 : 32, 0xff)
  for (const type of heardTypes[family]) {
    const offset = (type >> 5) * 4
    value.writeUInt32LE((value.readUInt32LE(offset) & ~(1 << (type & 31))) >>> 0, offset)
  }
  return { level: family === 4 ? 255 : 58, name: 1, value }
}
