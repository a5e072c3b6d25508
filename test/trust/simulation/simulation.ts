// The proof by simulation: the whole way from schedule to alert on virtual time, with everything going wrong that can
// (docs/design/simulation.md).
import { optionsOf } from '../../simulation/seeds.ts'
import { reportOf, run, type Simulated } from '../../simulation/simulate.ts'
import type { Finding, Order, Outcome, Proof } from '../proof.ts'

export const simulation: Proof = { name: 'simulation', run: simulate }

/** A broken rule is mostly broken by many seeds. */
const mostFindings = 5
const storiesOfShort = 30

type Sums = Record<'stories' | 'monitorHours' | 'results' | 'incidents' | 'faults' | 'lost', number>

/** Plays one story after the other until the time is over, or enough of them have failed. */
async function simulate({ seed, budgetMs, isShort, report, only }: Order): Promise<Outcome> {
  const first = Number(only ?? seed)
  const began = performance.now()
  const sums: Sums = { stories: 0, monitorHours: 0, results: 0, incidents: 0, faults: 0, lost: 0 }
  const findings: Finding[] = []
  const most = isShort ? storiesOfShort : Infinity
  const isInTime = (): boolean => performance.now() - began < budgetMs
  const goesOn = (): boolean => only === null && sums.stories < most && isInTime() && findings.length < mostFindings
  do {
    const story = first + sums.stories
    const simulated = await run(story, optionsOf(story))
    add(sums, simulated)
    if (simulated.failure === null) continue
    report(reportOf(story, simulated))
    findings.push({ what: firstLineOf(simulated.failure), case: String(story) })
  } while (goesOn())
  const aMinute = (sums.monitorHours * 60_000) / (performance.now() - began)
  report(`${Math.round(aMinute)} hours of monitors a minute`)
  const { stories, monitorHours, results, incidents, faults, lost } = sums
  const load = `${stories} stories, ${Math.round(monitorHours)} hours of monitors, ${results} results, ${incidents} incidents`
  return { load, survived: faults, findings, lost }
}

function add(sums: Sums, { monitorHours, results, incidents, faults, lost }: Simulated): void {
  sums.stories += 1
  sums.monitorHours += monitorHours
  sums.results += results
  sums.incidents += incidents
  sums.faults += faults
  sums.lost += lost
}

function firstLineOf(failure: unknown): string {
  return (failure instanceof Error ? failure.message : String(failure)).split('\n')[0] ?? ''
}
