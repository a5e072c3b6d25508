import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type EngineBench, engineBench, failing, standingOf, type Told } from '../../test/support/engine.ts'
import { createHeartbeat } from '../../test/support/heartbeat.ts'
import { createMonitor } from '../../test/support/monitors.ts'

type StoppedBench = EngineBench & { stopClocks: () => void; passMs: (ms: number) => void }

/** An engine for which no time passes once its clocks are stopped: what is stored then did not wait for company. */
async function stoppedBench(): Promise<StoppedBench> {
  let stopped: { nowMs: number; steadyMs: number } | null = null
  const bench = await engineBench({
    engineNow: () => stopped?.nowMs ?? Date.now(),
    engineSteady: () => stopped?.steadyMs ?? performance.now(),
  })
  return {
    ...bench,
    // The pause after the last batch is over by then.
    stopClocks: () => (stopped = { nowMs: Date.now() + 1_000, steadyMs: performance.now() + 1_000 }),
    passMs: (ms) => {
      if (stopped !== null) stopped = { nowMs: stopped.nowMs + ms, steadyMs: stopped.steadyMs + ms }
    },
  }
}

/**
 * A monitor that is up, and rounds of it that are milliseconds later, so that none is still to come. The next round of its
 * own is hours away: had it begun, these rounds would have come too late.
 */
async function createUp(bench: EngineBench): Promise<{ id: string; later: (rounds: number) => Told }> {
  const { id } = await createMonitor(bench.api, { interval_seconds: 86_400, locations: ['amsterdam'] })
  const [told = assert.fail('it was not asked')] = await bench.taken(id, ['amsterdam'])
  await bench.answer(told, {})
  assert.equal((await standingOf(bench.database, id)).current_status, 'up')
  return { id, later: (rounds) => ({ ...told, round: told.round + rounds * 1_000 }) }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

describe('a result for which somebody waits', { concurrency: 3 }, () => {
  it('is stored at once when it is a call', async () => {
    const bench = await stoppedBench()
    const { id, call } = await createHeartbeat(bench)
    bench.stopClocks()
    for (let calls = 1; calls <= 3; calls += 1) {
      assert.equal((await call()).status, 200)
      assert.equal((await standingOf(bench.database, id)).stored, calls)
    }
  })

  it('is stored at once when a monitor fails, and when it answers again', async () => {
    const bench = await stoppedBench()
    const { id, later } = await createUp(bench)
    bench.stopClocks()
    await bench.answer(later(1), failing)
    assert.equal((await standingOf(bench.database, id)).current_status, 'down')
    await bench.answer(later(2), {})
    assert.equal((await standingOf(bench.database, id)).stored, 3)
  })

  it('takes along what has nothing new to say, which waits for company by itself', async () => {
    const bench = await stoppedBench()
    const quiet = await createUp(bench)
    const failed = await createUp(bench)
    bench.stopClocks()
    const isStored = bench.answer(quiet.later(1), {})
    await turns()
    assert.equal(bench.engine.waiting, 1)
    await bench.answer(failed.later(1), failing)
    await isStored
    assert.equal(bench.engine.waiting, 0)
  })

  it('waits for company when its monitor has long been down', async () => {
    const bench = await stoppedBench()
    const { id, later } = await createUp(bench)
    await bench.answer(later(1), failing)
    assert.equal((await standingOf(bench.database, id)).current_status, 'down')
    bench.stopClocks()
    const isStored = bench.answer(later(2), failing)
    await turns()
    assert.equal(bench.engine.waiting, 1)
    bench.passMs(250)
    await isStored
  })
})
