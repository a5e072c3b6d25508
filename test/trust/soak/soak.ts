// The proof by time: the real service makes a thousand checks a second for an hour, while targets fail and recover, and
// every minute says how it does. What was asked, stored, opened and told has to agree at the end.
import { openDatabase, type Database } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { create } from '../../../bench/support/alerting.ts'
import { addMonitors, createInstallation } from '../../../bench/support/installation.ts'
import { pause } from '../../support/pause.ts'
import { until } from '../../support/until.ts'
import type { Finding, Order, Outcome, Proof } from '../proof.ts'
import { faultsIn, type Service, startProgram } from '../program.ts'
import { type Aftermath, judgeAftermath, pendingDeliveries } from './aftermath.ts'
import { failureThreshold } from './judge.ts'
import { type Course, followCourse } from './course.ts'
import { startStandIns, type StandIns } from './start-stand-ins.ts'

export const soak: Proof = { name: 'soak', longMinutes: 60, run }

const checksPerSecond = 1_000
/** The floor of an interval. */
const intervalSeconds = 10
const monitors = checksPerSecond * intervalSeconds
/** One takes everything, the other refuses some attempts, which are made again. */
const contacts = ['calm', 'shaky']
const metricsToken = 'trust-soak-trust-soak'
/** A request that was seen has been stored for long. */
const storedAfterMs = 30_000
/** A refused attempt is made again after some seconds, one alert at a time. */
const toldMs = 2 * 60_000
const shownFindings = 20

const notTried: Outcome = { load: 'not tried: it needs Linux', survived: null, findings: [], lost: null }

type Running = { service: Service; database: Database; standIns: StandIns; ids: readonly string[] }

async function run(order: Order): Promise<Outcome> {
  if (process.platform !== 'linux') return notTried
  const { seed, budgetMs: durationMs } = order
  const standIns = await startStandIns({ seed, durationMs, monitors, intervalMs: intervalSeconds * 1000 })
  try {
    return await withService(standIns, async (running) => {
      await untilChecked(running.database)
      await standIns.begin()
      const { service, database } = running
      const watched = { service, metricsToken, standInsPid: standIns.pid }
      const course = await followCourse({ watched, database, durationMs, report: order.report })
      return judge(order, { course, aftermath: await settle(running), log: service.log() })
    })
  } finally {
    standIns.end()
  }
}

async function withService<T>(standIns: StandIns, work: (running: Running) => Promise<T>): Promise<T> {
  const installation = await createInstallation({
    PERIGEE_METRICS_TOKEN: metricsToken,
    PERIGEE_PLANS: JSON.stringify({ pro: { slots: monitors, minIntervalSeconds: intervalSeconds } }),
  })
  let ids: string[] = []
  const { targets, receiver } = standIns.addresses
  const { token, workspaceId } = await installation.prepare(async (seed) => {
    ids = await addMonitors(seed, monitors, (index) => ({
      name: `Monitor ${index}`,
      url: `${targets[index % targets.length]}/${index}`,
      interval_seconds: intervalSeconds,
      failure_threshold: failureThreshold,
      recovery_threshold: 1,
    }))
  })
  const { folder } = installation
  const service = await startProgram(installation.environment, { folder, dataFolder: folder })
  const database = openDatabase({ connection: runningConnection(folder), maxConnections: 2 })
  try {
    const caller = { pid: service.pid, url: service.url, token, workspaceId, database }
    for (const name of contacts)
      await create(caller, '/alert-channels', { name, kind: 'webhook', destination: `${receiver}/${name}` })
    return await work({ service, database, standIns, ids })
  } finally {
    await database.close()
    await service.end()
  }
}

/** From then on each monitor has its place in the interval, and code is compiled. */
async function untilChecked({ pool }: Database): Promise<void> {
  await until(
    'every monitor to be checked',
    async () => {
      await pause(1_000)
      const { rowCount } = await pool.query('select from monitor_state where last_checked_at is null limit 1')
      return rowCount === 0
    },
    60_000,
  )
  await pause(10_000)
}

async function settle({ database, standIns, ids }: Running): Promise<Aftermath> {
  const { seen } = await standIns.witnessed()
  await pause(storedAfterMs)
  const untilMs = performance.now() + toldMs
  while ((await pendingDeliveries(database)) > 0 && performance.now() < untilMs) await pause(1_000)
  const { arrivals } = await standIns.witnessed()
  return judgeAftermath({ database, ids, contacts, seen, arrivals })
}

type Ended = { course: Course; aftermath: Aftermath; log: string }

function judge(order: Order, { course, aftermath, log }: Ended): Outcome {
  const faults = faultsIn(log)
  const found = [
    ...course.findings,
    ...aftermath.findings,
    ...faults.map((line) => `The service logged: ${line.slice(0, 1500)}`),
  ]
  const findings: Finding[] = found.slice(0, shownFindings).map((what) => ({ what, case: 'all' }))
  if (found.length > shownFindings)
    findings.push({ what: `There are ${found.length - shownFindings} findings more.`, case: 'all' })
  const { results, repeats, incidents, deliveries, refused } = aftermath
  order.report(['', ...course.table].join('\n'))
  order.report(
    `${whole(repeats)} checks were made again in their round, and ${whole(refused)} attempts were refused by a receiver`,
  )
  const load = `${whole(results)} results in ${Math.round(order.budgetMs / 60_000)} minutes, ${whole(incidents)} incidents, ${whole(deliveries)} deliveries`
  return { load, survived: null, findings, lost: aftermath.lost }
}

function whole(value: number): string {
  return value.toLocaleString('en-US')
}
