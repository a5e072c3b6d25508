import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { ownPool } from '#store/database/own-pool.ts'
import type { SecretKeys } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { copyOut } from './copy.ts'
import { explained } from './explained.ts'
import { type Passphrase, sealFrames } from './frames.ts'
import { type BackupRecord, type BackupTable, type Manifest, recordBytes, type TableTotals } from './records.ts'
import { columnsOf, listSequences, listTables, readTotals, tableName, valueForms } from './tables.ts'

export type BackupOptions = {
  release: string
  /** The installation's secret keys, which are put in where the backup is encrypted. */
  keys: SecretKeys | null
  passphrase: Passphrase
  now: Date
  signal?: AbortSignal
}

export type TakenBackup = { tables: (Pick<BackupTable, 'schema' | 'name'> & TableTotals)[]; contentBytes: number }

/** Only how it is reached is used: the backup has connections of its own. */
type Source = { pool: Pick<Pool, 'options'> }

/** A change of the schema holds its tables for a moment; one that holds them longer is told of. */
const lockTimeoutMs = 60_000
/** The memory that it takes grows with the level, the size of results hardly falls any more. */
const compressionLevel = 3

/**
 * Writes everything that the database holds at one moment, while it goes on changing. All is read in one snapshot by
 * transactions that only read: they hold up no change but that of a table itself.
 */
export async function takeBackup(database: Source, to: Writable, options: BackupOptions): Promise<TakenBackup> {
  const pool = ownPool(database, { name: 'perigee backup', maxConnections: 2, statementTimeoutMs: 0, lockTimeoutMs })
  const taken: TakenBackup = { tables: [], contentBytes: 0 }
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: compressionLevel } })
  const { signal, passphrase } = options
  try {
    await inSnapshot(pool, (clients) =>
      pipeline(
        recordsOf(clients, options, taken),
        compress,
        (compressed) => sealFrames(compressed, passphrase),
        to,
        signal === undefined ? {} : { signal },
      ),
    )
    return taken
  } finally {
    await pool.end()
  }
}

/** One reads the rows, the other what they add up to, at the same moment. */
type Clients = { reading: PoolClient; adding: PoolClient; tables: BackupTable[] }

async function inSnapshot(pool: Pool, work: (clients: Clients) => Promise<void>): Promise<void> {
  const [reading, adding] = await Promise.all([pool.connect(), pool.connect()])
  let broken: Error | undefined
  try {
    const tables = await beginReading(reading)
    await beginBeside(reading, adding)
    await work({ reading, adding, tables })
    await Promise.all([reading.query('commit'), adding.query('commit')])
  } catch (error) {
    broken = explained(error, 'The database ended the backup')
    throw broken
  } finally {
    for (const client of [reading, adding]) client.release(broken)
  }
}

/**
 * The snapshot is taken by the first statement after the locks. Taken before, it would not see a day of results that was
 * rewritten meanwhile (docs/design/history.md).
 */
async function beginReading(client: PoolClient): Promise<BackupTable[]> {
  const tables = await listTables(client)
  if (!tables.some(({ schema, name }) => schema === null && name === 'results'))
    throw new StartError('There is no Perigee in this database yet.')
  await client.query('begin transaction isolation level repeatable read, read only')
  await client.query(
    `set local idle_in_transaction_session_timeout = 0; lock table ${tables.map(tableName).join(', ')} in access share mode`,
  )
  await client.query(valueForms)
  return tables
}

async function beginBeside(reading: PoolClient, adding: PoolClient): Promise<void> {
  const exported = await reading.query<{ id: string }>('select pg_export_snapshot() as id')
  await adding.query('begin transaction isolation level repeatable read, read only')
  await adding.query(`set transaction snapshot '${exported.rows[0]?.id ?? ''}'`)
  await adding.query('set local idle_in_transaction_session_timeout = 0')
  await adding.query(valueForms)
}

async function* recordsOf(
  { reading, adding, tables }: Clients,
  options: BackupOptions,
  taken: TakenBackup,
): AsyncGenerator<Buffer> {
  const counted = (record: BackupRecord): Buffer => {
    const bytes = recordBytes(record)
    taken.contentBytes += bytes.length
    return bytes
  }
  yield counted({ kind: 'manifest', content: await readManifest(reading, options) })
  for (const table of tables) {
    yield counted({ kind: 'table', content: table })
    const totalling = readTotals(adding, table)
    // It is waited for below; until then its failure is no surprise to anyone.
    totalling.catch(() => {})
    for await (const rows of copyOut(reading, `copy (select ${columnsOf(table)} from ${tableName(table)}) to stdout`))
      yield counted({ kind: 'rows', content: rows })
    const totals = await totalling
    yield counted({ kind: 'totals', content: totals })
    taken.tables.push({ schema: table.schema, name: table.name, ...totals })
  }
  yield counted({ kind: 'end', content: { tables: tables.length, sequences: await listSequences(reading) } })
}

async function readManifest(client: PoolClient, { release, keys, passphrase, now }: BackupOptions): Promise<Manifest> {
  const migrations = await client.query<Manifest['migrations'][number]>(
    'select number, name, checksum from schema_migrations order by number',
  )
  const found = await client.query<Pick<Manifest, 'postgres' | 'key_identity' | 'result_days'>>(
    `select
      current_setting('server_version') as postgres,
      (select value #>> '{}' from settings where name = 'secret_key') as key_identity,
      array(
        select to_date(right(child.relname, 8), 'YYYYMMDD')::text
        from pg_inherits
        join pg_class child on child.oid = inhrelid
        where inhparent = 'results'::regclass
        order by 1
      ) as result_days`,
  )
  const [one] = found.rows
  if (one === undefined) throw new Error('The manifest came back without a row.')
  return {
    created_at: now.toISOString(),
    release,
    migrations: migrations.rows,
    ...keysOf(passphrase === null ? null : keys),
    ...one,
  }
}

function keysOf(keys: SecretKeys | null): Pick<Manifest, 'secret_key' | 'former_secret_keys'> {
  if (keys === null) return { secret_key: null, former_secret_keys: [] }
  const { current, next = null, former = [] } = keys
  const others = [...(next === null ? [] : [next]), ...former]
  return { secret_key: current.toString('base64'), former_secret_keys: others.map((key) => key.toString('base64')) }
}
