import type { Config } from './config.ts'
import { endAll, type Ends } from './end-all.ts'
import type { Log } from './log.ts'
import { type DataFolder, openDataFolder } from '#store/data-folder.ts'
import { type ConnectionOptions, type Database, openDatabase } from '#store/database.ts'
import { startEmbedded } from '#store/embedded.ts'
import { takeLeftBehind } from '#store/left-behind.ts'
import { migrate } from '#store/migrate.ts'
import { assertReachable } from '#store/reach.ts'
import { createResultPartitions } from '#store/result-partitions.ts'
import { createSecrets, type Secrets } from '#store/secrets.ts'
import { assertSecretKey } from '#store/settings.ts'
import type { StartError } from '#store/start-error.ts'

/** What everything else stands on: the data folder and a migrated database. */
export type Foundation = {
  dataFolder: DataFolder
  database: Database
  /** Connections of the engine alone, which end transactions that go silent. */
  engineDatabase: Database
  secrets: Secrets
  /** Resolves when the embedded PostgreSQL could not be kept running. */
  failed: Promise<StartError>
  close: () => Promise<void>
}

const connections = 12
const engineConnections = 4
/** An engine that was cut off must not hold its locks (architecture.md, Partitions). */
const engineLimits = { idleInTransactionMs: 5_000, lockTimeoutMs: 5_000 }

export async function openFoundation(config: Config, log: Log): Promise<Foundation> {
  const dataFolder = openDataFolder(config.dataFolder)
  const closing: Ends = [async () => dataFolder.release()]
  try {
    const { connection, failed, stop } = await connectionOf(config, log)
    closing.push(stop)
    const onIdleError = (error: Error): void => log.debug('An idle connection ended.', { error: error.message })
    const database = openDatabase({ connection, maxConnections: connections, onIdleError })
    const engineDatabase = openDatabase({
      connection,
      maxConnections: engineConnections,
      limits: engineLimits,
      onIdleError,
    })
    closing.push(database.close, engineDatabase.close)
    if (config.databaseUrl !== null) await assertReachable(database, config.databaseUrl)
    await migrate(database)
    const secrets = createSecrets(config.secretKey ?? dataFolder.readSecretKey())
    await assertSecretKey(database, secrets)
    await createResultPartitions(database, new Date())
    // The embedded database is this process's alone.
    if (config.databaseUrl === null) await takeLeftBehind(database)
    return { dataFolder, database, engineDatabase, secrets, failed, close: () => endAll(closing) }
  } catch (error) {
    await endAll(closing)
    throw error
  }
}

type Connected = { connection: ConnectionOptions['connection']; failed: Promise<StartError>; stop: () => Promise<void> }

async function connectionOf(config: Config, log: Log): Promise<Connected> {
  if (config.databaseUrl !== null)
    return { connection: { url: config.databaseUrl }, failed: new Promise(() => {}), stop: async () => {} }
  const { connection, failed, stop } = await startEmbedded({
    folder: config.dataFolder,
    onRestart: (message) => log.warn(message),
  })
  return { connection, failed, stop }
}
