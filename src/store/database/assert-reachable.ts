import type { Database } from './database.ts'
import { StartError } from './start-error.ts'

/** `detach concurrently`, `merge` and what else the migrations use. */
const oldestMajor = 15

/**
 * Makes the first connection to the database of PERIGEE_DATABASE_URL. Throws StartError with one line that names
 * the server and says what it answered, and shows neither user nor password.
 */
export async function assertReachable(database: Database, url: string): Promise<void> {
  const version = await readVersion(database, url)
  if (version < oldestMajor * 10_000)
    throw new StartError(
      `PERIGEE_DATABASE_URL: ${placeOf(url)} runs PostgreSQL ${Math.floor(version / 10_000)}, but Perigee needs ${oldestMajor} or newer.`,
    )
}

/** Rejects while the database does not answer. */
export async function assertAnswering({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('select 1')
}

async function readVersion(database: Database, url: string): Promise<number> {
  try {
    const { rows } = await database.pool.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    )
    return Number(rows[0]?.version)
  } catch (cause) {
    throw new StartError(`PERIGEE_DATABASE_URL: ${placeOf(url)} cannot be used (${reasonOf(cause)}).`, { cause })
  }
}

/** A database in words, without user and password. */
export function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `the database ${pathname.slice(1) || '(default)'} at ${searchParams.get('host') ?? (host || 'the local socket')}`
}

/** A host with several addresses fails with all their errors and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const message = error instanceof Error ? error.message || error.name : String(error)
  return message.replaceAll(/\s*\n\s*/g, ' ').replace(/\.$/, '')
}
