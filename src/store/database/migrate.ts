import { readFileSync, readdirSync } from 'node:fs'
import { runMigrations } from 'graphile-worker'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { silentLogger } from './job-queue.ts'
import { StartError } from './start-error.ts'

/** `lockTimeoutMs`: how long to wait for another process's turn, and for tables that older processes use. */
export type MigrateOptions = { folder?: URL; lockTimeoutMs?: number }

type Turn = { database: Database; lockTimeoutMs: number }
type Migration = { number: number; file: string; compatibleFrom: number; statements: string }

const ownMigrations = new URL('../migrations/', import.meta.url)
/** Any number, the same for every release: processes that start together take turns. */
const migrationLock = 7_305_017_211
/** A table of years of results may have to be rewritten. */
const statementTimeoutMs = 3_600_000

/**
 * Brings the schema up to this release, each migration in a transaction of its own, and returns how many were
 * applied. A schema of a newer release is left as it is, if that release says that this one can work with it
 * (`compatible_from`). Throws StartError.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<number> {
  const { folder = ownMigrations, lockTimeoutMs = 60_000 } = options
  const migrations = readMigrations(folder)
  let applied = 0
  while (await inTurn({ database, lockTimeoutMs }, (client) => applyNext(client, migrations))) applied += 1
  await inTurn({ database, lockTimeoutMs }, () => migrateJobs(database))
  return applied
}

/** For commands that only read. Throws StartError when the database is not at the schema of this release. */
export async function assertMigrated({ pool }: Pick<Database, 'pool'>, folder = ownMigrations): Promise<void> {
  const found = await pool.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
  if (found.rows[0]?.exists !== true) throw new StartError('There is no Perigee in this database yet.')
  const { rows } = await pool.query<Applied>('select number, compatible_from from schema_migrations')
  const migrations = readMigrations(folder)
  assertCompatible(rows, migrations)
  const known = new Set(rows.map(({ number }) => number))
  if (migrations.some(({ number }) => !known.has(number)))
    throw new StartError(
      'The database is older than this release. "perigee migrate", or the start of a process of this release, brings it up.',
    )
}

/** Applies the first migration that is missing; false when none is. */
async function applyNext(client: PoolClient, migrations: Migration[]): Promise<boolean> {
  await client.query(`create table if not exists schema_migrations (
    number integer primary key,
    name text not null,
    compatible_from integer not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<Applied>('select number, compatible_from from schema_migrations')
  assertCompatible(rows, migrations)
  const known = new Set(rows.map(({ number }) => number))
  const next = migrations.find(({ number }) => !known.has(number))
  if (next === undefined) return false
  try {
    await client.query(next.statements)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The migration ${next.file} failed and was rolled back: ${why}`, { cause })
  }
  await client.query('insert into schema_migrations (number, name, compatible_from) values ($1, $2, $3)', [
    next.number,
    next.file.slice(5, -4),
    next.compatibleFrom,
  ])
  return true
}

/** The tables of graphile-worker, which migrate themselves. */
async function migrateJobs(database: Database): Promise<void> {
  try {
    await runMigrations({ pgPool: database.pool, logger: silentLogger })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The tables of the job queue could not be brought up to this release: ${why}`, { cause })
  }
}

/** A transaction that only one process at a time has; its lock needs no session, so a pooler may stand in between. */
function inTurn<T>({ database, lockTimeoutMs }: Turn, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return database.transaction(async ({ client }) => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(`set local statement_timeout = ${statementTimeoutMs}`)
    await client.query('set local idle_in_transaction_session_timeout = 0')
    try {
      await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      throw new StartError(
        `Another process has been changing the schema of this database for ${lockTimeoutMs / 1000} s; start again when it is done.`,
        { cause },
      )
    }
    return work(client)
  })
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/** Files named 0001-spine.sql whose first line says from which migration on a release can work with the schema. */
function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const statements = readFileSync(new URL(file, folder), 'utf8')
      const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]
      const compatibleFrom = /^-- compatible_from: (\d+)\n/.exec(statements)?.[1]
      if (number === undefined || compatibleFrom === undefined)
        throw new Error(`The migration ${file} lacks its number or its "-- compatible_from:" line.`)
      return { number: Number(number), file, compatibleFrom: Number(compatibleFrom), statements }
    })
}

type Applied = { number: number; compatible_from: number }

function assertCompatible(applied: Applied[], migrations: Migration[]): void {
  const newest = Math.max(0, ...migrations.map(({ number }) => number))
  const needed = Math.max(0, ...applied.map((row) => row.compatible_from))
  if (needed > newest)
    throw new StartError(
      `The database was upgraded by a newer release: it needs schema ${needed}, this release knows ${newest}. Start that release or a later one.`,
    )
}
