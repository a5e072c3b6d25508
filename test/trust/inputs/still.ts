import { createHash } from 'node:crypto'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import type { Service } from '../program.ts'

/** A sum of everything that stands in the tables of a workspace. */
export async function stillSum({ dataFolder }: Service, workspaceId: string): Promise<string> {
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
  const sum = createHash('sha256')
  try {
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `select format('%I.%I', c.table_schema, c.table_name) as name
      from information_schema.columns as c
        join information_schema.tables as t using (table_schema, table_name)
      where c.column_name = 'workspace_id'
        and t.table_type = 'BASE TABLE'
      order by 1`,
    )
    for (const { name } of tables) {
      const { rows } = await database.pool.query<{ line: string }>(
        `select each::text as line from ${name} as each where workspace_id = $1 order by 1`,
        [workspaceId],
      )
      sum.update(`${name} ${rows.length}\n${rows.map(({ line }) => line).join('\n')}`)
    }
  } finally {
    await database.close()
  }
  return sum.digest('hex')
}
