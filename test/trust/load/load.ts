// The proof by load: what the machine holds on each surface alone, then twice as much on all of them at once, and a
// flood on one beside quiet callers of the others.
import { pause } from '../../support/pause.ts'
import { until } from '../../support/until.ts'
import { faultsIn } from '../program.ts'
import type { Order, Outcome, Proof } from '../proof.ts'
import { lagOfShare, lagsBetween, othersShare, type Reading, readNow } from '../soak/readings.ts'
import { callApart, watchApart } from './apart.ts'
import type { Tally } from './caller.ts'
import { judgeAnswers, judgeBeside, judgeMemory, judgeStreams } from './judge.ts'
import { usedAtRest, watchResident } from './memory.ts'
import { lostCalls, lostWrites } from './kept.ts'
import { addTaken, type Surface, type SurfaceName, surfaceNames, surfacesOf, type Taken } from './surfaces.ts'
import type { WatchTally } from './watcher.ts'
import { createWorld, intervalSeconds, resume, type World } from './world.ts'

export const load: Proof = { name: 'load', takesItsTime: true, run }

/** More than two cores check every 10 seconds. */
const manyMonitors = 30_000
const warmMs = 15_000
const checksSeconds = 15
const aloneSeconds = 6
const usualSeconds = 8
const togetherSeconds = 45
const floodSeconds = 8
const restMs = 15_000
/** A quiet caller: how long its surface takes is seen, and it takes nothing from it. */
const quiet = { connections: 1, perSecond: 10 }
const deadlineMs = 10_000
const latestMs = 250
const share = 0.99
/** Where other programs take more than this share of the machine, times say nothing of the service. */
const muchOfTheMachine = 0.25
/** So many a session may have. */
const streamsEach = 4
/** Two beats of a stream. */
const mostSilentMs = 30_000
/**
 * A flood has 32 requests on the way, each of which may wait in the service and in its database; and what took a
 * millisecond may wait for one that takes a hundred.
 */
const besideBounds = { factor: 64, leastMs: 250 }
/**
 * Resident: a heap grows before it is collected, and 400 answers are on the way at once. Used: a tenth, and 16 MiB for
 * code that was compiled and for statements that are known since.
 */
const memoryBounds = { mostResidentGrowth: 512, mostUsedShare: 1.1, usedAllowance: 16 }

const notTried: Outcome = { load: 'not tried: it needs Linux', survived: null, findings: [], lost: null }

type Bench = {
  world: World
  surfaces: Record<SurfaceName, Surface>
  taken: Map<string, Taken>
  findings: string[]
  report: (line: string) => void
}

async function run({ report }: Order): Promise<Outcome> {
  if (process.platform !== 'linux') return notTried
  const held = await heldChecks()
  report(`checks alone: ${held} a second`)
  const half = Math.floor((held / 2) * intervalSeconds)
  const world = await createWorld({ checkedMonitors: half, arePaused: true })
  const bench: Bench = { world, surfaces: surfacesOf(world), taken: new Map(), findings: [], report }
  try {
    const rates = await measureAlone(bench)
    await resume(world, world.checked)
    await pause(warmMs)
    const usedBefore = await usedAtRest(world.service, () => read(world))
    const residentBefore = world.service.memoryMb() ?? 0
    const resident = watchResident(world.service.memoryMb)
    await playTogether(bench, rates)
    await playFloods(bench, rates)
    const residentMost = resident.stop()
    await pause(restMs)
    const usedAfter = await usedAtRest(world.service, () => read(world))
    const memory = { usedBefore, usedAfter, residentBefore, residentMost }
    report(
      `memory in MiB: ${JSON.stringify(memory, (_, value) => (typeof value === 'number' ? Math.round(value) : value))}`,
    )
    bench.findings.push(...judgeMemory(memory, memoryBounds))
    return await judge(bench)
  } finally {
    await world.end()
  }
}

async function judge({ world, taken, findings }: Bench): Promise<Outcome> {
  const calls = await lostCalls(world, taken)
  const writes = await lostWrites(world.database, taken)
  const found = [
    ...findings,
    ...(calls > 0 ? [`${calls} calls were answered 200 and are not stored.`] : []),
    ...(writes > 0 ? [`${writes} monitors do not have the name of the last write that was answered 200.`] : []),
    ...faultsIn(world.service.log()).map((fault) => `The service logged: ${fault.slice(0, 1500)}`),
  ]
  const acknowledged = [...taken.values()].reduce((sum, one) => sum + one.taken, 0).toLocaleString('en-US')
  return {
    load: `${Math.round(world.checked.length / intervalSeconds)} checks a second beside floods, ${acknowledged} calls and writes taken`,
    survived: null,
    findings: found.map((what) => ({ what, case: 'all' })),
    lost: calls + writes,
  }
}

/** Checks a second that are stored where more are asked. */
async function heldChecks(): Promise<number> {
  const world = await createWorld({ checkedMonitors: manyMonitors, arePaused: false })
  try {
    await until('the first checks', async () => (await read(world)).stored > 0)
    await pause(warmMs)
    const from = await read(world)
    await pause(checksSeconds * 1000)
    const to = await read(world)
    return Math.round(((to.stored - from.stored) * 1000) / (to.atMs - from.atMs))
  } finally {
    await world.end()
  }
}

type Rates = Record<SurfaceName, number>

async function measureAlone(bench: Bench): Promise<Rates> {
  const rates: Rates = { reads: 0, writes: 0, calls: 0, pages: 0 }
  for (const name of surfaceNames) {
    const tally = await ask(bench, name, { perSecond: null, seconds: aloneSeconds })
    rates[name] = takenOf(tally) / tally.seconds
    bench.report(`${name} alone: ${lineOf(tally)}`)
  }
  return rates
}

/** All surfaces at twice of what they hold alone, beside checks at half. */
async function playTogether(bench: Bench, rates: Rates): Promise<void> {
  const { world, report, findings } = bench
  const from = await read(world)
  const [streams, ...tallies] = await Promise.all([
    watch(world, togetherSeconds),
    ...surfaceNames.map((name) => ask(bench, name, { perSecond: 2 * rates[name], seconds: togetherSeconds })),
  ])
  const to = await read(world)
  for (const [index, tally] of tallies.entries()) {
    const name = surfaceNames[index]
    report(`${name} together: ${lineOf(tally)}`)
    findings.push(...judgeAnswers(`${name} together`, tally))
  }
  report(`streams together: ${streamLine(streams)}`)
  findings.push(...judgeStreams(streams, mostSilentMs))
  judgeLag(bench, 'all surfaces together', [from, to])
}

/** Each surface in turn at twice of what it holds, beside quiet callers of the others. */
async function playFloods(bench: Bench, rates: Rates): Promise<void> {
  const usual = await askQuietly(bench, surfaceNames, usualSeconds)
  for (const flooded of surfaceNames) {
    const from = await read(bench.world)
    const others = surfaceNames.filter((name) => name !== flooded)
    const [flood, quietly] = await Promise.all([
      ask(bench, flooded, { perSecond: 2 * rates[flooded], seconds: floodSeconds }),
      askQuietly(bench, others, floodSeconds),
    ])
    bench.report(`a flood of ${flooded}: ${lineOf(flood)}`)
    bench.findings.push(...judgeAnswers(`a flood of ${flooded}`, flood))
    const isBusy = judgeLag(bench, `a flood of ${flooded}`, [from, await read(bench.world)])
    for (const [name, tally] of quietly) {
      const times = { usualMs: usual.get(name)?.p50 ?? Number.NaN, besideMs: tally.p50 }
      bench.report(`  ${name} beside it: p50 ${times.besideMs.toFixed(1)} ms, usually ${times.usualMs.toFixed(1)}`)
      bench.findings.push(...judgeAnswers(`${name} beside a flood of ${flooded}`, tally))
      if (!isBusy) bench.findings.push(...judgeBeside({ name, flooded }, times, besideBounds))
    }
  }
}

async function askQuietly(
  bench: Bench,
  names: readonly SurfaceName[],
  seconds: number,
): Promise<Map<SurfaceName, Tally>> {
  const tallies = await Promise.all(names.map((name) => ask(bench, name, { ...quiet, seconds })))
  return new Map(names.map((name, index) => [name, tallies[index]]).filter((pair) => isTold(pair)))
}

function isTold(pair: readonly unknown[]): pair is [SurfaceName, Tally] {
  return pair[1] !== undefined
}

/** Whether others kept the machine so busy that times say nothing. */
function judgeLag({ report, findings }: Bench, when: string, [from, to]: readonly [Reading, Reading]): boolean {
  const lags = lagsBetween(from.lags, to.lags)
  const lagMs = lagOfShare(lags, share)
  const checks = ((to.stored - from.stored) * 1000) / (to.atMs - from.atMs)
  const others = othersShare(from, to)
  report(
    `  checks: ${Math.round(checks)} a second, lag p99 ${Math.round(lagMs)} ms; others had ${Math.round(100 * others)} % of the machine`,
  )
  const isBusy = others > muchOfTheMachine
  if (lagMs > latestMs && !isBusy)
    findings.push(`With ${when}, the lag of the schedule was ${Math.round(lagMs)} ms at the 99th percentile.`)
  return isBusy
}

async function ask(
  { surfaces, taken: all }: Bench,
  name: SurfaceName,
  how: { connections?: number; perSecond: number | null; seconds: number },
): Promise<Tally> {
  const surface = surfaces[name]
  const tally = await callApart({ ...surface, ...how, deadlineMs })
  if (name === 'calls' || name === 'writes') addTaken(all, surface.asked, tally)
  return tally
}

/** Twice as many for each session as it may have. */
function watch({ service, sessions, workspaceId }: World, seconds: number): Promise<WatchTally> {
  const url = `${service.url}/console/live?workspace=${workspaceId}`
  return watchApart({ url, headers: sessions, streamsEach: 2 * streamsEach, seconds })
}

function read({ service, metricsToken }: World): Promise<Reading> {
  return readNow({ service, metricsToken, standInsPid: 0 })
}

function takenOf({ statuses }: Tally): number {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (status.startsWith('2') ? count : 0), 0)
}

function lineOf(tally: Tally): string {
  const { asked, seconds, statuses, late, broken, p50, p99 } = tally
  return (
    `${Math.round(asked / seconds)} asked and ${Math.round(takenOf(tally) / seconds)} taken a second, ` +
    `${JSON.stringify(statuses)}, ${late} late, ${broken} broken, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  )
}

function streamLine({ open, messages, refused, broken, gapP50, gapMost }: WatchTally): string {
  return `${open} open, ${refused} refused, ${broken} broken, ${messages} messages, ${gapP50.toFixed(0)} ms between two, at most ${gapMost.toFixed(0)}`
}
