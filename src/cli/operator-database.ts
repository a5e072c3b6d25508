import { setTimeout as delay } from 'node:timers/promises'
import { type ConnectionOptions, type Database, openDatabase } from '#store/database/database.ts'
import { openDataFolder } from '#store/embedded/data-folder.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { assertMigrated, migrate } from '#store/database/migrate.ts'
import { assertAnswering, assertReachable } from '#store/database/assert-reachable.ts'
import { StartError } from '#store/database/start-error.ts'
import { findDatabase, noDatabaseYet } from '#app/find-database.ts'
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

/** The same for one that works with whatever schema is there. */
export async function onDatabase<T>(config: Config, work: Work<T>): Promise<T> {
  const place = findDatabase(config)
  switch (place.type) {
    case 'url':
      return withUrl(place.connection.url, work)
    case 'none':
      throw new StartError(`${noDatabaseYet(config)} Start Perigee once, or set PERIGEE_DATA_DIR to its data folder.`)
    case 'running':
      return withRunning(place.connection, work)
    case 'stopped':
      return withOwn(config.dataFolder, work)
  }
}

/** A database that has nothing yet: in place, the embedded one is made. A service that runs on the folder is refused. */
export async function onNewDatabase<T>({ databaseUrl, dataFolder }: Config, work: Work<T>): Promise<T> {
  return databaseUrl === null ? withOwn(dataFolder, work) : withUrl(databaseUrl, work)
}

async function withUrl<T>(url: string, work: Work<T>): Promise<T> {
  return using({ url }, async (database) => {
    await assertReachable(database, url)
    return work(database)
  })
}

/** The service has migrated it, or is about to. */
async function withRunning<T>(connection: ConnectionOptions['connection'], work: Work<T>): Promise<T> {
  return using(connection, async (database) => {
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
