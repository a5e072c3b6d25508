// Percentiles of whole UTC days, which are kept for ever: from `latency_days` for merged checks, from the results for the
// others, in one statement, because merging moves checks from one to the other at any time.
import { type LatencyMembers, noLatencies } from '#core/results/latency-day.ts'
import { latencyBounds } from '#core/results/latency-histogram.ts'
import type { ResponseSpan, SharedStep } from '#core/results/response-times.ts'
import { dayOf, dayOfNumber, startOf } from '#core/language/utc-day.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import { type LatencyRow, describeRows, mergedLatenciesOf, singleLatenciesOf } from './latencies.ts'

/**
 * The days of a span with checks that have a response time, oldest first, of all locations together. The caller has
 * looked the monitor up in its workspace; the span is of whole UTC days.
 */
export async function readDayPercentiles(
  { planned }: Pick<Database, 'planned'>,
  { monitorKey, span }: { monitorKey: string; span: ResponseSpan },
): Promise<SharedStep[]> {
  const found = await planned.query<{ counted: CountedDay[]; merged: LatencyRow[]; singles: LatencyRow[] }>({
    name: 'read_day_percentiles',
    text: statement,
    values: [monitorKey, dayOf(span.from), dayOf(span.until), numberArray(latencyBounds)],
  })
  const [{ counted, merged, singles } = { counted: [], merged: [], singles: [] }] = found.rows
  const described = describeRows([...merged, ...singles])
  return counted.map((day) => toStep(day, described))
}

function toStep([number, checks, sumMs]: CountedDay, described: ReadonlyMap<string, LatencyMembers>): SharedStep {
  const date = dayOfNumber(number)
  return {
    at: startOf(date).toISOString(),
    checks,
    latency_ms: Math.round(sumMs / checks),
    slowest_ms: null,
    ...(described.get(date) ?? noLatencies),
  }
}

/** `number` is the day since 1970. */
type CountedDay = [number: number, latencyCount: number, latencySumMs: number]

const monitorKey = '$1'
const [from, before] = ['$2', '$3']

const statement = `
select
  to_json(array(
    select json_build_array(day - date '1970-01-01', latency_count, latency_sum_ms)
    from uptime_days
    where monitor_key = ${monitorKey}
      and day >= ${from}::date
      and day < ${before}::date
      and latency_count > 0
    order by day
  )) as counted,
  ${mergedLatenciesOf({ monitorKey, from, before })} as merged,
  ${singleLatenciesOf({
    source: `(select * from results where monitor_key = ${monitorKey} and round_at < ${before}::date::timestamptz) as own`,
    monitorKey,
    from,
    bounds: '$4',
  })} as singles`
