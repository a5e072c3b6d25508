// Runs the tests of a file, as it is or mutated, in processes with a deadline.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { signalGroup, type TestGround } from '../test-ground.ts'
import { failedCode } from './first-failure.ts'
import { type Mutant, mutate } from './mutant.ts'

export type Outcome = 'SURVIVED' | 'failed' | 'timed out' | 'crash'

export interface Played {
  outcome: Outcome
  /** The output of the tests that found it, or of those that did not. */
  output: string
  tookMs: number
}

export interface Verdict extends Played {
  mutant: Mutant
}

/** How a file is given to node. */
interface Play {
  ground: TestGround
  /** Names the lane's own text of the mutated file. */
  lane: number
  tests: readonly string[]
  deadlineMs: number
}

/** A test that takes so long as it is has lost its way. */
export const unmutatedMs = 120_000
const killAfterMs = 2000
const maxOutput = 20_000
const loaded = new URL('./mutated-source.ts', import.meta.url).href
const reporter = new URL('./first-failure.ts', import.meta.url).href

/** Without a mutant the tests see the file as it is, on the same way. Stops at the first test that notices. */
export async function play(mutant: Mutant | { file: string }, how: Play): Promise<Played> {
  const began = performance.now()
  const source = readFileSync(mutant.file, 'utf8')
  const text = join(how.ground.folder, `mutant-${how.lane}.ts`)
  writeFileSync(text, 'offset' in mutant ? mutate(source, mutant) : source)
  const environment = { PERIGEE_MUTANT_URL: pathToFileURL(resolve(mutant.file)).href, PERIGEE_MUTANT_TEXT: text }
  let last: Omit<Played, 'tookMs'> = { outcome: 'SURVIVED', output: '' }
  for (const test of how.tests) {
    const restMs = Math.max(1, how.deadlineMs - (performance.now() - began))
    last = await runTest(test, { ground: how.ground, environment, restMs })
    if (last.outcome !== 'SURVIVED') break
  }
  return { ...last, tookMs: performance.now() - began }
}

interface Run {
  ground: TestGround
  environment: Readonly<Record<string, string>>
  restMs: number
}

/** The test and what it starts are a process group, so that none of them outlives the run. */
async function runTest(test: string, { ground, environment, restMs }: Run): Promise<Omit<Played, 'tookMs'>> {
  ground.signal.throwIfAborted()
  const child = spawn(process.execPath, [`--test-reporter=${reporter}`, test], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      ...ground.environment,
      ...environment,
      // Also for the processes that tests start.
      NODE_OPTIONS: `--import=${loaded}`,
      NODE_COMPILE_CACHE: join(ground.folder, 'compiled'),
    },
  })
  const output = outputOf(child)
  const ending = endAfter(child, restMs)
  const interrupt = (): void => signalGroup(child, 'SIGKILL')
  ground.signal.addEventListener('abort', interrupt)
  const code = await new Promise<number | null>((settle, reject) => {
    child.once('error', reject)
    child.once('exit', settle)
  })
  ground.signal.removeEventListener('abort', interrupt)
  signalGroup(child, 'SIGKILL')
  return { outcome: ending.isLate() ? 'timed out' : outcomeOf(code), output: output() }
}

function outcomeOf(code: number | null): Outcome {
  if (code === 0) return 'SURVIVED'
  return code === failedCode ? 'failed' : 'crash'
}

function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput)
    })
  return () => output
}

function endAfter(child: ChildProcess, restMs: number): { isLate: () => boolean } {
  let isLate = false
  const timers = [
    setTimeout(() => {
      isLate = true
      signalGroup(child, 'SIGTERM')
    }, restMs),
    setTimeout(() => signalGroup(child, 'SIGKILL'), restMs + killAfterMs),
  ]
  child.once('exit', () => {
    for (const timer of timers) clearTimeout(timer)
  })
  return { isLate: () => isLate }
}
