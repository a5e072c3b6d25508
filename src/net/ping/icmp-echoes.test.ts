import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEchoes, type EchoHearer, type Echoes } from './icmp-echoes.ts'
import type { OnPacket } from './icmp-wire.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

type Bench = {
  echoes: Echoes
  /** Packets sent so far. */
  sent: { packet: Buffer; address: string; fail: (code: string) => void }[]
  /** Delivers a packet as if it had been received. */
  deliver: OnPacket
  isWaiting: () => boolean
}

/** Echoes over a wire that does nothing by itself. */
async function bench(family: 4 | 6 = 4): Promise<Bench> {
  const sent: Bench['sent'] = []
  let deliver: OnPacket = ignore
  let waiting = false
  const echoes = await createEchoes(family, (onPacket) => {
    deliver = onPacket
    return {
      send: (packet, address, onError) =>
        void sent.push({ packet, address, fail: (code) => onError(Object.assign(new Error(code), { code })) }),
      setWaiting: (isWaiting) => {
        waiting = isWaiting
      },
      close: () => {},
    }
  })
  return { echoes, sent, deliver: (packet, sender) => deliver(packet, sender), isWaiting: () => waiting }
}

function ignore(): void {}

/** The answer of a host, with some bytes changed. */
function replyTo(packet: Buffer, changes: Record<number, number> = {}): Buffer {
  const reply = Buffer.from(packet)
  reply[0] = 0
  for (const [offset, by] of Object.entries(changes)) reply[Number(offset)] = ((reply[Number(offset)] ?? 0) + by) & 0xff
  return reply
}

function hearer(): EchoHearer & { heard: string[] } {
  const heard: string[] = []
  return { heard, onReply: () => heard.push('reply'), onError: (error) => heard.push(error.code ?? '?') }
}

const host = '192.0.2.1'

describe('echoes over one wire', () => {
  it('are answered once, by the host, with their number and their cookie', async () => {
    const { echoes, sent, deliver, isWaiting } = await bench()
    const one = hearer()
    const other = hearer()
    echoes.send(host, one)
    echoes.send('192.0.2.2', other)
    const [packet, second] = sent.map((each) => each.packet)
    assert.ok(packet && second)
    deliver(replyTo(packet, { 8: 1 }), host)
    deliver(replyTo(packet, { 15: 1 }), host)
    deliver(replyTo(packet, { 7: 9 }), host)
    deliver(replyTo(packet), '192.0.2.2')
    deliver(packet, host)
    deliver(replyTo(packet).subarray(0, 15), host)
    assert.deepEqual([one.heard, other.heard, isWaiting()], [[], [], true])
    deliver(replyTo(packet), host)
    deliver(replyTo(packet), host)
    assert.deepEqual([one.heard, other.heard, isWaiting()], [['reply'], [], true])
    deliver(replyTo(second), '192.0.2.2')
    assert.deepEqual([other.heard, isWaiting()], [['reply'], false])
  })

  it('wait from the first on, and tell how long the answer took', async () => {
    const startedAt = performance.now()
    const { echoes, sent, deliver, isWaiting } = await bench()
    const times: number[] = []
    echoes.send(host, { onReply: (rttMs) => times.push(rttMs), onError: () => assert.fail() })
    assert.equal(isWaiting(), true)
    deliver(replyTo(sent[0]?.packet ?? assert.fail()), host)
    const [rttMs = -1] = times
    assert.ok(rttMs >= 0 && rttMs <= performance.now() - startedAt, `${rttMs}`)
  })

  it('are answered by their host however its address is spelled', async () => {
    for (const spelling of ['2001:db8::1', '2001:DB8:0::1', '2001:db8::1%eth0']) {
      const { echoes, sent, deliver } = await bench(6)
      const { heard, ...hearing } = hearer()
      echoes.send('2001:0db8:0::1', hearing)
      const reply = replyTo(sent[0]?.packet ?? assert.fail())
      reply[0] = 129
      deliver(reply, '2001:db8::2')
      assert.deepEqual(heard, [])
      deliver(reply, spelling)
      assert.deepEqual(heard, ['reply'])
    }
  })

  it('hear nothing more once they are cancelled, or could not be sent', async () => {
    const { echoes, sent, deliver, isWaiting } = await bench()
    const cancelled = hearer()
    const failing = hearer()
    const cancel = echoes.send(host, cancelled)
    echoes.send(host, failing)
    cancel()
    cancel()
    sent[0]?.fail('EHOSTUNREACH')
    sent[1]?.fail('EHOSTUNREACH')
    sent[1]?.fail('EHOSTUNREACH')
    for (const { packet } of sent) deliver(replyTo(packet), host)
    assert.deepEqual([cancelled.heard, failing.heard, isWaiting()], [[], ['EHOSTUNREACH'], false])
  })

  it('are sent 32 in a turn of the event loop, the cancelled ones not at all', async () => {
    const { echoes, sent } = await bench()
    const cancels = Array.from({ length: 100 }, () => echoes.send(host, hearer()))
    assert.equal(sent.length, 32)
    for (const cancel of cancels.slice(32, 64)) cancel()
    const counts: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      await nextTurn()
      counts.push(sent.length)
    }
    assert.deepEqual(counts.at(-1), 68)
    assert.ok(counts.every((count, turn) => count - (counts[turn - 1] ?? 32) <= 32))
  })

  it('never share a number, and are limited in number', async () => {
    const { echoes, sent } = await bench()
    const cancels = Array.from({ length: 60_000 }, () => echoes.send(host, hearer()))
    assert.throws(() => echoes.send(host, hearer()), OwnTrouble)
    while (sent.length < 60_000) await nextTurn()
    assert.equal(new Set(sent.map(({ packet }) => packet.readUInt16BE(6))).size, 60_000)
    for (const cancel of cancels) cancel()
    for (let count = 0; count < 10_000; count += 1) echoes.send(host, hearer())
    while (sent.length < 70_000) await nextTurn()
    assert.equal(new Set(sent.slice(60_000).map(({ packet }) => packet.readUInt16BE(6))).size, 10_000)
  })

  it('have cookies that no other host can guess', async () => {
    const { echoes, sent } = await bench()
    for (let count = 0; count < 30; count += 1) echoes.send(host, hearer())
    assert.equal(new Set(sent.map(({ packet }) => packet.toString('hex', 8, 16))).size, 30)
  })
})
