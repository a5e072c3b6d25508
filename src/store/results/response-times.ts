import {
  type ResponseSpan,
  type ResponseStep,
  type ResponseTimes,
  maxResponseLocations,
} from '#core/results/response-times.ts'
import type { Database } from '#store/database/database.ts'
import { isTimed } from './timed-checks.ts'

/** Response times of a monitor's checks, by location. The caller has looked the monitor up in its workspace. */
export async function readResponseTimes(
  { planned }: Pick<Database, 'planned'>,
  { monitorKey, span }: { monitorKey: string; span: ResponseSpan },
): Promise<ResponseTimes['data']> {
  const { from, until, stepSeconds } = span
  const found = await planned.query<{ code: string; steps: StepRow[] }>({
    name: 'read_response_times',
    text: statement,
    values: [monitorKey, from, until, stepSeconds],
  })
  return found.rows.map(({ code, steps }) => {
    return { location_code: code, steps: steps.map((step) => toStep(step, span)) }
  })
}

type StepRow = [
  /** Counted from 0. */
  step: number,
  checks: number,
  failed: number,
  degraded: number,
  inMaintenance: number,
  latencyMs: number | null,
  slowestMs: number | null,
  dnsMs: number | null,
  connectMs: number | null,
  tlsMs: number | null,
  ttfbMs: number | null,
  transferMs: number | null,
]

function toStep(row: StepRow, { from, stepSeconds }: ResponseSpan): ResponseStep {
  const [step, checks, failed, degraded, inMaintenance, latencyMs, slowestMs, ...phasesMs] = row
  const [dnsMs, connectMs, tlsMs, ttfbMs, transferMs] = phasesMs
  return {
    at: new Date(from.getTime() + step * stepSeconds * 1000).toISOString(),
    checks,
    failed,
    degraded,
    in_maintenance: inMaintenance,
    latency_ms: latencyMs,
    slowest_ms: slowestMs,
    phases: { dns_ms: dnsMs, connect_ms: connectMs, tls_ms: tlsMs, ttfb_ms: ttfbMs, transfer_ms: transferMs },
  }
}

// From here on: parts of statements about rows of `results`.

/** In which step after a time a row lies, counted from 0: by its `round_at`, unless another `time` is named. */
export function stepOf({ from, seconds, time = 'round_at' }: { from: string; seconds: string; time?: string }): string {
  return `floor(date_part('epoch', ${time} - ${from}::timestamptz) / ${seconds})::integer`
}

/**
 * The sums from which `meanLatency` is made, for the rows of a group that a `filter` leaves. A merged result stands for
 * several checks and weighs by the number of its latencies.
 */
export function latencySums(filter = ''): string {
  return `sum(coalesce(latency_sum_ms, latency_ms)) ${filter} as latency_sum,
        sum(coalesce(latency_count, (latency_ms is not null)::integer)) ${filter} as latency_count`
}

/** Null where no row had a latency. */
export const meanLatency = 'round(latency_sum / nullif(latency_count, 0))::integer'

const ofTimed = `filter (where ${isTimed})`

/**
 * Merged rows keep sums of the latency and none of its phases: the means of phases weigh by the checks they stand for.
 */
function phaseMean(phase: string): string {
  const ofMeasured = `filter (where ${isTimed} and ${phase} is not null)`
  return `round(sum(${phase}::bigint * repeats) ${ofMeasured} / sum(repeats) ${ofMeasured})::integer as ${phase}`
}

const phases = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms']

const statement = `
select code, steps
from (
  select
    (select l.code from locations l where l.id = counted.location) as code,
    max(step) as newest,
    json_agg(
      json_build_array(
        step, checks, failed, degraded, in_maintenance, ${meanLatency}, slowest_ms, ${phases.join(', ')}
      )
      order by step
    ) as steps
  from (
    select
      location,
      ${stepOf({ from: '$2', seconds: '$4::integer' })} as step,
      sum(repeats) as checks,
      coalesce(sum(repeats) filter (where status = 'd'), 0) as failed,
      coalesce(sum(repeats) filter (where status = 'g'), 0) as degraded,
      coalesce(sum(repeats) filter (where in_maintenance), 0) as in_maintenance,
      ${latencySums(ofTimed)},
      max(coalesce(latency_max_ms, latency_ms)) ${ofTimed} as slowest_ms,
      ${phases.map(phaseMean).join(',\n      ')}
    from results
    where monitor_key = $1
      and round_at >= $2
      and round_at < $3
    group by 1, 2
  ) as counted
  group by location
  order by newest desc, code
  limit ${maxResponseLocations}
) as latest
order by code`
