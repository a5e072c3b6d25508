import { fileURLToPath } from 'node:url'
import { addDays, dayOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { compactionChores } from '#jobs/history.ts'
import { createLog } from '#app/log.ts'
import { addYears, historyDays, resultDays } from './history-data.ts'
import { latencies, percentile, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { machineTime, stolenBetween } from './support/machine.ts'
import { cpuBetween, treeCpu } from './support/process-tree.ts'
import { type Answers, printReference, requestEach, warmUpRequests } from './support/requests.ts'
import { pause, type Service, withService } from './support/service.ts'

const monitors = 1_000
const locations = ['local', 'lisbon', 'oslo']
const listRequests = 150
const requests = 800
/** Another monitor each time, so that no two answers come from the same pages. */
const stride = 37
const cpuRequests = 200
const settleMs = 3_000
/** So many days are rewritten once more while compaction is measured. */
const daysToRewrite = 60

/** Three years of 1,000 monitors, asked for over HTTP one request at a time, with the service at rest and at work. */
export async function history(): Promise<void> {
  let ids: string[] = []
  await withService(
    {
      environment: { PERIGEE_LOCATIONS: locations.map((code) => `${code}=${code}`).join(',') },
      program: fileURLToPath(new URL('history-service.ts', import.meta.url)),
      seed: async (seed) => {
        // No prober checks them while this runs: their results come from history-service.ts.
        const settings = { url: 'http://127.0.0.1:9/', interval_seconds: 86_400, locations }
        ids = await addMonitors(seed, monitors, (index) => ({ name: `Monitor ${index}`, ...settings }))
        await addYears(seed.database, new Date())
        await printSize(seed.database)
      },
    },
    async (service) => {
      const measured = { ids, service }
      await printCpu(measured)
      const atRest = await measure(measured, 'at rest')
      await withIntake(service, () => measure(measured, 'with intake'))
      await withCompaction(service, () => measure(measured, 'with compaction'))
      const atWork = await withIntake(service, () =>
        withCompaction(service, () => measure(measured, 'with intake and compaction')),
      )
      console.log(
        `history: ms p99 at rest, and with intake and compaction: list ${p99(atRest.list)}, ${p99(atWork.list)}, goal 50; ` +
          `one monitor ${p99(atRest.detail)}, ${p99(atWork.detail)}, goal 20; ` +
          `${whole(historyDays)} days of uptime ${p99(atRest.uptime)}, ${p99(atWork.uptime)}, goal 20`,
      )
    },
  )
}

function p99({ latenciesMs }: Answers): string {
  return percentile(latenciesMs, 0.99).toFixed(1)
}

type Measured = { ids: string[]; service: Service }
type Measurements = { list: Answers; detail: Answers; uptime: Answers }

async function measure({ ids, service: { url, token, database } }: Measured, when: string): Promise<Measurements> {
  const headers = { 'X-API-Key': token }
  const root = `${url}/api/v1/monitors`
  const one = (call: number): string => `${root}/${ids[(call * stride) % ids.length]}`
  const before = await countChecks(database)
  const startedAt = performance.now()
  const machine = machineTime()
  const list = await requestEach(() => root, listRequests, headers)
  const detail = await requestEach(one, requests, headers)
  const uptime = await requestEach((call) => `${one(call)}/uptime`, requests, headers)
  const stored = ((await countChecks(database)) - before) / ((performance.now() - startedAt) / 1000)
  const stolen = stolenBetween(machine, machineTime())
  console.log(`${when}, ${whole(stored)} results/s stored meanwhile, ${stolen} of the machine given to others:`)
  await print(`GET /monitors with ${whole(ids.length)}`, list)
  await print(`GET /monitors/{id} with ${whole(historyDays)} days, results of ${resultDays}`, detail)
  await print(`GET /monitors/{id}/uptime over ${whole(historyDays)} days`, uptime)
  return { list, detail, uptime }
}

/** The CPU time of a request, for the service and its database; it is the same on a busy machine. */
async function printCpu({ ids, service: { url, token, pid } }: Measured): Promise<void> {
  const headers = { 'X-API-Key': token }
  const one = (call: number): string => `${url}/api/v1/monitors/${ids[(call * stride) % ids.length]}`
  const paths = {
    list: () => `${url}/api/v1/monitors`,
    'one monitor': one,
    uptime: (call: number) => `${one(call)}/uptime`,
  }
  for (const [name, urlOf] of Object.entries(paths)) {
    await requestEach(urlOf, cpuRequests, headers)
    const before = treeCpu(pid)
    await requestEach(urlOf, cpuRequests, headers)
    const { own, below } = cpuBetween(before, treeCpu(pid))
    const each = (ms: number): string => (ms / (cpuRequests + warmUpRequests)).toFixed(1)
    console.log(`CPU of ${name}: ${each(own)} ms in the service, ${each(below)} ms in PostgreSQL`)
  }
}

/** The reference has the same company. */
async function print(what: string, answers: Answers): Promise<void> {
  const { latenciesMs, text } = answers
  console.log(`  ${what}: ${latencies(latenciesMs)}, ${whole(text.length / 1000)} KB`)
  await printReference(answers)
}

async function countChecks({ pool }: Database): Promise<number> {
  const counted = await pool.query<{ checks: number }>(
    'select coalesce(sum(checks), 0)::float8 as checks from uptime_days where day = $1',
    [dayOf(new Date())],
  )
  return counted.rows[0]?.checks ?? 0
}

async function printSize({ pool }: Database): Promise<void> {
  const found = await pool.query<{ bytes: number; results: number }>(
    `select
      pg_database_size(current_database())::float8 as bytes,
      (select sum(reltuples) from pg_class where relname ~ '^results_[0-9]{8}$')::float8 as results`,
  )
  const { bytes = 0, results = 0 } = found.rows[0] ?? {}
  console.log(`${whole(monitors)} monitors, ${whole(results)} rows of results, ${whole(bytes / 1e6)} MB in all`)
}

/** SIGUSR2 begins and ends it. */
async function withIntake<T>({ pid }: Service, work: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGUSR2')
  try {
    await pause(settleMs)
    return await work()
  } finally {
    process.kill(pid, 'SIGUSR2')
  }
}

/** Merging and rewriting without a pause between their runs, from this process: days are rewritten once more. */
async function withCompaction<T>({ database }: Service, work: () => Promise<T>): Promise<T> {
  await database.pool.query('delete from day_rewrites where finished_at is not null and day > $1', [
    addDays(dayOf(new Date()), -daysToRewrite),
  ])
  const ending = new AbortController()
  const compacting = compact(database, ending.signal)
  try {
    await pause(settleMs)
    return await work()
  } finally {
    ending.abort()
    console.log(`  ${whole(await compacting)} days were rewritten meanwhile`)
  }
}

async function compact(database: Database, signal: AbortSignal): Promise<number> {
  let rewritten = 0
  const chores = compactionChores({
    database,
    log: createLog({ level: 'warn' }),
    now: () => new Date(),
    retention: { resultDays, problemDays: resultDays },
    observer: { merged: () => {}, rewritten: () => (rewritten += 1), mergeLag: () => {} },
  })
  while (!signal.aborted) {
    for (const { name, run } of chores) if (name !== 'forget_history') await run(signal)
    await pause(100)
  }
  return rewritten
}
