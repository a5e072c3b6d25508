import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Family } from '#net/ping/icmp-packet.ts'
import type { SocketKind } from '#net/ping/icmp-system.ts'
import { writeSocketAddress } from '#net/ping/socket-address.ts'
import { quoting } from '../../../test/support/icmp-errors.ts'
import type { Message, RouteSystem } from './route-system.ts'
import { openProbeWire, type ProbeWire } from './route-wire.ts'

const fd = 7
const targets = { 4: '192.0.2.9', 6: '2001:db8::9' } as const
const routers = { 4: '198.51.100.1', 6: '2001:db8:1::1' } as const

type Bench = {
  wire: ProbeWire
  /** Probes as they were sent, each after what the socket was told of it. */
  sent: Buffer[]
  options: string[]
  packets: Message[]
  errors: Message[]
  isClosed: () => boolean
}

function bench(kind: SocketKind, family: Family, failures: string[] = []): Bench {
  const [sent, options, packets, errors]: [Buffer[], string[], Message[], Message[]] = [[], [], [], []]
  let closed = false
  const system: RouteSystem = {
    open: () => fd,
    setOption: (_fd, { level, name, value }) => void options.push(`${level} ${name} ${value.toString('hex')}`),
    send: (_fd, packet) => {
      const failure = failures.shift()
      if (failure !== undefined) return failure
      sent.push(Buffer.from(packet))
      return null
    },
    receive: (_fd, from) => (from === 'packets' ? packets : errors).shift() ?? null,
    wallMs: () => 1_000_000,
    close: () => {
      closed = true
    },
  }
  const wire = openProbeWire(system, { fd, kind, family, address: targets[family] })
  return { wire, sent, options, packets, errors, isClosed: () => closed }
}

function message(data: Uint8Array, sender: string, control: Buffer = Buffer.alloc(0)): Message {
  return { data, name: writeSocketAddress(sender, sender.includes(':') ? 6 : 4), control }
}

/** A control message (cmsg(3)). */
function controlMessage(level: number, type: number, content: Buffer): Buffer {
  const bytes = Buffer.alloc(16 + Math.ceil(content.length / 8) * 8)
  bytes.writeBigUInt64LE(BigInt(16 + content.length), 0)
  bytes.writeInt32LE(level, 8)
  bytes.writeInt32LE(type, 12)
  bytes.set(content, 16)
  return bytes
}

type Told = { type: number; code?: number; origin?: number; sender?: string }

/** A sock_extended_err with the address that it came from. */
function extended(family: Family, { type, code = 0, origin = family === 4 ? 2 : 3, sender }: Told): Buffer {
  const head = Buffer.from([113, 0, 0, 0, origin, type, code, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const content = Buffer.concat([head, writeSocketAddress(sender ?? routers[family], family)])
  return controlMessage(family === 4 ? 0 : 41, family === 4 ? 11 : 25, content)
}

function stamped(seconds: number, nanoseconds: number): Buffer {
  const spec = Buffer.alloc(16)
  spec.writeBigInt64LE(BigInt(seconds), 0)
  spec.writeBigInt64LE(BigInt(nanoseconds), 8)
  return controlMessage(1, 35, spec)
}

function replyTo(packet: Buffer, family: Family, changes: Record<number, number> = {}): Buffer {
  const reply = Buffer.from(packet)
  reply[0] = family === 4 ? 0 : 129
  for (const [offset, by] of Object.entries(changes)) reply[Number(offset)] = ((reply[Number(offset)] ?? 0) + by) & 0xff
  return reply
}

const types = { 4: { exceeded: 11, unreachable: 3 }, 6: { exceeded: 3, unreachable: 1 } } as const

for (const family of [4, 6] as const) {
  const [target, router] = [targets[family], routers[family]]
  const { exceeded, unreachable } = types[family]

  describe(`probes over a raw socket of IPv${family}`, () => {
    it('live for as many hops as they are to', () => {
      const { wire, options, isClosed } = bench('raw', family)
      const before = options.length
      assert.equal(wire.send(0, 3), null)
      assert.deepEqual(options.slice(before), [family === 4 ? '0 2 03000000' : '41 16 03000000'])
      wire.close()
      assert.equal(isClosed(), true)
    })

    it('hear replies of the target, and errors of routers, of any', () => {
      const { wire, sent, packets } = bench('raw', family)
      for (const probe of [0, 1, 2]) wire.send(probe, probe + 1)
      const [first, second, third] = sent
      assert.ok(first && second && third)
      packets.push(
        message(quoting(family, { request: first, type: exceeded, code: 0, bytes: 8 }), router),
        message(quoting(family, { request: second, type: unreachable, code: 3, bytes: 64 }), target),
        message(replyTo(third, family), target),
      )
      assert.deepEqual(plain(wire), [
        [0, 'exceeded', 0, router],
        [1, 'unreachable', 3, target],
        [2, 'reply', 0, target],
      ])
    })

    it('hear nothing that others say', () => {
      const { wire, sent, packets } = bench('raw', family)
      wire.send(0, 1)
      const [first] = sent
      assert.ok(first)
      const error = (request: Buffer, bytes = 64): Message =>
        message(quoting(family, { request, type: exceeded, code: 0, bytes }), router)
      const cases: [what: string, message: Message][] = [
        ['a foreign sender', message(replyTo(first, family), router)],
        ['a wrong cookie in a reply', message(replyTo(first, family, { 8: 1 }), target)],
        ['a cut reply', message(replyTo(first, family).subarray(0, 15), target)],
        ['a wrong cookie in a quote', error(replyTo(first, family, { 15: 1, 0: 0 }))],
        ['a wrong identifier', message(replyTo(first, family, { 5: 1 }), target)],
        ['a wrong identifier in a quote', error(requestWith(first, 5), 8)],
        ['a cut quote', error(first, 7)],
        ['nothing', message(Buffer.alloc(0), router)],
      ]
      for (const [what, each] of cases) {
        packets.push(each)
        assert.deepEqual(plain(wire), [], what)
      }
    })
  })

  describe(`probes over a ping socket of IPv${family}`, () => {
    it('hear replies under the identifier of the kernel, and errors from the queue', () => {
      const { wire, sent, packets, errors } = bench('datagram', family)
      for (const probe of [0, 1]) wire.send(probe, probe + 1)
      const [first, second] = sent
      assert.ok(first && second)
      packets.push(message(replyTo(second, family, { 4: 1 }), target))
      errors.push(message(requestWith(first, 4), target, extended(family, { type: exceeded })))
      assert.deepEqual(plain(wire), [
        [0, 'exceeded', 0, router],
        [1, 'reply', 0, target],
      ])
    })

    it('tell by the stamp of the kernel when an answer came', () => {
      const { wire, sent, errors } = bench('datagram', family)
      wire.send(0, 1)
      const [first] = sent
      assert.ok(first)
      const told = extended(family, { type: exceeded })
      errors.push(
        message(first, target, Buffer.concat([stamped(999, 750_000_000), told])),
        message(first, target, Buffer.concat([told, stamped(1_000, 0)])),
        message(first, target, Buffer.concat([told, stamped(1_001, 0)])),
        message(first, target, told),
      )
      const before = performance.now()
      const [early, ...others] = wire.receive().map(({ receivedMs }) => receivedMs)
      const after = performance.now()
      assert.ok(early !== undefined && early + 250 >= before && early + 250 <= after)
      assert.equal(others.length, 3)
      assert.ok(others.every((ms) => ms >= before && ms <= after))
    })

    it('hear nothing from the queue that is no answer', () => {
      const { wire, sent, errors } = bench('datagram', family)
      wire.send(0, 1)
      const [first] = sent
      assert.ok(first)
      const told = extended(family, { type: exceeded })
      const endless = Buffer.from(told)
      endless.writeBigUInt64LE(0n, 0)
      const long = Buffer.from(told)
      long.writeBigUInt64LE(24n, 0)
      const cases: [what: string, data: Uint8Array, control: Buffer][] = [
        ['an error of this machine', first, extended(family, { type: exceeded, origin: 1 })],
        ['another type', first, extended(family, { type: family === 4 ? 12 : 4 })],
        ['a wrong cookie', requestWith(first, 15), told],
        ['a cut quote', first.subarray(0, 7), told],
        ['no control message', first, Buffer.alloc(0)],
        ['a cut control message', first, told.subarray(0, 12)],
        ['a control message without an end', first, endless],
        ['a control message that is too short', first, long],
      ]
      for (const [what, data, beside] of cases) {
        errors.push(message(data, target, beside))
        assert.deepEqual(plain(wire), [], what)
      }
    })
  })
}

describe('a socket of probes', () => {
  it('sends again what an error of an earlier probe kept from being sent, four times at most', () => {
    const { wire, sent } = bench('datagram', 4, ['EHOSTUNREACH', 'EHOSTUNREACH', 'EHOSTUNREACH'])
    assert.deepEqual([wire.send(0, 1), sent.length], [null, 1])
    const failing = bench(
      'datagram',
      4,
      Array.from({ length: 8 }, () => 'ENETUNREACH'),
    )
    assert.deepEqual([failing.wire.send(0, 1), failing.sent.length], ['ENETUNREACH', 0])
  })

  it('reads 200 messages of each sort at a time', () => {
    const { wire, sent, packets } = bench('raw', 4)
    wire.send(0, 1)
    const [first] = sent
    assert.ok(first)
    packets.push(...Array.from({ length: 500 }, () => message(replyTo(first, 4), targets[4])))
    assert.deepEqual([wire.receive().length, wire.receive().length, wire.receive().length], [200, 200, 100])
  })

  it('hears of the types alone that may be answers', () => {
    const [, , four] = bench('raw', 4).options
    const [, , six] = bench('raw', 6).options
    assert.equal(four, `255 1 ${hex(~((1 << 0) | (1 << 3) | (1 << 11)))}`)
    assert.equal(six, `58 1 ${hex(~((1 << 1) | (1 << 3)))}${'ff'.repeat(12)}${hex(~(1 << 1))}${'ff'.repeat(12)}`)
  })
})

/** The request with one byte that is another one. */
function requestWith(request: Buffer, offset: number): Buffer {
  const copy = Buffer.from(request)
  copy[offset] = ((copy[offset] ?? 0) + 1) & 0xff
  return copy
}

function hex(bits: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(bits | 0)
  return bytes.toString('hex')
}

function plain(wire: ProbeWire): unknown[] {
  return wire.receive().map(({ probe, type, code, sender }) => [probe, type, code, sender])
}
