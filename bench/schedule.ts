import { maxResultsPerMessage } from '#bus/bus.ts'
import type { Assignment } from '#core/monitors/check.ts'
import { noPhases, type Result } from '#core/results/result.ts'
import { type EngineBench, withEngine } from './support/engine.ts'
import { latencies, mean, percentile, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { liveHeapBytes } from './support/machine.ts'
import { pause } from './support/service.ts'

const monitors = 100_000
const intervalSeconds = 60
const location = 'local'
const prober = 'stand-in'
const presenceMs = 1_000
const referenceMs = 5_000

/** 100,000 monitors at a minute in one engine, checked by a stand-in that answers at once; everything is stored. */
export async function schedule(): Promise<void> {
  await withEngine(
    async (seed) => {
      await addMonitors(seed, monitors, (index) => ({ name: `Monitor ${index}`, interval_seconds: intervalSeconds }))
    },
    async (bench) => {
      const heapBefore = liveHeapBytes()
      const standIn = startStandIn(bench)
      const startedAt = performance.now()
      await bench.start()
      const readyAfterMs = performance.now() - startedAt
      await pause(intervalSeconds * 1000 - readyAfterMs + 1_000)
      const bytesEach = (liveHeapBytes() - heapBefore) / monitors
      standIn.stop()
      const { skipped, stored } = bench.observed
      const lagsMs = [...bench.observed.lagsMs]
      const { checked, perSecond } = standIn.told()
      // The first and the last second are not whole.
      const whollyCounted = perSecond.slice(1, intervalSeconds - 1)
      const spread = Math.max(...whollyCounted) / mean(whollyCounted)
      console.log(
        `ready after ${(readyAfterMs / 1000).toFixed(1)} s; in the first minute ${whole(checked)} of ${whole(monitors)} ` +
          `monitors checked, ${whole(stored)} results stored, ${skipped} rounds skipped`,
      )
      console.log(
        `${whole(mean(whollyCounted))} checks/s, busiest second ${spread.toFixed(2)} of the mean; ` +
          `lag ${latencies(lagsMs)}; ${whole(bytesEach)} bytes of heap a monitor`,
      )
      await printReference()
      console.log(
        `schedule: ${percentile(lagsMs, 0.99).toFixed(0)} ms lag p99, goal 250; ${(bytesEach / 1000).toFixed(2)} KB of heap ` +
          `a monitor, goal 1.5; ${((checked * 100) / monitors).toFixed(2)} % checked within an interval, goal 100; ` +
          `busiest second ${spread.toFixed(2)} of the mean, goal: no stampede`,
      )
    },
  )
}

type StandIn = { told: () => { checked: number; perSecond: number[] }; stop: () => void }

function startStandIn({ bus }: EngineBench): StandIn {
  const seen = new Set<string>()
  const perSecond: number[] = []
  const startedAt = performance.now()
  const announce = (): void => bus.announce({ location, prober, isLeaving: false })
  announce()
  const timer = setInterval(announce, presenceMs)
  const end = bus.onAssignments(location, prober, (assignments) => {
    const second = Math.floor((performance.now() - startedAt) / 1000)
    perSecond[second] = (perSecond[second] ?? 0) + assignments.length
    for (const { monitorId } of assignments) seen.add(monitorId)
    for (let from = 0; from < assignments.length; from += maxResultsPerMessage)
      bus
        .publishResults(location, assignments.slice(from, from + maxResultsPerMessage).map(answer))
        .catch((error: unknown) => console.error(String(error)))
  })
  return {
    told: () => ({ checked: seen.size, perSecond: Array.from(perSecond, (count) => count ?? 0) }),
    stop: () => {
      clearInterval(timer)
      end()
    },
  }
}

function answer({ monitorId, version, round }: Assignment): Result {
  return {
    monitorId,
    version,
    round,
    location,
    verdict: { status: 'up', statusCode: 200, latencyMs: 42, error: null, phases: noPhases, details: {} },
  }
}

/** The reference: a timer for each monitor, which does nothing when it fires. */
async function printReference(): Promise<void> {
  const heapBefore = liveHeapBytes()
  const lagsMs: number[] = []
  const timers = new Set<NodeJS.Timeout>()
  const startedAt = performance.now()
  for (let count = 0; count < monitors; count += 1) {
    const dueMs = Math.random() * intervalSeconds * 1000
    const timer = setTimeout(() => lagsMs.push(performance.now() - startedAt - dueMs), dueMs)
    timers.add(timer)
  }
  const bytesEach = (liveHeapBytes() - heapBefore) / monitors
  await pause(referenceMs)
  for (const timer of timers) clearTimeout(timer)
  console.log(
    `  reference, a bare timer each that stores nothing: lag ${latencies(lagsMs)}; ${whole(bytesEach)} bytes of heap a timer`,
  )
}
