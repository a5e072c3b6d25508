import type { PoolClient } from 'pg'
import { forgetRewrites } from '#store/results/day-rewrites.ts'
import { createResultDay } from '#store/results/result-partitions.ts'
import { StartError } from '#store/database/start-error.ts'
import type { ByteReader } from './byte-reader.ts'
import { copyIn } from './copy.ts'
import { damaged } from './frames.ts'
import { type BackupEnd, type BackupTable, type Manifest, readRecord, type TableTotals } from './records.ts'
import { columnsOf, listTables, readTotals, tableName, valueForms } from './tables.ts'

export type LoadedTable = Pick<BackupTable, 'schema' | 'name'> & {
  rows: string
  /** False for a table that no release of Perigee made: somebody else kept it in the same database. */
  isLoaded: boolean
}

/**
 * Fills the tables of a schema that was just made, in the transaction of the client. Throws StartError where what was
 * loaded does not add up to what the backup says.
 */
export async function loadTables(client: PoolClient, reader: ByteReader, manifest: Manifest): Promise<LoadedTable[]> {
  await client.query(valueForms)
  const tables = await listTables(client)
  const constraints = await dropReferences(client)
  await eachTriggered(client, tables, 'disable')
  await client.query(`truncate ${tables.map(tableName).join(', ')}`)
  for (const day of manifest.result_days) await createResultDay(client, day)
  const { loaded, end } = await loadEach(client, reader, new Map(tables.map((table) => [tableName(table), table])))
  await setSequences(client, end)
  await addReferences(client, constraints)
  await eachTriggered(client, tables, 'enable')
  await releaseJobs(client)
  await forgetRewrites(client)
  return loaded
}

async function loadEach(
  client: PoolClient,
  reader: ByteReader,
  known: ReadonlyMap<string, BackupTable>,
): Promise<{ loaded: LoadedTable[]; end: BackupEnd }> {
  const loaded: LoadedTable[] = []
  for (;;) {
    const record = await readRecord(reader)
    if (record?.kind === 'end') {
      // What follows the end is no record; reading on also checks the end of the file.
      if ((await readRecord(reader)) !== null || record.content.tables !== loaded.length) throw damaged()
      return { loaded, end: record.content }
    }
    if (record?.kind !== 'table') throw damaged()
    const { schema, name } = record.content
    const isLoaded = known.has(tableName(record.content))
    const { rows } = await (isLoaded ? loadTable(client, reader, record.content) : passOver(reader))
    loaded.push({ schema, name, rows, isLoaded })
  }
}

async function loadTable(client: PoolClient, reader: ByteReader, table: BackupTable): Promise<TableTotals> {
  const end: { totals: TableTotals | null } = { totals: null }
  await copyIn(client, `copy ${tableName(table)} (${columnsOf(table)}) from stdin`, rowsOf(reader, end))
  if (end.totals === null) throw damaged()
  const found = await readTotals(client, table)
  if (found.rows !== end.totals.rows || found.sum !== end.totals.sum)
    throw new StartError(
      `The table ${table.name} was not restored as it was: it has ${found.rows} rows with the sum ${found.sum}, and had ${end.totals.rows} with ${end.totals.sum}. Nothing was kept.`,
    )
  return found
}

async function passOver(reader: ByteReader): Promise<TableTotals> {
  const end: { totals: TableTotals | null } = { totals: null }
  for await (const rows of rowsOf(reader, end)) rows.fill(0)
  if (end.totals === null) throw damaged()
  return end.totals
}

/** The rows up to the totals that follow them, which are kept in `end`. */
async function* rowsOf(reader: ByteReader, end: { totals: TableTotals | null }): AsyncGenerator<Buffer> {
  for (;;) {
    const record = await readRecord(reader)
    if (record?.kind === 'totals') {
      end.totals = record.content
      return
    }
    if (record?.kind !== 'rows') throw damaged()
    yield record.content
  }
}

type Reference = { table: string; name: string; definition: string }

/** References are checked once at the end, for whole tables. The order in which tables are loaded then does not matter. */
async function dropReferences(client: PoolClient): Promise<Reference[]> {
  const found = await client.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_namespace n on n.oid = k.connamespace
    where contype = 'f'
      and conparentid = 0
      and (n.nspname = current_schema() or n.nspname = any(array['people', 'graphile_worker']))
    order by 1, 2`,
  )
  for (const { table, name } of found.rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return found.rows
}

async function addReferences(client: PoolClient, references: readonly Reference[]): Promise<void> {
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
}

/** Triggers would write a second time what the backup holds, or refuse it. */
async function eachTriggered(
  client: PoolClient,
  tables: readonly BackupTable[],
  verb: 'disable' | 'enable',
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${tableName(table)} ${verb} trigger user`)
}

async function setSequences(client: PoolClient, { sequences }: BackupEnd): Promise<void> {
  for (const sequence of sequences)
    await client.query('select setval(to_regclass($1), $2::bigint) where to_regclass($1) is not null', [
      tableName(sequence),
      sequence.last_value,
    ])
}

/** The workers that had them are those of the original. */
async function releaseJobs(client: PoolClient): Promise<void> {
  await client.query(`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_by is not null;
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_by is not null`)
}
