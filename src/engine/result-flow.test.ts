import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verdictOfCall } from '#core/monitors/heartbeat.ts'
import { noPhases, type Result, type Verdict } from '#core/results/result.ts'
import { openRound } from '#core/results/round.ts'
import { openRoundOf, type Watched } from '#engine/rounds/watched.ts'
import { monitorId, resultFlowBench, startedMs, turns } from '../../test/support/result-flow.ts'

type Bench = Awaited<ReturnType<typeof resultFlowBench>>

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 12, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: 500, error: 'HTTP status 500' }
const call = verdictOfCall({ type: 'succeeded', exitCode: null, note: null }, null)

/** A result of a round a minute after the last one, or so many milliseconds later. */
function resultOf(verdict: Verdict | null, laterMs = 0): Result {
  return { monitorId, version: 1, round: (startedMs + 60_000 + laterMs) * 1000, location: 'amsterdam', verdict }
}

function watchedBy({ watchList }: Bench): Watched {
  return watchList.byId(monitorId) ?? assert.fail('it is not watched')
}

function openOne(bench: Bench): Watched {
  const watched = watchedBy(bench)
  bench.watchList.scheduler.adopt(openRoundOf(watched, (startedMs + 60_000) * 1000, openRound(['amsterdam'])))
  return watched
}

/** An engine four seconds after a call was missed. */
async function missing(): Promise<Bench> {
  const deadline = (startedMs + 61_000) * 1000
  const bench = await resultFlowBench({ kind: 'heartbeat', deadline })
  bench.pass(5_000)
  bench.watchList.scheduler.tick(bench.nowMs())
  return bench
}

describe('a result for which somebody waits', () => {
  const cases: [what: string, changes: Parameters<typeof resultFlowBench>[0], verdict: Verdict | null, is: boolean][] =
    [
      ['is a call', { kind: 'heartbeat', deadline: (startedMs + 3_600_000) * 1000 }, call, true],
      ['is the first of a monitor', { status: 'pending' }, up, true],
      ['says that a monitor fails', {}, down, true],
      ['says that a monitor answers again', { status: 'down' }, up, true],
      ['is not one that tells the same as before', {}, up, false],
      ['is not one of a monitor that fails as before', { status: 'down' }, down, false],
      ['is not one that could not tell', { status: 'pending' }, null, false],
      ['is not one of a monitor that is watched no more', { isEnabled: false }, down, false],
    ]
  for (const [what, changes, verdict, is] of cases)
    it(what, async () => {
      const { flow, waits } = await resultFlowBench(changes)
      const added = flow.accept([resultOf(verdict)])
      assert.deepEqual(
        waits.map((each) => each.what),
        is ? ['turn'] : [],
      )
      flow.close()
      await assert.rejects(added, /stopping/)
    })

  it('is stored with all that comes in its turn, and the next after a pause as long as that took', async () => {
    const bench = await resultFlowBench()
    const { flow, waits, batches, pass, go } = bench
    const first = [resultOf(down), resultOf(down, 1)].map((result) => flow.accept([result]))
    assert.equal(waits.length, 1)
    await go()
    await Promise.all(first)
    assert.deepEqual(batches, [{ results: 2, seconds: 0.04, isStored: true }])
    pass(3)
    const next = flow.accept([resultOf(up, 2)])
    assert.equal(waits[0]?.what, 37)
    pass(36)
    await go()
    assert.deepEqual([waits[0]?.what, bench.stored()], [1, 2], 'the timer was early')
    pass(1)
    await go()
    await next
    assert.deepEqual([bench.stored(), watchedBy(bench).standing.status], [3, 'up'])
    const last = flow.accept([resultOf(down, 3)])
    assert.equal(waits[0]?.what, 40)
    flow.close()
    await assert.rejects(last, /stopping/)
  })
})

describe('a result for which nobody waits', () => {
  it('is stored after a quarter of a second', async () => {
    const { flow, batches, stored, nowMs, pass } = await resultFlowBench()
    const added = flow.accept([resultOf(up)])
    pass(249)
    flow.commitDue(nowMs())
    await turns()
    assert.deepEqual([stored(), flow.waiting], [0, 1])
    pass(1)
    flow.commitDue(nowMs())
    await added
    assert.deepEqual([stored(), flow.waiting], [1, 0])
    assert.deepEqual(batches, [{ results: 1, seconds: 0.04, isStored: true }])
  })
})

describe('a batch', () => {
  it('begins when the one before it has ended, however much waits', async () => {
    const bench = await resultFlowBench()
    const { flow, waits, how, go } = bench
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    how.until = answered
    const first = flow.accept([resultOf(down)])
    await go()
    const others = Array.from({ length: 250 }, (_, index) => resultOf(down, index + 1))
    const next = [flow.accept(others), flow.accept([resultOf(down, 251)])]
    await turns()
    assert.deepEqual([bench.transactions(), waits.length], [1, 0])
    answer()
    await Promise.all([first, ...next])
    assert.deepEqual([bench.transactions(), bench.stored()], [2, 252])
  })

  it('without results settles the rounds whose deadline has passed, and is none that is measured', async () => {
    const bench = await resultFlowBench()
    const watched = openOne(bench)
    bench.pass(19_999)
    bench.flow.commitDue(bench.nowMs())
    await turns()
    assert.ok(watched.open !== null)
    bench.pass(1)
    bench.flow.commitDue(bench.nowMs())
    await turns()
    assert.deepEqual([watched.open, bench.batches], [null, []])
  })

  it('that fails is handed back and told, and rounds wait for half a second', async () => {
    const bench = await resultFlowBench()
    const { flow, how, batches, warnings, nowMs } = bench
    const watched = openOne(bench)
    bench.pass(19_700)
    how.isRefused = true
    const added = flow.accept([resultOf(down, 1_000)])
    await Promise.all([assert.rejects(added, /not stored/), bench.go()])
    assert.deepEqual(batches, [{ results: 1, seconds: 0.04, isStored: false }])
    assert.deepEqual(warnings, ['Results could not be stored; they will be sent again.'])
    how.isRefused = false
    for (const [ms, isOpen] of [
      [300, true],
      [199, true],
      [1, false],
    ] as const) {
      bench.pass(ms)
      flow.commitDue(nowMs())
      await turns()
      assert.equal(watched.open !== null, isOpen)
    }
  })
})

describe('an engine that stops', () => {
  it('hands back what waits, takes nothing more and writes nothing more', async () => {
    const bench = await resultFlowBench()
    openOne(bench)
    const waiting = bench.flow.accept([resultOf(down)])
    bench.flow.close()
    await assert.rejects(waiting, /stopping/)
    await assert.rejects(bench.flow.accept([resultOf(down)]), /stopping/)
    bench.pass(60_000)
    bench.flow.commitDue(bench.nowMs())
    await turns()
    assert.deepEqual([bench.waits.length, bench.transactions()], [0, 0])
  })
})

describe('a deadline that passed', () => {
  it('is a result that the engine makes itself', async () => {
    const { flow, nowMs, stored } = await missing()
    flow.makeDue(nowMs())
    await turns()
    assert.equal(stored(), 1)
  })

  it('is none of a monitor that is watched no more', async () => {
    const { flow, watchList, nowMs, stored } = await missing()
    watchList.remove(monitorId)
    flow.makeDue(nowMs())
    await turns()
    assert.equal(stored(), 0)
  })
})
