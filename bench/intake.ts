import { maxResultsPerMessage } from '#bus/bus.ts'
import type { Result } from '#core/results/result.ts'
import type { Database } from '#store/database/database.ts'
import { numberArray, textArray } from '#store/database/array-literal.ts'
import { type EngineBench, withEngine } from './support/engine.ts'
import { whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { cpuBetween, treeCpu } from './support/process-tree.ts'
import { pause } from './support/service.ts'

const monitors = 20_000
/** Messages published and not acknowledged yet. */
const messagesInFlight = 40
const warmUpMs = 8_000
const measureMs = 20_000
const referenceMs = 8_000
const rowsPerStatement = 1_000
const goal = 50_000
/** The share of results that fail, spread over all monitors; two in a row open an incident. */
const failureShare = 0.01

/** Results a second through intake: stored, counted in day rollups, folded into states, incidents and deliveries. */
export async function intake(): Promise<void> {
  let ids: string[] = []
  await withEngine(
    async (seed) => {
      ids = shuffled(await addMonitors(seed, monitors, (index) => ({ name: `Monitor ${index}`, failure_threshold: 2 })))
    },
    async (bench) => {
      await bench.start()
      const published = await publish(bench, ids)
      const { observed, foundation } = bench
      const incidents = await foundation.database.pool.query('select from incidents')
      console.log(
        `${whole(published.perSecond)} results/s, ${published.cpuUs.toFixed(1)} us CPU each ` +
          `(engine and sender ${published.ownUs.toFixed(1)}, PostgreSQL ${published.belowUs.toFixed(1)}); ` +
          `${whole(observed.stored)} stored, ${observed.rejected} set aside, ${incidents.rowCount} incidents`,
      )
      const reference = await insertBarely(foundation.database)
      console.log(
        `  reference, the same rows by a bare unnest insert of ${whole(rowsPerStatement)}: ${whole(reference)}/s; ` +
          `intake reaches ${(published.perSecond / reference).toFixed(2)} of it`,
      )
      console.log(`intake: ${whole(published.perSecond)} results/s, goal ${whole(goal)}`)
    },
  )
}

/** Monitors fall due in an order that has nothing to do with that of their rows. */
function shuffled(ids: string[]): string[] {
  return ids
    .map((id) => ({ id, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id }) => id)
}

type Published = { perSecond: number; cpuUs: number; ownUs: number; belowUs: number }

/** As fast as they are acknowledged: one full round of every monitor after another, each later than the one before. */
async function publish({ bus, observed }: EngineBench, ids: string[]): Promise<Published> {
  let isEnding = false
  const messages = messagesOf(ids, () => isEnding)
  const senders = Array.from({ length: messagesInFlight }, async () => {
    for (const results of messages) await bus.publishResults('local', results)
  })
  await pause(warmUpMs)
  const storedBefore = observed.stored
  const cpuBefore = treeCpu(process.pid)
  const startedAt = performance.now()
  await pause(measureMs)
  const stored = observed.stored - storedBefore
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = cpuBetween(cpuBefore, treeCpu(process.pid))
  isEnding = true
  await Promise.all(senders)
  const each = (ms: number): number => (ms * 1000) / stored
  return { perSecond: stored / seconds, cpuUs: each(cpu.total), ownUs: each(cpu.own), belowUs: each(cpu.below) }
}

/** Shared by all senders: an iterator hands each message out once. */
function* messagesOf(ids: string[], isEnding: () => boolean): Generator<Result[]> {
  for (let lastRound = 0; !isEnding();) {
    const round = Math.max(Date.now() * 1000, lastRound + 1)
    lastRound = round
    for (let from = 0; from < ids.length && !isEnding(); from += maxResultsPerMessage)
      yield ids.slice(from, from + maxResultsPerMessage).map((monitorId) => resultOf(monitorId, round))
  }
}

function resultOf(monitorId: string, round: number): Result {
  const isDown = Math.random() < failureShare
  const latencyMs = 20 + Math.floor(Math.random() * 200)
  const phases = { dnsMs: 1, connectMs: 12, tlsMs: 14, ttfbMs: latencyMs - 5, transferMs: 1 }
  return {
    monitorId,
    version: 1,
    round,
    location: 'local',
    verdict: {
      status: isDown ? 'down' : 'up',
      statusCode: isDown ? 503 : 200,
      latencyMs: isDown ? null : latencyMs,
      error: isDown ? 'HTTP status 503, expected 200 to 399' : null,
      phases,
      details: isDown ? { failed_assertion: 'status' } : {},
    },
  }
}

/** The same rows into the same table, each thousand in a transaction of its own, with nothing counted or folded. */
async function insertBarely({ pool }: Database): Promise<number> {
  const until = performance.now() + referenceMs
  const startedAt = performance.now()
  let rows = 0
  for (let round = Date.now() * 1000; performance.now() < until; round += 1) {
    await pool.query({ name: 'bench_bare', text: bareInsert, values: bareColumns(round, rows) })
    rows += rowsPerStatement
  }
  return (rows * 1000) / (performance.now() - startedAt)
}

function bareColumns(round: number, from: number): string[] {
  const filled = (value: (index: number) => number): string =>
    numberArray(Array.from({ length: rowsPerStatement }, (_, index) => value(index)))
  const nulls = textArray(Array.from({ length: rowsPerStatement }, () => null))
  return [
    filled((index) => ((from + index) % monitors) + 1),
    filled(() => round),
    filled(() => 1),
    `{${Array.from({ length: rowsPerStatement }, () => 'u').join(',')}}`,
    filled(() => 200),
    filled((index) => 20 + (index % 200)),
    ...[1, 12, 14, 100, 1].map((value) => filled(() => value)),
    nulls,
    nulls,
  ]
}

const bareInsert = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms,
  dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details
)
select
  monitor_key, timestamptz 'epoch' + round * interval '1 microsecond', location, status, status_code, latency_ms,
  dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details
from unnest(
  $1::bigint[], $2::bigint[], $3::smallint[], $4::"char"[], $5::smallint[], $6::integer[],
  $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::integer[], $12::text[], $13::jsonb[]
) as incoming (
  monitor_key, round, location, status, status_code, latency_ms,
  dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details
)`
