// Runs the tests against one embedded PostgreSQL that lives as long as the run.
// `npm test` runs all of them, `npm test -- src/core/monitors/schedule.test.ts` some; flags go to node's test runner.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '#store/database/database.ts'
import { type Embedded, type EmbeddedConnection, startEmbedded } from '#store/embedded/embedded.ts'
import { migrate } from '#store/database/migrate.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { StartError } from '#store/database/start-error.ts'
import { bundleService } from './bundle-service.ts'
import { bundledVariable } from './run-tests.ts'
import { writeEntries } from './test-entries.ts'

/** A cluster that is thrown away need not survive a power cut. */
const throwAway = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '800',
  track_commit_timestamp: 'on',
  // Else it visits the many databases, each some seconds old, as fast as it can.
  autovacuum_naptime: '10min',
  // Its log may lie in memory.
  max_wal_size: '256MB',
}
/**
 * Tests make and drop databases, and start services on data of their own, which write to a disk for good what is thrown
 * away a second later. In memory that takes a quarter of the time, and half of the work.
 */
const memoryFolder = '/dev/shm'
const leastMemoryBytes = 3 * 1024 ** 3
const killAfterMs = 10_000
/** More than cores, because half of the files that come first wait most of the time; few enough for their deadlines. */
const lanesForWaiting = 2

const interruption = new AbortController()
let interruptedBy: NodeJS.Signals | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interruptedBy ??= signal
    interruption.abort()
  })

// Everything that tests write and start lies below this folder. Other users have to pass through: the PostgreSQL of a
// root user runs as one, and so do tests.
const folder = openFolder(quickFolder())
const temporary = join(folder, 'tmp')
mkdirSync(temporary)
chmodSync(temporary, 0o1777)
// Processes share their compiled code, as the services do that they start, and so do runs.
const compiled = fileURLToPath(new URL('../node_modules/.cache/perigee', import.meta.url))
/** An empty database at the schema of this release, with which the services begin that tests start. */
const prepared = join(folder, 'prepared')
mkdirSync(prepared, { mode: 0o711 })
const data = join(folder, 'data')
let embedded: Embedded | null = null
try {
  await start(prepared)
  await migratePrepared()
  await stop()
  execFileSync('cp', ['-a', prepared, data])
  await start(data)
  await createTemplates()
  process.exitCode = await runTests()
} catch (error) {
  process.exitCode = 1
  if (!interruption.signal.aborted) console.error(error instanceof StartError ? error.message : error)
} finally {
  await stop()
  await endProcessesBelow(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
if (interruptedBy !== null) process.exitCode = 128 + constants.signals[interruptedBy]

async function start(dataFolder: string): Promise<void> {
  embedded = await startEmbedded({ folder: dataFolder, settings: throwAway, signal: interruption.signal })
}

async function stop(): Promise<void> {
  await embedded?.stop()
  embedded = null
}

function openFolder(parent: string): string {
  const path = realpathSync(mkdtempSync(join(parent, 'perigee-test-')))
  chmodSync(path, 0o711)
  return path
}

function quickFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryFolder)
  const isRoomy = Math.min(bavail * bsize, process.availableMemory()) >= leastMemoryBytes
  return isRoomy && runsPrograms(memoryFolder) ? memoryFolder : tmpdir()
}

/** Some tests write programs, and containers may mount their memory so that none is run from it. */
function runsPrograms(parent: string): boolean {
  const program = join(parent, `perigee-test-${process.pid}`)
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  try {
    return spawnSync(program).status === 0
  } finally {
    rmSync(program)
  }
}

async function migratePrepared(): Promise<void> {
  const database = openDatabase({ connection: connectionOf(embedded), maxConnections: 4 })
  await migrate(database)
  await shortenLogin(database)
  await database.close()
}

/**
 * Proving the password to PostgreSQL takes a client 4,096 rounds of hashing, which cost as much as the rest of a
 * connection, and tests make thousands of them. One round proves as much of a password that lives as long as the run.
 */
async function shortenLogin({ pool }: Database): Promise<void> {
  const { user, password } = connectionOf(embedded)
  const client = await pool.connect()
  await client.query('set scram_iterations = 1')
  await client.query(`alter role ${client.escapeIdentifier(user)} password ${client.escapeLiteral(password)}`)
  client.release()
}

/** Databases to copy: at the schema of this release, and also with the tables for results that a service makes. */
async function createTemplates(): Promise<void> {
  const database = openDatabase({ connection: connectionOf(embedded), maxConnections: 1 })
  await database.pool.query('create database perigee_template template postgres')
  // Where they are missing, each read of a monitor fails first, and costs a connection with its plans.
  await createResultPartitions(database, new Date())
  await database.pool.query('create database perigee_days_template template postgres')
  await database.close()
}

function connectionOf(running: Embedded | null): EmbeddedConnection {
  if (running === null) throw new Error('PostgreSQL does not run.')
  return running.connection
}

/** The runner and its tests are a process group, so that none of them outlives the run. */
async function runTests(): Promise<number> {
  const isAll = !process.argv.slice(2).some((argument) => !argument.startsWith('-'))
  // A few services are started from their sources in less time than a bundle takes.
  const isBundled = isAll || process.env[bundledVariable] !== undefined
  const program = isBundled ? { PERIGEE_TEST_PROGRAM: await bundleService() } : {}
  interruption.signal.throwIfAborted()
  const connection = connectionOf(embedded)
  const child = spawn(process.execPath, ['--test', ...runnerArguments(process.argv.slice(2))], {
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: compiled,
      ...program,
      PERIGEE_TEST_DATA: prepared,
      PERIGEE_TEST_SOCKET: connection.socketFolder,
      PERIGEE_TEST_USER: connection.user,
      PERIGEE_TEST_PASSWORD: connection.password,
    },
  })
  const killTimers: NodeJS.Timeout[] = []
  const interrupt = (): void => {
    signalGroup(child, 'SIGTERM')
    killTimers.push(setTimeout(() => signalGroup(child, 'SIGKILL'), killAfterMs))
  }
  interruption.signal.addEventListener('abort', interrupt)
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  for (const timer of killTimers) clearTimeout(timer)
  signalGroup(child, 'SIGKILL')
  return code
}

function runnerArguments(given: string[]): string[] {
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

/** Servers whose test was killed work in a folder of the run; where there is no /proc they are not found. */
async function endProcessesBelow(path: string): Promise<void> {
  const until = performance.now() + killAfterMs
  for (;;) {
    const pids = pidsBelow(path)
    if (pids.length === 0 || performance.now() > until) return
    for (const pid of pids) signalTo(pid, 'SIGKILL')
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

function pidsBelow(path: string): number[] {
  const entries = existsSync('/proc') ? readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)) : []
  return entries.map(Number).filter((pid) => workingFolder(pid).startsWith(`${path}/`))
}

/** Empty for a process that is gone, or another user's. */
function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalTo(-pid, signal)
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
