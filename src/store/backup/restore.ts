import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import type { PoolClient } from 'pg'
import type { Database } from '#store/database/database.ts'
import { migrate } from '#store/database/migrate.ts'
import { readMigrations } from '#store/database/migration-files.ts'
import { finishRestore } from '#store/database/unfinished-restore.ts'
import { ownPool } from '#store/database/own-pool.ts'
import { StartError } from '#store/database/start-error.ts'
import { holdSending } from '#store/installation/sending.ts'
import { createByteReader } from './byte-reader.ts'
import { explained } from './explained.ts'
import { damaged, openFrames, type Passphrase } from './frames.ts'
import { type LoadedTable, loadTables } from './load.ts'
import { type Manifest, readRecord } from './records.ts'
import { clearTarget, prepareTarget } from './restore-target.ts'

export type RestoreOptions = {
  passphrase: Passphrase
  now: Date
  /** Sends at once. Otherwise nothing leaves the restored copy until `resumeSending`. */
  isLive: boolean
  /** Looks at what the backup says of itself before anything is loaded. What it throws ends the restore. */
  accept?: (manifest: Manifest) => void
}

export type RestoredBackup = { manifest: Manifest; tables: LoadedTable[] }

/**
 * Makes an empty database what it was when the backup was made, compares each table with what the backup says of it, and
 * brings the schema up to this release. All rows are loaded in one transaction. Where anything fails the database is
 * made empty again; where that fails too, or the process dies, nothing starts on what is left, and the next restore takes
 * it away. Throws StartError.
 */
export async function restoreBackup(
  database: Database,
  file: AsyncIterable<Buffer>,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  await prepareTarget(database)
  const restored = await read(file, options.passphrase, (reader) => load(database, reader, options)).catch(
    async (error: unknown) => {
      await clearTarget(database).catch(() => {})
      throw error
    },
  )
  await migrate(database)
  return restored
}

/** What a backup says of itself; nothing else is read. */
export function readManifest(file: AsyncIterable<Buffer>, passphrase: Passphrase): Promise<Manifest> {
  return read(file, passphrase, firstManifest)
}

async function read<T>(
  file: AsyncIterable<Buffer>,
  passphrase: Passphrase,
  work: (reader: ReturnType<typeof createByteReader>) => Promise<T>,
): Promise<T> {
  let done: { value: T } | undefined
  await pipeline(openFrames(file, passphrase), createZstdDecompress(), async (content: AsyncIterable<Buffer>) => {
    done = { value: await work(createByteReader(content)) }
  })
  if (done === undefined) throw damaged()
  return done.value
}

async function firstManifest(reader: ReturnType<typeof createByteReader>): Promise<Manifest> {
  const first = await readRecord(reader)
  if (first?.kind !== 'manifest') throw damaged()
  return first.content
}

async function load(
  database: Database,
  reader: ReturnType<typeof createByteReader>,
  { accept, isLive, now }: RestoreOptions,
): Promise<RestoredBackup> {
  const manifest = await firstManifest(reader)
  assertKnown(manifest)
  accept?.(manifest)
  await migrate(database, { restoring: new Set(manifest.migrations.map(({ number }) => number)) })
  const tables = await inOneTransaction(database, async (client) => {
    const loaded = await loadTables(client, reader, manifest)
    // A backup of a copy that sends nothing says so itself.
    if (isLive) await client.query(`delete from settings where name = 'sending_held'`)
    else await holdSending(client, { since: now, backupAt: manifest.created_at })
    await finishRestore(client)
    return loaded
  })
  return { manifest, tables }
}

/** The schema of a backup is made by the migrations that made it, so all of them have to be there, unchanged. */
function assertKnown({ migrations, release }: Manifest): void {
  const known = new Map(readMigrations().map(({ number, checksum }) => [number, checksum]))
  for (const { number, name, checksum } of migrations) {
    const ours = known.get(number)
    if (ours === undefined)
      throw new StartError(
        `The backup was made by Perigee ${release}, whose schema ${number} (${name}) this release does not know. Restore it with that release or a later one.`,
      )
    if (checksum !== null && checksum !== ours)
      throw new StartError(`The backup was made with another file of the migration ${number} (${name}) than this one.`)
  }
}

async function inOneTransaction<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = ownPool(database, {
    name: 'perigee restore',
    maxConnections: 1,
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
  })
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    const done = await work(client)
    await client.query('commit')
    return done
  } catch (error) {
    broken = explained(error, 'The database refused the backup')
    throw broken
  } finally {
    // A connection that is closed rolls back.
    client.release(broken)
    await pool.end()
  }
}
