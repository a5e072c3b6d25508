// Whether tests notice: changes one token of a product file at a time, and asks the file's own tests.
// `npm run mutants -- --sample 200 --seed 7` draws them, `--file src/core/results/uptime.ts` takes one file's, and may be repeated.
// `--folder src/engine` draws them within that folder, which may be a room.
// `--simulation` asks the simulation instead, about a list of defects.
import { availableParallelism } from 'node:os'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { draw } from './mutants/draw.ts'
import { withoutEquivalents } from './mutants/equivalents.ts'
import { makeMutants } from './mutants/make-mutants.ts'
import { idOf, type Mutant } from './mutants/mutant.ts'
import { type ProductFile, productFiles } from './mutants/own-tests.ts'
import { playAll } from './mutants/play-all.ts'
import { changeOf, printSum, printUntested } from './mutants/print.ts'
import { listSimulationMutants, playSimulationMutants } from './mutants/simulation.ts'
import { onTestGround } from './test-ground.ts'

const { values: given } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    skip: { type: 'string', default: '0' },
    seed: { type: 'string' },
    lanes: { type: 'string', default: String(availableParallelism()) },
    file: { type: 'string', multiple: true, default: [] },
    folder: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    simulation: { type: 'boolean', default: false },
    stories: { type: 'string', default: '15' },
  },
})

if (given.simulation) await askSimulation()
else await askTests()

async function askSimulation(): Promise<void> {
  if (given.list) return listSimulationMutants()
  const isFound = await playSimulationMutants({
    firstSeed: count('seed', given.seed ?? '1'),
    mostStories: count('stories', given.stories),
    lanes: count('lanes', given.lanes),
    only: given.only,
  })
  process.exitCode = isFound ? 0 : 1
}

async function askTests(): Promise<void> {
  const files = productFiles()
  const chosen = choose(files)
  if (given.list) {
    for (const mutant of chosen) console.log(changeOf(mutant))
    return
  }
  const tests = new Map(files.map((each) => [each.file, each.tests]))
  const began = performance.now()
  await onTestGround(async (ground) => {
    const verdicts = await playAll(chosen, { ground, tests, lanes: count('lanes', given.lanes) })
    return printSum(verdicts, performance.now() - began) ? 0 : 1
  })
}

/** What this run changes: one mutant, a file's, or a sample of all that a test of their own has to notice. */
function choose(all: readonly ProductFile[]): Mutant[] {
  const tested = all.filter(({ tests }) => tests.length > 0)
  const { counted, stale } = withoutEquivalents(tested.flatMap(({ file }) => mutantsOf(file)))
  if (stale.length > 0) {
    const named = stale.map(({ file, line }) => `${file}: ${line}`).join('\n')
    refuse(`scripts/mutants/equivalents-*.ts name changes that there are no more:\n${named}`)
  }
  if (given.only !== undefined) return orRefuse(counted.filter((mutant) => idOf(mutant) === given.only))
  if (given.file.length > 0)
    return given.file.flatMap((named) => orRefuse(counted.filter(({ file }) => file === named)))
  const folder = given.folder === undefined ? '' : join(given.folder, '/')
  const isInside = ({ file }: { file: string }): boolean => file.startsWith(folder)
  const inside = orRefuse(counted.filter(isInside))
  const seed = given.seed === undefined ? Math.floor(Math.random() * 1_000_000) : count('seed', given.seed)
  printUntested(
    all.filter(isInside).filter(({ file, tests }) => tests.length === 0 && mutantsOf(file).length > 0),
    given.list,
  )
  const files = tested.filter(isInside).length
  console.log(`${inside.length} changes in ${files} files; those of this run: --seed ${seed}`)
  return draw(inside, { sample: count('sample', given.sample), seed }).slice(count('skip', given.skip))
}

function mutantsOf(file: string): Mutant[] {
  return makeMutants(file, readFileSync(file, 'utf8'))
}

function orRefuse(mutants: Mutant[]): Mutant[] {
  return mutants.length > 0 ? mutants : refuse('No test has to notice such a change: `--list` shows those that count.')
}

function count(name: string, text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${name} takes a number.`)
}

function refuse(message: string): never {
  console.error(message)
  process.exit(2)
}
