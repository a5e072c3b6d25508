import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missedVerdict, overrunVerdict, verdictOfCall } from '#core/monitors/heartbeat.ts'
import { noPhases, type Result, type Verdict } from '#core/results/result.ts'
import { noWitnesses, openRound } from '#core/results/round.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'
import { watchedWith } from '../../../test/support/scheduler.ts'
import { applyDraft, type Draft, draftRounds } from './draft-rounds.ts'
import { type OpenRound, openRoundOf, type Watched } from '#engine/rounds/watched.ts'

const atMs = Date.parse('2031-03-14T12:00:00Z')
const round = atMs * 1000
const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 12, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: 500, latencyMs: null, error: 'HTTP status 500' }
const degraded: Verdict = { ...up, status: 'degraded', error: 'slow' }
const called = verdictOfCall({ type: 'succeeded', exitCode: null, note: null }, null)
const failed = verdictOfCall({ type: 'failed', exitCode: 1, note: null }, null)

type Told = Partial<Result>
type How = { nowMs?: number; settling?: OpenRound[] }

/** What a batch of these results does a second after the round began. */
function draftsOf(watched: Watched, told: Told[], { nowMs = atMs + 1_000, settling = [] }: How = {}): Draft[] {
  const results = told.map((each) => ({
    monitorId: watched.id,
    version: 1,
    round,
    location: 'a',
    verdict: up,
    ...each,
  }))
  return draftRounds({
    arrivals: results.map((result) => ({ watched, result })),
    settling,
    nowMs,
    newId: () => 'new',
    witnessesOf: () => noWitnesses,
  })
}

function draftOf(...of: Parameters<typeof draftsOf>): Draft {
  const [draft = assert.fail('nothing is drafted'), ...others] = draftsOf(...of)
  assert.deepEqual(others, [])
  return draft
}

/** A monitor with a round open, which waits for these locations. */
function withOpen(changes: Partial<WatchRow> = {}): Watched {
  const watched = watchedWith({ status: 'up', ...changes })
  watched.open = openRoundOf(watched, round, openRound(watched.locations))
  return watched
}

function job(changes: Partial<WatchRow> = {}): Watched {
  return watchedWith({ kind: 'heartbeat', intervalSeconds: 60, graceSeconds: 30, failureThreshold: 3, ...changes })
}

/** What a round that is decided does to the episodes of its monitor. */
function episodesOf(changes: Partial<WatchRow>, { verdict, usualMs }: { verdict: Verdict; usualMs: number | null }) {
  const watched = withOpen({ locations: ['a'], ...changes })
  if (watched.episodes !== null) watched.episodes.usual.ms = usualMs
  return draftOf(watched, [{ verdict }]).fold?.episodes
}

describe('a round', () => {
  it('stays open until all have answered, and memory stays as it is until the draft is applied', () => {
    const watched = withOpen()
    const { outcome, fold, round: after } = draftOf(watched, [{ location: 'a' }])
    assert.deepEqual([outcome, fold, after.waiting], [null, null, ['b']])
    assert.deepEqual(watched.open?.round.waiting, ['a', 'b'])
    const { outcome: whole } = draftOf(watched, [{ location: 'a' }, { location: 'b' }])
    assert.equal(whole?.type, 'clean')
  })

  it('fails as soon as enough agree, whatever others say in the same batch', () => {
    const watched = withOpen({ locations: ['a', 'b', 'c'], confirmationThreshold: 2 })
    const told = ['a', 'b', 'c'].map((location) => ({ location, verdict: down }))
    const { outcome, fold } = draftOf(watched, told)
    assert.deepEqual(outcome, { type: 'failed', report: { location: 'a', verdict: down }, locations: ['a', 'b'] })
    assert.deepEqual([fold?.incidentId, fold?.standing.status, fold?.deadline], ['new', 'down', null])
  })

  it('is decided at its deadline by those that have answered', () => {
    const watched = withOpen()
    const settling = watched.open === null ? [] : [watched.open]
    const deadlineMs = atMs + 15_000
    assert.equal(draftOf(watched, [{ location: 'a' }], { settling, nowMs: deadlineMs - 1 }).outcome, null)
    assert.equal(draftOf(watched, [{ location: 'a' }], { settling, nowMs: deadlineMs }).outcome?.type, 'clean')
    const { outcome, fold } = draftOf(watched, [], { settling, nowMs: deadlineMs })
    assert.deepEqual([outcome, fold], [{ type: 'no_data' }, null])
  })

  it('hears nothing of another round while it is open', () => {
    assert.deepEqual(draftsOf(withOpen(), [{ round: round + 1 }]), [])
  })

  const others: [what: string, changes: Partial<WatchRow>, told: Told & { nowMs?: number }, isFolded: boolean][] = [
    ['that another engine began', {}, {}, true],
    ['that begins at this moment', {}, { nowMs: atMs }, true],
    ['that lies in the future', {}, { nowMs: atMs - 1 }, false],
    ['whose deadline is to come', {}, { nowMs: atMs + 14_999 }, true],
    ['whose deadline has passed', {}, { nowMs: atMs + 15_000 }, false],
    ['that comes behind the last one that was folded', { round: round - 1 }, {}, true],
    ['that was folded', { round }, {}, false],
    ['that was found by an older version', { version: 2 }, {}, false],
  ]
  for (const [what, changes, { nowMs, ...told }, isFolded] of others)
    it(`${what} is ${isFolded ? 'folded' : 'left alone'}`, () => {
      const drafts = draftsOf(
        watchedWith({ locations: ['a'], ...changes }),
        [told],
        nowMs === undefined ? {} : { nowMs },
      )
      assert.deepEqual(
        drafts.map(({ open, outcome }) => [open.time, outcome?.type]),
        isFolded ? [[round, 'clean']] : [],
      )
    })
})

describe('a call', () => {
  it('is a round of its own, which says when the next is missed', () => {
    const { outcome, fold } = draftOf(job(), [{ location: 'here', verdict: called }])
    assert.deepEqual([outcome?.type, fold?.deadline], ['clean', round + 90_000_000])
  })

  it('does not bring a deadline forward that a later call has moved', () => {
    const deadline = round + 200_000_000
    assert.equal(draftOf(job({ deadline }), [{ location: 'here', verdict: called }]).fold?.deadline, deadline)
  })

  it('that was missed is expected again an interval later, without the grace', () => {
    const { fold } = draftOf(job({ deadline: round }), [
      { location: 'here', verdict: missedVerdict({ intervalSeconds: 60, graceSeconds: 30, schedule: null }) },
    ])
    assert.deepEqual([fold?.deadline, fold?.transition.type], [round + 60_000_000, 'none'])
  })

  it('that did not end in time leaves the deadline where it is', () => {
    const deadline = round + 5_000_000
    const watched = job({ deadline })
    const draft = draftOf(watched, [{ location: 'here', verdict: overrunVerdict(60) }])
    // The database may have put it off meanwhile, which memory does not know.
    assert.equal(draft.fold?.deadline, null)
    applyDraft(draft)
    assert.partialDeepStrictEqual(watched.source, { deadline })
  })

  it('that reports a failure opens the incident at once, whatever the threshold', () => {
    const { fold } = draftOf(job(), [{ location: 'here', verdict: failed }])
    assert.deepEqual([fold?.transition.type, fold?.incidentId], ['went_down', 'new'])
  })

  it('counts whatever was set meanwhile, unless it was folded', () => {
    assert.equal(draftsOf(job({ version: 2, round: round - 1 }), [{ verdict: called }]).length, 1)
    assert.equal(draftsOf(job({ version: 2, round }), [{ verdict: called }]).length, 0)
  })
})

describe('episodes', () => {
  const slow = { ...up, latencyMs: 500 }
  const running = { alertSlowFactor: 2, alertSlowRounds: 1 }

  it('are none of monitors that tell of none', () => {
    assert.equal(episodesOf({}, { verdict: slow, usualMs: 100 }), null)
  })

  it('of slow rounds begin where the response time is twice what is usual', () => {
    const begun = episodesOf(running, { verdict: slow, usualMs: 100 })
    const reading = { measuredMs: 500, usualMs: 100, slowFromMs: 200 }
    assert.deepEqual([begun?.slow.change, begun?.slow.id, begun?.slow.reading], ['begins', 'new', reading])
    assert.equal(begun?.slow.watch.episodeId, 'new')
    assert.equal(begun?.degraded.change, 'none')
  })

  it('of slow rounds end under the id under which they began', () => {
    const ended = episodesOf({ ...running, slowEpisode: 'known' }, { verdict: up, usualMs: 100 })
    assert.deepEqual([ended?.slow.change, ended?.slow.id], ['ends', 'known'])
  })

  const unknown: [why: string, changes: Partial<WatchRow>, seen: Parameters<typeof episodesOf>[1]][] = [
    ['nothing is known of what is usual', running, { verdict: slow, usualMs: null }],
    ['no response time was measured', running, { verdict: { ...slow, latencyMs: null }, usualMs: 100 }],
    ['the monitor tells of degraded rounds alone', { alertDegradedRounds: 1 }, { verdict: slow, usualMs: 100 }],
  ]
  for (const [why, changes, seen] of unknown)
    it(`of slow rounds do not begin where ${why}`, () => {
      const drafted = episodesOf(changes, seen)
      assert.deepEqual([drafted?.slow.change, drafted?.slow.reading], ['none', null])
    })

  it('of degraded rounds begin under an id of their own', () => {
    const begun = episodesOf({ alertDegradedRounds: 1 }, { verdict: degraded, usualMs: null })
    assert.deepEqual([begun?.degraded.change, begun?.degraded.id], ['begins', 'new'])
  })
})

describe('memory, after the commit', () => {
  it('is what the draft says', () => {
    const watched = withOpen({ locations: ['a'], alertSlowFactor: 2 })
    applyDraft(draftOf(watched, [{ verdict: down }]))
    const { standing, incidentId, foldedUntil, dataMs, open, source, episodes } = watched
    assert.deepEqual([standing.status, incidentId, foldedUntil, dataMs], ['down', 'new', round, atMs])
    assert.deepEqual([open?.round.waiting, source], [[], { type: 'probed' }])
    assert.equal(episodes?.usual.ms, null)
  })

  it('stays what was read of a monitor that was changed meanwhile', () => {
    const watched = withOpen({ locations: ['a'] })
    const draft = draftOf(watched, [{ verdict: down }])
    watched.version = 2
    applyDraft(draft)
    assert.deepEqual([watched.standing.status, watched.open?.round.waiting], ['up', ['a']])
  })

  it('has what was heard of a round that stays open, and nothing else', () => {
    const watched = withOpen()
    applyDraft(draftOf(watched, [{ location: 'a' }]))
    assert.deepEqual([watched.open?.round.waiting, watched.standing.status, watched.foldedUntil], [['b'], 'up', 0])
  })

  it('has no data of a round that came to nothing certain', () => {
    const watched = withOpen({ confirmationThreshold: 2 })
    const [a, b] = [
      { location: 'a', verdict: down },
      { location: 'b', verdict: null },
    ]
    const draft = draftOf(watched, [a, b])
    assert.equal(draft.outcome?.type, 'undecided')
    applyDraft(draft)
    assert.deepEqual([watched.foldedUntil, watched.dataMs], [round, 0])
  })

  it('has the next deadline of a monitor that waits for calls, and no episodes of one that tells of none', () => {
    const watched = job()
    applyDraft(draftOf(watched, [{ location: 'here', verdict: called }]))
    const { source, episodes } = watched
    assert.deepEqual(
      [source, episodes],
      [{ type: 'called', graceSeconds: 30, schedule: null, deadline: round + 90_000_000 }, null],
    )
  })
})
