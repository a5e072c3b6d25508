// Percentiles of hours: from `latency_hours` for merged checks, from the results for the others. Both are read in one
// statement, because merging moves checks from one to the other at any time, and one snapshot counts each of them once.
import { latencyBounds, percentilesOf } from '#core/results/latency-histogram.ts'
import type { ResponseSpan, SharedStep } from '#core/results/response-times.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import { countedHours } from './latency-hours.ts'
import { latencySums, meanLatency, stepOf } from './response-times.ts'
import { isTimed } from './timed-checks.ts'

/**
 * The steps of a span with checks that are timed and outside of maintenance, oldest first, of all locations together.
 * The caller has looked the monitor up in its workspace; the steps are whole hours.
 */
export async function readHourPercentiles(
  { planned }: Pick<Database, 'planned'>,
  { monitorKey, span }: { monitorKey: string; span: ResponseSpan },
): Promise<SharedStep[]> {
  const { from, until, stepSeconds } = span
  const found = await planned.query<StepRow>({
    name: 'read_hour_percentiles',
    text: statement,
    values: [monitorKey, from, until, stepSeconds, numberArray(latencyBounds)],
  })
  return found.rows.map((row) => toStep(row, span))
}

/** `slots` and `counts` are null where no histogram has all checks that the results of the step stand for. */
type StepRow = {
  /** Counted from 0. */
  step: number
  checks: number
  latencyMs: number | null
  slowestMs: number | null
  slots: number[] | null
  counts: number[] | null
}

function toStep({ step, checks, latencyMs, slowestMs, slots, counts }: StepRow, span: ResponseSpan): SharedStep {
  return {
    at: new Date(span.from.getTime() + step * span.stepSeconds * 1000).toISOString(),
    checks,
    latency_ms: latencyMs,
    slowest_ms: slowestMs,
    ...percentilesOf({ slots: slots ?? [], counts: counts ?? [] }),
  }
}

const stepSeconds = '$4::integer'

/** Results are removed sooner than histograms where an installation keeps them for less than 35 days. */
const statement = `
with timed as materialized (
  select
    ${stepOf({ from: '$2', seconds: stepSeconds })} as step,
    round_at, latency_ms, latency_sum_ms, latency_count, latency_max_ms
  from results
  where monitor_key = $1
    and round_at >= $2
    and round_at < $3
    and latency_ms is not null
    and ${isTimed}
    and not in_maintenance
), known as (
  select step, ${latencySums()}, max(coalesce(latency_max_ms, latency_ms)) as slowest_ms
  from timed
  group by 1
), slots as (
  select step, slot, sum(checks) as checks
  from (
    select ${stepOf({ time: 'hour', from: '$2', seconds: stepSeconds })} as step, slot, checks
    from ${countedHours({ monitorKey: '$1', from: '$2', until: '$3' })} as merged
    union all
    select step, width_bucket(latency_ms, $5::integer[]), 1
    from timed
    where round_at >= coalesce((select merged_until from result_merges where monitor_key = $1), '-infinity')
  ) as both_parts
  group by 1, 2
), histograms as (
  select
    step, sum(checks) as checks, array_agg(slot order by slot) as slots,
    array_agg(checks::integer order by slot) as counts
  from slots
  group by 1
)
select
  step, greatest(latency_count, checks)::integer as checks, ${meanLatency} as "latencyMs", slowest_ms as "slowestMs",
  case when checks >= coalesce(latency_count, 0) then slots end as slots,
  case when checks >= coalesce(latency_count, 0) then counts end as counts
from known
full join histograms using (step)
order by step`
