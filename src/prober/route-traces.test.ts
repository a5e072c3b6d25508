import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isInternalAddress } from '#net/dial/guard.ts'
import type { RouteOutcome } from '#net/route/route.ts'
import { testRoute } from '../../test/support/routes.ts'
import { routeOf } from './route-of.ts'
import { createRouteTraces, type RouteTraces, type WantedRoute } from './route-traces.ts'

const hop = { ttl: 1, address: '198.51.100.1', sent: 3, received: 3, rttsMs: [3.756, 1, 2.344] }

type Traced = Extract<RouteOutcome, { type: 'traced' }>

function traced(address: string): Traced {
  return { type: 'traced', address, hops: [hop], end: 'reached', reason: null, code: null }
}

type Bench = {
  traces: RouteTraces
  /** The addresses that were looked for, in order. */
  asked: string[]
  /** Ends the longest look, as the test says. */
  answer: (outcome?: RouteOutcome | Error) => Promise<void>
  /** Lets time pass. */
  pass: (ms: number) => Promise<void>
  failures: string[]
}

function bench(): Bench {
  const [asked, failures]: [string[], string[]] = [[], []]
  const answers: { host: string; settle: (outcome: RouteOutcome | Error) => void }[] = []
  const timers: { atMs: number; work: () => void }[] = []
  let nowMs = 0
  const net = (name: string) => ({
    route: async ({ host }: { host: string }): Promise<RouteOutcome> => {
      asked.push(name + host)
      const { promise, resolve } = Promise.withResolvers<RouteOutcome | Error>()
      answers.push({ host, settle: resolve })
      const outcome = await promise
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  })
  const traces = createRouteTraces({
    net: net(''),
    privateNet: net('private '),
    isShown: () => true,
    onFailed: (error) => failures.push(String(error)),
    time: {
      steadyMs: () => nowMs,
      after: (ms, work) => {
        const timer = { atMs: nowMs + ms, work }
        timers.push(timer)
        return () => void timers.splice(timers.indexOf(timer), 1)
      },
    },
  })
  return {
    traces,
    asked,
    failures,
    answer: async (outcome) => {
      const next = answers.shift()
      next?.settle(outcome ?? traced(next.host))
      for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    },
    pass: async (ms) => {
      nowMs += ms
      for (const timer of timers.splice(0).toSorted((one, other) => one.atMs - other.atMs))
        if (timer.atMs <= nowMs) timer.work()
        else timers.push(timer)
      await nextTurn()
    },
  }
}

function wanted(address: string, parts: Partial<WantedRoute> = {}): WantedRoute {
  return { address, isFailure: true, mayReachPrivate: false, ...parts }
}

describe('routes beside checks', () => {
  it('are begun a moment later, two at once, those of failures first', async () => {
    const { traces, asked, answer, pass } = bench()
    for (const address of ['10.0.0.1', '10.0.0.2']) void traces.find(wanted(address, { isFailure: false }))
    for (const address of ['10.0.0.3', '10.0.0.4', '10.0.0.5']) void traces.find(wanted(address))
    await pass(99)
    assert.deepEqual(asked, [])
    await pass(1)
    assert.deepEqual(asked, ['10.0.0.3', '10.0.0.4'])
    await answer()
    assert.deepEqual(asked, ['10.0.0.3', '10.0.0.4', '10.0.0.5'])
    for (let count = 0; count < 4; count += 1) await answer()
    assert.deepEqual(asked.slice(3), ['10.0.0.1', '10.0.0.2'])
  })

  it('serve all who want the same within five minutes, failures apart from what was before them', async () => {
    const { traces, asked, answer, pass } = bench()
    const first = traces.find(wanted('10.0.0.1'))
    assert.equal(traces.find(wanted('10.0.0.1')), first)
    await pass(100)
    await answer()
    const found = await first
    assert.deepEqual([found?.takenMs, found?.route.end], [100, 'reached'])
    await pass(299_899)
    assert.equal(await traces.find(wanted('10.0.0.1')), found)
    void traces.find(wanted('10.0.0.1', { isFailure: false }))
    await pass(100)
    assert.deepEqual(asked, ['10.0.0.1', '10.0.0.1'])
    await answer()
    void traces.find(wanted('10.0.0.1'))
    await pass(100)
    assert.equal(asked.length, 3)
  })

  it('wait in a queue that is bounded', async () => {
    const { traces } = bench()
    const addresses = Array.from({ length: 70 }, (_, index) => `10.0.1.${index}`)
    const [failures, others] = [true, false].map((isFailure) =>
      addresses.map((address) => traces.find(wanted(address, { isFailure }))),
    )
    for (const each of failures?.slice(64) ?? []) assert.equal(await each, null)
    for (const each of others?.slice(16) ?? []) assert.equal(await each, null)
    traces.stop()
    for (const each of [...(failures ?? []), ...(others ?? [])]) assert.equal(await each, null)
    assert.equal(await traces.find(wanted('10.0.2.1')), null)
  })

  it('are tried again where there was none', async () => {
    const { traces, asked, answer, pass, failures } = bench()
    const failure = { phase: 'dns', code: 'dns_not_found', message: 'There is no such name' } as const
    for (const outcome of [{ type: 'failed', failure } as const, new Error('no sockets')]) {
      const found = traces.find(wanted('10.0.0.1'))
      await pass(100)
      await answer(outcome)
      assert.equal(await found, null)
    }
    assert.deepEqual([asked.length, failures], [2, ['Error: no sockets']])
  })

  it('go by the net that the check has', async () => {
    const { traces, asked, pass } = bench()
    void traces.find(wanted('10.0.0.1', { mayReachPrivate: true }))
    await pass(100)
    assert.deepEqual(asked, ['private 10.0.0.1'])
  })
})

describe('a route as it is told', () => {
  it('has the best and the median of the times', () => {
    assert.deepEqual(routeOf(traced('203.0.113.7'), () => true)?.hops, [
      { ttl: 1, address: '198.51.100.1', sent: 3, received: 3, best_ms: 1, median_ms: 2.34 },
    ])
    const silent = { ...hop, address: null, received: 0, rttsMs: [] }
    const outcome: RouteOutcome = { ...traced('203.0.113.7'), hops: [silent] }
    assert.deepEqual(routeOf(outcome, () => true)?.hops, [
      { ttl: 1, address: null, sent: 3, received: 0, best_ms: null, median_ms: null },
    ])
    const two = { ...traced('203.0.113.7'), hops: [{ ...hop, rttsMs: [4, 2] }] }
    assert.equal(routeOf(two, () => true)?.hops[0]?.median_ms, 2)
  })

  it('tells no address inside the network where those are kept from who reads it', () => {
    const inner = { ...hop, address: '10.0.0.1' }
    const outcome: RouteOutcome = { ...traced('::ffff:192.168.1.9'), hops: [inner, { ...hop, ttl: 2 }] }
    const told = routeOf(outcome, (address) => !isInternalAddress(address))
    assert.deepEqual(
      [told?.address, told?.hops.map(({ address, received }) => [address, received])],
      [
        null,
        [
          [null, 3],
          ['198.51.100.1', 3],
        ],
      ],
    )
    assert.equal(routeOf(outcome, () => true)?.address, '192.168.1.9')
  })

  it('says why it ended, or is not available', () => {
    const ended = { ...traced('203.0.113.7'), end: 'unreachable', reason: 'prohibited', code: 13 } as const
    const { end, end_reason: reason, end_code: code } = routeOf(ended, () => true) ?? testRoute()
    assert.deepEqual([end, reason, code], ['unreachable', 'prohibited', 13])
    const none = { type: 'not_available', address: '203.0.113.7', reason: 'No permission' } as const
    assert.deepEqual(
      routeOf(none, () => true),
      testRoute({ end: 'not_available', end_reason: 'No permission', hops: [] }),
    )
  })
})
