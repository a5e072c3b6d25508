import { sql } from 'kysely'
import { callScheduleOf, isSameSchedule } from '#core/monitors/call-schedule.ts'
import { deadlineAfterCall, type Rhythm } from '#core/monitors/heartbeat.ts'
import { isKindName, kindTraits } from '#core/monitors/kind-traits.ts'
import type { MonitorSettings } from '#core/monitors/monitor.ts'
import { anyOf } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'
import { type EndedEpisode, type EpisodeEnding, endEpisodes } from '#store/incidents/episodes.ts'
import { tellClosed } from '#store/contacts/closed-occasions.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { beginGaps } from './monitor-gaps.ts'

/** `reason` is a sentence; it becomes the message of the incidents' last events. */
export type Restart = { monitorIds: readonly string[]; at: Date; reason: string }

/**
 * Begins the story of monitors anew: raises their versions, so that no result under way is folded, sets `pending`, ends
 * running problems and resolves running incidents without a recovery (docs/decisions/incidents.md, "What begins the story
 * anew"). Only this and the engine's fold write `current_status`. Rounds up to now are never folded again. The caller
 * holds the monitors; for several monitors also their partitions, because engines write states in no order.
 */
export async function restartMonitors(tx: Transaction, { monitorIds, at, reason }: Restart): Promise<void> {
  if (monitorIds.length === 0) return
  const raised = await raiseVersions(tx, monitorIds)
  const keys = raised.map(({ key }) => key)
  const before = await tx.query
    .selectFrom('monitor_state')
    .select(['monitor_key', 'incident_id', 'problem_at', 'degraded_episode', 'slow_episode', 'unstable_episode'])
    .where('monitor_key', '=', anyOf(keys))
    .orderBy('monitor_key')
    .forUpdate()
    .execute()
  const episodes = await endRunningEpisodes(tx, before, { at, message: reason })
  await beginGaps(tx, keys, at)
  await tx.query
    .updateTable('monitor_state')
    .from('monitors')
    .set((row) => ({
      version: row.ref('monitors.version'),
      current_status: 'pending',
      consecutive_failures: 0,
      consecutive_successes: 0,
      incident_id: null,
      problem_at: null,
      deadline_at: null,
      call_started_at: null,
      run_due_at: null,
      run_log: null,
      recent_changes: null,
      round_at: foldedUntil(),
    }))
    .whereRef('monitors.key', '=', 'monitor_state.monitor_key')
    .where('monitor_key', '=', anyOf(keys))
    .execute()
  const troubled = before.filter(({ problem_at: problemAt }) => problemAt !== null)
  if (troubled.length > 0) await endProblems(tx, { keys: troubled.map(({ monitor_key: key }) => key), at })
  const running = before.flatMap(({ incident_id: id }) => (id === null ? [] : [id]))
  const resolved = await resolveIncidents(
    tx,
    running.map((incidentId) => ({ incidentId, at, message: reason })),
  )
  await tellClosed(tx, [
    ...[...resolved.values()].map(({ id, resolvedAt }) => ({ id, type: 'incident' as const, at: resolvedAt, reason })),
    ...episodes.map(({ id, endedAt }) => ({ id, type: 'episode' as const, at: endedAt, reason })),
  ])
}

type Running = {
  monitor_key: string
  degraded_episode: string | null
  slow_episode: string | null
  unstable_episode: string | null
}

async function endRunningEpisodes(
  tx: Transaction,
  before: readonly Running[],
  ending: { at: Date; message: string },
): Promise<EndedEpisode[]> {
  const of = (type: 'degraded_episode' | 'slow_episode' | 'unstable_episode'): EpisodeEnding[] =>
    before.flatMap((row) => {
      const id = row[type]
      return id === null ? [] : [{ id, monitorKey: Number(row.monitor_key), ...ending }]
    })
  const degraded = await endEpisodes(tx, 'degraded', of('degraded_episode'))
  const slow = await endEpisodes(tx, 'slow', of('slow_episode'))
  const unstable = await endEpisodes(tx, 'unstable', of('unstable_episode'))
  return [...degraded.values(), ...slow.values(), ...unstable.values()]
}

/**
 * For a change that leaves the streaks as they are: checks of the version before are counted, never folded. Calls that
 * are under way are folded, because their callers do not repeat them.
 */
export async function refreshVersion(tx: Transaction, monitorId: string): Promise<void> {
  const [{ key, version, kind }] = await raiseVersions(tx, [monitorId])
  const isCalled = isKindName(kind) && kindTraits[kind].source === 'called'
  await tx.query
    .updateTable('monitor_state')
    .set({ version, ...(isCalled ? {} : { round_at: foldedUntil() }) })
    .where('monitor_key', '=', key)
    .execute()
}

type CallSettings = Pick<MonitorSettings, 'interval_seconds' | 'heartbeat_grace_seconds' | 'check_options'>

/**
 * Another interval or grace moves the deadline of a monitor that waits to be called, counted from the same call. Another
 * schedule holds from now on.
 */
export async function moveDeadline(
  tx: Transaction,
  monitorId: string,
  { from, to, at }: { from: CallSettings; to: CallSettings; at: Date },
): Promise<void> {
  const [before, after] = [rhythmOf(from), rhythmOf(to)]
  const isSame = isSameSchedule(before.schedule, after.schedule)
  const deadline = isSame ? null : new Date(deadlineAfterCall(at.getTime() * 1000, after) / 1000)
  const seconds = lengthOf(after) - lengthOf(before)
  if (isSame && seconds === 0) return
  await tx.client.query(
    `update monitor_state
    set deadline_at = coalesce($3, deadline_at + make_interval(secs => $2))
    where monitor_key = (select key from monitors where id = $1)
      and deadline_at is not null`,
    [monitorId, seconds, deadline],
  )
}

function rhythmOf({
  interval_seconds: interval,
  heartbeat_grace_seconds: grace,
  check_options: options,
}: CallSettings): Rhythm {
  return { intervalSeconds: interval, graceSeconds: grace ?? 0, schedule: callScheduleOf(options) }
}

function lengthOf({ intervalSeconds, graceSeconds, schedule }: Rhythm): number {
  return (schedule === null ? intervalSeconds : 0) + graceSeconds
}

/**
 * Results stored before this moment belong to the version before, also for an engine that takes over later. By the
 * database's clock, as rounds are: the caller's may be behind it or ahead.
 */
function foldedUntil() {
  return sql<Date>`greatest(round_at, clock_timestamp())`
}

type Raised = { key: string; version: number; kind: string }

/** One row a monitor; with one of them gone it throws. */
async function raiseVersions(tx: Transaction, monitorIds: readonly string[]): Promise<[Raised, ...Raised[]]> {
  const [first, ...others] = await tx.query
    .updateTable('monitors')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', anyOf(monitorIds))
    .returning(['key', 'version', 'kind'])
    .execute()
  if (first === undefined || others.length + 1 !== monitorIds.length) throw new Error('A monitor is gone.')
  return [first, ...others]
}

/** The API's clock may lag behind the engine's: a problem never ends before it began. */
async function endProblems(tx: Transaction, { keys, at }: { keys: readonly string[]; at: Date }): Promise<void> {
  await tx.query
    .updateTable('problems')
    .set({ ended_at: sql<Date>`greatest(started_at, ${at})` })
    .where('monitor_key', '=', anyOf(keys))
    .where('ended_at', 'is', null)
    .execute()
}
