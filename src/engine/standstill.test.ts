import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EngineBench, engineBench, failing, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

/** An engine whose clock the test moves on, as it finds it after a standstill. */
async function clockedBench(): Promise<EngineBench & { standStill: (ms: number) => void }> {
  let gapMs = 0
  const bench = await engineBench({ engineNow: () => Date.now() + gapMs })
  return { ...bench, standStill: (ms) => (gapMs += ms) }
}

async function giveToAnother({ database }: EngineBench): Promise<void> {
  await database.pool.query(
    `update partitions set epoch = epoch + 1, owner = 'another', held_until = now() + interval '1 hour'`,
  )
}

describe('an engine that stood still', { concurrency: 3 }, () => {
  it('asks for nothing and says nothing of what another has taken meanwhile', async () => {
    const bench = await clockedBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told)
    const asked = bench.assignments.length
    await giveToAnother(bench)
    bench.standStill(30_000)
    await until('it knows', async () => bench.engine.partitions === 0)
    await assert.rejects(bench.answer(told, failing))
    assert.equal(bench.assignments.length, asked, 'no check was ordered')
    const stored = await bench.database.pool.query('select 1 from results')
    assert.equal(stored.rowCount, 0)
    assert.equal(bench.engine.watching, 0)
  })

  it('goes on with what it still holds, and names no round after a time that has passed', async () => {
    const bench = await clockedBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] })
    const [first] = await bench.taken(id, ['amsterdam'])
    assert.ok(first)
    await bench.answer(first, {})
    bench.standStill(3_600_000)
    const awokeMs = Date.now() + 3_600_000
    const [next] = await bench.taken(id, ['amsterdam'])
    assert.ok(next)
    assert.ok(next.round / 1000 >= awokeMs - 10_000, `${next.round / 1000} was ${awokeMs - next.round / 1000} ms ago`)
    await bench.answer(next, {})
    assert.equal((await standingOf(bench.database, id)).stored, 2)
  })
})
