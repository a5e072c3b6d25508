import type { Database } from '#store/database/database.ts'
import { readBelonging } from './belonging.ts'

/** A sum of all rows of a workspace, by table. */
export type Rows = ReadonlyMap<string, string>

/**
 * Reads what a workspace has. When a token was last used is left out, because a refused request is a use as well. The
 * statement has a name, so that the server plans it once.
 */
export async function createRowReader(database: Database): Promise<(workspaceId: string) => Promise<Rows>> {
  const belonging = await readBelonging(database)
  const text = [...belonging].map(([table, condition]) => sumOf(table, condition)).join('\nunion all\n')
  return async (workspaceId) => {
    const { rows } = await database.planned.query<{ name: string; sum: string }>({
      name: 'rows_of_workspace',
      text,
      values: [workspaceId],
    })
    return new Map(rows.map(({ name, sum }) => [name, sum]))
  }
}

/** The tables whose rows differ. */
export function changedTables(before: Rows, after: Rows): string[] {
  return [...after].flatMap(([name, sum]) => (before.get(name) === sum ? [] : [name]))
}

/** The tables without any row. */
export function emptyTables(rows: Rows): string[] {
  return [...rows].flatMap(([name, sum]) => (sum.startsWith('0 ') ? [name] : []))
}

function sumOf(table: string, condition: string): string {
  return `select
  '${table}' as name,
  count(*) || ' ' || coalesce(md5(string_agg(line, '' order by line)), '') as sum
from (
  select md5((to_jsonb(own) - 'last_used_at')::text) as line
  from ${table} as own
  where ${condition}
) as lines`
}

const idForm = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Every id that stands in the rows of a workspace, its own among them. */
export async function readIdsOf(database: Database, workspaceId: string): Promise<string[]> {
  const belonging = await readBelonging(database)
  const texts = [...belonging].map(
    ([table, condition]) => `select to_jsonb(own)::text from ${table} as own where ${condition}`,
  )
  const { rows } = await database.pool.query<{ id: string }>(
    `select distinct found[1] as id
    from (${texts.join('\nunion all\n')}) as each (line), regexp_matches(line, '${idForm}', 'g') as found
    order by 1`,
    [workspaceId],
  )
  return rows.map(({ id }) => id)
}
