import { setTimeout as delay } from 'node:timers/promises'
import { type ConnectionOptions, type Database, openDatabase } from '#store/database/database.ts'
import { folderHolder, openDataFolder } from '#store/embedded/data-folder.ts'
import { clusterExists, runningConnection, startEmbedded } from '#store/embedded/embedded.ts'
import { assertMigrated, migrate } from '#store/database/migrate.ts'
import { assertAnswering, assertReachable } from '#store/database/assert-reachable.ts'
import { StartError } from '#store/database/start-error.ts'
import type { Config } from '#config/config.ts'

/** A running service may be starting itself; its database is up a few seconds later. */
const connectTimeoutMs = 30_000
const maxConnections = 4

type Work<T> = (database: Database) => Promise<T>

/**
 * The migrated database for one command of the operator: by its URL, or the embedded one, of the service that runs
 * on the data folder, or else started for this command alone.
 */
export async function withDatabase<T>(config: Config, work: Work<T>): Promise<T> {
  return onDatabase(config, async (database) => {
    await migrate(database)
    return work(database)
  })
}

/** The same for a command that only looks: it changes no schema, and throws StartError where that is another one. */
export async function readDatabase<T>(config: Config, work: Work<T>): Promise<T> {
  return onDatabase(config, async (database) => {
    await assertMigrated(database)
    return work(database)
  })
}

async function onDatabase<T>(config: Config, work: Work<T>): Promise<T> {
  if (config.databaseUrl !== null) return withUrl(config.databaseUrl, work)
  if (!clusterExists(config.dataFolder))
    throw new StartError(
      `There is no database in ${config.dataFolder} yet. Start Perigee once, or set PERIGEE_DATA_DIR to its data folder.`,
    )
  if (folderHolder(config.dataFolder) !== null) return withRunning(config.dataFolder, work)
  return withOwn(config.dataFolder, work)
}

async function withUrl<T>(url: string, work: Work<T>): Promise<T> {
  return using({ url }, async (database) => {
    await assertReachable(database, url)
    return work(database)
  })
}

/** The service has migrated it, or is about to. */
async function withRunning<T>(folder: string, work: Work<T>): Promise<T> {
  return using(runningConnection(folder), async (database) => {
    await untilAnswering(database)
    return work(database)
  })
}

async function withOwn<T>(path: string, work: Work<T>): Promise<T> {
  const folder = openDataFolder(path)
  try {
    const embedded = await startEmbedded({ folder: path })
    try {
      return await using(embedded.connection, work)
    } finally {
      await embedded.stop()
    }
  } finally {
    folder.release()
  }
}

async function using<T>(connection: ConnectionOptions['connection'], work: Work<T>): Promise<T> {
  const database = openDatabase({ connection, maxConnections })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function untilAnswering(database: Database): Promise<void> {
  const until = performance.now() + connectTimeoutMs
  for (;;) {
    try {
      await assertAnswering(database)
      return
    } catch (cause) {
      if (performance.now() > until)
        throw new StartError('The database of the running Perigee does not answer. See its log.', { cause })
      await delay(200)
    }
  }
}
