// Whether anything waits for the jobs, asked in one statement, so that no job has to look for itself and find nothing.
import { announcedAheadMs } from '#core/maintenance-news.ts'
import type { Database } from '#store/database/database.ts'

/**
 * By job, when it may have work. Each is true whenever the job would find some, and may be true when it would find none;
 * $1 is the time of the process. An index answers each of them. `ahead`: an interval by which the clock is put on.
 */
const waitingIn = (ahead: string) => ({
  jobs: `exists (select from graphile_worker._private_jobs where is_available = true and run_at <= now() + ${ahead})`,
  scan_software: `exists (select from software_scans where due_at <= now() + ${ahead})`,
  match_software: `(
    exists (select from match_queue)
    or exists (select from components where matched_at is null)
  )`,
  tell_findings: `exists (select from finding_alerts where due_at <= now() + ${ahead})`,
  remind_contacts: `exists (select from alert_steps where due_at <= now() + ${ahead} and type = 'reminder')`,
  escalate_incidents: `exists (select from alert_steps where due_at <= now() + ${ahead} and type = 'escalation')`,
  await_parents: `(
    exists (select from deliveries where state = 'pending' and withheld_by is not null)
    or exists (select from deliveries where state = 'pending' and awaits_parents_until is not null)
    or exists (select from alert_steps where awaits_parents_until is not null)
  )`,
  end_unstable: 'exists (select from monitor_state where unstable_episode is not null)',
  tell_status: 'exists (select from status_events where told_at is null)',
  prove_status_domains: 'exists (select from status_pages where domain is not null and domain_proven_at is null)',
  announce_maintenance: `(
    exists (select from status_maintenance where told <> 'ended')
    or exists (
      select
      from maintenance_occurrences
      where tstzrange(starts_at, ends_at) && tstzrange($1::timestamptz, $1 + interval '${announcedAheadMs} ms' + ${ahead}, '[]')
    )
  )`,
  tell_after_maintenance: 'exists (select from withheld_alerts)',
  tell_maintenance: `(
    exists (select from told_maintenance where ended_at is null)
    or exists (select from maintenance_occurrences where tstzrange(starts_at, ends_at) @> ($1::timestamptz + ${ahead}))
  )`,
  tell_expiries: `exists (select from monitor_expiries where alert_at <= $1::timestamptz + ${ahead})`,
})

/** `jobs` are those of the queue. */
export type WaitingWork = keyof ReturnType<typeof waitingIn>

export function isWaitingWork(name: string): name is WaitingWork {
  return Object.hasOwn(waiting, name)
}

/** `isSoon`: more becomes due within `soonMs`, of what is there by now. */
export type FoundWork = { waiting: ReadonlySet<WaitingWork>; isSoon: boolean }

export const soonMs = 5_000

export async function lookForWork({ pool }: Pick<Database, 'pool'>, now: Date): Promise<FoundWork> {
  const { rows } = await pool.query<{ waiting: WaitingWork[]; is_soon: boolean }>({
    name: 'look_for_work',
    text: lookStatement,
    values: [now],
  })
  return { waiting: new Set(rows[0]?.waiting), isSoon: rows[0]?.is_soon ?? false }
}

const waiting = waitingIn(`interval '0'`)
const waitingSoon = Object.entries(waitingIn(`interval '${soonMs} ms'`)).filter(
  ([work, condition]) => isWaitingWork(work) && condition !== waiting[work],
)

const lookStatement = `
select
  array_remove(array[
    ${Object.entries(waiting)
      .map(([work, condition]) => `case when ${condition} then '${work}' end`)
      .join(',\n    ')}
  ], null) as waiting,
  ${waitingSoon.map(([, condition]) => condition).join('\n    or ')} as is_soon`
