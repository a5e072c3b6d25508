import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { isConflict, isLockTimeout } from './database-failures.ts'
import { silentLogger } from './job-queue.ts'
import { type Migration, ownMigrations, readMigrations } from './migration-files.ts'
import { ownPool } from './own-pool.ts'
import { StartError } from './start-error.ts'
import { assertFinished, markUnfinished, withoutMark } from './unfinished-restore.ts'

/**
 * `lockTimeoutMs`: how long to wait for another process's turn, and for tables that older processes use. `signal` gives
 * up, also in the middle of a migration.
 */
export type MigrateOptions = {
  folder?: URL
  lockTimeoutMs?: number
  signal?: AbortSignal
  /**
   * Makes the schema of a backup instead, by these migrations alone, and marks it as unfinished, so that nothing starts
   * on it before `finishRestore`.
   */
  restoring?: ReadonlySet<number>
}

type Turn = { database: Database; lockTimeoutMs: number; signal: AbortSignal | undefined }

/** Any number, the same for every release: processes that start together take turns. */
const migrationLock = 7_305_017_211
/** A table of years of results may have to be rewritten. */
const statementTimeoutMs = 3_600_000
const cancelMs = 500
/** Those who waited for a migration have their turn before it is tried again. */
const longestPauseMs = 1000

/**
 * Brings the schema up to this release, each migration in a transaction of its own, and returns how many were
 * applied. A migration whose file was changed since it was applied is refused. A schema of a newer release is left as
 * it is, if that release says that this one can work with it (`compatible_from`). Throws StartError.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<number> {
  const { folder = ownMigrations, lockTimeoutMs = 60_000, signal, restoring } = options
  const turn = { database, lockTimeoutMs, signal }
  const migrations = readMigrations(folder).filter(({ number }) => restoring?.has(number) ?? true)
  const isDone = restoring === undefined && (await isMigrated(database, migrations))
  const applied = isDone ? 0 : await applyMissing(turn, migrations, restoring !== undefined)
  await inTurn(turn, () => migrateJobs(turn))
  return applied
}

/**
 * Whether all of these were applied, from these very files. It asks for no turn, as most starts have nothing to apply;
 * whatever else is found, the turn judges.
 */
async function isMigrated({ pool }: Pick<Database, 'pool'>, migrations: Migration[]): Promise<boolean> {
  const found = await pool.query<{ exists: boolean }>(
    `select exists (
      select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'checksum'
    ) as exists`,
  )
  if (found.rows[0]?.exists !== true) return false
  const { rows } = await pool.query<Checked>(readChecked)
  const newest = Math.max(0, ...migrations.map(({ number }) => number))
  if (withoutMark(rows).length < rows.length || rows.some((row) => row.compatible_from > newest)) return false
  const checksums = new Map(rows.map(({ number, checksum }) => [number, checksum]))
  return migrations.every(({ number, checksum }) => checksums.get(number) === checksum)
}

/** Returns how many were applied. */
async function applyMissing(turn: Turn, migrations: Migration[], isRestoring: boolean): Promise<number> {
  await inTurn(turn, async (client) => {
    await prepareTable(client, migrations)
    if (isRestoring) await client.query(markUnfinished)
  })
  let applied = 0
  let last = 0
  for (;;) {
    const next = await untilFree(turn, () => inTurn(turn, (client) => applyNext(client, { migrations, isRestoring })))
    if (next === null) return applied
    // A migration that takes its own row away would otherwise run for ever.
    if (next.number <= last) throw new StartError(`The migration ${next.file} was applied, but is missing now.`)
    last = next.number
    applied += 1
  }
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
      'The database is older than this release. Update it with "perigee migrate", or by starting a process of this release.',
    )
}

/** How a schema stands to that of this release. Migrations are named by their files. */
export type SchemaStanding = {
  /** A restore into this database began and did not finish. */
  isUnfinished: boolean
  /** Number of the highest migration that was applied; 0 where there is no Perigee in the database yet. */
  applied: number
  /** Number of the highest migration of this release. */
  ofRelease: number
  /** Number of the migration that a release has to know. */
  needed: number
  missing: string[]
  /** Applied from other files than those of this release. */
  changed: string[]
}

/** Changes nothing, and also reads a schema that no process of this release can work with. */
export async function readSchemaStanding({ pool }: Pick<Database, 'pool'>): Promise<SchemaStanding> {
  const migrations = readMigrations(ownMigrations)
  const found = await pool.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
  const { rows } =
    found.rows[0]?.exists === true
      ? await pool.query<Applied & { checksum?: string | null }>(
          'select * from schema_migrations order by number limit 10000',
        )
      : { rows: [] }
  const applied = withoutMark(rows)
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum ?? null]))
  return {
    isUnfinished: applied.length < rows.length,
    applied: Math.max(0, ...checksums.keys()),
    ofRelease: Math.max(0, ...migrations.map(({ number }) => number)),
    needed: Math.max(0, ...applied.map((row) => row.compatible_from)),
    missing: migrations.filter(({ number }) => !checksums.has(number)).map(({ file }) => file),
    changed: migrations.filter((each) => isChanged(each, checksums)).map(({ file }) => file),
  }
}

/**
 * The table of migrations is no migration of its own, because it is read before any of them. Rows that an earlier
 * release wrote have no checksum, and get that of the file beside this code.
 */
async function prepareTable(client: PoolClient, migrations: Migration[]): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    number integer primary key,
    name text not null,
    compatible_from integer not null,
    applied_at timestamptz not null default now(),
    checksum text
  )`)
  const found = await client.query(
    `select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'checksum'`,
  )
  const { rows } = await client.query<Applied>('select number, compatible_from from schema_migrations')
  assertCompatible(rows, migrations)
  // Only where it is missing, because the statement waits for everyone who reads the table.
  if (found.rowCount === 0) await client.query('alter table schema_migrations add column checksum text')
  await client.query(
    `update schema_migrations s
    set checksum = file.checksum
    from unnest($1::integer[], $2::text[]) as file (number, checksum)
    where s.number = file.number
      and s.checksum is null`,
    [migrations.map(({ number }) => number), migrations.map(({ checksum }) => checksum)],
  )
}

/** Applies the first migration that is missing, and returns it; null when none is. */
async function applyNext(
  client: PoolClient,
  { migrations, isRestoring }: { migrations: Migration[]; isRestoring: boolean },
): Promise<Migration | null> {
  const { rows } = await client.query<Checked>(readChecked)
  if (!isRestoring) assertCompatible(rows, migrations)
  assertUnchanged(rows, migrations)
  const known = new Set(rows.map(({ number }) => number))
  const next = migrations.find(({ number }) => !known.has(number))
  if (next === undefined) return null
  try {
    await client.query(next.statements)
  } catch (cause) {
    const why = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s*\n\s*/g, ' ')
    throw new StartError(`The migration ${next.file} failed and was rolled back: ${why}`, { cause })
  }
  await client.query(
    'insert into schema_migrations (number, name, compatible_from, checksum) values ($1, $2, $3, $4)',
    [next.number, next.file.slice(5, -4), next.compatibleFrom, next.checksum],
  )
  return next
}

/**
 * The tables of graphile-worker, which migrate themselves, each step in a transaction. Their connection has a name of its
 * own, by which it is found when the start is given up.
 */
async function migrateJobs({ database, lockTimeoutMs, signal }: Turn): Promise<void> {
  const name = `perigee migration ${randomUUID()}`
  const pool = ownPool(database, { name, maxConnections: 1, statementTimeoutMs, lockTimeoutMs })
  const unwatch = whenGivenUp(signal, () =>
    database.pool.query('select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1', [name]),
  )
  try {
    signal?.throwIfAborted()
    await runMigrations({ pgPool: pool, logger: silentLogger })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The tables of the job queue could not be updated to this release: ${why}`, { cause })
  } finally {
    unwatch()
    await pool.end()
  }
}

/** A migration that waits shortly for tables in use, by its own `lock_timeout`, is tried again until all the time is over. */
async function untilFree<T>({ lockTimeoutMs, signal }: Turn, attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + lockTimeoutMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const { cause } = error instanceof StartError ? error : {}
      if (!(isLockTimeout(cause) || isConflict(cause)) || signal?.aborted === true || performance.now() > end)
        throw error
      await wait(Math.random() * longestPauseMs)
    }
  }
}

/** A transaction that only one process at a time has; its lock needs no session, so a pooler may stand in between. */
function inTurn<T>(turn: Turn, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return turn.database.transaction(async ({ client }) => {
    const unwatch = await cancelWhenGivenUp(turn, client)
    try {
      await waitForTurn(client, turn)
      return await work(client)
    } catch (cause) {
      if (turn.signal?.aborted !== true) throw cause
      throw new StartError('The start was cancelled. The running migration was rolled back.', { cause })
    } finally {
      unwatch()
    }
  })
}

async function waitForTurn(client: PoolClient, { lockTimeoutMs, signal }: Turn): Promise<void> {
  signal?.throwIfAborted()
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
  await client.query(`set local statement_timeout = ${statementTimeoutMs}`)
  await client.query('set local idle_in_transaction_session_timeout = 0')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause
    throw new StartError(
      `Another process has been changing the schema of this database for ${lockTimeoutMs / 1000} s. Start again when it is done.`,
      { cause },
    )
  }
  signal?.throwIfAborted()
}

/**
 * A statement ends only where the server is told to end it, from another connection. It is told again and again, because
 * that does nothing between two statements. Returns the end of watching.
 */
async function cancelWhenGivenUp({ database, signal }: Turn, client: PoolClient): Promise<() => void> {
  if (signal === undefined) return () => {}
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return whenGivenUp(signal, () => database.pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]))
}

/** Cancels, and cancels again, once the start is given up, until the watch ends. */
function whenGivenUp(signal: AbortSignal | undefined, ask: () => Promise<unknown>): () => void {
  if (signal === undefined) return () => {}
  let timer: NodeJS.Timeout | undefined
  const cancel = (): void => {
    ask().catch(() => {})
  }
  const begin = (): void => {
    cancel()
    timer = setInterval(cancel, cancelMs)
  }
  signal.addEventListener('abort', begin)
  return () => {
    signal.removeEventListener('abort', begin)
    clearInterval(timer)
  }
}

type Applied = { number: number; compatible_from: number }
type Checked = Applied & { checksum: string | null }

const readChecked = 'select number, compatible_from, checksum from schema_migrations'

function assertUnchanged(
  applied: readonly { number: number; checksum: string | null }[],
  migrations: Migration[],
): void {
  const checksums = new Map(applied.map(({ number, checksum }) => [number, checksum]))
  for (const migration of migrations)
    if (isChanged(migration, checksums))
      throw new StartError(
        `The migration ${migration.file} is not the one this database was created with, because its file was changed. Restore the file of the release.`,
      )
}

/** Rows that an earlier release wrote have no checksum. */
function isChanged({ number, checksum }: Migration, checksums: ReadonlyMap<number, string | null>): boolean {
  return (checksums.get(number) ?? checksum) !== checksum
}

function assertCompatible(applied: Applied[], migrations: Migration[]): void {
  assertFinished(applied)
  const newest = Math.max(0, ...migrations.map(({ number }) => number))
  const needed = Math.max(0, ...applied.map((row) => row.compatible_from))
  if (needed > newest)
    throw new StartError(
      `The database was upgraded by a newer release: it needs schema ${needed}, but this release only knows ${newest}. Start that release or a later one.`,
    )
}
