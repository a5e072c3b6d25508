// Whether the simulation notices: plants each defect of a list in the product and plays stories until a rule is broken
// (docs/design/simulation.md).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storyMutants } from '../../test/simulation/mutants/index.ts'
import type { StoryMutant } from '../../test/simulation/mutants/story-mutant.ts'
import { type HowToRun, runStories, type StoryRun } from './story-run.ts'

export interface SimulationMutants {
  firstSeed: number
  /** How many stories a defect may take to be found. */
  mostStories: number
  lanes: number
  /** The name of the only one that is played. */
  only: string | undefined
}

/** A defect with which stories take so much longer than without never ends. */
const slower = 4
const leastMs = 60_000
const longestMs = 3_600_000

export function listSimulationMutants(): void {
  for (const { name, file, defect } of storyMutants) console.log(`${name}  ${file}\n  ${defect}`)
}

/** Prints each defect when it is found, or is not, and a sum. Whether all of them were found. */
export async function playSimulationMutants(asked: SimulationMutants): Promise<boolean> {
  const { only, firstSeed, mostStories } = asked
  const chosen = storyMutants.filter(({ name }) => only === undefined || name === only)
  if (chosen.length === 0) throw new Error(`--simulation --list names the defects; ${only} is none of them.`)
  const folder = mkdtempSync(join(tmpdir(), 'perigee-mutants-'))
  try {
    const began = performance.now()
    const how = { firstSeed, mostStories, folder }
    const control = await playControl({ ...how, deadlineMs: longestMs }, asked.lanes)
    printRun('the source as it is', control)
    if (control.broken !== null) return false
    const deadlineMs = Math.ceil(leastMs + slower * control.seconds * 1000)
    const found = await playAll(chosen, { ...how, deadlineMs }, asked.lanes)
    printSum(chosen.length, found, (performance.now() - began) / 1000)
    return found.length === chosen.length
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The stories of the source as it is, shared among the lanes. */
async function playControl({ firstSeed, mostStories, ...how }: HowToRun, lanes: number): Promise<StoryRun> {
  const share = Math.ceil(mostStories / lanes)
  const parts = Array.from({ length: Math.ceil(mostStories / share) }, (_, part) => part * share)
  const runs = await Promise.all(
    parts.map((from) =>
      runStories(null, { ...how, firstSeed: firstSeed + from, mostStories: Math.min(share, mostStories - from) }),
    ),
  )
  return {
    stories: runs.reduce((sum, { stories }) => sum + stories, 0),
    broken: runs.find(({ broken }) => broken !== null)?.broken ?? null,
    seconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

/** Returns the runs that found theirs. */
async function playAll(mutants: readonly StoryMutant[], how: HowToRun, lanes: number): Promise<StoryRun[]> {
  const found: StoryRun[] = []
  const waiting = [...mutants]
  const workLane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const run = await runStories(next, how)
      printRun(next.name, run)
      if (run.broken !== null) found.push(run)
      else console.log(`  ${next.file}: ${next.defect}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, workLane))
  return found
}

function printRun(name: string, { stories, broken, seconds }: StoryRun): void {
  const took = `${stories} ${stories === 1 ? 'story' : 'stories'}, ${seconds.toFixed(0)} s`
  console.log(
    broken === null ? `HELD   ${name}: ${took}` : `found  ${name}: ${took}, seed ${broken.seed}: ${broken.rule}`,
  )
}

function printSum(count: number, found: readonly StoryRun[], seconds: number): void {
  const stories = found.map((run) => run.stories)
  const all = stories.reduce((sum, each) => sum + each, 0)
  console.log(
    `\n${count} defects, ${found.length} found, ${count - found.length} not: within ${all} stories, ` +
      `${Math.max(0, ...stories)} at most for one, and ${seconds.toFixed(0)} s`,
  )
}
