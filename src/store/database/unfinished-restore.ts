import type { PoolClient } from 'pg'
import type { Database } from './database.ts'
import { StartError } from './start-error.ts'

/** Stands in the table of migrations as one that no release knows, so that earlier releases refuse to start as well. */
const mark = 1_000_000

export const markUnfinished = `
  insert into schema_migrations (number, name, compatible_from)
  values (${mark}, 'restore-unfinished', ${mark})
  on conflict (number) do nothing`

/** In the transaction that has loaded the last row. */
export async function finishRestore(client: PoolClient): Promise<void> {
  await client.query('delete from schema_migrations where number = $1', [mark])
}

/** Whether a restore into this database began and did not finish. */
export async function isUnfinishedRestore({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const found = await pool.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
  if (found.rows[0]?.exists !== true) return false
  const marked = await pool.query('select from schema_migrations where number = $1', [mark])
  return marked.rows.length > 0
}

export function withoutMark<Row extends { number: number }>(applied: readonly Row[]): Row[] {
  return applied.filter(({ number }) => number !== mark)
}

/** Throws StartError. */
export function assertFinished(applied: readonly { number: number }[]): void {
  if (withoutMark(applied).length < applied.length)
    throw new StartError('A restore into this database did not finish. Run "perigee restore" again.')
}
