import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AnswerType } from './route-packet.ts'
import type { Heard, ProbeWire } from './route-wire.ts'
import { type Pacing, type Traced, traceHops } from './trace-hops.ts'

type World = {
  /** What answers a probe of this lifetime, the number of the probe of this hop being `nth`; null for silence. */
  answer: (ttl: number, nth: number) => { type: AnswerType; sender?: string; code?: number } | null
  /** The code of an error of the n-th sending. */
  fail?: (sent: number) => string | null
}

/** Ten times as fast as usual, because silence is waited for. */
const pacing: Pacing = { window: 10, spacingMs: 2, waitMs: 20, lookMs: 1 }

type Bench = { wire: ProbeWire; sent: number[] }

function bench({ answer, fail = () => null }: World, strays: readonly Heard[] = []): Bench {
  const sent: number[] = []
  const waiting: Heard[] = [...strays]
  const wire: ProbeWire = {
    send: (probe, ttl) => {
      const error = fail(sent.length)
      if (error !== null) return error
      sent.push(ttl)
      const found = answer(ttl, sent.filter((each) => each === ttl).length)
      if (found === null) return null
      const { type, sender = `10.0.${ttl}.1`, code = 0 } = found
      waiting.push({ probe, type, code, sender, receivedMs: performance.now() + ttl })
      return null
    },
    receive: () => waiting.splice(0),
    close: () => {},
  }
  return { wire, sent }
}

function trace({ wire }: Bench, signal = AbortSignal.timeout(10_000)): Promise<Traced> {
  return traceHops(wire, pacing, signal)
}

/** `target` hops away; each hop in `silent` answers nothing. */
function line(target: number, silent: readonly number[] = []): World['answer'] {
  return (ttl) => {
    if (silent.includes(Math.min(ttl, target))) return null
    return ttl >= target ? { type: 'reply', sender: '10.0.9.9' } : { type: 'exceeded' }
  }
}

const worlds = {
  lossy: (ttl, nth) => (ttl === 2 && nth > 1 ? null : line(4, [3])(ttl, nth)),
  branching: (ttl, nth) =>
    ttl === 1 ? { type: 'exceeded', sender: nth === 1 ? '10.1.1.1' : '10.2.2.2' } : line(2)(ttl, nth),
  refused: (ttl) => (ttl < 3 ? { type: 'exceeded' } : { type: 'unreachable', code: 13 }),
  hesitating: (ttl, nth) => (ttl === 2 && nth === 1 ? { type: 'unreachable', code: 1 } : line(2)(ttl, nth)),
  ending: (ttl) => (ttl < 3 ? { type: 'exceeded' } : null),
} satisfies Record<string, World['answer']>

function counts({ hops }: Traced): string[] {
  return hops.map(({ address, sent, received }) => `${address} ${received}/${sent}`)
}

describe('the hops to a target', () => {
  it('are those that answer before it, with their times', async () => {
    const { hops, end } = await trace(bench({ answer: line(3) }))
    assert.deepEqual(end, { type: 'reached' })
    assert.deepEqual(counts({ hops, end }), ['10.0.1.1 3/3', '10.0.2.1 3/3', '10.0.9.9 3/3'])
    for (const { ttl, rttsMs } of hops) assert.ok(rttsMs.every((ms) => ms >= ttl))
  })

  for (const [target, probed] of [
    [1, 10],
    [10, 10],
    [11, 20],
    [30, 30],
  ] as const)
    it(`are ${target}, and once that is known no further one is probed`, async () => {
      const made = bench({ answer: line(target) })
      const { hops, end } = await trace(made)
      assert.deepEqual([end.type, hops.length, Math.max(...made.sent)], ['reached', target, probed])
      assert.equal(made.sent.filter((ttl) => ttl > target).length, probed - target)
    })

  it('lose what they lose, and have no address where nothing came', async () => {
    const traced = await trace(bench({ answer: worlds.lossy }))
    assert.deepEqual(counts(traced), ['10.0.1.1 3/3', '10.0.2.1 1/3', 'null 0/3', '10.0.9.9 3/3'])
    assert.equal(traced.end.type, 'reached')
  })

  it('have the address that answered most where ways differ', async () => {
    const { hops } = await trace(bench({ answer: worlds.branching }))
    assert.equal(hops[0]?.address, '10.2.2.2')
  })

  it('end where a router says that the target is unreachable, with its code', async () => {
    const traced = await trace(bench({ answer: worlds.refused }))
    assert.deepEqual(traced.end, { type: 'unreachable', code: 13 })
    assert.equal(traced.hops.length, 3)
  })

  it('reach the target, also where it refuses some probes', async () => {
    assert.equal((await trace(bench({ answer: worlds.hesitating }))).end.type, 'reached')
  })

  for (const [what, silent, end, shown] of [
    ['five silent ones', [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], 'silent', 7],
    ['silence from the first on', Array.from({ length: 30 }, (_, index) => index + 1), 'silent', 5],
    ['four silent ones in a window and more after it', [7, 8, 9, 10, 11, 12], 'reached', 20],
    ['exactly five at the end of a window', [6, 7, 8, 9, 10], 'silent', 10],
  ] as const)
    it(`end after ${what} as ${end}, with ${shown} shown`, async () => {
      const traced = await trace(bench({ answer: line(20, silent) }))
      assert.deepEqual([traced.end.type, traced.hops.length], [end, shown])
    })

  it('are 30 at most', async () => {
    const made = bench({ answer: (ttl) => ({ type: 'exceeded', sender: ttl % 2 === 0 ? '10.0.0.2' : '10.0.0.1' }) })
    const traced = await trace(made)
    assert.deepEqual([traced.end.type, traced.hops.length, made.sent.length], ['too_long', 30, 90])
  })

  it('are those that are known when the time is over', async () => {
    assert.equal((await trace(bench({ answer: worlds.ending }), AbortSignal.abort())).end.type, 'timed_out')
    const slow = { ...pacing, waitMs: 60_000 }
    const traced = await traceHops(bench({ answer: worlds.ending }).wire, slow, AbortSignal.timeout(60))
    assert.equal(traced.end.type, 'timed_out')
    assert.deepEqual(counts(traced).slice(0, 2), ['10.0.1.1 3/3', '10.0.2.1 3/3'])
  })
})

describe('probes that are not sent', () => {
  it('end a route where the first one is not', async () => {
    const traced = await trace(bench({ answer: line(3), fail: () => 'ENETUNREACH' }))
    assert.deepEqual(traced, { hops: [], end: { type: 'unsent', error: 'ENETUNREACH' } })
  })

  it('are not counted later, and what is heard belongs to its probe', async () => {
    const traced = await trace(bench({ answer: line(3), fail: failingOnce() }))
    assert.deepEqual([traced.end.type, counts(traced)[0]], ['reached', '10.0.1.1 3/3'])
  })
})

describe('what no probe asked for', () => {
  it('is left out, as is a second answer', async () => {
    const stray = { type: 'reply', code: 0, sender: '10.6.6.6', receivedMs: 0 } as const
    const made = bench({ answer: line(3) }, [
      { ...stray, probe: 500 },
      { ...stray, probe: 65_535 },
    ])
    assert.deepEqual(counts(await trace(made)), ['10.0.1.1 3/3', '10.0.2.1 3/3', '10.0.9.9 3/3'])
    const twice = bench({ answer: line(2) })
    const { receive } = twice.wire
    const doubled = {
      ...twice.wire,
      receive: () => receive().flatMap((heard) => [heard, { ...heard, sender: '10.6.6.6' }]),
    }
    const { hops } = await traceHops(doubled, pacing, AbortSignal.timeout(10_000))
    assert.deepEqual(
      hops.map(({ address, received }) => `${address} ${received}`),
      ['10.0.1.1 3', '10.0.9.9 3'],
    )
  })
})

/** The sixth probe is not sent at first. */
function failingOnce(): (sent: number) => string | null {
  let isDone = false
  return (sent) => {
    if (sent !== 5 || isDone) return null
    isDone = true
    return 'ENOBUFS'
  }
}
