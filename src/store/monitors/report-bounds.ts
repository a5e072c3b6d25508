import type { ImportedDays } from '#core/results/imported-days.ts'
import type { Database } from '#store/database/database.ts'

/** How far back a monitor's reports reach. */
export type ReportBounds = {
  /** Names the monitor in the tables of results and days. */
  monitorKey: string
  name: string
  kind: string
  createdAt: Date
  /** The workspace's. */
  plan: string
  billing: 'plan' | 'paid'
  /** The first day with checks, up to today. */
  since: string | null
  /** Results of earlier rounds have been merged. */
  mergedUntil: Date | null
  /** The days that another tool counted; null where there are none. */
  imported: ImportedDays | null
}

export type ReportBoundsRequest = { workspaceId: string; monitorId: string; today: string }

/** All that the reports of a monitor have to know beforehand, in one statement. */
export async function findReportBounds(
  { planned }: Pick<Database, 'planned'>,
  { workspaceId, monitorId, today }: ReportBoundsRequest,
): Promise<ReportBounds | undefined> {
  const found = await planned.query<ReportBounds>({
    name: 'find_past',
    text: pastStatement,
    values: [workspaceId, monitorId, today],
  })
  return found.rows[0]
}

/** The columns of ReportBounds for a monitor `m`; $3 is today. */
export const pastColumns = `
  m.key as "monitorKey", m.name, m.kind, m.created_at as "createdAt", w.plan, m.billing,
  (select min(day) from uptime_days d where d.monitor_key = m.key and d.day <= $3::date)::text as since,
  (select r.merged_until from result_merges r where r.monitor_key = m.key) as "mergedUntil",
  (
    select json_build_object('source', i.source, 'from', i.first_day, 'to', i.last_day)
    from imported_days i
    where i.monitor_key = m.key
  ) as imported`

export const pastSources = 'join workspaces w on w.id = m.workspace_id'

const pastStatement = `
select ${pastColumns}
from monitors m
${pastSources}
where m.workspace_id = $1
  and m.id = $2`
