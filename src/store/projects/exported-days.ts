import type { DayCounts } from '#core/results/uptime.ts'
import type { Database } from '#store/database/database.ts'
import { type Page, type PagePlace, type PageRequest, pageOf } from '#store/database/page.ts'
import { type DayRow, toDay } from '#store/results/uptime.ts'

export type ExportedDay = DayCounts & { monitorId: string }

/**
 * The days with checks of all monitors of a workspace, those of a monitor together and oldest first. The place of a page
 * is a day of a monitor.
 */
export async function pageDays(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, after, limit }: PageRequest,
): Promise<Page<ExportedDay>> {
  // Not a named statement: a page is read best monitor by monitor, which PostgreSQL sees by its limit.
  const found = await pool.query<PagePlace & { counts: DayRow }>(statement, [
    workspaceId,
    after?.id ?? '00000000-0000-0000-0000-000000000000',
    after?.at ?? '-infinity',
    limit + 1,
  ])
  const days = found.rows.map(({ id, counts }) => ({ monitorId: id, ...toDay(counts) }))
  return pageOf(found.rows, days, limit)
}

const statement = `
select m.id, d.day::text as at, d.counts
from (
  select id, key
  from monitors
  where workspace_id = $1
    and id >= $2::uuid
  order by id
) as m
cross join lateral (
  select day, to_json(array[
    day - date '1970-01-01', checks, up, down, restricted, latency_sum_ms, latency_count
  ]) as counts
  from uptime_days
  where monitor_key = m.key
    and day > case when m.id = $2::uuid then $3::date else '-infinity' end
  order by day
) as d
order by m.id, d.day
limit $4`
