import { sql } from 'kysely'
import type { Transaction } from '#store/database.ts'
import { resolveIncidents } from '#store/transitions.ts'

/** `reason` is a sentence; it becomes the message of the incident's last event. */
export type Restart = { monitorId: string; at: Date; reason: string }

/**
 * Begins a monitor's story anew: raises its version, so that no result under way is folded, sets `pending`, ends the
 * running problem and resolves the running incident without an alert (decisions.md B10a, B12). Besides the engine's
 * fold the only writer of `current_status`. Rounds up to now are never folded again.
 */
export async function restartMonitor(tx: Transaction, { monitorId, at, reason }: Restart): Promise<void> {
  const { key, version } = await raiseVersion(tx, monitorId)
  const running = await tx.query
    .selectFrom('monitor_state')
    .select(['incident_id', 'problem_at'])
    .where('monitor_key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx.query
    .updateTable('monitor_state')
    .set({
      version,
      current_status: 'pending',
      consecutive_failures: 0,
      consecutive_successes: 0,
      incident_id: null,
      problem_at: null,
      deadline_at: null,
      call_started_at: null,
      round_at: foldedUntil(),
    })
    .where('monitor_key', '=', key)
    .execute()
  if (running.problem_at !== null) await endProblem(tx, key, at)
  if (running.incident_id !== null)
    await resolveIncidents(tx, [{ incidentId: running.incident_id, at, message: reason }])
}

/**
 * For a change that leaves the streaks as they are: checks of the version before are counted, never folded. Calls that
 * are under way are, since nobody makes them again.
 */
export async function refreshVersion(tx: Transaction, monitorId: string): Promise<void> {
  const { key, version, kind } = await raiseVersion(tx, monitorId)
  const isCalled = kind === 'heartbeat' || kind === 'webhook'
  await tx.query
    .updateTable('monitor_state')
    .set({ version, ...(isCalled ? {} : { round_at: foldedUntil() }) })
    .where('monitor_key', '=', key)
    .execute()
}

type Rhythm = { interval_seconds: number; heartbeat_grace_seconds: number | null }

/** Another interval or grace moves the deadline of a monitor that waits to be called, counted from the same call. */
export async function moveDeadline(
  tx: Transaction,
  monitorId: string,
  { from, to }: { from: Rhythm; to: Rhythm },
): Promise<void> {
  const seconds = lengthOf(to) - lengthOf(from)
  if (seconds === 0) return
  await tx.client.query(
    `update monitor_state
    set deadline_at = deadline_at + make_interval(secs => $2)
    where monitor_key = (select key from monitors where id = $1)`,
    [monitorId, seconds],
  )
}

function lengthOf({ interval_seconds: interval, heartbeat_grace_seconds: grace }: Rhythm): number {
  return interval + (grace ?? 0)
}

/**
 * Results stored before this moment belong to the version before, also for an engine that takes over later. By the
 * database's clock, as rounds are: the caller's may be behind it or ahead.
 */
function foldedUntil() {
  return sql<Date>`greatest(round_at, clock_timestamp())`
}

async function raiseVersion(
  tx: Transaction,
  monitorId: string,
): Promise<{ key: string; version: number; kind: string }> {
  return tx.query
    .updateTable('monitors')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', monitorId)
    .returning(['key', 'version', 'kind'])
    .executeTakeFirstOrThrow()
}

/** The API's clock may lag behind the engine's: a problem never ends before it began. */
async function endProblem(tx: Transaction, key: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('problems')
    .set({ ended_at: sql<Date>`greatest(started_at, ${at})` })
    .where('monitor_key', '=', key)
    .where('ended_at', 'is', null)
    .execute()
}
