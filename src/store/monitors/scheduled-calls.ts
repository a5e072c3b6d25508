// Deadlines of monitors whose calls come by a schedule, after a jump of the clock. What `m` and `s` are called in SQL are
// a monitor and its state.
import { callScheduleOf, rememberDue } from '#core/monitors/call-schedule.ts'
import { deadlineAfterJump } from '#core/monitors/heartbeat.ts'
import type { Transaction } from '#store/database/database.ts'

export const isScheduled = `m.kind = 'heartbeat' and m.check_options ->> 'schedule' is not null`

/** So many schedules cost the thread some 50 ms where each is another one, then others have their turn. */
const movedAtOnce = 500

/**
 * SQL knows no schedules, so that their next times are found here, page by page in the order of keys. `isMoved` is SQL of
 * those to be moved, with the seconds of `withinSeconds` as $2.
 */
export async function moveScheduled(
  client: Transaction['client'],
  { seconds, withinSeconds, isMoved }: { seconds: number; withinSeconds: number; isMoved: string },
): Promise<void> {
  const findDue = rememberDue()
  let after = '0'
  for (;;) {
    const { rows } = await client.query<ScheduledRow>(readStatement(isMoved), [after, withinSeconds])
    const moved = rows.map((row) => deadlineOf(row, seconds, findDue))
    await client.query(writeStatement, [rows.map(({ key }) => key), moved])
    const last = rows.at(-1)
    if (last === undefined || rows.length < movedAtOnce) return
    after = last.key
  }
}

type ScheduledRow = {
  key: string
  options: Record<string, unknown>
  interval_seconds: number
  grace_seconds: number
  last_at: number
  now_at: number
}

/** In microseconds since 1970. */
function deadlineOf(row: ScheduledRow, seconds: number, findDue: ReturnType<typeof rememberDue>): number {
  const { last_at: lastAt, now_at: now, interval_seconds: intervalSeconds, grace_seconds: graceSeconds, options } = row
  const rhythm = { intervalSeconds, graceSeconds, schedule: callScheduleOf(options) }
  return Math.round(deadlineAfterJump({ lastAt, by: seconds * 1_000_000, now }, rhythm, findDue))
}

// A state that a fold has at the moment is read once that has ended. The key is compared on both sides, since a merge of
// both would else read all states from the first one on, for every page.
function readStatement(isMoved: string): string {
  return `
select
  m.key, m.check_options as options, m.interval_seconds, coalesce(m.heartbeat_grace_seconds, 0) as grace_seconds,
  (extract(epoch from s.last_checked_at) * 1000000)::float8 as last_at,
  (extract(epoch from clock_timestamp()) * 1000000)::float8 as now_at
from monitors m
join monitor_state s on s.monitor_key = m.key
where m.key > $1
  and s.monitor_key > $1
  and ${isScheduled}
  and s.last_checked_at is not null
  and ${isMoved}
order by m.key
limit ${movedAtOnce}
for no key update of s`
}

const writeStatement = `
update monitor_state as s
set deadline_at = 'epoch'::timestamptz + moved.deadline * interval '1 microsecond'
from unnest($1::bigint[], $2::float8[]) as moved (key, deadline)
where s.monitor_key = moved.key`
