import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { endAll, type Ends } from './end-all.ts'
import { followFolderKeys } from './follow-folder-keys.ts'
import type { Log } from './log.ts'
import { configuredKeys } from './secret-keys.ts'
import { type DataFolder, openDataFolder } from '#store/embedded/data-folder.ts'
import { type Commits, createCommits } from '#store/database/commits.ts'
import { followClock } from '#store/database/clock.ts'
import { type ConnectionOptions, type Database, openDatabase } from '#store/database/database.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { freeHeldRows } from '#store/installation/free-held-rows.ts'
import { migrate } from '#store/database/migrate.ts'
import { assertReachable } from '#store/database/assert-reachable.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { createSecrets, type SecretKeys, type Secrets } from '#store/database/secrets.ts'
import { becomeOnlyProcess, type OnlyProcess } from '#store/installation/only-process.ts'
import { adoptSecretKeys } from '#store/installation/secret-keys.ts'
import { readSealsSince } from '#store/installation/settings.ts'
import { StartError } from '#store/database/start-error.ts'

/** What everything else stands on: a migrated database, and the data folder where one is needed. */
export type Foundation = {
  /** Where mail is kept while no mail server is configured. */
  outboxFolder: string
  /** Lets a second start on the same data folder say where the first one listens. */
  publishAddress: (address: string) => void
  database: Database
  /** Connections of the engine alone, which end transactions that go silent. */
  engineDatabase: Database
  /** As `database`, for what is written again and again and makes no work: `commits` does not hear of it. */
  quietDatabase: Database
  /** Hears of each transaction that `database` commits, and of what the engine leaves to jobs. */
  commits: Commits
  /** No other process works on this database. */
  isAlone: boolean
  secrets: Secrets
  /** Milliseconds since 1970, the same for all processes of the installation. */
  now: () => number
  /** Resolves when the embedded PostgreSQL could not be kept running, or another process took over the database. */
  failed: Promise<StartError>
  close: () => Promise<void>
}

const connections = 12
const engineConnections = 4
/** An engine that was cut off must not hold its locks (docs/design/partitions-and-bus.md), nor wait for ever itself. */
const engineLimits = { idleInTransactionMs: 5_000, lockTimeoutMs: 5_000, answerMs: 65_000 }

export type FoundationOptions = {
  /** All roles are in this process, which holds the data folder. Others keep nothing there but unsent mail. */
  isAlone?: boolean
  /** Gives up the start, which throws then. */
  signal?: AbortSignal
}

export async function openFoundation(
  config: Config,
  log: Log,
  { isAlone = true, signal }: FoundationOptions = {},
): Promise<Foundation> {
  const dataFolder = isAlone ? openDataFolder(config.dataFolder) : null
  const closing: Ends = [async () => dataFolder?.release()]
  try {
    const { connection, failed, stop } = await connectionOf(config, log)
    closing.push(stop)
    const onIdleError = (error: Error): void => log.debug('An idle connection ended.', { error: error.message })
    const commits = createCommits()
    const quietDatabase = openDatabase({ connection, maxConnections: connections, onIdleError })
    const database = commits.follow(quietDatabase)
    const engineDatabase = openDatabase({
      connection,
      maxConnections: engineConnections,
      limits: engineLimits,
      onIdleError,
    })
    closing.push(database.close, engineDatabase.close)
    if (config.databaseUrl !== null) await assertReachable(database, config.databaseUrl)
    const only = isAlone ? await onlyOn(config, log, signal) : null
    if (only !== null) closing.push(only.release)
    await migrate(database, given(signal))
    const now = config.databaseUrl === null ? Date.now : await followed(database, log, closing)
    const sealsSince = await readSealsSince(database)
    const keys = configuredKeys(config) ?? keysOfFolder(dataFolder)
    const secrets = createSecrets(keys, () => now() >= sealsSince.getTime())
    await adoptSecretKeys(database, secrets)
    if (config.secretKey === null) closing.push(followFolderKeys({ path: config.dataFolder, database, secrets, log }))
    await createResultPartitions(database, new Date())
    // The embedded database is this process's alone.
    if (config.databaseUrl === null) await freeHeldRows(database)
    return {
      outboxFolder: dataFolder?.outboxFolder ?? join(config.dataFolder, 'outbox'),
      publishAddress: (address) => dataFolder?.publishAddress(address),
      database,
      engineDatabase,
      quietDatabase,
      commits,
      isAlone: isAlone && (config.databaseUrl === null || only !== null),
      secrets,
      now,
      failed: only === null ? failed : Promise.race([failed, only.lost]),
      close: () => endAll(closing),
    }
  } catch (error) {
    await endAll(closing)
    throw error
  }
}

/** The embedded database is guarded by its data folder, and with a broker any number of processes share one. */
async function onlyOn({ databaseUrl: url, nats }: Config, log: Log, signal?: AbortSignal): Promise<OnlyProcess | null> {
  if (url === null || nats !== null) return null
  return becomeOnlyProcess({ url, log, ...given(signal) })
}

function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

/** The embedded database has this machine's own clock. */
async function followed(database: Database, log: Log, closing: Ends): Promise<() => number> {
  const onSkew = (skewMs: number): void =>
    log.warn("This machine's clock differs from the database's. The database's clock counts.", {
      seconds: skewMs / 1000,
    })
  const clock = await followClock(database, { onSkew })
  closing.push(clock.close)
  return clock.now
}

function keysOfFolder(dataFolder: DataFolder | null): SecretKeys {
  if (dataFolder === null)
    throw new StartError('PERIGEE_SECRET_KEY is required: 32 bytes in base64, the same for every process.')
  return dataFolder.readSecretKeys()
}

type Connected = { connection: ConnectionOptions['connection']; failed: Promise<StartError>; stop: () => Promise<void> }

async function connectionOf(config: Config, log: Log): Promise<Connected> {
  if (config.databaseUrl !== null)
    return { connection: { url: config.databaseUrl }, failed: new Promise(() => {}), stop: async () => {} }
  const { connection, failed, stop } = await startEmbedded({
    folder: config.dataFolder,
    onTrouble: (message) => log.warn(message),
  })
  return { connection, failed, stop }
}
