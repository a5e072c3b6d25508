import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import { z } from 'zod'
import { isConflict, isUnanswered } from './database-failures.ts'
import type { DB } from './schema.ts'

/** Whatever can read: the pool, or a transaction. */
export type Reader = { readonly query: Kysely<DB> }

/** One connection with an open transaction. `client` is for the named statements of hot paths. */
export type Transaction = Reader & { readonly client: PoolClient }

type Work<T> = (transaction: Transaction) => Promise<T>

export type TransactionOptions = {
  /**
   * Called once the transaction has changed or locked something, or may have: where the answer to the commit did not come,
   * its caller cannot know.
   */
  onWritten?: () => void
  /**
   * Statements are planned once for all values, as those of `planned` are. For transactions that touch few rows, and find
   * them by their keys: planning takes longer than that. For many rows such a plan may be a bad one.
   */
  plansOnce?: boolean
}

export type Database = Reader & {
  readonly pool: Pool
  /**
   * For named statements that have to be quick: each connection plans one once, for all values, and not at every call.
   * Which days of `results` a statement reads is decided when it begins to run.
   */
  readonly planned: Pool
  /**
   * Commits when `work` resolves, rolls back when it throws. Never nested. `work` may run several times: it changes
   * nothing but the database, or sets anew what it changes.
   */
  transaction: <T>(work: Work<T>, options?: TransactionOptions) => Promise<T>
  close: () => Promise<void>
}

export type ConnectionOptions = {
  /** A postgres:// URL, or the folder of a unix socket. */
  connection: { url: string } | { socketFolder: string; user: string; password: string; database: string }
  maxConnections: number
  /**
   * Ends transactions whose client went silent, waits for locks, and waits for a server that went silent itself. It is
   * longer than any statement may take, so that the server's own error arrives first.
   */
  limits?: { idleInTransactionMs: number; lockTimeoutMs: number; answerMs: number }
  /** For commands that only look: the server refuses every change. */
  isReadOnly?: boolean
  /** How long a connection is kept that nobody uses. Default: ten seconds. */
  idleMs?: number
  /** Called with the error of a connection that broke while no query used it. */
  onIdleError?: (error: Error) => void
}

/** Connections of `planned`, whose statements take some milliseconds; a monitor's page asks on two at once. */
const maxPlanned = 6
const connectTimeoutMs = 10_000
/** A server whose machine is gone says nothing, not even goodbye: the system then asks whether it is still there. */
const keepAliveMs = 10_000
const statementTimeoutMs = 60_000
/**
 * A connection that is opened again costs a process of PostgreSQL with nothing planned, some 60 ms of CPU: chores of each
 * minute find the ones of the minute before.
 */
const usualIdleMs = 90_000

export function openDatabase(options: ConnectionOptions): Database {
  const pool = openPool(options)
  const maxConnections = Math.min(maxPlanned, options.maxConnections)
  const planned = openPool({ ...options, maxConnections }, plannedSettings)
  const query = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return {
    pool,
    planned,
    query,
    transaction: (work, given = {}) => runTransaction(() => attemptTransaction(pool, work, given)),
    close: async () => {
      await Promise.all([pool.end(), planned.end()])
    },
  }
}

/** The source for named statements of a hot path: the transaction, or `planned`. */
export function preparedOn(source: Database | Transaction): Pick<Pool, 'query'> {
  return 'client' in source ? source.client : source.planned
}

/** The source for named statements whose plan does not depend on a kept one: the transaction, or `pool`. */
export function namedOn(source: Pick<Database, 'pool'> | Transaction): Pick<Pool, 'query'> {
  return 'client' in source ? source.client : source.pool
}

type PoolSettings = { session: readonly string[]; min: number; lifetimeSeconds?: number }

/**
 * A used connection is kept with its plans: a caller that comes once a minute would wait for new plans each time. It is
 * not kept for ever, because statements that name a day are other statements tomorrow.
 */
const plannedSettings: PoolSettings = {
  session: ['-c plan_cache_mode=force_generic_plan'],
  min: 1,
  lifetimeSeconds: 6 * 3600,
}

function openPool(options: ConnectionOptions, settings: PoolSettings = { session: [], min: 0 }): Pool {
  const { session, min, lifetimeSeconds = 0 } = settings
  const { connection, maxConnections, limits, isReadOnly = false, onIdleError } = options
  const readOnly = isReadOnly ? ['-c default_transaction_read_only=on'] : []
  const pool = new Pool({
    ...('url' in connection
      ? { connectionString: connection.url }
      : {
          host: connection.socketFolder,
          user: connection.user,
          password: connection.password,
          database: connection.database,
        }),
    min,
    max: maxConnections,
    maxLifetimeSeconds: lifetimeSeconds,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: options.idleMs ?? usualIdleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    statement_timeout: statementTimeoutMs,
    ...(limits === undefined ? {} : { query_timeout: limits.answerMs }),
    application_name: 'perigee',
    options: [...sessionOptions(limits), ...session, ...readOnly].join(' '),
  })
  const report = onIdleError ?? ((): void => {})
  // Both are needed: a client that loses its server while checked out has no listener of the pool's.
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', report))
  return pool
}

function sessionOptions(limits: ConnectionOptions['limits']): string[] {
  const settings = ['-c TimeZone=UTC']
  if (limits !== undefined)
    settings.push(
      `-c idle_in_transaction_session_timeout=${limits.idleInTransactionMs}`,
      `-c lock_timeout=${limits.lockTimeoutMs}`,
    )
  return settings
}

const maxAttempts = 4
const longestPauseMs = 50

/**
 * A transaction that PostgreSQL ended for a deadlock has left nothing behind, and finds room once the others are done
 * (PostgreSQL 13.5). The pauses differ, so that two transactions that met do not meet again.
 */
async function runTransaction<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce()
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error
      await wait(Math.random() * longestPauseMs * attempt)
    }
  }
}

const beginPlanned = 'begin; set local plan_cache_mode = force_generic_plan'

async function attemptTransaction<T>(
  pool: Pool,
  work: Work<T>,
  { onWritten, plansOnce = false }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(plansOnce ? beginPlanned : 'begin')
    const done = await work({ client, query: boundTo(client) })
    await (onWritten === undefined ? client.query('commit') : commitTelling(client, onWritten))
    return done
  } catch (error) {
    broken = await rollBack(client, error)
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Asked on the way to the commit, because an answer of its own would cost as much as the commit of a transaction that
 * wrote nothing. One gets an id with its first change of a row or lock on one (PostgreSQL, "Transactions and Identifiers").
 */
const commitStatements = 'select pg_current_xact_id_if_assigned() is not null as written; commit'

async function commitTelling(client: PoolClient, onWritten: () => void): Promise<void> {
  let hasWritten = true
  try {
    // A list, because the text has two statements, whatever the types of `pg` say.
    const [asked] = committedSchema.parse(await client.query(commitStatements))
    hasWritten = asked.rows[0].written
  } finally {
    if (hasWritten) onWritten()
  }
}

const committedSchema = z.tuple([z.object({ rows: z.tuple([z.object({ written: z.boolean() })]) }), z.unknown()])

/** Why the connection is of no use any more, if so. Behind what is not answered a rollback would only wait as well. */
async function rollBack(client: PoolClient, failure: unknown): Promise<Error | undefined> {
  if (isUnanswered(failure)) return failure
  try {
    await client.query('rollback')
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause : new Error('rollback failed', { cause })
  }
}

/** A query builder whose statements all go to one connection. */
function boundTo(client: PoolClient): Kysely<DB> {
  const borrowed: PostgresPoolClient = { query: client.query.bind(client), release: () => {} }
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: async () => borrowed, end: async () => {}, options: {} } }),
  })
}
