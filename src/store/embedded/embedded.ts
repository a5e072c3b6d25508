import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { totalmem } from 'node:os'
import { Client, DatabaseError } from 'pg'
import {
  type ClusterPaths,
  assertMajor,
  clusterPaths,
  databaseUser,
  ensureCluster,
  readPassword,
} from './embedded-cluster.ts'
import { chooseIdentity } from './embedded-identity.ts'
import { boundLog } from './embedded-log.ts'
import { type Programs, assertRuns, findPrograms } from './embedded-programs.ts'
import { relaunchServer } from './embedded-relaunch.ts'
import { type Launch, type Server, endLeftBehind, launchServer, stopServer } from './embedded-server.ts'
import { serverSettings, sharedBuffers } from './embedded-settings.ts'
import { prepareSocketFolder, socketFolderOf } from './embedded-socket.ts'
import { StartError } from '#store/database/start-error.ts'

/** How to reach the embedded database: what `openDatabase` takes. */
export type EmbeddedConnection = { socketFolder: string; user: string; password: string; database: string }

export type Embedded = {
  connection: EmbeddedConnection
  /** Resolves when PostgreSQL ended and could not be kept running; the service has to end. Never rejects. */
  failed: Promise<StartError>
  /** The pid of the server's first process, which changes with every restart. */
  pid: () => number
  stop: () => Promise<void>
}

export type EmbeddedOptions = {
  /** The data folder; it exists and is this process's own (data-folder.ts). */
  folder: string
  /** Server settings in place of ours, for clusters that are thrown away. */
  settings?: Readonly<Record<string, string>>
  /** Told when the server ended by itself and was started again, or cannot be started again yet. */
  onTrouble?: (message: string) => void
  /** Gives up starting. */
  signal?: AbortSignal
}

const maxRestartsPerMinute = 30
const fastStopMs = 15_000
const logCheckMs = 60_000

/** Starts the PostgreSQL that npm installed on the data in the folder, and keeps it running until `stop`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const programs = findPrograms()
  try {
    return await startOn(programs, options)
  } catch (error) {
    assertRuns(programs)
    throw error
  }
}

async function startOn(
  programs: Programs,
  { folder, settings = {}, onTrouble, signal }: EmbeddedOptions,
): Promise<Embedded> {
  mkdirSync(folder, { recursive: true })
  const paths = clusterPaths(realpathSync(folder))
  assertMajor(paths.cluster, programs)
  const identity = chooseIdentity({ server: programs.server, folder: realpathSync(folder), cluster: paths.cluster })
  const stopping = new AbortController()
  const giveUp = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal])
  await ensureCluster(paths, { programs, identity, signal: giveUp })
  const password = readPassword(paths)
  await endLeftBehind(paths.cluster)
  const socketFolder = socketFolderOf(paths.cluster)
  prepareSocketFolder(socketFolder, identity)
  const launch = {
    program: programs.server,
    identity,
    cluster: paths.cluster,
    socketFolder,
    settings: { ...serverSettings, shared_buffers: sharedBuffers(memoryBytes()), ...settings },
    logFile: paths.logFile,
  }
  const connection = { socketFolder, user: databaseUser, password, database: 'postgres' }
  const first = await launchServer(launch, giveUp)
  const kept = keepRunning({ launch, first, stopping, onTrouble: onTrouble ?? ((): void => {}) })
  try {
    await assertPassword(connection, paths)
  } catch (error) {
    await kept.stop()
    throw error
  }
  return { connection, ...kept }
}

/** How another process reaches the database that runs on the folder. */
export function runningConnection(folder: string): EmbeddedConnection {
  const paths = clusterPaths(realpathSync(folder))
  return {
    socketFolder: socketFolderOf(paths.cluster),
    user: databaseUser,
    password: readPassword(paths),
    database: 'postgres',
  }
}

export function clusterExists(folder: string): boolean {
  return existsSync(clusterPaths(folder).cluster)
}

type Keeping = { launch: Launch; first: Server; stopping: AbortController; onTrouble: (message: string) => void }

function keepRunning({ launch, first, stopping, onTrouble }: Keeping): Omit<Embedded, 'connection'> {
  let server = first
  const logTimer = setInterval(() => boundLog(launch.logFile), logCheckMs).unref()
  const failure = watch()
  return {
    failed: new Promise((resolve) => {
      void failure.then((error) => (error === null ? undefined : resolve(error)))
    }),
    pid: () => server.pid,
    stop: async () => {
      stopping.abort()
      clearInterval(logTimer)
      await stopServer(server, fastStopMs)
      await failure
      rmSync(launch.socketFolder, { recursive: true, force: true })
    },
  }

  async function watch(): Promise<StartError | null> {
    const restarts: number[] = []
    for (;;) {
      const ending = await server.ended
      if (stopping.signal.aborted) return null
      const endedAt = performance.now()
      while (restarts[0] !== undefined && restarts[0] < endedAt - 60_000) restarts.shift()
      if (restarts.push(endedAt) > maxRestartsPerMinute) return new StartError(gaveUp(ending, launch.logFile))
      try {
        server = await relaunchServer({
          launch: () => launchServer(launch, stopping.signal),
          onHindered: (reason) => onTrouble(`PostgreSQL ended (${ending}) and cannot be started again yet: ${reason}`),
          signal: stopping.signal,
        })
      } catch (error) {
        if (stopping.signal.aborted) return null
        return error instanceof StartError
          ? error
          : new StartError('PostgreSQL could not be started again.', { cause: error })
      }
      if (stopping.signal.aborted) await stopServer(server, fastStopMs)
      else
        onTrouble(
          `PostgreSQL ended (${ending}) and was started again after ${Math.round(performance.now() - endedAt)} ms.`,
        )
    }
  }
}

function gaveUp(ending: string, logFile: string): string {
  return `PostgreSQL ended more than ${maxRestartsPerMinute} times within a minute, the last time by ${ending} (${logFile}).`
}

async function assertPassword(connection: EmbeddedConnection, { passwordFile }: ClusterPaths): Promise<void> {
  const { socketFolder: host, ...rest } = connection
  const client = new Client({ host, ...rest, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '28P01')) throw error
    throw new StartError(
      `${passwordFile} does not hold the password of the database next to it. Restore it from a backup.`,
      { cause: error },
    )
  } finally {
    await client.end()
  }
}

/** The memory of the machine, or of the container that this process runs in. */
function memoryBytes(): number {
  const allowed = process.constrainedMemory()
  return allowed > 0 ? Math.min(totalmem(), allowed) : totalmem()
}
