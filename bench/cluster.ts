import { maxResultsPerMessage } from '#bus/bus.ts'
import type { Assignment } from '#core/monitors/check.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { benchLocation, type ClusterBench, type PartsCpu, withCluster } from './support/cluster.ts'
import { whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { pause, waitFor } from './support/service.ts'

const monitors = 20_000
/** While results are pushed, nothing is due. */
const restingSeconds = 86_400
/** While checks are ordered: 2,000 a second. */
const busySeconds = 10
/** Published and not stored yet. */
const maxAhead = 20_000
const warmUpMs = 4_000
const measureMs = 12_000
const engineCounts = [1, 2, 4] as const
const goal = 20_000
const stored = 'perigee_results_stored_total'

/** Results through JetStream into PostgreSQL and evaluated, by processes; orders to check; a takeover. */
export async function cluster(): Promise<void> {
  let ids: string[] = []
  await withCluster(
    async (seed) => {
      ids = await addMonitors(seed, monitors, (index) => ({ name: `${index}`, interval_seconds: restingSeconds }))
    },
    async (bench) => {
      let most = 0
      for (const count of engineCounts) {
        while (bench.engines.length < count) await bench.startEngine()
        await untilShared(bench)
        const perSecond = await push(bench, ids)
        most = Math.max(most, perSecond)
      }
      for (const engine of bench.engines.slice(2)) await bench.stopEngine(engine)
      await untilShared(bench)
      await order(bench)
      console.log(`cluster: ${whole(most)} results/s, goal ${whole(goal)}`)
    },
  )
}

/** Pushes results as fast as the cluster stores them. Returns results a second. */
async function push(bench: ClusterBench, ids: readonly string[]): Promise<number> {
  const before = await bench.counter(stored)
  const pushing = { published: 0, stored: 0, isEnding: false }
  const isAhead = (): boolean => pushing.published - pushing.stored > maxAhead && !pushing.isEnding
  const senders = Array.from({ length: 20 }, async () => {
    for (const results of messagesOf(ids, () => pushing.isEnding)) {
      while (isAhead()) await pause(5)
      pushing.published += results.length
      await bench.prober.publishResults(benchLocation, results)
    }
  })
  const watching = (async () => {
    while (!pushing.isEnding) {
      pushing.stored = (await bench.counter(stored)) - before
      await pause(100)
    }
  })()
  await pause(warmUpMs)
  const [from, cpuFrom, startedAt] = [await bench.counter(stored), bench.cpu(), performance.now()]
  await pause(measureMs)
  const [to, cpuTo, seconds] = [await bench.counter(stored), bench.cpu(), (performance.now() - startedAt) / 1000]
  pushing.isEnding = true
  await Promise.all([...senders, watching])
  await waitFor('everything to be stored', async () => (await bench.counter(stored)) - before >= pushing.published, {
    deadlineMs: 60_000,
  })
  const perSecond = (to - from) / seconds
  console.log(
    `  ${bench.engines.length} engines: ${whole(perSecond)} results/s; ` +
      `CPU each ${cpuText(cpuFrom, cpuTo, to - from)}`,
  )
  return perSecond
}

function cpuText(from: PartsCpu, to: PartsCpu, count: number): string {
  const each = (part: keyof PartsCpu): number => ((to[part] - from[part]) * 1000) / count
  const total = each('engines') + each('postgres') + each('broker') + each('senders')
  return (
    `${total.toFixed(1)} us (engines ${each('engines').toFixed(1)}, PostgreSQL ${each('postgres').toFixed(1)}, ` +
    `broker ${each('broker').toFixed(1)}, prober ${each('senders').toFixed(1)})`
  )
}

/** Every monitor due every ten seconds, answered at once; then one of two engines is killed. */
async function order(bench: ClusterBench): Promise<void> {
  const { database, prober } = bench
  let ordered = 0
  let lastMs = performance.now()
  let longestMs = 0
  const name = { location: benchLocation, prober: 'bench' }
  prober.onAssignments(benchLocation, 'bench', (list) => {
    ordered += list.length
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
    void prober.publishResults(benchLocation, list.map(answerTo)).catch(() => {})
  })
  const timer = setInterval(() => prober.announce({ ...name, isLeaving: false }), 1_000)
  await database.pool.query('update monitors set interval_seconds = $1, version = version + 1', [busySeconds])
  await database.pool.query('update monitor_state set version = version + 1')
  await waitFor('all monitors to be ordered', () => ordered >= 2 * monitors, { deadlineMs: 90_000 })
  const [from, cpuFrom, startedAt] = [ordered, bench.cpu(), performance.now()]
  await pause(measureMs)
  const count = ordered - from
  const perSecond = (count * 1000) / (performance.now() - startedAt)
  console.log(
    `  ${whole(perSecond)} assignments/s of ${whole(monitors / busySeconds)} due, each checked, stored and evaluated; ` +
      `CPU each ${cpuText(cpuFrom, bench.cpu(), count)}`,
  )
  await takeOver(bench)
  clearInterval(timer)
  prober.announce({ ...name, isLeaving: true })
}

async function takeOver({ database, engines }: ClusterBench): Promise<void> {
  const [victim] = engines
  if (victim === undefined) throw new Error('There is no engine.')
  engines.splice(0, 1)
  victim.child.kill('SIGKILL')
  const startedAt = performance.now()
  await waitFor(
    'the other engine to hold everything',
    async () => (await holders(database.pool)).every((owner) => !owner.includes(`-${victim.child.pid}-`)),
    { deadlineMs: 30_000 },
  )
  const seconds = (performance.now() - startedAt) / 1000
  const killedAt = new Date(Date.now() - seconds * 1000)
  await pause(2 * busySeconds * 1000)
  const { rows } = await database.pool.query<{ again: number; left: number }>(
    `select max(extract(epoch from next.at - $1::timestamptz))::float8 as again,
      count(*) filter (where next.at is null)::integer as left
    from monitors m
    cross join lateral (select min(round_at) as at from results r where r.monitor_key = m.key and r.round_at > $1) next`,
    [killedAt],
  )
  const { again = 0, left = 0 } = rows[0] ?? {}
  console.log(
    `  an engine killed: its partitions taken over after ${seconds.toFixed(1)} s, ` +
      `all but ${whole(left)} of ${whole(monitors)} monitors checked again after ${again.toFixed(1)} s`,
  )
}

async function untilShared({ database, engines }: ClusterBench): Promise<void> {
  const share = Math.ceil(64 / engines.length)
  await waitFor(
    'the partitions to be shared',
    async () => {
      const counts = Map.groupBy(await holders(database.pool), (owner) => owner)
      return counts.size === engines.length && [...counts.values()].every(({ length }) => length <= share)
    },
    { deadlineMs: 60_000 },
  )
  await pause(1_000)
}

async function holders(pool: ClusterBench['database']['pool']): Promise<string[]> {
  const { rows } = await pool.query<{ owner: string | null }>('select owner from partitions where held_until > now()')
  return rows.map(({ owner }) => owner ?? '')
}

function* messagesOf(ids: readonly string[], isEnding: () => boolean): Generator<Result[]> {
  for (let from = Math.floor(Math.random() * ids.length); !isEnding(); from += maxResultsPerMessage)
    yield Array.from({ length: maxResultsPerMessage }, (_, index) =>
      answerTo({ monitorId: ids[(from + index) % ids.length] ?? '', version: 1, round: nextRound() }),
    )
}

let lastRound = 0

/** No two alike. */
function nextRound(): number {
  lastRound = Math.max(lastRound + 1, Date.now() * 1000)
  return lastRound
}

function answerTo({ monitorId, version, round }: Assignment): Result {
  const phases = { ...noPhases, dnsMs: 1, connectMs: 12, tlsMs: 14, ttfbMs: 81, transferMs: 1 }
  const verdict = { status: 'up', statusCode: 200, latencyMs: 96, error: null, phases, details: {} } as const
  return { monitorId, version, round, location: benchLocation, verdict }
}
