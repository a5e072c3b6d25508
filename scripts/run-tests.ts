import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type TestRun = {
  files: readonly string[]
  /** The longest that a test may take. */
  minutes: number
  /** Of node's test runner. */
  flags?: readonly string[]
  environment?: Readonly<Record<string, string>>
}

/** Runs files as `npm test` does, to their end. A signal is passed on, and the run's tests end then. */
export async function runTests(run: TestRun): Promise<{ code: number; interruptedBy: NodeJS.Signals | null }> {
  const { files, minutes, flags = [], environment = {} } = run
  const program = fileURLToPath(new URL('./test.ts', import.meta.url))
  const tests = spawn(process.execPath, [program, `--test-timeout=${minutes * 60_000}`, ...flags, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  let interruptedBy: NodeJS.Signals | null = null
  const interrupt = (signal: NodeJS.Signals): void => {
    interruptedBy = signal
    tests.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupt)
  const [code] = await once(tests, 'exit')
  for (const signal of signals) process.off(signal, interrupt)
  return { code: typeof code === 'number' ? code : 1, interruptedBy }
}
