// What runs of tests stand on: a folder in memory and an embedded PostgreSQL, which live as long as the run.
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
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
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#store/database/database.ts'
import { type Embedded, type EmbeddedConnection, startEmbedded } from '#store/embedded/embedded.ts'
import { migrate } from '#store/database/migrate.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { StartError } from '#store/database/start-error.ts'

export interface TestGround {
  /** Is gone after the run, with all that lies in it. */
  folder: string
  /** For processes that run tests: where they write, and how they reach PostgreSQL. */
  environment: Readonly<Record<string, string>>
  /** Is aborted when a signal ends the run. */
  signal: AbortSignal
}

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

const interruption = new AbortController()
let interruptedBy: NodeJS.Signals | null = null
let embedded: Embedded | null = null

/** Lays the ground, works on it, clears it away, and ends this process with the code that the work gives. */
export async function onTestGround(work: (ground: TestGround) => Promise<number>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
  // Everything that tests write and start lies below this folder. Other users have to pass through: the PostgreSQL of a
  // root user runs as one, and so do tests.
  const folder = openFolder(quickFolder())
  try {
    const environment = await layGround(folder)
    process.exitCode = await work({ folder, environment, signal: interruption.signal })
  } catch (error) {
    process.exitCode = 1
    if (!interruption.signal.aborted) console.error(error instanceof StartError ? error.message : error)
  } finally {
    await stop()
    await endProcessesBelow(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  if (interruptedBy !== null) process.exitCode = 128 + constants.signals[interruptedBy]
}

/** Signals a child and everything that it started, where it was started as the head of a group. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalTo(-pid, signal)
}

function interrupt(signal: NodeJS.Signals): void {
  interruptedBy ??= signal
  interruption.abort()
}

async function layGround(folder: string): Promise<Record<string, string>> {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  /** An empty database at the schema of this release, with which the services begin that tests start. */
  const prepared = join(folder, 'prepared')
  mkdirSync(prepared, { mode: 0o711 })
  const data = join(folder, 'data')
  await start(prepared)
  await migratePrepared()
  await stop()
  execFileSync('cp', ['-a', prepared, data])
  await start(data)
  await createTemplates()
  interruption.signal.throwIfAborted()
  const { socketFolder, user, password } = connectionOf(embedded)
  return {
    TMPDIR: temporary,
    PERIGEE_TEST_DATA: prepared,
    PERIGEE_TEST_SOCKET: socketFolder,
    PERIGEE_TEST_USER: user,
    PERIGEE_TEST_PASSWORD: password,
  }
}

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

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
