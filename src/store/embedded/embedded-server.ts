import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { guardServer } from './embedded-guard.ts'
import { type Identity, invoke, programEnvironment } from './embedded-identity.ts'
import { isPostgresOf, postgresProcesses, processIdentity } from './process-identity.ts'
import { StartError } from '#store/database/start-error.ts'

/** All that is needed to start the server once more. Paths are real paths. */
export type Launch = {
  program: string
  identity: Identity
  cluster: string
  socketFolder: string
  settings: Readonly<Record<string, string>>
  logFile: string
}

/** `ended` says how. */
export type Server = {
  pid: number
  ended: Promise<string>
  isEnded: () => boolean
  signal: (signal: NodeJS.Signals) => void
}

/** Each server that is started is killed, as for want of memory; one that cannot go on ends itself, also by a signal. */
export class KilledError extends StartError {}

/** How long a server that ends at once is started again: its predecessor's processes may not be gone yet. */
const launchRetryMs = 5000
/** Replaying the log after a crash takes seconds, on a slow disk a minute. */
const readyTimeoutMs = 180_000
const pollMs = 15

/** Resolves when the server takes connections. `signal` gives up. Throws StartError. */
export async function launchServer(launch: Launch, signal: AbortSignal): Promise<Server> {
  const retryUntil = performance.now() + launchRetryMs
  const readyUntil = performance.now() + readyTimeoutMs
  for (;;) {
    const logStart = statSync(launch.logFile, { throwIfNoEntry: false })?.size ?? 0
    const server = spawnServer(launch)
    const outcome = await waitUntilReady(server, launch, { until: readyUntil, signal })
    if (outcome === 'ready') return server
    if (outcome !== 'ended') await stopServer(server, 0)
    signal.throwIfAborted()
    if (outcome === 'late' || performance.now() > retryUntil) {
      const how = await server.ended
      const Failure = how === 'SIGKILL' && outcome === 'ended' ? KilledError : StartError
      throw new Failure(`PostgreSQL did not start (${how}): ${lastWords(launch.logFile, logStart)}`)
    }
    endOrphans(launch.cluster)
    await delay(100, undefined, { signal })
  }
}

/** Ends it within the deadline: a fast shutdown, then without writing its buffers, then by force. */
export async function stopServer(server: Server, fastMs: number): Promise<void> {
  for (const [signal, waitMs] of stopSteps(fastMs)) {
    server.signal(signal)
    const waiting = new AbortController()
    const isEnded = await Promise.race([
      server.ended.then(() => true),
      delay(waitMs, false, { signal: waiting.signal }).catch(() => false),
    ])
    waiting.abort()
    if (isEnded) return
  }
}

/**
 * Stops a server that a killed process left running on this data. It is never adopted: its settings are unknown, and it
 * is no child of this process. A pid file of a server that is gone is removed where the system has given its pid to
 * another process.
 */
export async function endLeftBehind(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number(postmasterLines(cluster)[0] ?? 0)
  if (Number.isInteger(pid) && pid > 0 && processIdentity(pid) !== null) {
    const isOurs = isPostgresOf(pid, cluster)
    if (isOurs === false) rmSync(file, { force: true })
    if (isOurs === true && !(await endProcess(pid)))
      throw new StartError(
        `Process ${pid}, the PostgreSQL server of ${cluster}, is still running from an earlier start and does not stop. Stop it first.`,
      )
  }
  endOrphans(cluster)
}

/** Processes of a server whose first process was killed: they hold its memory, and a new server waits for them. */
function endOrphans(cluster: string): void {
  for (const pid of postgresProcesses(cluster)) signalProcess(pid, 'SIGQUIT')
}

function stopSteps(fastMs: number): [NodeJS.Signals, number][] {
  return [
    ...(fastMs > 0 ? [['SIGINT', fastMs] satisfies [NodeJS.Signals, number]] : []),
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ]
}

/** A group of its own, so that Ctrl-C reaches this process alone and the database is stopped last. */
function spawnServer({ program, identity, cluster, socketFolder, settings, logFile }: Launch): Server {
  const given = { ...settings, unix_socket_directories: socketFolder }
  const args = ['-D', cluster, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const { command, args: all, options } = invoke(identity, program, args)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(command, all, {
    ...options,
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  // Whatever ends this process ends the server too; it finishes its shutdown by itself.
  const interrupt = (): void => void child.kill('SIGINT')
  process.on('exit', interrupt)
  const letGo = child.pid === undefined ? (): void => {} : guardServer(child.pid)
  return {
    pid: child.pid ?? 0,
    ended: ending(child).finally(() => {
      process.off('exit', interrupt)
      letGo()
    }),
    isEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    signal: (signal) => void child.kill(signal),
  }
}

function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
}

type Outcome = 'ready' | 'ended' | 'late' | 'aborted'

/** The server writes its state into the eighth line of postmaster.pid, as pg_ctl reads it. */
async function waitUntilReady(
  server: Server,
  { cluster }: Launch,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<Outcome> {
  for (;;) {
    if (server.isEnded()) return 'ended'
    if (signal.aborted) return 'aborted'
    if (performance.now() > until) return 'late'
    const lines = postmasterLines(cluster)
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return 'ready'
    await delay(pollMs)
  }
}

/** False when it is still there. */
async function endProcess(pid: number): Promise<boolean> {
  for (const [signal, waitMs] of stopSteps(15_000)) {
    signalProcess(pid, signal)
    const until = performance.now() + waitMs
    while (performance.now() < until) {
      if (processIdentity(pid) === null) return true
      await delay(20)
    }
  }
  return false
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM'))) throw error
  }
}

function postmasterLines(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The last line that the server wrote about what stopped it. */
function lastWords(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n').slice(-100)
  const telling = lines.findLast((line) => /\b(?:FATAL|PANIC|ERROR|error)\b/.test(line)) ?? lines.at(-1) ?? ''
  return `${telling.replace(/^.*?(?=FATAL|PANIC|ERROR)/, '').trim() || 'it said nothing'} (${logFile}).`
}
