import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Evidence } from '#core/incidents/evidence.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { NewEvidence } from '#store/incidents/evidence.ts'
import { systemTime } from '#time/time.ts'
import type { Watched } from '#engine/rounds/watched.ts'
import { testEvidence } from '../../../test/support/evidence.ts'
import { watchedWith } from '../../../test/support/scheduler.ts'
import type { Arrival } from './draft-rounds.ts'
import { EvidenceKeeper } from './evidence-keeper.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 12, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: 500, error: 'HTTP status 500' }

type Said = { verdict?: Verdict | null; evidence?: Evidence | null; version?: number }

/** A failure with evidence, but for these changes. */
function arrivalOf(watched: Watched, location: string, said: Said = {}): Arrival {
  const { verdict = down, evidence = testEvidence(), version = 1 } = said
  const result = { monitorId: watched.id, version, round: 1, location, verdict }
  return { watched, result: evidence === null ? result : { ...result, evidence } }
}

function opened(): Watched {
  return Object.assign(watchedWith(), { incidentId: 'incident' })
}

/** What was kept, by location, and lost; `answering` holds the answers of the database back. */
function bench(answering: Promise<void> = Promise.resolve()) {
  const kept: string[] = []
  const lost: { count: number; error?: string }[] = []
  const keeper = new EvidenceKeeper({
    time: systemTime,
    keep: async (list: readonly NewEvidence[]) => {
      await answering
      kept.push(...list.map(({ location }) => location))
    },
    onLost: (details) => lost.push(details),
  })
  return { keeper, kept, lost }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `place ${index}`)

describe('evidence of a failure', () => {
  it('is held until its monitor has an incident, and then kept, also where that round had none', async () => {
    for (const places of [['a'], ['a', 'b']]) {
      const { keeper, kept } = bench()
      const watched = watchedWith()
      keeper.note(places.map((place) => arrivalOf(watched, place)))
      await keeper.close()
      assert.deepEqual(kept, [])
      watched.incidentId = 'incident'
      keeper.note([arrivalOf(watched, 'c', { evidence: null })])
      await keeper.close()
      assert.deepEqual(kept, places)
    }
  })

  it('is dropped where its location gets an answer, and others stay', async () => {
    const { keeper, kept } = bench()
    const watched = watchedWith()
    keeper.note(['a', 'b'].map((place) => arrivalOf(watched, place)))
    keeper.note([arrivalOf(watched, 'a', { verdict: up, evidence: null })])
    watched.incidentId = 'incident'
    keeper.note([arrivalOf(watched, 'c', { evidence: null })])
    await keeper.close()
    assert.deepEqual(kept, ['b'])
  })

  it('is none where the location could not tell, or looked at what the monitor was before', async () => {
    const { keeper, kept } = bench()
    keeper.note([arrivalOf(opened(), 'a', { verdict: null }), arrivalOf(opened(), 'b', { version: 0 })])
    keeper.note([arrivalOf(opened(), 'c')])
    await keeper.close()
    assert.deepEqual(kept, ['c'])
  })

  const rooms: [what: string, answering: string[], others: number][] = [
    ['one location, since another got an answer', ['x'], 512],
    ['two locations', [], 511],
  ]
  for (const [what, answering, others] of rooms)
    it(`is held of 512 failures, and goes first of the monitor that has been failing longest, at ${what}`, async () => {
      const { keeper, kept, lost } = bench()
      const first = watchedWith({ id: 'first' })
      keeper.note(['x', 'y'].map((place) => arrivalOf(first, place)))
      keeper.note(answering.map((place) => arrivalOf(first, place, { verdict: up })))
      const failing = names(others).map((id) => watchedWith({ id }))
      keeper.note(failing.map((watched) => arrivalOf(watched, watched.id)))
      const all = [first, ...failing]
      for (const watched of all) watched.incidentId = 'incident'
      keeper.note(all.map((watched) => arrivalOf(watched, 'x', { evidence: null })))
      await keeper.close()
      assert.deepEqual([kept, lost], [names(others), []])
    })
})

describe('evidence that waits for the database', () => {
  it('is lost where more than 512 pieces do, the oldest first', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const { keeper, kept, lost } = bench(answering)
    const watched = opened()
    keeper.note([arrivalOf(watched, 'written first')])
    keeper.note(names(512).map((place) => arrivalOf(watched, place)))
    assert.deepEqual(lost, [])
    keeper.note([arrivalOf(watched, 'the last')])
    assert.deepEqual(lost, [{ count: 1 }])
    const closing = keeper.close()
    answer()
    await closing
    assert.deepEqual(kept, ['written first', ...names(512).slice(1), 'the last'])
  })

  it('is lost where the database refuses it, and what comes later is kept', async () => {
    const { keeper, kept, lost } = bench(Promise.reject(new Error('no room')))
    keeper.note(names(21).map((place) => arrivalOf(opened(), place)))
    await keeper.close()
    const error = 'Error: no room'
    assert.deepEqual(
      [kept, lost],
      [
        [],
        [
          { count: 20, error },
          { count: 1, error },
        ],
      ],
    )
  })
})
