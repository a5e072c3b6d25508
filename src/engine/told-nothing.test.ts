import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineBench, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'

describe('a monitor that is checked once an hour', { concurrency: 2 }, () => {
  it('is checked again in a minute when its location could not tell', async () => {
    let aheadMs = 0
    const bench = await engineBench({
      engineNow: () => Date.now() + aheadMs,
      engineSteady: () => performance.now() + aheadMs,
    })
    const { id } = await createMonitor(bench.api, { interval_seconds: 3_600, locations: ['amsterdam'] })
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
