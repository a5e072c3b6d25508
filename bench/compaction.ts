import type { Database } from '#store/database/database.ts'
import { mergeDueResults } from '#store/results/merge-due.ts'
import { rewriteNextDay } from '#store/results/day-rewrites.ts'
import { beginMerging } from '#store/results/merge-turns.ts'
import { createResultPartitions, partitionName } from '#store/results/result-partitions.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { type EngineBench, withEngine } from './support/engine.ts'
import { latencies, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause } from './support/service.ts'

const goal = 20

export type World = { name: string; monitors: number; locations: number; hasOutages: boolean }

const worlds: World[] = [
  { name: 'healthy, one location', monitors: 20, locations: 1, hasOutages: false },
  { name: 'with outages, three locations', monitors: 20, locations: 3, hasOutages: true },
]

/**
 * Measures how much space a check takes on disk after merging, with indexes, after a day of quarter-hours and after
 * that day was rewritten; how fast merging goes, and how long a swap holds the table of results.
 */
export async function compaction(): Promise<void> {
  await compactBesideIntake()
  for (const world of worlds) {
    const factor = await withEngine(
      async (seed) => void (await addMonitors(seed, world.monitors, (index) => ({ name: `Monitor ${index}` }))),
      async ({ foundation }) => compact(foundation.database, world),
    )
    console.log(`compaction, ${world.name}: ${factor.toFixed(0)} times fewer bytes a check, goal ${goal}`)
  }
}

/** Results a second that an engine takes meanwhile, in messages of a hundred. */
const resultsPerMessage = 100
const messagesPerSecond = 50
const busyMonitors = 1_000
const aloneMs = 10_000

/** How long a message of results waits for its commit, alone and while a backlog of two days is merged and rewritten. */
async function compactBesideIntake(): Promise<void> {
  let ids: string[] = []
  await withEngine(
    async (seed) => {
      ids = await addMonitors(seed, busyMonitors, (index) => ({ name: `Monitor ${index}` }))
    },
    async (bench) => {
      const { database } = bench.foundation
      const now = new Date()
      const day = dayOf(new Date(now.getTime() - 3 * dayMs))
      await fillDay(
        database,
        { name: '', monitors: busyMonitors, locations: 1, hasOutages: true },
        { day, intervalSeconds: 60 },
      )
      await beginMerging(database)
      await bench.start()
      const alone = await publishWhile(bench, ids, () => pause(aloneMs))
      const startedAt = performance.now()
      const beside = await publishWhile(bench, ids, () => compactAll(database, now))
      console.log(
        `  a message of ${resultsPerMessage} results, ${whole(resultsPerMessage * messagesPerSecond)} results/s, is committed in ` +
          `${latencies(alone)}, longest ${Math.max(...alone).toFixed(0)} ms; while a day of ${whole(busyMonitors * 1440)} checks ` +
          `is merged and rewritten in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, in ${latencies(beside)}, ` +
          `longest ${Math.max(...beside).toFixed(0)} ms`,
      )
    },
  )
}

/** Like the jobs, it rests after each step for as long as the step took. */
async function compactAll(database: Database, now: Date): Promise<void> {
  await database.pool.query('update result_merges set due_at = $1', [now])
  for (;;) {
    const startedAt = performance.now()
    const { monitors } = await mergeDueResults(database, now)
    const rewritten = monitors > 0 ? null : await rewriteNextDay(database, now)
    if (monitors === 0 && rewritten === null) return
    await pause(performance.now() - startedAt)
  }
}

async function publishWhile({ bus }: EngineBench, ids: string[], work: () => Promise<void>): Promise<number[]> {
  const waitsMs: number[] = []
  const sending: Promise<void>[] = []
  const publish = async (from: number, round: number): Promise<void> => {
    const sentAt = performance.now()
    const results = ids.slice(from, from + resultsPerMessage).map((monitorId) => resultOf(monitorId, round))
    await bus.publishResults('local', results)
    waitsMs.push(performance.now() - sentAt)
  }
  const timer = setInterval(() => {
    const from = (sending.length * resultsPerMessage) % ids.length
    sending.push(publish(from, Date.now() * 1000))
  }, 1000 / messagesPerSecond)
  await work()
  clearInterval(timer)
  await Promise.all(sending)
  return waitsMs
}

function resultOf(monitorId: string, round: number): Result {
  return {
    monitorId,
    version: 1,
    round,
    location: 'local',
    verdict: { status: 'up', statusCode: 200, latencyMs: 80, error: null, phases: noPhases, details: {} },
  }
}

/** Returns by how much smaller a check is in the end. */
async function compact(database: Database, world: World): Promise<number> {
  const now = new Date()
  const day = dayOf(new Date(now.getTime() - 3 * dayMs))
  const checks = await fillDay(database, world, { day, intervalSeconds: 10 })
  const before = await sizeOf(database, day)
  const merging = await mergeDay(database, now)
  await database.pool.query(`vacuum ${partitionName(day)}`)
  const quarters = await sizeOf(database, day)
  const rewriting = await rewriteDay(database, day, now)
  const after = await sizeOf(database, day)
  const each = (bytes: number): string => `${(bytes / checks).toFixed(bytes / checks < 10 ? 2 : 0)} B`
  console.log(
    `  ${world.name}: ${whole(checks)} checks; ${each(before)} single, ${each(after)} by hours ` +
      `(${each(quarters)} by quarter-hours in the old table, whose space comes back with the day)`,
  )
  console.log(
    `  merged in place: ${whole((merging.rows * 1000) / merging.ms)} rows/s in transactions of ${latencies(merging.stepsMs)}; ` +
      `${whole(merging.left)} rows rewritten in ${rewriting.ms.toFixed(0)} ms, swapped in ${rewriting.swapMs.toFixed(1)} ms`,
  )
  return before / after
}

/** One day of checks, straight into the table, in the order in which they come. */
export async function fillDay(
  database: Database,
  world: World,
  { day, intervalSeconds }: { day: string; intervalSeconds: number },
): Promise<number> {
  const { pool } = database
  await createResultPartitions(database, new Date(`${day}T00:00:00Z`))
  const filled = await pool.query(fillStatement, [day, intervalSeconds, world.locations, world.hasOutages])
  // The newest ones of a monitor stay single: they are of today.
  await createResultPartitions(database, new Date())
  await pool.query(newestStatement)
  await pool.query(`update monitor_state set round_at = now()`)
  await pool.query(`vacuum analyze ${partitionName(day)}`)
  return filled.rowCount ?? 0
}

async function mergeDay(
  database: Database,
  now: Date,
): Promise<{ rows: number; left: number; ms: number; stepsMs: number[] }> {
  await beginMerging(database)
  await database.pool.query('update result_merges set due_at = $1', [now])
  const stepsMs: number[] = []
  let [rows, removed] = [0, 0]
  for (;;) {
    const startedAt = performance.now()
    const step = await mergeDueResults(database, now)
    if (step.monitors === 0) break
    stepsMs.push(performance.now() - startedAt)
    rows += step.read
    removed += step.removed
  }
  return { rows, left: rows - removed, ms: stepsMs.reduce((sum, ms) => sum + ms, 0), stepsMs }
}

async function rewriteDay(database: Database, day: string, now: Date): Promise<{ ms: number; swapMs: number }> {
  let startedAt = performance.now()
  for (;;) {
    const stepAt = performance.now()
    const step = await rewriteNextDay(database, now)
    if (step === null) throw new Error('The day was not rewritten.')
    // The day before it has a table too, and nothing in it.
    if (step.day !== day) startedAt = performance.now()
    else if (step.outcome === 'swapped') return { ms: stepAt - startedAt, swapMs: performance.now() - stepAt }
  }
}

async function sizeOf({ pool }: Database, day: string): Promise<number> {
  const found = await pool.query<{ bytes: number }>('select pg_total_relation_size($1::regclass)::float8 as bytes', [
    partitionName(day),
  ])
  return found.rows[0]?.bytes ?? Number.NaN
}

// An outage of ten minutes in one of 36 hours at all locations, a failure of one location alone in 500 checks.
const fillStatement = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms,
  dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details
)
select
  m.key, at, location, case when is_down then 'd' else 'u' end, case when is_down then 503 else 200 end,
  80 + (random() * 60)::integer, 1, 12, 14, 50, 3,
  case when is_down then 'HTTP status 503, expected 200 to 399' end,
  case when is_down then '{"failed_assertion": "status"}'::jsonb end
from generate_series($1::date::timestamptz, $1::date + interval '1 day' - interval '1 second', make_interval(secs => $2)) as at
cross join monitors m
cross join generate_series(1, $3::integer) as location
cross join lateral (
  select $4::boolean and (
    random() < 0.002
    or (hashint8(m.key * 1000 + extract(epoch from at)::bigint / 3600) % 36 = 0 and extract(minute from at) < 10)
  ) as is_down
) as chance
order by at, m.key, location`

const newestStatement = `
insert into results (monitor_key, round_at, location, status)
select m.key, now() - back * interval '10 seconds', 1, 'u'
from monitors m
cross join generate_series(1, 130) as back`
