import { DatabaseError, type PoolClient } from 'pg'
import type { Database } from '#store/database/database.ts'

type Column = { name: string; type: string; isNullable: boolean; isGiven: boolean }
type Reference = { columns: string[]; table: string; referenced: string[] }
type Check = { name: string; columns: string[] }
type Table = {
  name: string
  columns: Column[]
  references: Reference[]
  checks: Check[]
  words: string[]
  refusal?: string
}

const rowsEach = 3
const referredEach = 20
const attempts = 150
const rounds = 6

/**
 * Rows in the tables of a migrated database, by whatever its constraints allow: the values of a column are tried that its
 * type has and its checks name. Returns the tables for which none was found, each with what refused the last attempt.
 */
export async function fillEveryTable({ pool }: Database): Promise<Map<string, string>> {
  const client = await pool.connect()
  try {
    const tables = await describeTables(client)
    for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
    let left = tables
    for (let round = 0; round < rounds; round += 1) {
      const failed: Table[] = []
      for (const table of left) if (!(await fill(client, table))) failed.push(table)
      left = failed
    }
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`)
    return new Map(left.map(({ name, refusal = '' }) => [name, refusal]))
  } finally {
    client.release()
  }
}

async function describeTables(client: PoolClient): Promise<Table[]> {
  const found = await client.query<Table>(`
    select
      c.oid::regclass::text as name,
      (
        select json_agg(json_build_object(
          'name', quote_ident(attname), 'type', format_type(atttypid, null), 'isNullable', not attnotnull,
          'isGiven', attidentity = '' and attgenerated = ''
        ) order by attnum)
        from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped
      ) as columns,
      coalesce((
        select json_agg(json_build_object(
          'columns', (select json_agg(quote_ident(attname) order by place) from unnest(conkey) with ordinality k (number, place) join pg_attribute on attrelid = conrelid and attnum = k.number),
          'table', confrelid::regclass::text,
          'referenced', (select json_agg(quote_ident(attname) order by place) from unnest(confkey) with ordinality k (number, place) join pg_attribute on attrelid = confrelid and attnum = k.number)
        ))
        from pg_constraint
        where conrelid = c.oid and contype = 'f'
      ), '[]') as references,
      coalesce((
        select json_agg(json_build_object(
          'name', conname,
          'columns', (select json_agg(quote_ident(attname)) from pg_attribute where attrelid = conrelid and attnum = any(conkey))
        ))
        from pg_constraint
        where conrelid = c.oid and contype = 'c'
      ), '[]') as checks,
      coalesce((
        select json_agg(distinct word[1])
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''', 'g') as word
        where conrelid = c.oid and contype = 'c'
      ), '[]') as words
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'people')
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relpersistence = 'p'
      and c.relname <> 'schema_migrations'
    order by 1`)
  return found.rows
}

async function fill(client: PoolClient, table: Table): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${table.name} limit 1`)
  let made = rowCount ?? 0
  let referred = await readReferred(client, table)
  if (referred === null) return false
  let values = valuesOf(table, referred)
  for (let attempt = 0; attempt < attempts && made < rowsEach; attempt += 1) {
    const refused = await insert(client, table, values)
    if (refused === null) {
      made += 1
      // Rows may refer to others of their own table.
      referred = (await readReferred(client, table)) ?? referred
    }
    // Only what one check refuses is tried with other values, so that those that passed are kept.
    const named = refused === null ? undefined : table.checks.find(({ name }) => name === refused)
    const fresh = valuesOf(table, referred)
    if (named === undefined) values = fresh
    else for (const column of named.columns) if (fresh.has(column)) values.set(column, fresh.get(column) ?? null)
  }
  return made > 0
}

type Values = Map<string, string | null>

/** The rows to which each reference may refer. */
type Referred = Map<Reference, (string | null)[][]>

/** Null where a row would have to refer to a table without rows: PostgreSQL would refuse every attempt. */
async function readReferred(client: PoolClient, table: Table): Promise<Referred | null> {
  const referred: Referred = new Map()
  for (const reference of table.references) {
    const { rows } = await client.query<{ row: (string | null)[] }>(
      `select array[${reference.referenced.map((name) => `${name}::text`).join(', ')}] as row
      from ${reference.table} order by random() limit ${referredEach}`,
    )
    if (rows.length === 0 && !reference.columns.some((name) => takesNull(table, name))) return null
    referred.set(
      reference,
      rows.map(({ row }) => row),
    )
  }
  return referred
}

function valuesOf(table: Table, referred: Referred): Values {
  const values: Values = new Map()
  for (const column of table.columns) if (column.isGiven) values.set(column.name, valueOf(column, table.words))
  for (const [{ columns }, rows] of referred) {
    const row = rows.length === 0 ? [] : pick(rows)
    columns.forEach((name, index) => {
      if (values.has(name))
        values.set(name, takesNull(table, name) && Math.random() < 0.3 ? null : (row[index] ?? null))
    })
  }
  return values
}

function takesNull({ columns }: Table, name: string): boolean {
  return columns.some((column) => column.name === name && column.isNullable)
}

/** Null where the row was taken, otherwise the constraint that refused it, or an empty name. */
async function insert(client: PoolClient, table: Table, values: Values): Promise<string | null> {
  const names = [...values.keys()]
  try {
    await client.query(
      `insert into ${table.name} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      [...values.values()],
    )
    return null
  } catch (error) {
    table.refusal = String(error)
    return error instanceof DatabaseError ? (error.constraint ?? '') : ''
  }
}

/** What a copy has to keep apart: letters of other scripts, tabs, line ends, backslashes and what stands for null. */
const awkward = 'Zürich\t日本\n\\N "quoted" \\'

function valueOf({ type, isNullable }: Column, words: readonly string[]): string | null {
  if (isNullable && Math.random() < 0.4) return null
  if (type.endsWith('[]'))
    return pick([
      '{}',
      `{${scalarOf(
        type.slice(0, -2),
        words.filter((word) => /^\w+$/.test(word)),
        'word',
      )}}`,
    ])
  return scalarOf(type, words, awkward)
}

function scalarOf(type: string, words: readonly string[], text: string): string {
  switch (type) {
    case 'uuid':
      return crypto.randomUUID()
    case 'boolean':
      return pick(['true', 'false'])
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
    case 'real':
    case 'double precision':
      return pick(['0', '1', '2', '5', '60', '300', String(Math.floor(Math.random() * 1000))])
    case 'timestamp with time zone':
    case 'timestamp without time zone':
      return new Date(Date.now() - Math.floor(Math.random() * 1000)).toISOString()
    case 'date':
      return new Date(Date.now() - Math.floor(Math.random() * 100) * 86_400_000).toISOString().slice(0, 10)
    case 'time without time zone':
      return '12:30'
    case 'interval':
      return '1 hour'
    case 'inet':
    case 'cidr':
      return '192.0.2.1'
    case 'bytea':
      return `\\x${Buffer.from(crypto.getRandomValues(new Uint8Array(pick([4, 16, 32, 64])))).toString('hex')}`
    case 'json':
    case 'jsonb':
      return pick(['{}', '[]', '{"b": 1.50, "a": "ü\\n"}', '"text"', '["word"]'])
    case '"char"':
      return pick(['u', 'd', 's', 'x'])
    default:
      return words.length > 0 && Math.random() < 0.7
        ? pick(words)
        : pick([text, 'word', '#1a2b3c', crypto.randomUUID()])
  }
}

function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)]
  if (picked === undefined) throw new Error('There is nothing to pick from.')
  return picked
}
