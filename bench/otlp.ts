import { once } from 'node:events'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { createLog } from '#app/log.ts'
import { otlpChore } from '#jobs/otlp-push.ts'
import type { Database } from '#store/database/database.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { withEngine } from './support/engine.ts'
import { whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'

const monitors = 20_000
/** Each monitor is checked once in so many seconds, from so many locations. */
const [intervalSeconds, locations] = [60, 3]
const minutes = 4
/** What waits is pushed when its rounds have settled. */
const settleMs = 150_000

/** What it costs to push the results of 20,000 monitors to a receiver of OTLP, as they come about. */
export async function otlp(): Promise<void> {
  await withEngine(
    async (seed) => void (await addMonitors(seed, monitors, (index) => ({ name: `Monitor ${index}` }))),
    async ({ foundation: { database } }) => {
      const receiver = new Worker(new URL(import.meta.url))
      const [port] = await once(receiver, 'message')
      try {
        await measure(database, `http://127.0.0.1:${port}/v1/metrics`)
      } finally {
        await receiver.terminate()
      }
    },
  )
}

async function measure(database: Database, url: string): Promise<void> {
  const start = Date.now() - minutes * 60_000 - settleMs
  const look = async (atMs: number): Promise<void> => {
    const log = createLog({ level: 'warn' })
    const chore = otlpChore({ database, log, now: () => new Date(atMs), receiver: { url, headers: {} } })
    await chore.run(AbortSignal.timeout(600_000))
  }
  await createResultPartitions(database, new Date())
  await database.pool.query(locationsStatement, [locations])
  await look(start + settleMs)
  const { rowCount } = await database.pool.query(fillStatement, [new Date(start), minutes, intervalSeconds, locations])
  const results = rowCount ?? 0
  await database.pool.query('vacuum analyze results')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const rss = process.memoryUsage.rss()
  delay.enable()
  const startedAt = performance.now()
  const before = process.threadCpuUsage()
  await look(start + minutes * 60_000 + settleMs)
  const { user, system } = process.threadCpuUsage(before)
  const ms = performance.now() - startedAt
  delay.disable()
  const left = await database.pool.query<{ left: number }>(leftStatement, [new Date(start + minutes * 60_000)])
  const perSecond = results / minutes / 60
  const shareOfThread = (user + system) / 1_000 / (minutes * 60_000)
  console.log(
    `  ${whole(results)} results pushed at ${whole((results * 1000) / ms)}/s, ${((user + system) / results).toFixed(1)} µs of a ` +
      `thread each; longest block ${(delay.max / 1e6).toFixed(0)} ms; ${whole((process.memoryUsage.rss() - rss) / 1e6)} MB more; ` +
      `left behind: ${left.rows[0]?.left} s`,
  )
  console.log(
    `otlp: ${whole(perSecond)} results/s take ${(shareOfThread * 100).toFixed(1)} % of a thread and ` +
      `${((ms / (minutes * 60_000)) * 100).toFixed(1)} % of the time in which they come about, goals 5 and 20`,
  )
}

const locationsStatement = `
insert into locations (code, name, position)
select 'bench-' || n, 'Bench ' || n, 1000 + n from generate_series(2, $1::integer) as n`

const fillStatement = `
insert into results (monitor_key, round_at, location, status, latency_ms)
select m.key, $1::timestamptz + (tick * $3::integer + m.key % $3) * interval '1 s', l.id, 'u', 20 + m.key % 400
from monitors m
cross join generate_series(0, $2::integer * 60 / $3::integer - 1) as tick
cross join (select id from locations order by id limit $4) as l`

const leftStatement = `
select extract(epoch from $1::timestamptz - (value ->> 'pushed_until')::timestamptz)::integer as left
from settings
where name = 'otlp_push'`

/** The receiver takes everything, in a thread of its own. */
if (!isMainThread && parentPort !== null) {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address !== null && typeof address !== 'string') parentPort.postMessage(address.port)
}
