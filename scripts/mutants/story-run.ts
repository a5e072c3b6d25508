// Plays stories of the simulation in a process of its own, with the source as it is or with a defect in it.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { changedSource } from '../../test/simulation/mutants/index.ts'
import type { StoryMutant } from '../../test/simulation/mutants/story-mutant.ts'
import type { Story } from './play-stories.ts'

export interface StoryRun {
  /** Begun until a rule was broken, that one included. */
  stories: number
  /** The seed and the rule that it broke; null where every story held. */
  broken: { seed: number; rule: string } | null
  seconds: number
}

export interface HowToRun {
  firstSeed: number
  mostStories: number
  /** For changed texts and compiled code. */
  folder: string
  deadlineMs: number
}

const program = fileURLToPath(new URL('./play-stories.ts', import.meta.url))
const loaded = new URL('./mutated-source.ts', import.meta.url).href
/** What a story says that is not over in time. */
const endless = 'It does not end.'

export async function runStories(mutant: StoryMutant | null, how: HowToRun): Promise<StoryRun> {
  const { firstSeed, mostStories, folder, deadlineMs } = how
  const began = performance.now()
  const child = spawn(process.execPath, [program, String(firstSeed), String(mostStories)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(mutant === null ? {} : changeFor(mutant, folder)),
      NODE_OPTIONS: `--import=${loaded}`,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
  })
  const [output, errors] = [textOf(child.stdout), textOf(child.stderr)]
  const signal = AbortSignal.timeout(deadlineMs)
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  const code = await new Promise<number | null>((settle, reject) => {
    child.once('error', reject)
    child.once('close', settle)
  })
  signal.removeEventListener('abort', kill)
  if (code !== 0 && !signal.aborted) throw new Error(`${mutant?.name ?? 'The source as it is'}: ${errors()}`)
  const stories = storiesOf(output())
  if (code !== 0) stories.push({ seed: firstSeed + stories.length, rule: endless })
  const { seed = 0, rule = null } = stories.at(-1) ?? {}
  return {
    stories: stories.length,
    broken: rule === null ? null : { seed, rule },
    seconds: (performance.now() - began) / 1000,
  }
}

function changeFor(mutant: StoryMutant, folder: string): Record<string, string> {
  const text = join(folder, `${mutant.name}.ts`)
  writeFileSync(text, changedSource(mutant, readFileSync(mutant.file, 'utf8')))
  return { PERIGEE_MUTANT_URL: pathToFileURL(resolve(mutant.file)).href, PERIGEE_MUTANT_TEXT: text }
}

function storiesOf(output: string): Story[] {
  const lines = output.split('\n').filter((line) => line !== '')
  return lines.map((line): Story => JSON.parse(line))
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (more: string) => (text += more))
  return () => text
}
