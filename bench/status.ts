import { randomUUID } from 'node:crypto'
import { beginGathering, gatherNextMonth } from '#store/results/day-gathering.ts'
import { insertStatusPage, replaceSections } from '#store/status-pages/status-pages.ts'
import { answersPerSecond } from './support/asked-at-once.ts'
import { serveBytes } from './support/bytes-server.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { addHistory } from './support/history.ts'
import { type Seed, addMonitors } from './support/installation.ts'
import { requestEach, warmUpRequests } from './support/requests.ts'
import { withService } from './support/service.ts'

const monitors = 50
const monitorsOfSmall = 20
const years = 3
const builds = 60
const connections = 32
const seconds = 8

/**
 * A status page of 50 monitors with three years of days, for both histories: what it takes to make it, each time by
 * another address so that none is kept, and how many readers a second it has once it is made.
 */
export async function status(): Promise<void> {
  await withService({ seed: addPages }, async ({ url }) => {
    const p50s: string[] = []
    for (const [history, slug] of [
      ['90 days', 'days'],
      ['whole history', 'whole'],
    ]) {
      // Pages of the same monitors under other names: none of them was asked for before.
      const made = await requestEach((call) => `${url}/status/${slug}-${call}`, builds, {})
      console.log(
        `made: ${monitors} monitors, ${years} years of days, ${history}: ${latencies(made.latenciesMs)}, ` +
          `${whole(made.text.length / 1000)} kB; goal 50 ms`,
      )
      p50s.push(percentile(made.latenciesMs, 0.5).toFixed(1))
    }
    const small = await requestEach(() => `${url}/status/small`, 1, {})
    console.log(`size: ${monitorsOfSmall} monitors, ${(small.text.length / 1000).toFixed(1)} kB uncompressed; goal 60`)
    const page = { urls: [`${url}/status/days-0`], headers: {}, connections, seconds }
    const ours = await answersPerSecond(page)
    const gzipped = await answersPerSecond({ ...page, headers: { 'accept-encoding': 'gzip' } })
    const body = await (await fetch(`${url}/status/days-0`)).text()
    const bare = await serveBytes(body)
    const reference = await answersPerSecond({ ...page, urls: [bare.url] })
    await bare.stop()
    console.log(
      `kept: ${whole(ours)} answers/s of ${whole(body.length / 1000)} kB, ${whole(gzipped)} gzipped; a bare node:http ` +
        `server with the same bytes ${whole(reference)}, ${(reference / ours).toFixed(1)} times as many`,
    )
    console.log(
      `status: made in ${p50s.join(' and ')} ms p50 (90 days, whole history of ${monitors} monitors), goal 50; ` +
        `${whole(ours)} answers/s of a kept page, goal 1,000`,
    )
  })
}

async function addPages(seed: Seed): Promise<void> {
  const ids = await addMonitors(seed, monitors, (index) => ({
    name: `Monitor ${index}`,
    url: 'http://127.0.0.1:9/',
    interval_seconds: 86_400,
  }))
  await addHistory(seed.database, ids)
  await seed.database.pool.query(olderDays, [ids])
  for (const statement of [fewerFailures, withoutSingles, quarterHours])
    await seed.database.pool.query(statement, [ids])
  await gatherMonths(seed)
  // The bench asks for some addresses to warm up.
  for (const history of ['90_days', 'whole'] as const)
    for (let page = 0; page < builds + warmUpRequests; page += 1)
      await addPage(seed, { slug: `${history === 'whole' ? 'whole' : 'days'}-${page}`, history, ids })
  await addPage(seed, { slug: 'small', history: '90_days', ids: ids.slice(0, monitorsOfSmall) })
  await seed.database.pool.query('analyze')
}

/** Leaves ended months as the job does, for monitors as old as their days. */
async function gatherMonths({ database }: Seed): Promise<void> {
  await database.pool.query(`update monitors set created_at = now() - interval '${years} years'`)
  await beginGathering(database, new Date())
  while ((await gatherNextMonth(database)) !== null);
}

export async function addPage(
  { database, workspaceId }: Seed,
  { slug, history, ids }: { slug: string; history: '90_days' | 'whole'; ids: string[] },
): Promise<void> {
  const id = randomUUID()
  await database.transaction(async (tx) => {
    await insertStatusPage(tx, {
      id,
      workspaceId,
      slug,
      domain: null,
      domainProvenAt: null,
      title: 'Acme',
      description: 'How the services of Acme are doing.',
      homepage: 'https://acme.example',
      language: 'en',
      theme: 'auto',
      accent: null,
      layout: 'list',
      logo: null,
      favicon: null,
      history,
      responseCharts: true,
      visibility: 'public',
      tags: [],
      monitor_tags: [],
      passwordHash: null,
      createdAt: new Date(),
    })
    const names = ['Shop', 'Developers', 'Infrastructure']
    const sections = names.map((name, index) => ({
      name,
      monitors: ids
        .filter((_, place) => place % names.length === index)
        .map((monitorId) => ({ monitorId, name: null })),
    }))
    await replaceSections(tx, { pageId: id, sections })
  })
}

/** Days beyond the year that other benches have as history. */
const olderDays = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select m.key, (now() at time zone 'UTC')::date - back, 1440, 1440 - bad, bad, 0, (1440 - bad) * 120, 1440 - bad
from generate_series(0, ${years * 365 - 1}) as back
cross join lateral (select case when back % 11 = 0 then 10 else 0 end as bad) as failed
join monitors m on m.id = any($1::uuid[])
on conflict do nothing`

/** Failures every fifteenth day: of more there are few that would show themselves. */
const fewerFailures = `
update uptime_days d
set up = checks, down = 0
from monitors m
where m.id = any($1::uuid[])
  and d.monitor_key = m.key
  and (d.day - date '1970-01-01' + m.key) % 15 <> 0`

/** Leaves the last day as merging does: results that are two hours old are a row a quarter-hour. */
const withoutSingles = `
delete from results r
using monitors m
where m.id = any($1::uuid[])
  and r.monitor_key = m.key
  and r.round_at between now() - interval '24 hours' and now() - interval '2 hours'`

const quarterHours = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms, repeats, last_checked_at, latency_max_ms,
  latency_sum_ms, latency_count
)
select m.key, at, 1, 'u', 200, 120, 15, at + interval '14 minutes', 310, 1800, 15
from generate_series(now() - interval '24 hours', now() - interval '2 hours', interval '15 minutes') as at
join monitors m on m.id = any($1::uuid[])
on conflict do nothing`
