import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Echoes } from './icmp-echoes.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { type PingHeard, type PingSeries, racePings } from './ping-race.ts'

/** The fate of the nth echo (from 1) to an address: its time in milliseconds, silence, or an error of sending. */
type Fate = (address: string, nth: number) => number | 'silence' | { code: string }

type Network = Echoes & { sent: string[]; waiting: () => number }

/**
 * A network in which every fate is set. It needs no permission, and loses exactly the echoes that it is told to lose.
 */
function networkOf(fate: Fate): Network {
  const sent: string[] = []
  const waiting = new Set<object>()
  return {
    sent,
    waiting: () => waiting.size,
    close: () => {},
    send: (address, hearer) => {
      sent.push(address)
      const happens = fate(address, sent.filter((each) => each === address).length)
      const token = {}
      waiting.add(token)
      const settle = (work: () => void): void => {
        if (waiting.delete(token)) work()
      }
      if (typeof happens === 'number') setTimeout(() => settle(() => hearer.onReply(happens)), happens)
      else if (happens !== 'silence')
        setImmediate(() => settle(() => hearer.onError(Object.assign(new Error(happens.code), { code: happens.code }))))
      return () => void waiting.delete(token)
    },
  }
}

const alwaysSame = 5

function race(network: Echoes | null, wishes: Partial<PingSeries> = {}, deadlineMs = 3000): Promise<PingHeard> {
  const series = { addresses: ['192.0.2.1'], packets: 3, spacingMs: 20, host: 'host.example', ...wishes }
  const signal = AbortSignal.timeout(deadlineMs)
  // The timer of an abort signal lets a process end; this one does not.
  const alive = setTimeout(() => {}, deadlineMs)
  return racePings(() => Promise.resolve(network), series, signal).finally(() => clearTimeout(alive))
}

describe('a race of pings', () => {
  it('sends the whole series to a host that answers', async () => {
    const network = networkOf(() => alwaysSame)
    const heard = await race(network)
    assert.deepEqual(heard, { ok: true, address: '192.0.2.1', sent: 3, rttsMs: [5, 5, 5] })
    assert.equal(network.waiting(), 0)
  })

  it('counts what is lost, and waits a second for it, not to the deadline', async () => {
    for (const lost of [1, 2, 3]) {
      const startedAt = performance.now()
      const network = networkOf((_, nth) => (nth === lost ? 'silence' : alwaysSame))
      const heard = await race(network, {}, 10_000)
      assert.deepEqual(heard, { ok: true, address: '192.0.2.1', sent: 3, rttsMs: [5, 5] })
      const tookMs = performance.now() - startedAt
      assert.ok(tookMs >= 1000 && tookMs < 3000, `${tookMs} ms`)
      assert.equal(network.waiting(), 0)
    }
  })

  it('counts an echo that could not be sent as lost once the host has answered', async () => {
    const network = networkOf((_, nth) => (nth === 2 ? { code: 'EHOSTUNREACH' } : alwaysSame))
    const heard = await race(network)
    assert.deepEqual(heard, { ok: true, address: '192.0.2.1', sent: 3, rttsMs: [5, 5] })
  })

  it('blames this machine when its sockets were not open by the deadline', async () => {
    const { promise, resolve } = Promise.withResolvers<Network>()
    const series = { addresses: ['192.0.2.1', '192.0.2.2'], packets: 1, spacingMs: 20, host: 'host.example' }
    const deadline = new AbortController()
    setTimeout(() => deadline.abort(), 50)
    await assert.rejects(
      racePings(() => promise, series, deadline.signal),
      OwnTrouble,
    )
    const network = networkOf(() => alwaysSame)
    resolve(network)
    await promise
    assert.deepEqual(network.sent, [])
  })

  it('waits to the deadline for a host that has not answered', async () => {
    const slow = await race(
      networkOf(() => 400),
      { packets: 1 },
    )
    assert.deepEqual(slow, { ok: true, address: '192.0.2.1', sent: 1, rttsMs: [400] })
    const network = networkOf(() => 'silence')
    assert.deepEqual(await race(network, {}, 300), { ok: false, failure: 'aborted', sent: 3 })
    assert.equal(network.waiting(), 0)
  })

  it('keeps what has come when the deadline passes', async () => {
    const heard = await race(
      networkOf((_, nth) => (nth === 1 ? alwaysSame : 'silence')),
      {},
      300,
    )
    assert.deepEqual(heard, { ok: true, address: '192.0.2.1', sent: 3, rttsMs: [5] })
  })

  it('goes on to the next address after 250 ms of silence, and drops the first', async () => {
    const network = networkOf((address) => (address === '2001:db8::1' ? 'silence' : alwaysSame))
    const heard = await race(network, { addresses: ['2001:db8::1', '192.0.2.1'] })
    assert.deepEqual(heard, { ok: true, address: '192.0.2.1', sent: 3, rttsMs: [5, 5, 5] })
    assert.equal(network.waiting(), 0)
  })

  it('goes on at once when an address cannot be sent to', async () => {
    const network = networkOf((address) => (address === '2001:db8::1' ? { code: 'ENETUNREACH' } : alwaysSame))
    const startedAt = performance.now()
    const heard = await race(network, { addresses: ['2001:db8::1', '192.0.2.1'], packets: 1 })
    assert.equal(heard.ok && heard.address, '192.0.2.1')
    assert.ok(performance.now() - startedAt < 200)
  })

  it('says why no address can be sent to', async () => {
    const cases = [
      ['ENETUNREACH', 'No route to host.example (network unreachable)'],
      ['EACCES', "This location's firewall forbids connections to host.example"],
      ['EADDRNOTAVAIL', 'No route to host.example (network unreachable)'],
    ] as const
    for (const [code, message] of cases) {
      const heard = await race(
        networkOf(() => ({ code })),
        { addresses: ['2001:db8::1', '2001:db8::2'] },
      )
      assert.equal(!heard.ok && heard.failure !== 'aborted' && heard.failure.message, message)
    }
    const heard = await race(null, { addresses: ['2001:db8::1'] })
    assert.equal(!heard.ok && heard.failure !== 'aborted' && heard.failure.code, 'network_unreachable')
  })

  it('rejects on trouble of its own', async () => {
    await assert.rejects(race(networkOf(() => ({ code: 'ENOBUFS' }))), OwnTrouble)
    await assert.rejects(
      racePings(
        () => Promise.reject(new OwnTrouble('EPERM', new Error('no'))),
        { addresses: ['192.0.2.1'], packets: 1, spacingMs: 1, host: 'h' },
        new AbortController().signal,
      ),
      OwnTrouble,
    )
    const full = networkOf(() => alwaysSame)
    let count = 0
    const filling: Echoes = {
      ...full,
      send: (address, hearer) => {
        count += 1
        if (count === 2) throw new OwnTrouble('ENOBUFS', new Error('full'))
        return full.send(address, hearer)
      },
    }
    await assert.rejects(race(filling), OwnTrouble)
  })

  it('sends nothing after its deadline', async () => {
    const network = networkOf(() => alwaysSame)
    const heard = await racePings(
      () => Promise.resolve(network),
      { addresses: ['192.0.2.1'], packets: 1, spacingMs: 1, host: 'h' },
      AbortSignal.abort(),
    )
    assert.deepEqual([heard, network.sent], [{ ok: false, failure: 'aborted', sent: 0 }, []])
  })
})
