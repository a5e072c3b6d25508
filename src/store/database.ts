import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import type { DB } from '#store/schema.ts'

/** Whatever can read: the pool, or a transaction. */
export type Reader = { readonly query: Kysely<DB> }

/** One connection with an open transaction. `client` is for the named statements of hot paths. */
export type Transaction = Reader & { readonly client: PoolClient }

export type Database = Reader & {
  readonly pool: Pool
  transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export type ConnectionOptions = {
  /** A postgres:// URL, or the folder of a unix socket. */
  connection: { url: string } | { socketFolder: string; user: string; password: string; database: string }
  maxConnections: number
  /** Ends transactions whose owner went silent, and waits for locks (architecture.md, Partitions). */
  limits?: { idleInTransactionMs: number; lockTimeoutMs: number }
  /** Told of connections that broke while nobody was using them. */
  onIdleError?: (error: Error) => void
}

const connectTimeoutMs = 10_000
const statementTimeoutMs = 60_000

export function openDatabase({ connection, maxConnections, limits, onIdleError }: ConnectionOptions): Database {
  const pool = new Pool({
    ...('url' in connection
      ? { connectionString: connection.url }
      : {
          host: connection.socketFolder,
          user: connection.user,
          password: connection.password,
          database: connection.database,
        }),
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    application_name: 'perigee',
    options: sessionOptions(limits),
  })
  const report = onIdleError ?? ((): void => {})
  // Both are needed: a client that loses its server while checked out has no listener of the pool's.
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', report))
  const query = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return { pool, query, transaction: (work) => runTransaction(pool, work), close: () => pool.end() }
}

function sessionOptions(limits: ConnectionOptions['limits']): string {
  const settings = ['-c TimeZone=UTC']
  if (limits !== undefined)
    settings.push(
      `-c idle_in_transaction_session_timeout=${limits.idleInTransactionMs}`,
      `-c lock_timeout=${limits.lockTimeoutMs}`,
    )
  return settings.join(' ')
}

/** Commits when `work` resolves, rolls back when it throws. Never nested. */
async function runTransaction<T>(pool: Pool, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const done = await work({ client, query: boundTo(client) })
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new Error('rollback failed', { cause })
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** A query builder whose statements all go to one connection. */
function boundTo(client: PoolClient): Kysely<DB> {
  const borrowed: PostgresPoolClient = { query: client.query.bind(client), release: () => {} }
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: async () => borrowed, end: async () => {}, options: {} } }),
  })
}
