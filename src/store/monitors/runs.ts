// Runs of jobs that said that they began.
import { calledKinds } from '#core/monitors/kind-traits.ts'
import { runLimitsOf } from '#core/monitors/heartbeat.ts'
import type { MonitorSettings } from '#core/monitors/monitor.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { callsSettledUntil } from './watch-rows.ts'

/**
 * Notes when a run began, and by when it is to end; null where it may take any time. What the one before it printed is
 * forgotten.
 */
export async function noteRunStarted(
  { query }: Reader,
  { monitorKey, at, dueAt }: { monitorKey: string; at: Date; dueAt: Date | null },
): Promise<void> {
  await query
    .updateTable('monitor_state')
    .set({ call_started_at: at, run_due_at: dueAt, run_log: null })
    .where('monitor_key', '=', monitorKey)
    .execute()
}

/**
 * Forgets a run that has ended, but not the next one, which may have begun meanwhile. `startedAt` is null for one that
 * did not say that it began.
 */
export async function noteRunEnded(
  { query }: Reader,
  { monitorKey, startedAt }: { monitorKey: string; startedAt: Date | null },
): Promise<void> {
  await query
    .updateTable('monitor_state')
    .set({ call_started_at: null, run_due_at: null, run_log: null })
    .where('monitor_key', '=', monitorKey)
    .where('call_started_at', 'is not distinct from', startedAt)
    .execute()
}

/** A run that did not end in time. `round` is when it was to end, in microseconds since 1970. */
export type Overrun = {
  monitorId: string
  monitorKey: string
  version: number
  location: string
  round: number
  /** Whether it sent a log that is to be kept. */
  hasLog: boolean
  maxRunSeconds: number
}

/** More are told with the next look. */
const mostOverruns = 500

/**
 * Runs that did not end in time, the oldest first. A call of the time before is stored by then, as all processes say that
 * take calls, and one that ended its run without being able to note that counts as well.
 */
export async function readOverruns({ pool }: Pick<Database, 'pool'>): Promise<Overrun[]> {
  const found = await pool.query<Omit<Overrun, 'maxRunSeconds'> & { options: Record<string, unknown> }>({
    name: 'read_overruns',
    text: overrunsStatement,
    values: [calledKinds],
  })
  return found.rows.flatMap(({ options, ...run }) => {
    const { maxSeconds } = runLimitsOf(options)
    return maxSeconds === null ? [] : [{ ...run, maxRunSeconds: maxSeconds }]
  })
}

const overrunsStatement = `
select
  m.id as "monitorId", m.key as "monitorKey", m.version, m.locations[1] as location, m.check_options as options,
  m.keep_evidence and s.run_log is not null as "hasLog",
  (extract(epoch from s.run_due_at) * 1000000)::float8 as round
from monitor_state s
join monitors m on m.key = s.monitor_key
where s.run_due_at <= now()
  and extract(epoch from s.run_due_at) * 1000000 <= ${callsSettledUntil}
  and m.status = 'enabled'
  and m.kind = any($1)
  and not exists (
    select
    from results r
    where r.monitor_key = s.monitor_key
      and r.round_at > s.call_started_at
      and r.round_at <= s.run_due_at
      and coalesce(r.details ->> 'source', '') not in ('missed', 'overrun')
  )
order by s.run_due_at
limit ${mostOverruns}`

/** Once it is told, unless another run has begun meanwhile. */
export async function forgetOverrun({ query }: Reader, { monitorKey, round }: Overrun): Promise<void> {
  await query
    .updateTable('monitor_state')
    .set({ run_due_at: null })
    .where('monitor_key', '=', monitorKey)
    .where('run_due_at', '<=', new Date(Math.ceil(round / 1000)))
    .execute()
}

/** Another limit counts from the start of the run that is under way. */
export async function moveRunEnd(
  tx: Transaction,
  monitorId: string,
  { from, to }: { from: Pick<MonitorSettings, 'check_options'>; to: Pick<MonitorSettings, 'check_options'> },
): Promise<void> {
  const [before, after] = [runLimitsOf(from.check_options), runLimitsOf(to.check_options)]
  if (before.maxSeconds === after.maxSeconds) return
  await tx.client.query(
    `update monitor_state
    set run_due_at = call_started_at + make_interval(secs => $2::float8)
    where monitor_key = (select key from monitors where id = $1)
      and call_started_at is not null`,
    [monitorId, after.maxSeconds],
  )
}
