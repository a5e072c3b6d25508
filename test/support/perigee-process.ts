import { type ChildProcess, spawn } from 'node:child_process'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { feedsOff } from './feeds-off.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const waitMs = 60_000

export type PerigeeOptions = {
  args: readonly string[]
  environment?: Readonly<Record<string, string>>
  user?: { uid: number; gid: number }
  /** Runs in place of `node bin/perigee.js`: npm, for one. */
  command?: { file: string; args: readonly string[] }
  folder?: string
  /** In a process group of its own, as under a terminal. */
  isGroup?: boolean
  /** What it has for its standard streams in place of pipes. */
  terminal?: { side: number }
}

export type Perigee = {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** Resolves with what the pattern found in stdout; rejects when the process ends or time is up. */
  printed: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Resolves with the exit code, or the name of the signal that ended it. */
  ended: () => Promise<number | string>
}

/** By these Node decides whether a terminal has colours; a hosted runner sets CI, and a terminal of it has none. */
const colourVariables = new Set([
  'CI',
  'COLORTERM',
  'FORCE_COLOR',
  'NO_COLOR',
  'TEAMCITY_VERSION',
  'TERM_PROGRAM',
  'TF_BUILD',
  'TMUX',
])

/**
 * The real program, with none of this process's PERIGEE_ variables, and coloured the same wherever the test runs.
 * What still runs when the test is done is killed.
 */
export function spawnPerigee({
  args,
  environment = {},
  user,
  command,
  folder,
  isGroup = false,
  terminal,
}: PerigeeOptions): Perigee {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PERIGEE_') && !name.startsWith('NODE_') && !colourVariables.has(name),
  )
  const { file, args: given } = command ?? { file: process.execPath, args: ['--max-semi-space-size=4', program] }
  const child = spawn(file, [...given, ...args], {
    ...user,
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...Object.fromEntries(inherited), PERIGEE_PORT: '0', ...feedsOff, ...environment },
    detached: isGroup,
    stdio: terminal === undefined ? ['ignore', 'pipe', 'pipe'] : [terminal.side, terminal.side, terminal.side],
  })
  const kill = (): void => killWhole(child, isGroup)
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  after(() => {
    kill()
    process.off('exit', kill)
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ending = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code ?? -1))
  })
  const said = (): string => `stdout:\n${stdout}\nstderr:\n${stderr}`
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: () => within(ending, () => `It did not end. ${said()}`),
    printed: (pattern) => {
      const found = new Promise<RegExpExecArray>((resolve) => {
        const look = (): void => {
          const match = pattern.exec(stdout)
          if (match !== null) resolve(match)
        }
        child.stdout?.on('data', look)
        look()
      })
      const early = ending.then((how) => Promise.reject(new Error(`It ended (${how}). ${said()}`)))
      return within(Promise.race([found, early]), () => `It did not print ${String(pattern)}. ${said()}`)
    },
  }
}

function killWhole({ pid, exitCode, signalCode }: ChildProcess, isGroup: boolean): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  process.kill(isGroup ? -pid : pid, 'SIGKILL')
}

async function within<T>(work: Promise<T>, complaint: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(complaint())), waitMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
