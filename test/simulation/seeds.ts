import { type Faults, manyFaults, noFaults } from './faults.ts'
import { createRandom, type Random } from './random.ts'
import { reportOf, run, type SimulationOptions } from './simulate.ts'

export type SeedsOptions = {
  /** The first one; the others follow it. */
  seed: number
  /** No seed is begun after this time. */
  budgetMs: number
  /** Gets what a failing seed needs to be looked at, and a summary. */
  report: (text: string) => void
}

export type SeedsOutcome = { seeds: number; monitorHours: number; failedSeed: number | null }

/** Simulates one seed after the other, until one fails or the time is over. The same seed is always the same story. */
export async function simulate({ seed, budgetMs, report }: SeedsOptions): Promise<SeedsOutcome> {
  const began = performance.now()
  let monitorHours = 0
  let next = seed
  for (; next === seed || performance.now() - began < budgetMs; next += 1) {
    const simulated = await run(next, optionsOf(next))
    monitorHours += simulated.monitorHours
    if (simulated.failure === null) continue
    report(reportOf(next, simulated))
    return { seeds: next - seed + 1, monitorHours, failedSeed: next }
  }
  const minutes = (performance.now() - began) / 60_000
  report(
    `${next - seed} seeds held, ${Math.round(monitorHours)} hours of monitors, ${Math.round(monitorHours / minutes)} a minute.`,
  )
  return { seeds: next - seed, monitorHours, failedSeed: null }
}

/** Each seed has an installation of its own, and its own share of what may go wrong. */
export function optionsOf(seed: number): SimulationOptions {
  const random = createRandom(seed ^ 0x5eed)
  return {
    hours: 0.5,
    monitors: random.within(10, 120),
    engines: random.within(1, 4),
    locations: random.within(1, 4),
    faults: faultsOf(random),
  }
}

/** How much more often than usual a fault happens in an installation. */
const mostOften = 0.5
const scales = [0, 0, 1, 1, 3, 10]

/** Some kinds of faults are not there at all, so that what hides behind another one is found as well. */
function faultsOf(random: Random): Faults {
  const entries = Object.entries(manyFaults).map(([fault, usual]) => {
    return [fault, Math.min(mostOften, usual * (random.pick(scales) ?? 1))] as const
  })
  return { ...noFaults, ...Object.fromEntries(entries), slowestMs: manyFaults.slowestMs }
}
