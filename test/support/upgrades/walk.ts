// One database from the first schema to the last, with rows in every table as soon as there is one.
import type { PoolClient } from 'pg'
import type { Database } from '#store/database/database.ts'
import { type Migration, readMigrations } from '#store/database/migration-files.ts'
import { allowedChanges } from './allowed.ts'
import { type Contents, contentsOf, lossesBetween } from './contents.ts'
import { rowsOf } from './rows.ts'

export type Walk = {
  /** Tables without rows, each with what to add. */
  empty: string[]
  /** What a migration took away, changed or added that it should not. */
  losses: string[]
}

export type WalkOptions = {
  migrations?: readonly Migration[]
  /** Called at each schema, while no connection to the database is open. */
  onSchema?: (migration: Migration) => Promise<void>
}

export async function walkThrough({ pool }: Database, options: WalkOptions = {}): Promise<Walk> {
  const { migrations = readMigrations(), onSchema } = options
  const walk: Walk = { empty: [], losses: [] }
  let contents: Contents = new Map()
  await pool.query(schemaMigrations)
  for (const migration of migrations) {
    const client = await pool.connect()
    try {
      contents = await step(client, { migration, before: contents, walk })
    } finally {
      client.release(onSchema !== undefined)
    }
    await onSchema?.(migration)
  }
  return walk
}

type Step = { migration: Migration; before: Contents; walk: Walk }

async function step(client: PoolClient, { migration, before, walk }: Step): Promise<Contents> {
  const { file } = migration
  await apply(client, migration)
  const after = await contentsOf(client)
  walk.losses.push(...lossesBetween(before, after, allowedChanges[file] ?? {}).map((loss) => `${file}: ${loss}`))
  const rows = rowsOf(file)
  if (rows !== null) await client.query(rows)
  const filled = rows === null ? after : await contentsOf(client)
  for (const [table, { length }] of filled)
    if (length === 0 && !before.has(table))
      walk.empty.push(`The table ${table} has no rows: insert some in test/support/upgrades/${file}.`)
  return filled
}

/** As `migrate` does it, each in a transaction of its own. */
async function apply(
  client: PoolClient,
  { number, file, statements, compatibleFrom, checksum }: Migration,
): Promise<void> {
  await client.query('begin')
  await client.query(statements)
  await client.query('insert into schema_migrations values ($1, $2, $3, now(), $4)', [
    number,
    file.slice(5, -4),
    compatibleFrom,
    checksum,
  ])
  await client.query('commit')
}

const schemaMigrations = `
create table schema_migrations (
  number integer primary key,
  name text not null,
  compatible_from integer not null,
  applied_at timestamptz not null default now(),
  checksum text
)`
