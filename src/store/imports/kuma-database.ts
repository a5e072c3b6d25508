// The database file of Uptime Kuma, which may be in use: it is copied by SQLite itself, page by page, and the copy is
// read. What is in it is judged by core/imports.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ImportError, importLimits } from '#core/imports/imported.ts'
import { type KumaTable, kumaTables, type RawTables } from '#core/imports/kuma/kuma-rows.ts'
import { isTableTree, pageSizeOf, type SqlitePages } from '#core/imports/sqlite-trees.ts'

const maxBytes = 16 * 1024 ** 3
const pagesAtOnce = 5_000

/**
 * Its tables, each with at most one row more than an import takes. The copy is made in `temporary` and deleted; where
 * the thread that reads is ended before, its owner deletes that folder. `name` is what people call the file. Throws
 * ImportError for what is no such file.
 */
export async function readKumaDatabase(path: string, { temporary = tmpdir(), name = path } = {}): Promise<RawTables> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new ImportError(`${name} cannot be read.`, { cause: error })
  })
  if (size > maxBytes) throw new ImportError(`${name} has more than ${maxBytes / 1024 ** 3} GiB.`)
  const folder = await mkdtemp(join(temporary, 'perigee-import-'))
  try {
    const copy = join(folder, 'kuma.db')
    await copyDatabase(path, copy)
    return await readTables(copy)
  } catch (error) {
    if (!isSqliteError(error)) throw error
    throw new ImportError(`${name} cannot be read as a database of SQLite: ${error.message}.`, { cause: error })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Loaded with its first use, because few processes read a file of SQLite. */
async function copyDatabase(file: string, copy: string): Promise<void> {
  const { DatabaseSync: Database, backup } = await import('node:sqlite')
  const source = new Database(file, { readOnly: true })
  try {
    await backup(source, copy, { rate: pagesAtOnce })
  } finally {
    source.close()
  }
}

/** What SQLite may hold in memory, which no limit of a thread counts. */
const heapBytes = 256 * 1024 ** 2

async function readTables(copy: string): Promise<RawTables> {
  const { DatabaseSync: Database } = await import('node:sqlite')
  const pages = openPages(copy)
  try {
    // The list of the tables is a table as well, and SQLite reads it before all else.
    if (!isTableTree(1, pages)) throw damaged()
    const database = new Database(copy, { readOnly: true })
    try {
      database.exec(`pragma hard_heap_limit = ${heapBytes}`)
      return tablesOf(database, pages)
    } finally {
      database.close()
    }
  } finally {
    pages.close()
  }
}

function tablesOf(database: DatabaseSync, pages: SqlitePages): RawTables {
  const roots = ordinaryTables(database)
  const has = (name: string): boolean => {
    const root = roots.get(name)
    if (root === undefined) return false
    if (!isTableTree(root, pages) || hasComputedColumns(database, name)) throw damaged()
    return true
  }
  const found: Partial<Record<KumaTable, unknown>> = {}
  for (const name of kumaTables) if (has(name)) found[name] = rowsOf(database, name)
  const hasDays = Array.isArray(found.stat_daily) && found.stat_daily.length > 0
  if (!hasDays && has('heartbeat')) found.stat_daily = daysOfHeartbeats(database)
  return found
}

function damaged(): ImportError {
  return new ImportError('The file is damaged, or it is not an Uptime Kuma database.')
}

function openPages(file: string): SqlitePages & { close: () => void } {
  const handle = openSync(file, 'r')
  const head = Buffer.alloc(100)
  readSync(handle, head, 0, head.length, 0)
  const size = pageSizeOf(head)
  return {
    count: size === null ? 0 : Math.floor(fstatSync(handle).size / size),
    read: (number) => {
      const page = Buffer.alloc(size ?? 0)
      readSync(handle, page, 0, page.length, (number - 1) * page.length)
      return page
    },
    close: () => closeSync(handle),
  }
}

/** With their first pages. Views and virtual tables are none: reading them would run what a stranger may have written. */
function ordinaryTables(database: DatabaseSync): ReadonlyMap<unknown, number> {
  const rows = database
    .prepare("select name, rootpage from sqlite_schema where type = 'table' and sql like 'create table%' limit 1000")
    .all()
  return new Map(rows.map(({ name, rootpage }) => [name, Number(rootpage)]))
}

/** An expression of such a column, of which Uptime Kuma has none, could take any time and memory. */
function hasComputedColumns(database: DatabaseSync, table: string): boolean {
  const columns = database.prepare(`pragma table_xinfo("${table}")`).all()
  return columns.some(({ hidden }) => hidden !== 0)
}

const rowLimits: Readonly<Partial<Record<KumaTable, number>>> = {
  monitor: importLimits.monitors,
  notification: importLimits.contacts,
  status_page: importLimits.pages,
  maintenance: importLimits.maintenance,
  stat_daily: importLimits.days,
}

function rowsOf(database: DatabaseSync, table: KumaTable): unknown[] {
  const limit = rowLimits[table] ?? importLimits.links
  return database.prepare(`select * from "${table}" not indexed order by rowid limit ?`).all(limit + 1)
}

type Day = { monitor_id: number; timestamp: number; up: number; down: number; ping: number | null }
type Sums = { up: number; down: number; pings: number; sum: number }

/**
 * Releases before 2.0 keep each heartbeat for some months and no days. Of what they hold, 1 is up and 0 is down; the
 * rest is a retry or maintenance. They are added up here, a row at a time: a thread can be ended between two rows, and
 * not while SQLite adds up.
 */
function daysOfHeartbeats(database: DatabaseSync): Day[] {
  const monitors = new Map<number, Map<string, Sums>>()
  let count = 0
  const beats = database.prepare('select monitor_id, status, time, ping from heartbeat not indexed').iterate()
  for (const { monitor_id: monitor, status, time, ping } of beats) {
    if (typeof monitor !== 'number' || typeof time !== 'string' || (status !== 0 && status !== 1)) continue
    const days = monitors.get(monitor) ?? new Map<string, Sums>()
    monitors.set(monitor, days)
    const date = time.slice(0, dateLength)
    const day = days.get(date) ?? { up: 0, down: 0, pings: 0, sum: 0 }
    if (!days.has(date)) count += 1
    days.set(date, day)
    if (count > importLimits.days) break
    if (status === 0) day.down += 1
    else day.up += 1
    if (status !== 1 || typeof ping !== 'number') continue
    day.pings += 1
    day.sum += ping
  }
  const found = [...monitors].flatMap(([monitor, days]) =>
    [...days].flatMap(([date, { up, down, pings, sum }]): Day[] => {
      const timestamp = startOfDay(date)
      if (timestamp === null) return []
      return [{ monitor_id: monitor, timestamp, up, down, ping: pings === 0 ? null : sum / pings }]
    }),
  )
  return found.toSorted((a, b) => a.monitor_id - b.monitor_id || a.timestamp - b.timestamp)
}

const dateLength = '2026-11-26'.length

/** In seconds since 1970; null for what is no date. */
function startOfDay(date: string): number | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? null : time / 1000
}

function isSqliteError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_SQLITE_ERROR' || error.code === 'ERR_OUT_OF_RANGE')
  )
}
