import type { Database } from '#store/database/database.ts'
import { processLock } from './only-process.ts'

/** What the server of the database says of itself and of the role that asks. */
export type ServerHealth = {
  version: string
  role: string
  /** A standby takes no changes. */
  isStandby: boolean
  sizeBytes: number
  connections: { used: number; allowed: number }
  /** Of all transactions but the one by which a process without a broker holds its lock; null while none is open. */
  longestTransaction: { seconds: number; application: string; state: string } | null
  rights: {
    /** Migrations make tables. */
    canCreate: boolean
    /** Migrations change tables, which only their owner may. */
    foreignTables: number
  }
}

export async function readServerHealth({ pool }: Pick<Database, 'pool'>): Promise<ServerHealth> {
  // One after the other, so that neither counts the other as a transaction.
  const transaction = await pool.query<NonNullable<ServerHealth['longestTransaction']>>(transactionStatement, [
    processLock,
  ])
  const server = await pool.query<ServerRow>(serverStatement)
  const [row] = server.rows
  if (row === undefined) throw new Error('The server says nothing of itself.')
  return {
    version: row.version,
    role: row.role,
    isStandby: row.is_standby,
    sizeBytes: row.size_bytes,
    connections: { used: row.used, allowed: row.allowed },
    longestTransaction: transaction.rows[0] ?? null,
    rights: { canCreate: row.can_create, foreignTables: row.foreign_tables },
  }
}

/** The shortest of a few round trips on one connection: the others waited for something else as well. */
export async function measureRoundTrip({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const client = await pool.connect()
  try {
    let bestMs = Infinity
    for (let trip = 0; trip < trips; trip += 1) {
      const startedAt = performance.now()
      await client.query('select 1')
      bestMs = Math.min(bestMs, performance.now() - startedAt)
    }
    return bestMs
  } finally {
    client.release()
  }
}

const trips = 5

type ServerRow = {
  version: string
  role: string
  is_standby: boolean
  size_bytes: number
  used: number
  allowed: number
  can_create: boolean
  foreign_tables: number
}

const serverStatement = `
select
  split_part(current_setting('server_version'), ' ', 1) as version,
  current_user::text as role,
  pg_is_in_recovery() as is_standby,
  pg_database_size(current_database())::float8 as size_bytes,
  (select count(*) from pg_stat_activity where backend_type = 'client backend')::integer as used,
  current_setting('max_connections')::integer
    - current_setting('superuser_reserved_connections')::integer as allowed,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as can_create,
  (
    select count(*)
    from pg_class
    where relnamespace = current_schema()::text::regnamespace
      and relkind in ('r', 'p')
      and not pg_has_role(relowner, 'usage')
  )::integer as foreign_tables`

const transactionStatement = `
select
  extract(epoch from clock_timestamp() - xact_start)::float8 as seconds,
  application_name as application,
  coalesce(state, 'unknown') as state
from pg_stat_activity
where xact_start is not null
  and backend_type = 'client backend'
  and datname = current_database()
  and pid <> pg_backend_pid()
  and pid not in (
    select pid
    from pg_locks
    where locktype = 'advisory'
      and (classid::bigint << 32 | objid::bigint) = $1
  )
order by xact_start
limit 1`
