// Results that no engine asked for: a prober, or a thief of its credential, may send them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineBench, failing, incidentsOf, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

describe('results that no engine asked for', { concurrency: 3 }, () => {
  it('of a location that the monitor does not choose are dropped, watched or not', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 86_400, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told)
    await bench.answer({ ...told, location: 'boston' }, failing)
    await bench.answer({ ...told, location: 'boston', version: 0 }, failing)
    await bench.answer(told, {})
    await bench.api.post(`/monitors/${id}/pause`)
    await until('it is not watched', async () => bench.engine.watching === 0)
    await bench.answer({ ...told, location: 'boston' }, failing)
    const { stored, checks, down } = await standingOf(bench.database, id)
    assert.deepEqual([stored, checks, down, bench.counts.rejected], [1, 1, 0, 0])
  })

  it('of a round that is yet to come keep no other from the rounds that are due', async () => {
    const bench = await engineBench()
    const input = { interval_seconds: 10, locations: ['amsterdam', 'boston'], confirmation_threshold: 2 }
    const { id } = await createMonitor(bench.api, input)
    const both = ['amsterdam', 'boston']
    const first = await bench.taken(id, both)
    for (const told of first) await bench.answer(told, {})
    const [told] = first
    assert.ok(told)
    await bench.answer({ ...told, round: (Date.now() + 40_000) * 1000 }, {})
    for (const next of await bench.taken(id, both)) await bench.answer(next, failing)
    await until('it is down', async () => (await incidentsOf(bench.database, id)).length === 1)
    const rounds = new Set(bench.assignments.map(({ round }) => round))
    assert.ok([...rounds].every((round) => round <= Date.now() * 1000))
  })
})
