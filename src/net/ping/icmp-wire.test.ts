import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import koffi from 'koffi'
import { until } from '../../../test/support/until.ts'
import type { IcmpSystem } from './icmp-system.ts'
import { datagramWire, type IcmpWire, rawWire } from './icmp-wire.ts'
import { writeSocketAddress } from './socket-address.ts'

const fd = 7

type Bench = { wire: IcmpWire; calls: string[]; heard: string[]; waiting: Buffer[] }

/** A raw wire over a system that notes what it is called for, and has received what is `waiting`. */
function bench(family: 4 | 6, code: string | null = null, onHeard: () => void = () => {}): Bench {
  const calls: string[] = []
  const heard: string[] = []
  const waiting: Buffer[] = []
  const sender = writeSocketAddress(family === 4 ? '192.0.2.1' : '2001:db8::1', family)
  const system: IcmpSystem = {
    open: () => fd,
    setOption: (on, { level, name, value }) => void calls.push(`${on} ${level} ${name} ${value.toString('hex')}`),
    send: (on, packet, address) => {
      calls.push(`${on} ${packet.toString()} ${address.toString('hex')}`)
      return code
    },
    receive: (on, { packet, address }) => {
      const next = on === fd ? waiting.shift() : undefined
      if (next === undefined) return null
      sender.copy(address)
      return next.copy(packet)
    },
    close: (on) => void calls.push(`${on} closed`),
  }
  const wire = rawWire(system, { fd, family }, (packet, from) => {
    heard.push(`${Buffer.from(packet).toString()} ${from}`)
    onHeard()
  })
  return { wire, calls, heard, waiting }
}

describe('a raw wire', () => {
  it('lets through echo replies alone, and has room for many', () => {
    assert.deepEqual(bench(4).calls, ['7 255 1 feffffff', '7 1 8 00004000'])
    const six = `${'ff'.repeat(16)}fdffffff${'ff'.repeat(12)}`
    assert.deepEqual(bench(6).calls, [`7 58 1 ${six}`, '7 1 8 00004000'])
  })

  it('sends to an address, and tells later why it could not', async () => {
    const well = bench(4)
    well.wire.send(Buffer.from('ping'), '192.0.2.9', () => assert.fail())
    assert.equal(well.calls.at(-1), '7 ping 02000000c00002090000000000000000')
    const failing = bench(4, 'EHOSTUNREACH')
    let isSent = false
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
      failing.wire.send(Buffer.from('ping'), '192.0.2.9', (told) => {
        assert.equal(isSent, true)
        resolve(told)
      })
      isSent = true
    })
    assert.equal(error.code, 'EHOSTUNREACH')
  })

  for (const [family, sender] of [
    [4, '192.0.2.1'],
    [6, '2001:db8::1'],
  ] as const)
    it(`hears of IPv${family} what has come, while it waits`, async () => {
      const { wire, heard, waiting, calls } = bench(family)
      waiting.push(Buffer.from('one'), Buffer.from('two'))
      wire.setWaiting(true)
      await until('both to be heard', () => heard.length === 2)
      assert.deepEqual(heard, [`one ${sender}`, `two ${sender}`])
      wire.close()
      assert.equal(calls.at(-1), '7 closed')
    })

  it('hears a thousand in a turn, and nothing more once it does not wait', async () => {
    const { wire, heard, waiting } = bench(4, null, () => wire.setWaiting(false))
    waiting.push(...Array.from({ length: 1_500 }, () => Buffer.from('x')))
    wire.setWaiting(true)
    await until('a turn to pass', () => heard.length > 0)
    const other = bench(4)
    other.waiting.push(Buffer.from('x'))
    other.wire.setWaiting(true)
    await until('another wire to hear', () => other.heard.length === 1)
    other.wire.close()
    assert.equal(heard.length, 1_000)
  })
})

/** Stands for a ping socket, which few machines permit: datagrams of UDP are sent in the same way. */
function openUdp(): number {
  const socket = koffi.load(null).func('int socket(int, int, int)')
  return Number(socket(2, 2, 0))
}

describe('a datagram wire', () => {
  it('tells of a packet that could not be sent, and of no other', async () => {
    const wire = await datagramWire(openUdp(), 4, () => {})
    wire.setWaiting(true)
    const heard: unknown[] = []
    const tooLong = new Promise((resolve) => {
      wire.send(Buffer.from('ping'), '127.0.0.1', (error) => heard.push(error))
      wire.send(Buffer.alloc(70_000), '127.0.0.1', ({ code }) => resolve(code))
    })
    assert.equal(await tooLong, 'EMSGSIZE')
    assert.deepEqual(heard, [])
    wire.close()
  })
})
