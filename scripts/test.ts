// Runs the tests against one embedded PostgreSQL that lives as long as the run.
// `npm test` runs all of them, `npm test -- src/core/monitors/schedule.test.ts` some; flags go to node's test runner.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram } from './program/build.ts'
import { writeEntries } from './test-entries.ts'
import { onTestGround, signalGroup, type TestGround } from './test-ground.ts'

const killAfterMs = 10_000
/** More than cores, because half of the files that come first wait most of the time; few enough for their deadlines. */
const lanesForWaiting = 2

// Processes share their compiled code, as the services do that they start, and so do runs.
const compiled = fileURLToPath(new URL('../node_modules/.cache/perigee', import.meta.url))

await onTestGround(runTests)

/** The runner and its tests are a process group, so that none of them outlives the run. */
async function runTests({ folder, environment, signal }: TestGround): Promise<number> {
  const isAll = !process.argv.slice(2).some((argument) => !argument.startsWith('-'))
  // A few services are started from their sources in less time than it takes to make one program of these.
  if (isAll) await buildProgram()
  signal.throwIfAborted()
  const child = spawn(process.execPath, ['--test', ...runnerArguments(process.argv.slice(2), folder)], {
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      ...environment,
      NODE_COMPILE_CACHE: compiled,
    },
  })
  const killTimers: NodeJS.Timeout[] = []
  const interrupt = (): void => {
    signalGroup(child, 'SIGTERM')
    killTimers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs))
  }
  signal.addEventListener('abort', interrupt)
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  for (const timer of killTimers) clearTimeout(timer)
  signalGroup(child, 'SIGKILL')
  return code
}

function runnerArguments(given: string[], folder: string): string[] {
  const flags = given.filter((argument) => argument.startsWith('-'))
  const patterns = given.filter((argument) => !argument.startsWith('-'))
  const has = (name: string): boolean => flags.some((flag) => flag.startsWith(name))
  const isAll = patterns.length === 0
  const lanes = availableParallelism() + (isAll ? lanesForWaiting : 0)
  return [
    `--import=${new URL('../test/support/exit-on-signal.ts', import.meta.url).href}`,
    ...(has('--test-timeout') ? [] : ['--test-timeout=120000']),
    ...(has('--test-concurrency') ? [] : [`--test-concurrency=${lanes}`]),
    ...flags,
    ...(isAll ? writeEntries(join(folder, 'entries')) : patterns),
  ]
}
