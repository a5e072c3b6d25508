import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EngineBench, engineBench, failing } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'

const hourMs = 3_600_000
const often = { interval_seconds: 10, locations: ['amsterdam'], failure_threshold: 2 }

async function gapsOf({ database }: EngineBench): Promise<{ from: number; until: number | null }[]> {
  const { rows } = await database.pool.query<{ from: number; until: number | null }>(
    `select
      extract(epoch from started_at)::float8 * 1000 as from,
      extract(epoch from ended_at)::float8 * 1000 as until
    from monitor_gaps
    order by started_at`,
  )
  return rows
}

/** Answers the next round; its time in milliseconds. */
async function answer(bench: EngineBench, id: string, verdict: object = {}): Promise<number> {
  const [told] = await bench.taken(id, ['amsterdam'])
  assert.ok(told)
  await bench.answer(told, verdict)
  return told.round / 1000
}

describe('gaps of what is known of a monitor', { concurrency: 3 }, () => {
  it('end with the first round that says how it is', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, often)
    const [{ from, until: running } = { from: 0, until: 0 }] = await gapsOf(bench)
    assert.equal(running, null)
    const until = await answer(bench, id)
    assert.deepEqual(await gapsOf(bench), [{ from, until: Math.max(from, until) }])
    await answer(bench, id, failing)
    assert.equal((await gapsOf(bench)).length, 1)
  })

  it('begin with a pause, and end with the check after it', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, often)
    await answer(bench, id)
    await bench.api.post(`/monitors/${id}/pause`)
    const [, paused] = await gapsOf(bench)
    assert.equal(paused?.until, null)
    await bench.api.post(`/monitors/${id}/resume`)
    assert.deepEqual((await gapsOf(bench))[1], paused)
    let at = await answer(bench, id)
    // A check that had begun before the pause ends nothing.
    while ((await gapsOf(bench))[1]?.until === null) at = await answer(bench, id)
    assert.deepEqual((await gapsOf(bench)).slice(1), [{ from: paused?.from, until: Math.max(paused?.from ?? 0, at) }])
  })

  it('are the rounds that told nothing for long', async () => {
    let awayMs = 0
    const bench = await engineBench({
      engineNow: () => Date.now() + awayMs,
      engineSteady: () => performance.now() + awayMs,
    })
    const { id } = await createMonitor(bench.api, often)
    const last = await answer(bench, id)
    awayMs = hourMs
    let next = last
    while (next < last + hourMs / 2) next = await answer(bench, id)
    assert.deepEqual((await gapsOf(bench)).slice(1), [{ from: last + 10_000, until: next }])
  })
})
