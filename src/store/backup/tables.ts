import type { Pool, PoolClient } from 'pg'
import type { BackupEnd, BackupTable, TableTotals } from './records.ts'

/** Besides the schema in which the tables of Perigee lie: those of sign-in and of the job queue. */
const otherSchemas = ['people', 'graphile_worker']
/** Migrations write these tables themselves. */
const madeByMigrations = ['schema_migrations', 'migrations']
/** The copy of a day under rewrite, which begins anew after a restore. */
const dayCopies = '^results_\\d{8}_hours$'

/** SQL of a schema's name, which is null for that of the connection. */
const schemaName = `case when n.nspname <> current_schema() then n.nspname end`
const isOurs = `(n.nspname = current_schema() or n.nspname = any($1::text[]))`
const isOfExtension = `exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/**
 * The tables that a backup holds, in an order that is the same everywhere. Partitions are read through the table that
 * they belong to; counters of rate limits, which are lost with a crash as well, are left out.
 */
export async function listTables(client: PoolClient): Promise<BackupTable[]> {
  const found = await client.query<BackupTable>(
    `select
      ${schemaName} as schema, c.relname as name,
      array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where ${isOurs}
      and c.relkind in ('r', 'p')
      and c.relpersistence = 'p'
      and not c.relispartition
      and c.relname <> all($2::text[])
      and c.relname !~ $3
      and not ${isOfExtension}
    group by n.nspname, c.relname
    order by n.nspname <> current_schema(), n.nspname, c.relname`,
    [otherSchemas, madeByMigrations, dayCopies],
  )
  return found.rows
}

/** Where each sequence stands that has ever given a number. Later than any snapshot, so that no number is given twice. */
export async function listSequences(client: PoolClient): Promise<BackupEnd['sequences']> {
  const found = await client.query<BackupEnd['sequences'][number]>(
    `select ${schemaName} as schema, s.sequencename as name, s.last_value::text as last_value
    from pg_sequences s
    join pg_namespace n on n.nspname = s.schemaname
    where ${isOurs}
      and s.last_value is not null
    order by n.nspname <> current_schema(), n.nspname, s.sequencename`,
    [otherSchemas],
  )
  return found.rows
}

/** What is in the database that is not PostgreSQL's own: tables, views, sequences and functions by their names. */
export async function listContents(client: Pick<Pool, 'query'>, limit: number): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
      and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and not ${isOfExtension}
    union all
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1
    limit $1`,
    [limit],
  )
  return found.rows.map(({ name }) => name)
}

/** Takes away all that a restore made, in a database that had nothing before. */
export async function dropContents(client: PoolClient): Promise<void> {
  await client.query(`
    do $$
    declare statement text;
    begin
      for statement in
        select format('drop schema %I cascade', nspname)
        from pg_namespace
        where nspname = any(array['people', 'graphile_worker'])
        union all
        select format('drop table if exists %I.%I cascade', schemaname, tablename)
        from pg_tables
        where schemaname = current_schema()
        union all
        select format('drop routine if exists %s cascade', p.oid::regprocedure)
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = current_schema()
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute statement;
      end loop;
    end $$`)
}

/** Both sides of a copy write and read values in these forms, whatever the server is set to. */
export const valueForms = `
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex';
  set local extra_float_digits = 1;
  set local client_encoding = 'UTF8'`

/** How many rows there are, and the sum of their hashes, in which neither their order nor that of columns counts. */
export async function readTotals(client: PoolClient, table: BackupTable): Promise<TableTotals> {
  const found = await client.query<TableTotals>(
    `select count(*)::text as rows, coalesce(sum(hashtextextended(row(${columnsOf(table)})::text, 0)), 0)::text as sum
    from ${tableName(table)}`,
  )
  const [totals] = found.rows
  if (totals === undefined) throw new Error('A count came back without a row.')
  return totals
}

export function tableName({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return schema === null ? quoted(name) : `${quoted(schema)}.${quoted(name)}`
}

export function columnsOf({ columns }: Pick<BackupTable, 'columns'>): string {
  return columns.map(quoted).join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
