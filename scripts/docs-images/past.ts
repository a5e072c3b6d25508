// Writes the checks of a year as the engine and merging leave them: rollups of days, and results of 90 days.
import { restingUntil } from '#core/results/merge-spans.ts'
import { mergeHistograms, slotOf } from '#core/results/latency-histogram.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { addDays, dayOf, daysFrom, startOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { type Trouble, type Watched, before, storyNow } from './company.ts'
import { latencyAt, phasesOf } from './latency.ts'

/** A monitor as it is in the database. */
export type Past = {
  watched: Watched
  key: number
  /** Ids of its locations. */
  locations: readonly number[]
  intervalMs: number
}

type Row = Readonly<Record<string, string | number | boolean | null | readonly number[] | object>>
type Span = { from: number; until: number }
type Checks = Span & { trouble: Trouble | null }

const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const resultDays = 90
/** What a degraded check takes longer than others. */
const slowerMs = 1500
const rowsAtOnce = 4000
const mergedUntil = restingUntil(storyNow.getTime() * 1000) / 1000
const quartersSince = startOf(dayOf(startOfLastDay(storyNow))).getTime()

export async function addPasts(database: Database, pasts: readonly Past[]): Promise<void> {
  const results = daysFrom(addDays(dayOf(storyNow), 1 - resultDays), dayOf(storyNow))
  for (const day of results) await createResultPartitions(database, startOf(day))
  await insert(
    database,
    'day_rewrites',
    results.filter((day) => startOf(day).getTime() < quartersSince).map((day) => ({ day, finished_at: storyNow })),
  )
  for (const past of pasts) {
    const days = daysFrom(dayOf(before({ days: past.watched.daysOld ?? 365 })), dayOf(storyNow))
    await insert(
      database,
      'uptime_days',
      days.map((day) => rollup(past, day)),
    )
    if (past.watched.latencyMs !== null)
      await insert(
        database,
        'latency_days',
        days.map((day) => latencies(past, day)),
      )
    await insert(
      database,
      'results',
      results.filter((day) => days.includes(day)).flatMap((day) => resultsOf(past, day)),
    )
    await insert(database, 'result_merges', [
      { monitor_key: past.key, merged_until: new Date(mergedUntil), due_at: new Date(mergedUntil + 140 * minuteMs) },
    ])
  }
  await database.pool.query('analyze')
}

/** Columns that are not named are null. */
async function insert({ pool }: Database, table: string, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await pool.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows.slice(from, from + rowsAtOnce)),
    ])
}

function rollup(past: Past, day: string): Row {
  const counts = { up: 0, down: 0, degraded: 0 }
  let latencySumMs = 0
  for (const part of partsOf(past, dayUntilNow(day))) {
    const checks = countChecks(past, part) * past.locations.length
    const status = part.trouble?.status ?? 'up'
    counts[status] += checks
    if (status === 'down' || past.watched.latencyMs === null) continue
    latencySumMs += checks * (latencyOf(past, 0, (part.from + part.until) / 2) + (status === 'degraded' ? slowerMs : 0))
  }
  const { up, down, degraded } = counts
  return {
    monitor_key: past.key,
    day,
    checks: up + down + degraded,
    up,
    down,
    restricted: degraded,
    latency_sum_ms: latencySumMs,
    latency_count: past.watched.latencyMs === null ? 0 : up + degraded,
  }
}

/** For merged checks; the others are counted from their results. */
function latencies(past: Past, day: string): Row {
  const { from, until } = dayUntilNow(day)
  const end = Math.min(until, mergedUntil)
  const samples: number[] = []
  for (const location of past.locations.keys())
    for (let at = from; at < end; at += Math.max(past.intervalMs, 5 * minuteMs))
      samples.push(latencyOf(past, location, at))
  const histogram = mergeHistograms(samples.map((ms) => ({ slots: [slotOf(ms)], counts: [1] })))
  const phases = past.watched.isWeb === true ? samples.map(phasesOf) : []
  const sums = [0, 1, 2, 3, 4].map((phase) => phases.reduce((sum, each) => sum + (each[phase] ?? 0), 0))
  return {
    monitor_key: past.key,
    day,
    slots: histogram.slots,
    counts: histogram.counts,
    phase_sums_ms: sums,
    phase_counts: sums.map(() => phases.length),
  }
}

function resultsOf(past: Past, day: string): Row[] {
  const { from, until } = dayUntilNow(day)
  const bucketMs = from < quartersSince ? 4 * quarterMs : quarterMs
  const rows: Row[] = []
  for (let start = from; start < Math.min(until, mergedUntil); start += bucketMs)
    for (const part of partsOf(past, { from: start, until: start + bucketMs })) rows.push(...merged(past, part))
  for (const part of partsOf(past, { from: Math.max(from, mergedUntil), until })) rows.push(...singles(past, part))
  return rows
}

function merged(past: Past, part: Checks): Row[] {
  const repeats = countChecks(past, part)
  if (repeats === 0) return []
  const first = firstCheck(past, part.from)
  return past.locations.map((id, location) => ({
    ...resultAt(past, { id, location, at: first, trouble: part.trouble }),
    repeats,
    last_checked_at: new Date(first + (repeats - 1) * past.intervalMs),
    ...(past.watched.latencyMs === null || part.trouble?.status === 'down'
      ? { latency_sum_ms: 0, latency_count: 0 }
      : sumsOf(past, { location, first, repeats })),
  }))
}

function sumsOf(past: Past, { location, first, repeats }: { location: number; first: number; repeats: number }): Row {
  const all = Array.from({ length: repeats }, (_, index) => latencyOf(past, location, first + index * past.intervalMs))
  const sum = all.reduce((total, ms) => total + ms, 0)
  const mean = Math.round(sum / repeats)
  const phases = past.watched.isWeb === true ? phaseColumns(mean) : {}
  return { latency_ms: mean, latency_max_ms: Math.max(...all), latency_sum_ms: sum, latency_count: repeats, ...phases }
}

function singles(past: Past, { from, until, trouble }: Checks): Row[] {
  const rows: Row[] = []
  for (let at = firstCheck(past, from); at < until; at += past.intervalMs)
    for (const [location, id] of past.locations.entries()) rows.push(resultAt(past, { id, location, at, trouble }))
  return rows
}

type Check = { id: number; location: number; at: number; trouble: Trouble | null }

function resultAt(past: Past, { id, location, at, trouble }: Check): Row {
  const { watched } = past
  const isSlow = trouble?.status === 'degraded'
  const hasLatency = watched.latencyMs !== null && trouble?.status !== 'down'
  const latencyMs = hasLatency ? latencyOf(past, location, at) + (isSlow ? slowerMs : 0) : null
  const okCode = watched.isWeb === true ? 200 : null
  return {
    monitor_key: past.key,
    round_at: new Date(at),
    location: id,
    status: { up: 'u', down: 'd', degraded: 'g' }[trouble?.status ?? 'up'],
    status_code: trouble === null || isSlow ? okCode : (trouble.statusCode ?? null),
    latency_ms: latencyMs,
    ...(latencyMs !== null && watched.isWeb === true ? phaseColumns(latencyMs) : {}),
    error: trouble?.error ?? null,
    details: trouble === null ? (watched.details ?? {}) : {},
    repeats: 1,
    in_maintenance: false,
  }
}

function phaseColumns(latencyMs: number): Row {
  const [dns, connect, tls, ttfb, transfer] = phasesOf(latencyMs)
  return { dns_ms: dns, connect_ms: connect, tls_ms: tls, ttfb_ms: ttfb, transfer_ms: transfer }
}

function latencyOf({ watched, key }: Past, location: number, at: number): number {
  return latencyAt({ key, baseMs: watched.latencyMs ?? 0, location }, at)
}

/** A stretch of time in parts with and without trouble, in order. */
function partsOf({ watched, intervalMs }: Past, { from, until }: Span): Checks[] {
  const parts: Checks[] = []
  let at = from
  for (const trouble of (watched.troubles ?? []).toReversed()) {
    const { from: start, until: end } = spanOf(trouble)
    const [first, last] = [Math.max(at, roundTo(intervalMs, start)), Math.min(until, roundTo(intervalMs, end))]
    if (first >= last) continue
    if (first > at) parts.push({ from: at, until: first, trouble: null })
    parts.push({ from: first, until: last, trouble })
    at = last
  }
  if (at < until) parts.push({ from: at, until, trouble: null })
  return parts
}

/** When a trouble was, to the minute; until the pictures are taken if it is not over. */
export function spanOf({ daysAgo, minutes }: Trouble): Span {
  const from = roundTo(minuteMs, before({ days: daysAgo }).getTime())
  return { from, until: minutes === null ? storyNow.getTime() : from + minutes * minuteMs }
}

function dayUntilNow(day: string): Span {
  const from = startOf(day).getTime()
  return { from, until: Math.min(startOf(addDays(day, 1)).getTime(), storyNow.getTime()) }
}

function countChecks(past: Past, { from, until }: Span): number {
  return Math.max(0, Math.ceil((until - firstCheck(past, from)) / past.intervalMs))
}

/** The last one before the pictures are taken. */
export function lastCheck(past: Pick<Past, 'key' | 'intervalMs'>): Date {
  return new Date(firstCheck(past, storyNow.getTime()) - past.intervalMs)
}

/** Checks are made some seconds into their interval, each monitor at its own. */
function firstCheck({ key, intervalMs }: Pick<Past, 'key' | 'intervalMs'>, from: number): number {
  const offset = ((key * 7919) % 53) * 1000
  return Math.ceil((from - offset) / intervalMs) * intervalMs + offset
}

function roundTo(step: number, ms: number): number {
  return Math.round(ms / step) * step
}
