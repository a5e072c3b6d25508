// Results of monitors as they came, kept beside the database so that what compaction makes of them can be told exactly.
import assert from 'node:assert/strict'
import { hourUs, quarterHourUs, restingUntil, singleResults } from '#core/results/merge-spans.ts'
import { type LatencyHistogram, mergeHistograms, percentilesOf, slotOf } from '#core/results/latency-histogram.ts'
import { mergeRows, type ResultRow } from './merged-rows.ts'
import { naiveChecks } from './naive-reports.ts'
import type { Phases } from '#core/results/result.ts'
import { firstBarDay } from '#core/results/uptime-bars.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { dayMs, dayOf, startOf } from '#core/language/utc-day.ts'
import { mergeDueResults } from '#store/results/merge-due.ts'
import type { Database } from '#store/database/database.ts'
import { rewriteNextDay } from '#store/results/day-rewrites.ts'
import { storeResults } from '#store/results/store-batch.ts'
import { beginMerging } from '#store/results/merge-turns.ts'
import { type Reports, readReports } from '#store/monitors/monitor-reports.ts'
import { findReportBounds } from '#store/monitors/report-bounds.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'

/** A monitor in the table and every check that was stored for it, oldest first. */
export type TestHistory = { id: string; workspaceId: string; key: number; partition: number; checks: ResultRow[] }

export async function addHistoryMonitor(database: Database, monitorId: string): Promise<TestHistory> {
  const found = await database.pool.query<Omit<TestHistory, 'checks'>>(
    // The monitor has to be at least as old as its oldest result.
    `update monitors set created_at = now() - interval '1 year' where id = $1
    returning id, workspace_id as "workspaceId", key::float8 as key, partition`,
    [monitorId],
  )
  const [monitor] = found.rows
  assert.ok(monitor)
  return { ...monitor, checks: [] }
}

/** The reports on a monitor's past, read as the monitor's page reads them. */
export function reportsOf(
  database: Database,
  { workspaceId, id: monitorId }: Pick<TestHistory, 'workspaceId' | 'id'>,
  now: Date,
): Promise<Reports> {
  const named = { workspaceId, monitorId, today: dayOf(now) }
  const times = { from: firstBarDay(now), lastDaySince: startOfLastDay(now), now, until: now }
  const finding = findReportBounds(database, named).then((past) => ({ past: past ?? assert.fail('no such monitor') }))
  return readReports(database, { ...named, ...times }, finding)
}

/** From this UTC day on, response times of degraded checks count; nothing may be stored yet. */
export async function countSlowAnswersFrom(database: Database, day: string): Promise<void> {
  await database.pool.query(`update settings set value = to_jsonb($1::text) where name = 'slow_answers_since'`, [
    `${day}T00:00:00Z`,
  ])
}

/** The UTC day from which on they count. */
export async function slowAnswersSince(database: Database): Promise<string> {
  const found = await database.pool.query<{ day: string }>(
    `select left(value #>> '{}', 10) as day from settings where name = 'slow_answers_since'`,
  )
  return found.rows[0]?.day ?? assert.fail('no day is noted')
}

/** No monitors, no results and no days any more. */
export async function forgetAll(database: Database): Promise<void> {
  const tables = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^results_[0-9]{8}(_hours)?$'`,
  )
  for (const { name } of tables.rows) await database.pool.query(`drop table ${name}`)
  await database.pool.query('delete from monitors; delete from day_rewrites')
}

/** Merges and rewrites until there is nothing left to do. */
export async function drain(database: Database, now: Date): Promise<void> {
  await beginMerging(database)
  for (;;) {
    const { monitors } = await mergeDueResults(database, now)
    const rewritten = await rewriteNextDay(database, now)
    if (rewritten !== null) assert.notEqual(rewritten.outcome, 'refused')
    if (monitors === 0 && (rewritten === null || rewritten.outcome === 'busy')) return
  }
}

/** Stores checks as the engine does, with their day rollups, and has them folded. */
export async function addChecks(database: Database, history: TestHistory, checks: readonly ResultRow[]): Promise<void> {
  if (checks.length === 0) return
  for (const day of new Set(checks.map(({ round }) => dayOfRound(round))))
    await createResultPartitions(database, new Date(`${day}T00:00:00Z`))
  const { key, partition } = history
  const results = checks.map(({ round, location, ...row }) => ({
    monitorKey: key,
    version: 1,
    round,
    locationId: location,
    verdict: {
      status: statusOf(row.status),
      statusCode: row.statusCode,
      latencyMs: row.latencyMs,
      error: row.error,
      phases: phasesOf(row.phasesMs),
      details: row.details ?? {},
    },
  }))
  const held = await database.pool.query<{ epoch: number }>(
    'select epoch::float8 as epoch from partitions where partition = $1',
    [partition],
  )
  await database.transaction((tx) => storeResults(tx, [{ partition, epoch: held.rows[0]?.epoch ?? 0 }], results))
  history.checks.push(...checks)
  const newest = Math.max(...history.checks.map(({ round }) => round))
  await foldUntil(database, history, newest)
}

/** Stands in for an engine that has folded every round up to this one. */
export async function foldUntil(database: Database, { key }: TestHistory, round: number): Promise<void> {
  await database.pool.query(
    `update monitor_state set round_at = timestamptz 'epoch' + $2::bigint * interval '1 microsecond' where monitor_key = $1`,
    [key, round],
  )
}

export async function readRows(database: Database, key: number): Promise<ResultRow[]> {
  const found = await database.pool.query<ResultRow>(
    `select
      location, ${micros('round_at')} as round, status, status_code as "statusCode", error, latency_ms as "latencyMs",
      jsonb_build_array(dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms) as "phasesMs", details, repeats,
      ${micros('last_checked_at')} as "lastRound", latency_max_ms as "latencyMaxMs",
      latency_sum_ms::float8 as "latencySumMs", latency_count as "latencyCount",
      in_maintenance as "inMaintenance"
    from results
    where monitor_key = $1
    order by round_at, location`,
    [key],
  )
  return found.rows
}

export async function mergedUntil(database: Database, key: number): Promise<number> {
  const found = await database.pool.query<{ until: number }>(
    `select ${micros('merged_until')} as until from result_merges where monitor_key = $1`,
    [key],
  )
  return found.rows[0]?.until ?? 0
}

/** The database must hold the monitor's checks, merged as far as its row in `result_merges` says. */
export async function assertMerged(database: Database, history: TestHistory, now: Date): Promise<void> {
  const until = await mergedUntil(database, history.key)
  const rows = await readRows(database, history.key)
  const hours = await rewrittenDays(database)
  const bucketOf = (round: number): number => (hours.has(dayOfRound(round)) ? hourUs : quarterHourUs)
  const byBucket = Map.groupBy(history.checks, ({ round }) => bucketOf(round))
  const expected = [...byBucket]
    .flatMap(([bucketUs, checks]) => mergeRows(checks, { until, bucketUs }))
    .toSorted((one, other) => one.round - other.round || one.location - other.location)
  assert.deepEqual(rows.map(withoutPhases), expected.map(withoutPhases))
  for (const [index, row] of rows.entries()) assertPhases(row, expected[index])
  assertSingles(rows, history, now)
  await assertLatencies(database, history, until)
}

/** Everything is merged that may be by the rules; how far that is is found without the code that decides it. */
export async function assertWhollyMerged(database: Database, history: TestHistory, now: Date): Promise<void> {
  const newest = history.checks.toSorted((one, other) => other.round - one.round)[singleResults - 1]
  const end = Math.min(newest?.round ?? 0, restingUntil(now.getTime() * 1000))
  const hours = await rewrittenDays(database)
  const bucketOf = (round: number): number => (hours.has(dayOfRound(round)) ? hourUs : quarterHourUs)
  const until = end - (end % bucketOf(end))
  const rows = await readRows(database, history.key)
  const groups = new Set(
    history.checks
      .filter(({ round }) => round < until)
      .map(({ round, location, ...outcome }) =>
        JSON.stringify([
          round - (round % bucketOf(round)),
          location,
          outcome.status,
          outcome.statusCode,
          outcome.error,
          outcome.inMaintenance,
        ]),
      ),
  )
  assert.equal(rows.filter(({ round }) => round < until).length, groups.size)
}

export async function rewrittenDays(database: Database): Promise<Set<string>> {
  const found = await database.pool.query<{ day: string }>(
    'select day::text as day from day_rewrites where finished_at is not null',
  )
  return new Set(found.rows.map(({ day }) => day))
}

function dayOfRound(round: number): string {
  return dayOf(new Date(round / 1000))
}

/** Phases have no exact sums in merged rows; three roundings lie between a check and an hour. */
function assertPhases(row: ResultRow, expected: ResultRow | undefined): void {
  for (const [phase, ms] of row.phasesMs.entries()) {
    const exact = expected?.phasesMs[phase] ?? null
    assert.equal(ms === null, exact === null)
    assert.ok(Math.abs((ms ?? 0) - (exact ?? 0)) <= 2, `phase ${phase} is ${ms}, the mean is ${exact}`)
  }
}

function assertSingles(rows: readonly ResultRow[], { checks }: TestHistory, now: Date): void {
  const recent = now.getTime() * 1000 - 2 * hourUs
  const newest = rows.toSorted((one, other) => other.round - one.round).slice(0, singleResults)
  const single = [...newest, ...rows.filter(({ round }) => round >= recent)]
  assert.deepEqual(new Set(single.map(({ repeats }) => repeats)), new Set(single.length === 0 ? [] : [1]))
  assert.equal(
    rows.reduce((sum, { repeats }) => sum + repeats, 0),
    checks.length,
  )
}

type LatencyRow = LatencyHistogram & { day: string; sums: number[]; phases: number[]; summary: number[] | null }

/** latency_days holds what is merged; with the singles beside it, every check is there once. */
export async function assertLatencies(database: Database, { key, checks }: TestHistory, until: number): Promise<void> {
  const found = await database.pool.query<LatencyRow>(
    `select
      day::text as day, to_json(slots) as slots, to_json(counts) as counts, to_json(phase_sums_ms) as sums,
      to_json(phase_counts) as phases, summary_ms as summary
    from latency_days
    where monitor_key = $1
    order by day`,
    [key],
  )
  const counted = naiveChecks(checks, await slowAnswersSince(database)).filter(
    ({ round, isTimed, inMaintenance }) => round < until && isTimed && !inMaintenance,
  )
  const byDay = [...Map.groupBy(counted, ({ round }) => dayOfRound(round))].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  assert.deepEqual(
    found.rows.map(({ day, slots, counts, sums, phases }) => ({ day, slots, counts, sums, phases })),
    byDay.map(([day, ofDay]) => latenciesOf(day, ofDay)),
  )
  for (const row of found.rows) assertSummary(row, until)
  await assertHours(database, { key, checks: counted })
}

/** latency_hours holds the same checks by the hour, each slot once. */
async function assertHours(
  database: Database,
  { key, checks }: { key: number; checks: readonly { round: number; latencyMs: number | null }[] },
): Promise<void> {
  const found = await database.pool.query<{ startsAt: number; slots: number[]; counts: number[] }>(
    `select ${micros('starts_at')} as "startsAt", to_json(slots) as slots, to_json(counts) as counts
    from latency_hours
    where monitor_key = $1`,
    [key],
  )
  const told = found.rows.flatMap(({ startsAt, slots, counts }) =>
    slots.map((coded, index) => ({ hour: startsAt + (coded >> 9) * hourUs, slot: coded & 511, count: counts[index] })),
  )
  const measured = checks.flatMap(({ round, latencyMs }) =>
    latencyMs === null ? [] : [{ hour: round - (round % hourUs), slot: slotOf(latencyMs), count: 1 }],
  )
  assert.deepEqual(histogramsOf(told), histogramsOf(measured))
  for (const { slots } of found.rows) assert.equal(new Set(slots).size, slots.length)
}

function histogramsOf(parts: readonly { hour: number; slot: number; count: number | undefined }[]): unknown {
  return [...Map.groupBy(parts, ({ hour }) => hour)]
    .toSorted(([one], [other]) => one - other)
    .map(([hour, ofHour]) => [
      hour,
      // One that is empty keeps mergeHistograms from giving a single one back as it is.
      mergeHistograms([noHistogram, ...ofHour.map(({ slot, count = 0 }) => ({ slots: [slot], counts: [count] }))]),
    ])
}

const noHistogram: LatencyHistogram = { slots: [], counts: [] }

/** Only a day that has ended has one, and it says what the histogram and the sums do. */
function assertSummary({ day, slots, counts, sums, phases, summary }: LatencyRow, until: number): void {
  if (summary === null) return
  assert.ok((startOf(day).getTime() + dayMs) * 1000 <= until, `${day} has not ended`)
  const { p50_ms, p95_ms, p99_ms } = percentilesOf({ slots, counts })
  const means = sums.map((sum, phase) => (phases[phase] === 0 ? null : Math.round(sum / (phases[phase] ?? 0))))
  assert.deepEqual(summary, [p50_ms, p95_ms, p99_ms, ...means], day)
}

/** The day's row of response times that belongs to these checks. */
export function latenciesOf(day: string, checks: readonly ResultRow[]): Omit<LatencyRow, 'summary'> {
  const measured = checks.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [slotOf(latencyMs)]))
  const { slots, counts } = mergeHistograms(measured.map((slot) => ({ slots: [slot], counts: [1] })))
  return {
    day,
    slots,
    counts,
    sums: phaseNames.map((_, phase) => checks.reduce((sum, { phasesMs }) => sum + (phasesMs[phase] ?? 0), 0)),
    phases: phaseNames.map((_, phase) => checks.filter(({ phasesMs }) => phasesMs[phase] !== null).length),
  }
}

const phaseNames = ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'transferMs'] as const

function phasesOf(phasesMs: ResultRow['phasesMs']): Phases {
  const [dnsMs = null, connectMs = null, tlsMs = null, ttfbMs = null, transferMs = null] = phasesMs
  return { dnsMs, connectMs, tlsMs, ttfbMs, transferMs }
}

function statusOf(letter: string): 'up' | 'down' | 'degraded' {
  if (letter === 'u') return 'up'
  return letter === 'd' ? 'down' : 'degraded'
}

function withoutPhases({ phasesMs: _phasesMs, ...row }: ResultRow): Omit<ResultRow, 'phasesMs'> {
  return row
}

function micros(time: string): string {
  return `(extract(epoch from ${time}) * 1000000)::float8`
}
