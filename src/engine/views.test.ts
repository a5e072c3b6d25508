import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { View } from '#core/incidents/view.ts'
import type { Verdict } from '#core/results/result.ts'
import { readViews } from '#store/incidents/views.ts'
import {
  type EngineBench,
  engineBench,
  failing,
  incidentsOf,
  locations as places,
  only,
  verdictOf,
} from '../../test/support/engine.ts'
import { testEvidence } from '../../test/support/evidence.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'
import { testView } from '../../test/support/views.ts'

type Told = Awaited<ReturnType<EngineBench['taken']>>[number]

/** As a prober that can tell answers: with a view where it was asked for one. */
function answer({ bus }: EngineBench, told: Told, said: { verdict?: Partial<Verdict>; view?: Partial<View> } = {}) {
  const { monitorId, version, round, location, wantsView } = told
  const verdict = verdictOf(said.verdict ?? {})
  const result = { monitorId, version, round, location, verdict }
  return bus.publishResults(location, [wantsView === true ? { ...result, view: testView(said.view) } : result])
}

async function viewsOf({ database, api }: EngineBench, of: { monitorId: string; incidentId?: string }, count: number) {
  const read = () => readViews(database, api.services.secrets, of)
  await until(`${count} views`, async () => (await read()).length === count)
  return (await read()).map(({ location, view }) => [location, view.status, view.server])
}

const settings = { interval_seconds: 10, locations: places, keep_evidence: true, recovery_threshold: 1 }
const asking = (told: readonly Told[]): boolean[] => told.map(({ wantsView }) => wantsView === true)

describe('views of locations that disagree', { concurrency: 2 }, () => {
  it('are asked for after a round in which one failed, once, and no more when all are up', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...settings, confirmation_threshold: 2 })
    const calm = await bench.taken(id, places)
    assert.deepEqual(asking(calm), [false, false, false])
    for (const told of calm) await answer(bench, told)
    for (const told of await bench.taken(id, places)) {
      if (told.location !== 'boston') await answer(bench, told)
      else await bench.answer(told, failing, testEvidence({ status_code: 500 }))
    }
    assert.deepEqual(await viewsOf(bench, { monitorId: id }, 1), [['boston', 'down', null]])
    const rough = await bench.taken(id, places)
    assert.deepEqual(asking(rough), [true, true, true])
    for (const told of rough)
      await answer(bench, told, {
        ...(told.location === 'boston' ? { verdict: failing } : {}),
        view: { server: `seen by ${told.location}` },
      })
    const seen = await viewsOf(bench, { monitorId: id }, 3)
    await until('the newest of Boston', async () => (await viewsOf(bench, { monitorId: id }, 3))[1]?.[2] !== null)
    assert.deepEqual(seen[0], ['amsterdam', 'up', 'seen by amsterdam'])
    const again = await bench.taken(id, places)
    assert.deepEqual(asking(again), [false, false, false])
    for (const told of again) await answer(bench, told)
    assert.deepEqual(asking(await bench.taken(id, places)), [false, false, false])
    assert.equal((await incidentsOf(bench.database, id)).length, 0)
  })

  it('belong to the incident that opens, and to one that opened before they were asked for', async () => {
    for (const failureThreshold of [1, 2]) {
      const bench = await engineBench()
      const thresholds = { failure_threshold: failureThreshold, confirmation_threshold: 2 }
      const { id } = await createMonitor(bench.api, { ...settings, ...thresholds })
      for (const round of [1, 2]) {
        const taken = await bench.taken(id, places)
        assert.deepEqual(asking(taken), [round === 2, round === 2, round === 2])
        for (const told of taken.toSorted((one, other) => other.location.localeCompare(one.location)))
          await answer(bench, told, told.location === 'amsterdam' ? {} : { verdict: failing })
      }
      const { id: incidentId } = only(await incidentsOf(bench.database, id))
      const seen = await viewsOf(bench, { monitorId: id, incidentId }, 3)
      assert.deepEqual(
        seen.map(([location, status]) => [location, status]),
        [
          ['amsterdam', 'up'],
          ['boston', 'down'],
          ['chennai', 'down'],
        ],
      )
    }
  })

  it('are asked for by no monitor of one location', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...settings, locations: ['boston'], confirmation_threshold: 1 })
    for (const told of await bench.taken(id, ['boston'])) await bench.answer(told, failing, testEvidence())
    assert.deepEqual(asking(await bench.taken(id, ['boston'])), [false])
    await bench.engine.stop()
    assert.deepEqual(await viewsOf(bench, { monitorId: id }, 0), [])
  })

  it('cost the incident nothing when they cannot be kept', async () => {
    const bench = await engineBench()
    await bench.database.pool.query('alter table location_views rename to elsewhere')
    const { id } = await createMonitor(bench.api, { ...settings, confirmation_threshold: 2 })
    for (const told of await bench.taken(id, places)) await bench.answer(told, failing, testEvidence())
    assert.equal((await incidentsOf(bench.database, id)).length, 1)
    await until('the loss is told', async () => bench.warnings.includes('Views of locations were lost.'))
  })
})
