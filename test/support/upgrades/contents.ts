// What stands in a database, and what of it an upgrade took away or changed.
import type { ClientBase, Pool } from 'pg'

export type Row = Readonly<Record<string, unknown>>
/** Rows by table. */
export type Contents = ReadonlyMap<string, readonly Row[]>

/** Our own tables; a partition counts with its table. */
async function tablesOf(client: ClientBase | Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'people')
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relname <> 'schema_migrations'
      -- The copy of a day that is being rewritten is a part of results too.
      and c.relname !~ '^results_[0-9]{8}_hours$'
    order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function contentsOf(client: ClientBase | Pool): Promise<Contents> {
  const tables = await tablesOf(client)
  const each = tables.map((name) => `select '${name}' as name, to_jsonb(each) as row from ${name} as each`)
  const { rows } = await client.query<{ name: string; row: Row }>(each.join('\nunion all\n'))
  const found = Map.groupBy(rows, ({ name }) => name)
  return new Map(tables.map((name) => [name, (found.get(name) ?? []).map(({ row }) => row)]))
}

export type Allowed = {
  /** Columns whose values the migration has to change, as `table.column`. */
  changes?: readonly string[]
  /** Tables to which it adds rows. */
  adds?: readonly string[]
}

/** Each loss in a sentence: tables, columns and rows that are gone, values that are others, rows that came. */
export function lossesBetween(before: Contents, after: Contents, { changes = [], adds = [] }: Allowed): string[] {
  return [...before].flatMap(([table, rows]) => {
    const now = after.get(table)
    if (now === undefined) return [`The table ${table} is gone.`]
    const columns = Object.keys(rows[0] ?? {}).filter((column) => !changes.includes(`${table}.${column}`))
    const gone = columns.filter((column) => now.length > 0 && !Object.hasOwn(now[0] ?? {}, column))
    if (gone.length > 0) return gone.map((column) => `The column ${table}.${column} is gone.`)
    const left = now.map((row) => textOf(row, columns))
    const missing = rows.map((row) => textOf(row, columns)).filter((text) => !takeOut(left, text))
    const lost = missing.map((text) => `A row of ${table} is gone or has changed: ${text}`)
    const more = left.length - missing.length
    return more > 0 && !adds.includes(table) ? lost.concat(`${more} rows of ${table} came: ${left[0]}`) : lost
  })
}

function textOf(row: Row, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => [column, row[column]]))
}

function takeOut(texts: string[], wanted: string): boolean {
  const at = texts.indexOf(wanted)
  if (at >= 0) texts.splice(at, 1)
  return at >= 0
}
