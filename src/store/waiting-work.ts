// Whether anything waits for the jobs, asked in one statement, so that no job has to look for itself and find nothing.
import { announcedAheadMs } from '#core/maintenance-news.ts'
import type { Database } from '#store/database/database.ts'

/**
 * By job, when it may have work. Each is true whenever the job would find some, and may be true when it would find none;
 * $1 is the time of the process. An index answers each of them.
 */
const waiting = {
  jobs: `exists (select from graphile_worker._private_jobs where is_available = true and run_at <= now())`,
  scan_software: 'exists (select from software_scans where due_at <= now())',
  match_software: `(
    exists (select from match_queue)
    or exists (select from components where matched_at is null)
  )`,
  tell_findings: 'exists (select from finding_alerts where due_at <= now())',
  remind_contacts: `exists (select from alert_steps where due_at <= now() and type = 'reminder')`,
  escalate_incidents: `exists (select from alert_steps where due_at <= now() and type = 'escalation')`,
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
      where tstzrange(starts_at, ends_at) && tstzrange($1::timestamptz, $1 + interval '${announcedAheadMs} ms', '[]')
    )
  )`,
  tell_after_maintenance: 'exists (select from withheld_alerts)',
  tell_maintenance: `(
    exists (select from told_maintenance where ended_at is null)
    or exists (select from maintenance_occurrences where tstzrange(starts_at, ends_at) @> $1::timestamptz)
  )`,
  tell_expiries: 'exists (select from monitor_expiries where alert_at <= $1)',
} as const

/** `jobs` are those of the queue. */
export type WaitingWork = keyof typeof waiting

export function isWaitingWork(name: string): name is WaitingWork {
  return Object.hasOwn(waiting, name)
}

export async function lookForWork({ pool }: Pick<Database, 'pool'>, now: Date): Promise<ReadonlySet<WaitingWork>> {
  const { rows } = await pool.query<{ waiting: WaitingWork[] }>({
    name: 'look_for_work',
    text: lookStatement,
    values: [now],
  })
  return new Set(rows[0]?.waiting)
}

const lookStatement = `
select array_remove(array[
  ${Object.entries(waiting)
    .map(([work, condition]) => `case when ${condition} then '${work}' end`)
    .join(',\n  ')}
], null) as waiting`
