// Monitors as the console lists them, for the statement that reads them all and the one that reads what changed.
import type { z } from 'zod'
import { type DayShare, dayShare } from '#core/results/bar-text.ts'
import { partsOf, valuesOf } from '#core/language/tables.ts'
import { listedFields, monitorFields } from '#core/monitors/monitor-fields.ts'
import { nextWord } from '#core/monitors/unknown-since.ts'
import type { ListedValues, MonitorHead } from '#core/overview.ts'
import { columnOf, integerColumn, momentColumn, orNull } from '#store/database/columns.ts'
import type { NextValue } from '#store/database/row-text.ts'
import { columnExpression, knownAt } from '#store/monitors/record-columns.ts'
import { isTimed } from '#store/results/timed-checks.ts'

const shown = partsOf(monitorFields, 'shown')
const listedColumns = valuesOf(shown, listedFields).map((schema) => columnOf<z.ZodType>(schema))
const statusColumn = columnOf(shown.status)
const stateColumn = columnOf(shown.current_status)
const billingColumn = columnOf(shown.billing_state)
const kindColumn = columnOf(shown.kind)
const secondsColumn = columnOf(shown.interval_seconds)
const timeoutColumn = columnOf(shown.timeout_ms)
const numberColumn = orNull(integerColumn)

/** The columns for a monitor `m` and its state `s`, in the order in which `readHead` takes them. */
export const headColumns = `
${listedFields.map(columnExpression).join(', ')}, m.status, s.current_status, m.billing_state,
floor(extract(epoch from s.last_checked_at) * 1000)::bigint,
m.kind, m.interval_seconds, m.timeout_ms, ${knownAt}`

/** The response time stands elsewhere in the row. */
export type Head = (latencyMs: number | null) => MonitorHead

export function readHead(next: NextValue): Head {
  const listed = readListed(next)
  const status = next(statusColumn)
  const current = next(stateColumn)
  const isOverdue = next(billingColumn) === 'overdue'
  const checkedAt = next(numberColumn)
  const rhythm = { kind: next(kindColumn), interval_seconds: next(secondsColumn), timeout_ms: next(timeoutColumn) }
  const unknownFrom = nextWord({ ...rhythm, status, current_status: current }, next(momentColumn))?.endMs ?? null
  const state = status === 'paused' ? 'paused' : current
  return (latencyMs) => [...listed, state, isOverdue, checkedAt, unknownFrom, latencyMs]
}

function readListed(next: NextValue): ListedValues
function readListed(next: NextValue): unknown[] {
  return listedColumns.map((column) => next(column))
}

type Rounds = { since: string; until: string; rounds: number }

/**
 * The response times of the newest rounds of `m` as an array, newest first: null for one without, the mean where
 * several locations check. Which days of `results` are read is decided by `since` and `until`, values of the statement.
 */
export function latenciesOf({ since, until, rounds }: Rounds): string {
  const newest = `
    from results
    where monitor_key = m.key
      and round_at >= ${since}
      and round_at < ${until}
    order by round_at desc
    limit ${rounds}`
  // Most have one location, and need neither groups nor means.
  return `case
  when cardinality(m.locations) = 1 then array(
    select case when ${isTimed} then latency_ms end
    ${newest}
  )
  else array(
    select (sum(latency_ms) filter (where ${isTimed}) / nullif(count(latency_ms) filter (where ${isTimed}), 0))::integer
    from (
      select round_at, latency_ms, status
      ${newest} * cardinality(m.locations)
    ) as of_locations
    group by round_at
    order by round_at desc
    limit ${rounds}
  )
end`
}

/** An element of a text of an array. */
export function numberOrNull(text: string): number | null {
  return text === 'NULL' ? null : Number(text)
}

/** "checks down restricted". */
export function readDayShare(text: string): DayShare {
  const [checks = 0, down = 0, restricted = 0] = text.split(' ').map(Number)
  return dayShare({ checks, down, restricted })
}
