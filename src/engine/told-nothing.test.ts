import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dueFrom, phaseMs } from '#core/monitors/schedule.ts'
import { type EngineBench, engineBench, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'

const intervalMs = 3_600_000
/** Later than anything that happens here. */
const farMs = 120_000
const mostTries = 10

describe('a monitor that is checked once an hour', { concurrency: 2 }, () => {
  it('is checked again in a minute when its location could not tell', async () => {
    let aheadMs = 0
    const bench = await engineBench({
      engineNow: () => Date.now() + aheadMs,
      engineSteady: () => performance.now() + aheadMs,
    })
    const id = await createFarFromItsTime(bench)
    const [first] = await bench.taken(id, ['amsterdam'])
    assert.ok(first)
    await bench.answer(first, null)
    aheadMs += 57_000
    // For the engine it has been silent for that long, until it says again that it is there.
    bench.announce('amsterdam')
    const [again] = await bench.taken(id, ['amsterdam'])
    assert.ok(again)
    const laterMs = (again.round - first.round) / 1000
    assert.ok(laterMs >= 60_000 && laterMs < 90_000, `it was checked again after ${laterMs} ms`)
    await bench.answer(again, {})
    assert.equal((await standingOf(bench.database, id)).current_status, 'up')
  })
})

/** One in thirty is due within two minutes, at a time that follows from its id, and would be checked then. */
async function createFarFromItsTime({ api }: EngineBench): Promise<string> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { id } = await createMonitor(api, { interval_seconds: intervalMs / 1000, locations: ['amsterdam'] })
    const now = Date.now()
    if (dueFrom(now, { phaseMs: phaseMs(id, intervalMs), intervalMs }) - now > farMs) return id
  }
  return assert.fail('Every monitor is due soon.')
}
