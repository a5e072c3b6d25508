import { parseArgs } from 'node:util'
import { maxResultsPerMessage } from '#bus/bus.ts'
import type { Assignment } from '#core/monitors/check.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { benchLocation, type ClusterBench, withCluster } from './support/cluster.ts'
import { latencies, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { describeMachine } from './support/machine.ts'
import { readMetric } from './support/metrics.ts'
import { measureAnswers, measureChanges } from './support/million-answers.ts'
import { residentMb } from './support/process-tree.ts'
import { pause, waitFor } from './support/service.ts'

const usual = { monitors: 1_000_000, rate: 1_000, seconds: 120 }
const longestIntervalSeconds = 86_400
const partitions = 64
const holdMs = 600_000
/** Monitors that were never checked have a first check within this share of their interval, and at least so many seconds. */
const [firstShare, leastFirstSeconds, mostFirstSeconds] = [0.1, 30, 120]
const catchUpMs = 600_000
const takeoverMs = 300_000
const presenceMs = 1_000
const watching = 'perigee_monitors'

/**
 * Many monitors in one PostgreSQL, watched by two engines with one broker; the bench plays the prober, which answers
 * from memory. `--monitors N` (a million unless told), `--rate R` checks a second of all together (1,000), which sets
 * their interval, and `--seconds S` (120) for which lags are taken.
 */
export async function million(options: readonly string[]): Promise<void> {
  const { monitors, rate, seconds } = optionsOf(options)
  const intervalSeconds = Math.max(10, Math.min(longestIntervalSeconds, Math.round(monitors / rate)))
  let startedAt = performance.now()
  let ids: string[] = []
  await withCluster(
    async (seed) => {
      ids = await addMonitors(seed, monitors, (index) => ({
        name: `Monitor ${index}`,
        url: `http://127.0.0.1:9/${index}`,
        interval_seconds: intervalSeconds,
      }))
      await seed.database.pool.query('vacuum analyze monitors, monitor_state')
    },
    async (bench) => {
      console.log(`  ${whole(monitors)} monitors, every ${intervalSeconds} s, filled in ${since(startedAt)}`)
      const standIn = startStandIn(bench)
      startedAt = performance.now()
      await Promise.all([bench.startEngine(), bench.startEngine()])
      await untilAllWatched(bench, { monitors, deadlineMs: holdMs })
      console.log(
        `  every partition held and read ${since(startedAt)} after two engines were started; ${memory(bench)}`,
      )
      await pause(Math.min(mostFirstSeconds, Math.max(leastFirstSeconds, intervalSeconds * firstShare)) * 1000)
      await untilCaughtUp(bench, standIn, rate)
      console.log(`  first checks stored ${since(startedAt)} after the start`)
      await measureLag(bench, standIn, seconds)
      const api = await bench.startApi()
      await measureChanges({ bench, api, ids, onAssigned: standIn.onAssigned })
      await measureAnswers({ bench, api })
      await measureTakeover(bench, monitors)
      standIn.stop()
      console.log(`million: ${describeMachine()}`)
    },
  )
}

function since(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

function memory({ engines }: ClusterBench): string {
  const each = engines.map(({ child }) => residentMb(child.pid ?? 0))
  return `memory of an engine ${each.map(({ now, peak }) => `${whole(now)} MB, at most ${whole(peak)}`).join('; ')}`
}

/** Each partition has a holder that lives, and the engines that are left watch all monitors, each of them once. */
async function untilAllWatched(
  { database, engines }: ClusterBench,
  { monitors, deadlineMs }: { monitors: number; deadlineMs: number },
): Promise<void> {
  await waitFor(
    'every partition to be held and read',
    async () => {
      const { rows } = await database.pool.query<{ held: number; holders: number }>(
        `select count(*)::integer as held, count(distinct owner)::integer as holders
        from partitions
        where held_until > now()`,
      )
      const watched = await Promise.all(engines.map(({ url }) => readMetric(url, watching)))
      const isShared = rows[0]?.held === partitions && rows[0].holders === engines.length
      return isShared && watched.reduce((sum, count) => sum + count, 0) === monitors
    },
    { deadlineMs, everyMs: 250 },
  )
}

/** First checks may be more than are stored at a time. At most a second's results wait then. */
async function untilCaughtUp(bench: ClusterBench, { answered }: StandIn, rate: number): Promise<void> {
  await waitFor(
    'the first checks to be stored',
    async () => answered() - (await bench.counter('perigee_results_stored_total')) <= rate,
    { deadlineMs: catchUpMs, everyMs: 250 },
  )
}

type StandIn = {
  /** Assignments that were answered, or are being answered. */
  answered: () => number
  /** How late each assignment since the last call came, in milliseconds after its round's own time. */
  takeLags: () => number[]
  /** Called with each assignment; undefined ends it. */
  onAssigned: (listener: ((assignment: Assignment) => void) | undefined) => void
  stop: () => void
}

function startStandIn({ prober }: ClusterBench): StandIn {
  const name = { location: benchLocation, prober: 'bench' }
  let lagsMs: number[] = []
  let answered = 0
  let listener: ((assignment: Assignment) => void) | undefined
  const timer = setInterval(() => prober.announce({ ...name, isLeaving: false }), presenceMs)
  prober.onAssignments(benchLocation, 'bench', (list) => {
    const nowMs = Date.now()
    answered += list.length
    for (const assignment of list) {
      lagsMs.push(nowMs - assignment.round / 1000)
      listener?.(assignment)
    }
    for (let from = 0; from < list.length; from += maxResultsPerMessage)
      void prober
        .publishResults(benchLocation, list.slice(from, from + maxResultsPerMessage).map(answerTo))
        .catch((error: unknown) => console.log(`  ${String(error)}`))
  })
  return {
    answered: () => answered,
    takeLags: () => lagsMs.splice(0),
    onAssigned: (next) => {
      listener = next
    },
    stop: () => {
      clearInterval(timer)
      prober.announce({ ...name, isLeaving: true })
      lagsMs = []
    },
  }
}

function answerTo({ monitorId, version, round }: Assignment): Result {
  const verdict = { status: 'up', statusCode: 200, latencyMs: 42, error: null, phases: noPhases, details: {} } as const
  return { monitorId, version, round, location: benchLocation, verdict }
}

async function measureLag(bench: ClusterBench, standIn: StandIn, seconds: number): Promise<void> {
  standIn.takeLags()
  const [cpu, startedAt] = [bench.cpu(), performance.now()]
  const storedBefore = await bench.counter('perigee_results_stored_total')
  const skippedBefore = await bench.counter('perigee_rounds_skipped_total')
  await pause(seconds * 1000)
  const lagsMs = standIn.takeLags()
  const tookMs = performance.now() - startedAt
  const [after, stored] = [bench.cpu(), (await bench.counter('perigee_results_stored_total')) - storedBefore]
  const skipped = (await bench.counter('perigee_rounds_skipped_total')) - skippedBefore
  const share = (part: 'engines' | 'postgres' | 'broker'): string =>
    `${whole(((after[part] - cpu[part]) * 1000) / tookMs)} ms/s`
  console.log(
    `  ${whole((lagsMs.length * 1000) / tookMs)} rounds/s begun, ${whole((stored * 1000) / tookMs)} results/s stored, ` +
      `${skipped} rounds skipped; from a round's time to its prober ${latencies(lagsMs)}; CPU of both engines ` +
      `${share('engines')}, PostgreSQL ${share('postgres')}, broker ${share('broker')}; ${memory(bench)}`,
  )
}

/** How late rounds are meanwhile is not told: those that are over are not begun, and so have no lag. */
async function measureTakeover(bench: ClusterBench, monitors: number): Promise<void> {
  const victim = bench.engines.shift()
  if (victim === undefined) throw new Error('There is no engine.')
  victim.child.kill('SIGKILL')
  const startedAt = performance.now()
  await untilAllWatched(bench, { monitors, deadlineMs: takeoverMs })
  console.log(`  an engine killed: the other holds and watches everything after ${since(startedAt)}; ${memory(bench)}`)
}

function optionsOf(options: readonly string[]): typeof usual {
  const { values } = parseArgs({
    args: [...options],
    options: { monitors: { type: 'string' }, rate: { type: 'string' }, seconds: { type: 'string' } },
  })
  const numberOf = (name: keyof typeof usual): number => {
    const value = Number(values[name] ?? usual[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1 on.`)
    return value
  }
  return { monitors: numberOf('monitors'), rate: numberOf('rate'), seconds: numberOf('seconds') }
}
