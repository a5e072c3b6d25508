import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { pathOf } from '#core/proofs/merkle-tree.ts'
import type { DayHead, ExportDay, MonitorDay, SignedHead } from '#core/proofs/signed-history.ts'
import type { Database } from '#store/database/database.ts'
import { headColumns } from './signed-days.ts'

const inflate = promisify(inflateRaw)
/** Of 32 locations, with a late leaf for each hour; a line has less than 500 characters. */
const maxLinesBytes = 32 * 24 * 2 * 500

export type DayRange = { from: string; to: string }

/** The heads of the days of a range that are signed, oldest first, `limit` at most. */
export async function listSignedHeads(
  { pool }: Pick<Database, 'pool'>,
  { from, to }: DayRange,
  limit: number | null = null,
): Promise<SignedHead[]> {
  const { rows } = await pool.query<DayHead & Omit<SignedHead, 'head'>>(
    `select ${headColumns}, key_id, signature
    from signed_heads
    where day between $1::date and $2::date
    order by day
    limit $3`,
    [from, to, limit],
  )
  return rows.map(({ key_id, signature, ...head }) => ({ head, key_id, signature }))
}

/** The first and the last day that are signed; null before there is one. */
export async function readSignedRange({ pool }: Pick<Database, 'pool'>): Promise<DayRange | null> {
  const { rows } = await pool.query<{ from: string | null; to: string | null }>(
    'select min(day)::text as "from", max(day)::text as "to" from signed_heads',
  )
  const { from = null, to = null } = rows[0] ?? {}
  return from === null || to === null ? null : { from, to }
}

/** A day of a monitor with its way to the signed root, and the lines of its hours. The caller has looked it up. */
export async function readProvedDay(
  database: Pick<Database, 'pool'>,
  { signed, monitorKey }: { signed: SignedHead; monitorKey: string },
): Promise<{ day: ExportDay; lines: string[] }> {
  const { day } = signed.head
  const found = await database.pool.query<MonitorRow>(
    `select workspace_id as workspace, encode(root_hash, 'hex') as root, size, lines
    from signed_days
    where monitor_key = $1
      and day = $2`,
    [monitorKey, day],
  )
  const [row] = found.rows
  if (row === undefined) return { day: { ...signed, hours: 0, monitor: null, workspace: null }, lines: [] }
  const { workspace: id, root, size } = row
  const monitors = await readWay(database, monitorsStatement, [day, id, monitorKey])
  const workspaces = await readWay(database, workspacesStatement, [day, id])
  const lines = row.lines === null ? [] : await linesOf(row.lines)
  return {
    day: {
      ...signed,
      hours: lines.length,
      monitor: { index: monitors.index, path: monitors.path, root, size },
      workspace: { id, index: workspaces.index, path: workspaces.path, size: monitors.size },
    },
    lines,
  }
}

/** What the days of a workspace have: days of monitors, and the hours of them that are kept, late ones as well. */
export async function countWorkspaceLines(
  { pool }: Pick<Database, 'pool'>,
  { workspace, range }: { workspace: string; range: DayRange },
): Promise<{ hours: number; monitors: number }> {
  const { rows } = await pool.query<{ hours: number; monitors: number }>(
    `select coalesce(sum(size) filter (where lines is not null), 0)::float8 as hours, count(*)::float8 as monitors
    from signed_days
    where day between $1::date and $2::date
      and workspace_id = $3`,
    [range.from, range.to, workspace],
  )
  return rows[0] ?? { hours: 0, monitors: 0 }
}

export type WorkspaceMonitorDay = MonitorDay & { lines: string[] }

/** Where the workspace's day is in the tree that is signed, and all monitors of it by id; without `hours`, no lines. */
export async function readWorkspaceDay(
  database: Pick<Database, 'pool'>,
  { day, workspace, hours }: { day: string; workspace: string; hours: boolean },
): Promise<{ place: { index: number; path: string[] } | null; monitors: WorkspaceMonitorDay[] }> {
  const { rows } = await database.pool.query<MonitorDay & { lines: Buffer | null }>(
    `select monitor_id as monitor, encode(root_hash, 'hex') as root, size, case when $3 then lines end as lines
    from signed_days
    where day = $1
      and workspace_id = $2
    order by monitor_id`,
    [day, workspace, hours],
  )
  if (rows.length === 0) return { place: null, monitors: [] }
  const { index, path } = await readWay(database, workspacesStatement, [day, workspace])
  const monitors: WorkspaceMonitorDay[] = []
  for (const { lines, ...row } of rows) monitors.push({ ...row, lines: lines === null ? [] : await linesOf(lines) })
  return { place: { index, path }, monitors }
}

type MonitorRow = { workspace: string; root: string; size: number; lines: Buffer | null }

async function linesOf(deflated: Buffer): Promise<string[]> {
  return (await inflate(deflated, { maxOutputLength: maxLinesBytes })).toString().split('\n')
}

type Way = { index: number; size: number; path: string[] }

async function readWay({ pool }: Pick<Database, 'pool'>, statement: string, values: unknown[]): Promise<Way> {
  const { rows } = await pool.query<{ hash: Buffer; isOwn: boolean }>(statement, values)
  const index = rows.findIndex(({ isOwn }) => isOwn)
  const path = pathOf(
    rows.map(({ hash }) => hash),
    index,
  )
  return { index, size: rows.length, path: path.map((hash) => Buffer.from(hash).toString('hex')) }
}

// In the order of the leaves, as the trees were made.

const monitorsStatement = `
select leaf_hash as hash, monitor_key = $3 as "isOwn"
from signed_days
where day = $1
  and workspace_id = $2
order by monitor_id`

const workspacesStatement = `
select leaf_hash as hash, workspace_id = $2 as "isOwn"
from signed_workspace_days
where day = $1
order by workspace_id`
