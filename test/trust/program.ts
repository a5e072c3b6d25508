import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresProcesses } from '#store/embedded/process-identity.ts'
import { buildProgram } from '../../scripts/program/build.ts'
import { signalLeft } from '../support/signal.ts'

export type Service = {
  pid: number
  url: string
  dataFolder: string
  /** Everything that it printed. */
  log: () => string
  /** Mebibytes that the process holds; null once it has ended. */
  memoryMb: () => number | null
  isAlive: () => boolean
  /** Ends it and its database, and removes its data. */
  end: () => Promise<void>
}

/** A folder that is removed with the service, and the one for the data of the service: the same, or inside of it. */
export type DataPlace = { folder: string; dataFolder: string }

const startMs = 120_000
const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))

/** The real program with its own PostgreSQL. Flags are those of Node. */
export async function startProgram(
  environment: Readonly<Record<string, string>>,
  { folder, dataFolder }: DataPlace = dataPlace(),
  flags: readonly string[] = [],
): Promise<Service> {
  await buildProgram()
  const child = spawn(process.execPath, ['--max-semi-space-size=16', ...flags, program, 'start'], {
    env: { ...inherited(), HOME: folder, ...environment, PERIGEE_DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const exit = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  const clear = (): void => {
    if (isAlive()) child.kill('SIGKILL')
    if (existsSync(dataFolder))
      for (const pid of postgresProcesses(postgresFolder({ dataFolder }))) signalLeft(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const keep = atEnd(clear)
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (isAlive()) await exit
    keep()
    clear()
  }
  const url = await Promise.race([printed(child.stdout, () => log), exit.then(() => Promise.reject(new Error(log)))])
  const memoryMb = (): number | null => memoryOf(child.pid, isAlive())
  return { pid: child.pid ?? 0, url, dataFolder, log: () => log, memoryMb, isAlive, end }
}

/** As its processes are known by it. */
export function postgresFolder({ dataFolder }: Pick<Service, 'dataFolder'>): string {
  return join(realpathSync(dataFolder), 'postgres')
}

/** The lines of a log that tell of a fault of the service. */
export function faultsIn(log: string): string[] {
  return log.split('\n').filter((line) => /"level":"(?:error|fatal)"|is a bug|unhandled/i.test(line))
}

function dataPlace(): DataPlace {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-trust-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  return { folder, dataFolder: join(folder, 'data') }
}

/** Does it when this process ends, be it by a signal. Returns how to think better of it. */
function atEnd(work: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  process.once('exit', work)
  for (const signal of signals) process.once(signal, leave)
  return () => {
    process.off('exit', work)
    for (const signal of signals) process.off(signal, leave)
  }
}

function leave(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal])
}

function inherited(): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter((name) => !name.startsWith('PERIGEE_') && !name.startsWith('NODE_'))
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

async function printed(stdout: NodeJS.ReadableStream, log: () => string): Promise<string> {
  const signal = AbortSignal.timeout(startMs)
  for (;;) {
    const [, url] = /^Perigee is at (http:\/\/\S+)$/m.exec(log()) ?? []
    if (url !== undefined) return url
    await once(stdout, 'data', { signal })
  }
}

function memoryOf(pid: number | undefined, isAlive: boolean): number | null {
  if (!isAlive || process.platform !== 'linux') return null
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}
