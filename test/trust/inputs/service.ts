import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresProcesses } from '#store/embedded/process-identity.ts'
import { bundleService } from '../../../scripts/bundle-service.ts'
import { feedsOff } from '../../support/feeds-off.ts'
import { signalLeft } from '../../support/signal.ts'

export type Service = {
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

/** What no answer and no line of the log may contain. */
export const secrets = {
  ownerToken: `pgk_${'trust'.repeat(8)}`,
  ownerPassword: 'correct horse battery staple',
  secretKey: randomBytes(32).toString('base64'),
  metricsToken: randomBytes(24).toString('hex'),
}
export const ownerEmail = 'owner@example.com'

const startMs = 120_000
const manyPerMinute = '1000000'

/** The real program with its own PostgreSQL, which takes the client's address from whom it asks. */
export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-trust-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  const dataFolder = join(folder, 'data')
  // One bundle starts in half of the time, as do its threads.
  const program = await bundleService()
  const child = spawn(process.execPath, ['--max-semi-space-size=16', program, 'start'], {
    env: { ...inherited(), HOME: folder, PERIGEE_DATA_DIR: dataFolder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const exit = once(child, 'exit')
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text))
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    if (isAlive()) await exit
    process.off('exit', kill)
    for (const pid of postgresProcesses(join(realpathSync(folder), 'data', 'postgres'))) signalLeft(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const url = await Promise.race([printed(child.stdout, () => log), exit.then(() => Promise.reject(new Error(log)))])
  return { url, dataFolder, log: () => log, memoryMb: () => memoryOf(child.pid, isAlive()), isAlive, end }
}

const environment = {
  ...feedsOff,
  PERIGEE_PORT: '0',
  PERIGEE_OWNER_TOKEN: secrets.ownerToken,
  PERIGEE_OWNER_EMAIL: ownerEmail,
  PERIGEE_OWNER_PASSWORD: secrets.ownerPassword,
  PERIGEE_SECRET_KEY: secrets.secretKey,
  PERIGEE_METRICS_TOKEN: secrets.metricsToken,
  PERIGEE_LOCATIONS: 'amsterdam=Amsterdam,boston=Boston',
  PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  PERIGEE_PAYMENTS: 'sandbox',
  PERIGEE_PLANS: JSON.stringify({ pro: { slots: 5000 }, free: { slots: 5000 } }),
  PERIGEE_READS_PER_MINUTE: manyPerMinute,
  PERIGEE_WRITES_PER_MINUTE: manyPerMinute,
  PERIGEE_REGISTRATIONS_PER_MINUTE: manyPerMinute,
  PERIGEE_ANONYMOUS_PER_DAY: manyPerMinute,
  PERIGEE_TRUSTED_PROXIES: '127.0.0.1',
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
