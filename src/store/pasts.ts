import type { Database } from '#store/database.ts'

/** How far back a monitor's reports reach. */
export type Past = {
  /** Names the monitor in the tables of results and days. */
  monitorKey: string
  /** The workspace's. */
  plan: string
  billing: 'plan' | 'paid'
  /** The first day with checks, up to today. */
  since: string | null
  /** Results of earlier rounds have been merged. */
  mergedUntil: Date | null
}

export type PastRequest = { workspaceId: string; monitorId: string; today: string }

/** All that the reports of a monitor have to know beforehand, in one statement. */
export async function findPast(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, monitorId, today }: PastRequest,
): Promise<Past | undefined> {
  const found = await pool.query<Past>({
    name: 'find_past',
    text: pastStatement,
    values: [workspaceId, monitorId, today],
  })
  return found.rows[0]
}

const pastStatement = `
select
  m.key as "monitorKey",
  w.plan,
  m.billing,
  (select min(day) from uptime_days d where d.monitor_key = m.key and d.day <= $3::date)::text as since,
  (select r.merged_until from result_merges r where r.monitor_key = m.key) as "mergedUntil"
from monitors m
join workspaces w on w.id = m.workspace_id
where m.workspace_id = $1
  and m.id = $2`
