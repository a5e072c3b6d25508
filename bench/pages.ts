// Visits with a browser beside plain checks: what a visit takes, and whether the others keep their schedule.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { cpus } from 'node:os'
import type { Database } from '#store/database/database.ts'
import { parseExposition } from '../test/support/exposition.ts'
import { asOperator, operatorSetting } from '../test/support/operator.ts'
import { portOf } from '../test/support/raw-server.ts'
import { type Lags, lagOfShare, lagsBetween, lagsOf } from '../test/trust/soak/readings.ts'
import { whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause, type Service, withService } from './support/service.ts'
import { startTarget } from './support/target.ts'

const checksPerSecond = 300
const intervalSeconds = 10
const goalPerMinute = 20
/** One that is still made at the end counts for nothing, so that there are more than the goal. */
const pageMonitors = 24
const settleMs = 70_000
const measureMs = 120_000
const share = 0.99

/** As a small page has them. */
const pieces = 20

type Course = { lagMs: number; cpuMs: number; stored: number; visits: Visits }
type Visits = { count: number; right: number; loadMs: number }

export async function pages(): Promise<void> {
  const site = await startSite()
  const target = await startTarget()
  try {
    const alone = await run({ urls: target.urls, page: null })
    const beside = await run({ urls: target.urls, page: `http://127.0.0.1:${portOf(site)}/` })
    const { visits } = beside
    console.log(
      `${whole(visits.count)} visits in ${measureMs / 1000} s beside ${whole((beside.stored * 1000) / measureMs)} results/s: ` +
        `${whole(visits.right)} up, loaded after ${whole(visits.loadMs)} ms on average; ` +
        `${whole((beside.cpuMs - alone.cpuMs) / Math.max(1, visits.count))} ms of the machine's CPU each`,
    )
    console.log(
      `pages: lag p99 of ${checksPerSecond} http checks a second ${whole(beside.lagMs)} ms, ${whole(alone.lagMs)} ms without visits, ` +
        `goal 250; ${((visits.count * 60_000) / measureMs).toFixed(1)} visits a minute, goal ${goalPerMinute}`,
    )
  } finally {
    await target.stop()
    site.closeAllConnections()
    site.close()
  }
}

async function run({ urls, page }: { urls: readonly string[]; page: string | null }): Promise<Course> {
  return withService(
    {
      environment: operatorSetting,
      seed: async (seed) => {
        await addMonitors(seed, checksPerSecond * intervalSeconds, (index) => ({
          name: `Monitor ${index}`,
          url: urls[index % urls.length] ?? null,
          interval_seconds: intervalSeconds,
        }))
        if (page === null) return
        await addMonitors(seed, pageMonitors, (index) => ({
          name: `Page ${index}`,
          kind: 'browser',
          url: page,
          interval_seconds: 60,
        }))
      },
    },
    measure,
  )
}

async function measure({ url, database }: Service): Promise<Course> {
  await pause(settleMs)
  const [lags, cpu, storedBefore, since] = [
    await readLags(url),
    machineCpuMs(),
    await countStored(database),
    new Date(),
  ]
  await pause(measureMs)
  return {
    lagMs: lagOfShare(lagsBetween(lags, await readLags(url)), share),
    cpuMs: machineCpuMs() - cpu,
    stored: (await countStored(database)) - storedBefore,
    visits: await visitsSince(database, since),
  }
}

/** Processes of a browser whose parents do not wait for them count in no other sum. */
function machineCpuMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}

async function readLags(url: string): Promise<Lags> {
  const answer = await fetch(`${url}/metrics`, { headers: asOperator })
  return lagsOf(parseExposition(await answer.text()))
}

async function countStored({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::integer as count from results')
  return rows[0]?.count ?? 0
}

async function visitsSince({ pool }: Database, since: Date): Promise<Visits> {
  const { rows } = await pool.query<{ count: number; right: number; load_ms: number | null }>(
    `select count(*)::integer as count, count(*) filter (where r.status = 'u')::integer as right,
      avg(r.latency_ms)::float8 as load_ms
    from results r
    join monitors m on m.key = r.monitor_key
    where m.kind = 'browser'
      and r.round_at >= $1`,
    [since],
  )
  const { count = 0, right = 0, load_ms: loadMs = null } = rows[0] ?? {}
  return { count, right, loadMs: loadMs ?? 0 }
}

/** A page with a script, a style and some pictures. */
async function startSite(): Promise<Server> {
  const pictures = Array.from({ length: pieces }, (_, index) => `<img src="/${index}.svg" width="40" height="40">`)
  const page = `<title>Page</title><link rel="stylesheet" href="/style.css"><script src="/script.js" defer></script>
    <h1>Page</h1>${pictures.join('')}`
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.svg'))
      return void response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    if (url === '/style.css') return void response.setHeader('content-type', 'text/css').end('h1 { font-size: 40px }')
    if (url === '/script.js') return void response.setHeader('content-type', 'text/javascript').end('let n = 0; n++')
    response.setHeader('content-type', 'text/html').end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
