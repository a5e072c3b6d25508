// A scheduler with its surroundings, as tests of rounds drive it.
import type { Assignment } from '#core/monitors/check.ts'
import { createPresenceBook, type PresenceBook } from '#engine/locations/presence.ts'
import { createScheduler } from '#engine/rounds/scheduler.ts'
import { type Watched, watchedOf } from '#engine/rounds/watched.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'

const monitorId = '00000000-0000-4000-8000-000000000000'
const shared = { locations: new Map(), settings: new Map() }

/** The row of a monitor that is checked every ten seconds from two locations, but for these changes. */
export function rowWith(changes: Partial<WatchRow> = {}): WatchRow {
  return {
    id: monitorId,
    key: 1,
    partition: 0,
    kind: 'http',
    version: 1,
    intervalSeconds: 10,
    timeoutMs: 5_000,
    locations: ['a', 'b'],
    failureThreshold: 1,
    retrySeconds: null,
    recoveryThreshold: 1,
    confirmationThreshold: 1,
    alertDegradedRounds: null,
    alertSlowFactor: null,
    alertSlowRounds: 5,
    status: 'pending',
    failures: 0,
    successes: 0,
    round: null,
    incidentId: null,
    degradedEpisode: null,
    slowEpisode: null,
    problem: null,
    deadline: null,
    graceSeconds: 0,
    schedule: null,
    memberIds: [],
    parentIds: [],
    expiry: null,
    ...changes,
  }
}

/** The same in the memory of an engine. */
export function watchedWith(changes: Partial<WatchRow> = {}): Watched {
  return watchedOf(rowWith(changes), shared, 0)
}

/**
 * `assigned`: what it asked probers for; `selfMade`: what it handed to the engine, and when that was due; `lost`:
 * partitions that another engine holds.
 */
export function schedulerBench() {
  const presence = createPresenceBook()
  const assigned: (Assignment & { to: string })[] = []
  const selfMade: [watched: Watched, dueMs: number][] = []
  const lags: number[] = []
  const lost = new Set<number>()
  let skipped = 0
  const scheduler = createScheduler({
    presence,
    againUs: 1,
    isHeld: (partition) => !lost.has(partition),
    assign: (location, prober, list) =>
      assigned.push(...list.map((each) => ({ ...each, to: `${location}/${prober}` }))),
    onRound: (lagMs) => lags.push(lagMs),
    onSkipped: () => (skipped += 1),
    onSelfMadeDue: (watched, dueMs) => selfMade.push([watched, dueMs]),
  })
  const online = (location: string, nowMs: number): void =>
    presence.note({ location, prober: 'p', isLeaving: false }, nowMs)
  return { presence, scheduler, assigned, selfMade, lags, lost, online, skipped: () => skipped }
}

export function present(book: PresenceBook, prober: string, nowMs: number): void {
  book.note({ location: 'a', prober, isLeaving: false }, nowMs)
}
