import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { View } from '#core/incidents/view.ts'
import { noPhases, type Result, type Verdict } from '#core/results/result.ts'
import type { NewView } from '#store/incidents/views.ts'
import { systemTime } from '#time/time.ts'
import type { Watched } from '#engine/rounds/watched.ts'
import { testEvidence } from '../../../test/support/evidence.ts'
import { watchedWith } from '../../../test/support/scheduler.ts'
import { testView } from '../../../test/support/views.ts'
import type { Arrival } from './draft-rounds.ts'
import { ViewKeeper } from './view-keeper.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 12, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: 500, error: 'HTTP status 500' }
const places = ['a', 'b', 'c']
const minuteUs = 60_000_000

/** A result of a location that was asked, but for these changes. */
function arrivalOf(watched: Watched, location: string, said: Partial<Result> = {}): Arrival {
  const result = { monitorId: watched.id, version: 1, round: 60 * minuteUs, location, verdict: up, view: testView() }
  return { watched, result: { ...result, ...said } }
}

function unasked({ watched, result }: Arrival): Arrival {
  const { view: _view, ...plain } = result
  return { watched, result: plain }
}

/** What was kept and lost; `answering` holds the answers of the database back. */
function bench(answering: Promise<void> = Promise.resolve()) {
  const kept: NewView[] = []
  const lost: { count: number; error?: string }[] = []
  const keeper = new ViewKeeper({
    time: systemTime,
    keep: async (list) => {
      await answering
      kept.push(...list)
    },
    onLost: (details) => lost.push(details),
  })
  return { keeper, kept, lost }
}

const briefly = (list: readonly NewView[]): [string | null, string, View['status']][] =>
  list.map(({ incidentId, location, view }) => [incidentId, location, view.status])

describe('views of locations', () => {
  it('are kept of each location that was asked, by what its verdict says', async () => {
    const { keeper, kept } = bench()
    const watched = watchedWith({ locations: places })
    keeper.note([arrivalOf(watched, 'a', { verdict: down }), arrivalOf(watched, 'b'), unasked(arrivalOf(watched, 'c'))])
    await keeper.close()
    assert.deepEqual(briefly(kept), [
      [null, 'a', 'down'],
      [null, 'b', 'up'],
    ])
  })

  it('are made of evidence where a location was not asked', async () => {
    const { keeper, kept } = bench()
    const watched = watchedWith({ locations: places })
    const evidence = testEvidence({ status_code: 503 })
    keeper.note([unasked(arrivalOf(watched, 'a', { verdict: down, evidence }))])
    await keeper.close()
    assert.deepEqual(
      kept.map(({ location, view }) => [location, view.status, view.status_code, view.latency_ms]),
      [['a', 'down', 503, 12]],
    )
  })

  it('are none of one location, of a job, of a check that told nothing and of what the monitor was before', async () => {
    const { keeper, kept } = bench()
    const watched = watchedWith({ locations: places })
    const called = Object.assign(watchedWith({ locations: places }), { source: { type: 'group', memberIds: [] } })
    keeper.note([
      arrivalOf(watchedWith({ locations: ['a'] }), 'a'),
      arrivalOf(called, 'a'),
      arrivalOf(watched, 'a', { verdict: null }),
      arrivalOf(watched, 'b', { version: 0 }),
    ])
    await keeper.close()
    assert.deepEqual(kept, [])
  })

  it('belong to the incident too that opens meanwhile, unless they are much older', async () => {
    const { keeper, kept } = bench()
    const watched = watchedWith({ locations: places })
    keeper.note([arrivalOf(watched, 'a', { round: 50 * minuteUs }), arrivalOf(watched, 'b')])
    await keeper.close()
    kept.length = 0
    watched.incidentId = 'incident'
    keeper.note([unasked(arrivalOf(watched, 'c', { verdict: down }))])
    await keeper.close()
    assert.deepEqual(briefly(kept), [['incident', 'b', 'up']])
  })

  it('are the newest of each location and side, and of an incident the first, while the database is slow', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const { keeper, kept } = bench(answering)
    keeper.note([arrivalOf(watchedWith({ locations: places }), 'a')])
    const watched = watchedWith({ locations: places })
    watched.incidentId = 'incident'
    for (const code of [1, 2, 3]) keeper.note([arrivalOf(watched, 'a', { view: testView({ status_code: code }) })])
    keeper.note([arrivalOf(watched, 'a', { verdict: down })])
    const closing = keeper.close()
    answer()
    await closing
    assert.deepEqual(
      kept.slice(1).map(({ incidentId, view }) => [incidentId, view.status, view.status_code]),
      [
        [null, 'up', 3],
        ['incident', 'up', 1],
        [null, 'down', null],
      ],
    )
  })

  it('are lost where more than 2,000 wait, the oldest first, or where the database refuses them', async () => {
    const { promise: answering, reject: refuse } = Promise.withResolvers<void>()
    const { keeper, kept, lost } = bench(answering)
    const one = watchedWith({ locations: places, id: 'first' })
    keeper.note([arrivalOf(one, 'a')])
    const others = Array.from({ length: 2_001 }, (_, index) => watchedWith({ locations: places, id: `${index}` }))
    keeper.note(others.map((watched) => arrivalOf(watched, 'a')))
    assert.deepEqual(lost, [{ count: 1 }])
    refuse(new Error('no room'))
    await keeper.close()
    assert.deepEqual(kept, [])
    assert.equal(
      lost.reduce((sum, { count }) => sum + count, 0),
      2_002,
    )
  })
})
