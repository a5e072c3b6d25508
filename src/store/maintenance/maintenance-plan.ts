// The times of maintenance: rows a few weeks ahead, so that readers compute no times.
import { type MaintenanceSchedule, maintenanceScheduleSchema, type Occurrence } from '#core/maintenance.ts'
import type { Database, Transaction } from '#store/database/database.ts'

type Plan = { key: string; occurrences: readonly Occurrence[]; now: Date }

/**
 * Makes these the occurrences that have not ended, in place of the planned ones. An occurrence that is under way and
 * not among them ends now.
 */
export async function planAnew({ client }: Transaction, { key, occurrences, now }: Plan): Promise<void> {
  const starts = occurrences.map(({ startsAt }) => startsAt)
  await client.query(
    `delete from maintenance_occurrences
    where window_key = $1
      and starts_at >= $2
      and starts_at <> all($3::timestamptz[])`,
    [key, now, starts],
  )
  await client.query(
    `update maintenance_occurrences
    set ends_at = $2
    where window_key = $1
      and starts_at < $2
      and ends_at > $2
      and starts_at <> all($3::timestamptz[])`,
    [key, now, starts],
  )
  await addOccurrences(client, key, occurrences)
}

/** Ends the occurrence that is under way; false when there is none. */
export async function endOccurrence(
  { client }: Transaction,
  { key, now }: { key: string; now: Date },
): Promise<boolean> {
  const ended = await client.query(
    'update maintenance_occurrences set ends_at = $2 where window_key = $1 and starts_at < $2 and ends_at > $2',
    [key, now],
  )
  return (ended.rowCount ?? 0) > 0
}

export type Unplanned = { key: string; schedule: MaintenanceSchedule; timeZone: string; plannedUntil: Date }

/** Windows whose plan ends before `until`, held until the transaction ends; those another process holds are left out. */
export async function holdUnplanned({ query }: Transaction, until: Date, limit: number): Promise<Unplanned[]> {
  const rows = await query
    .selectFrom('maintenance_windows')
    .select(['key', 'schedule', 'time_zone', 'planned_until'])
    .where('planned_until', '<', until)
    .orderBy('planned_until')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => ({
    key: row.key,
    schedule: maintenanceScheduleSchema.parse(row.schedule),
    timeZone: row.time_zone,
    plannedUntil: row.planned_until,
  }))
}

/** Only under `holdUnplanned`, or with the window's row changed. */
export async function extendPlan(
  { client, query }: Transaction,
  { key, occurrences, until }: { key: string; occurrences: readonly Occurrence[]; until: Date },
): Promise<void> {
  await addOccurrences(client, key, occurrences)
  await query.updateTable('maintenance_windows').set({ planned_until: until }).where('key', '=', key).execute()
}

/** Removes at most `limit` that ended before `before`. */
export async function forgetOccurrences({ pool }: Database, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from maintenance_occurrences
    where (window_key, starts_at) in (
      select window_key, starts_at from maintenance_occurrences where ends_at < $1 order by ends_at limit $2
    )`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}

/** Removes at most `limit` rows that say which monitors a window covered by a tag until before `before`. */
export async function forgetTagged({ pool }: Database, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from maintenance_tagged
    where (window_key, monitor_key, since) in (
      select window_key, monitor_key, since
      from maintenance_tagged
      where until < $1
        and until < 'infinity'
      order by until
      limit $2
    )`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}

async function addOccurrences(
  client: Transaction['client'],
  key: string,
  occurrences: readonly Occurrence[],
): Promise<void> {
  await client.query(
    `insert into maintenance_occurrences (window_key, starts_at, ends_at)
    select $1, starts_at, ends_at
    from unnest($2::timestamptz[], $3::timestamptz[]) as planned (starts_at, ends_at)
    on conflict (window_key, starts_at) do update set ends_at = excluded.ends_at`,
    [key, occurrences.map(({ startsAt }) => startsAt), occurrences.map(({ endsAt }) => endsAt)],
  )
}
