import assert from 'node:assert/strict'
import { brotliCompressSync, constants } from 'node:zlib'
import { z } from 'zod'
import { addDays, dayMs, dayOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { changesAtOnce, readChanges, readHorizon } from '#store/overview/live-changes.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { latencies, mean, percentile, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { cpuBetween, treeCpu } from './support/process-tree.ts'
import { requestEach, warmUpRequests } from './support/requests.ts'
import { type Service, withService } from './support/service.ts'

const monitors = 2_000
const requests = 60
const readings = 100
/** The number of monitors that are checked between two readings. */
const checkedAtOnce = 40
export const owner = { email: 'bench@perigee.test', password: 'correct horse battery' }

/** The console's overview of 2,000 monitors with 90 days and a day of results behind them, and what live costs. */
export async function consolePage(): Promise<void> {
  await withService(
    {
      environment: { PERIGEE_OWNER_EMAIL: owner.email, PERIGEE_OWNER_PASSWORD: owner.password },
      seed: async (seed) => {
        await addMonitors(seed, monitors, (index) => ({
          name: `Shop of customer ${index}`,
          url: `https://shop-${index}.customers.example.com/health`,
          interval_seconds: 86_400,
        }))
        await addPast(seed.database, new Date())
      },
    },
    async (service) => {
      const { latenciesMs, bytes } = await measureOverview(service)
      const readingsMs = await measureReadings(service)
      console.log(
        `console: the overview of ${whole(monitors)} monitors in ${percentile(latenciesMs, 0.99).toFixed(0)} ms p99, ` +
          `goal 300, and ${whole(bytes / 1000)} kB, goal 500; a reading of what changed in ${mean(readingsMs).toFixed(1)} ms`,
      )
    },
  )
}

async function measureOverview(service: Service): Promise<{ latenciesMs: number[]; bytes: number }> {
  const { url, pid } = service
  const headers = await signIn(service)
  const before = treeCpu(pid)
  const { latenciesMs, text } = await requestEach(() => `${url}/api/v1/overview`, requests, headers)
  const { own, below } = cpuBetween(before, treeCpu(pid))
  const each = (ms: number): string => (ms / (requests + warmUpRequests)).toFixed(0)
  const bytes = Buffer.byteLength(text)
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
  const compressed = brotliCompressSync(text, quick).length
  console.log(
    `GET /overview with ${whole(monitors)}: ${latencies(latenciesMs)}, ${whole(bytes / 1000)} kB, ` +
      `of which Brotli would make ${whole(compressed / 1000)}`,
  )
  console.log(`  CPU of each: ${each(own)} ms in the service, ${each(below)} ms in PostgreSQL`)
  return { latenciesMs, bytes }
}

/** Signs in as the console does; its address is the service's own unless told. */
export async function signIn({
  url,
  workspaceId,
  origin = url,
}: Pick<Service, 'url' | 'workspaceId'> & { origin?: string }): Promise<Record<string, string>> {
  const response = await fetch(`${url}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify(owner),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  assert.equal(response.status, 200, z.string().parse(await response.text()))
  return { Cookie: cookies.join('; '), 'X-Perigee-Workspace': workspaceId }
}

async function measureReadings({ database, workspaceId }: Service): Promise<number[]> {
  let since = await readHorizon(database)
  const readingsMs: number[] = []
  for (let reading = 0; reading < readings; reading += 1) {
    await database.pool.query(checkSome, [reading * checkedAtOnce, checkedAtOnce])
    const startedAt = performance.now()
    const { horizon, workspaces } = await readChanges(database, {
      workspaces: [{ id: workspaceId, since }],
      now: new Date(),
    })
    readingsMs.push(performance.now() - startedAt)
    assert.equal(workspaces[0]?.monitors.length, Math.min(checkedAtOnce, changesAtOnce))
    since = horizon
  }
  console.log(`what changed, ${checkedAtOnce} of ${whole(monitors)} monitors: ${latencies(readingsMs)}`)
  return readingsMs
}

const checkSome = `
update monitor_state
set last_checked_at = now()
where monitor_key in (select key from monitors order by key offset $1::integer % ${monitors} limit $2)`

/**
 * Checked every five minutes, from one location; a monitor has a bad day in twenty, and as many degraded
 * ones. Months that have ended lie as the job that gathers them leaves them. */
export async function addPast(database: Database, now: Date): Promise<void> {
  const today = dayOf(now)
  for (let back = 2; back >= 0; back -= 1)
    await createResultPartitions(database, new Date(now.getTime() - back * dayMs))
  await database.pool.query(days, [addDays(today, -120), today])
  await database.pool.query(results)
  await database.pool.query(`update monitor_state set current_status = 'up', round_at = now(), last_checked_at = now()`)
  await database.pool.query('analyze')
}

const days = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select
  m.key, day, 288, 288 - down - restricted, down, restricted, (288 - down) * 120, 288 - down
from generate_series($1::date, $2::date, interval '1 day') as day
cross join monitors m
cross join lateral (
  select abs(hashint8(m.key * 100003 + extract(epoch from day)::bigint / 86400)) as chance
) as of_day
cross join lateral (
  select case when chance % 20 = 0 then 1 + chance % 40 else 0 end as down,
    case when chance % 20 = 1 then 1 + chance % 20 else 0 end as restricted
) as bad
order by date_trunc('month', day), case when day < date_trunc('month', now()) then m.key end, day, m.key`

const results = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms
)
select
  m.key, at, 1, 'u', 200, 60 + m.key % 200 + (hashint8(extract(epoch from at)::bigint + m.key) & 63), 2, 20, 25, 70, 3
from generate_series(now() - interval '24 hours', now() - interval '1 minute', interval '5 minutes') as at
cross join monitors m
order by at, m.key`
