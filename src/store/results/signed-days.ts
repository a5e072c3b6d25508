// Days that are signed: a tree of hours for each monitor, a tree of monitors for each workspace, and one of workspaces.
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { PoolClient } from 'pg'
import { addDays, dayOf, startOf } from '#core/language/utc-day.ts'
import { rootOf } from '#core/proofs/merkle-tree.ts'
import {
  type HourLeaf,
  compareHours,
  type DayHead,
  headHash,
  headText,
  lineOf,
  monitorLeafHash,
  rootOfHours,
  workspaceLeafHash,
} from '#core/proofs/signed-history.ts'
import { boundedTransaction } from '#store/database/bounded-transaction.ts'
import type { Database } from '#store/database/database.ts'
import type { SigningKeys } from '#store/installation/signing-keys.ts'
import { addLateHours } from './late-hours.ts'
import { holdProgress } from './signed-hours.ts'

const deflate = promisify(deflateRaw)
const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000 }
/** A month of one of them is about 50 kB of lines in memory for each location. */
const monitorsAtOnce = 50
const workspacesAtOnce = 50

/** What a step did to the oldest day that has to be signed. `busy`: what it needs is locked; try again later. */
export type SignStep = { day: string; outcome: 'packed' | 'gathered' | 'signed' | 'busy' }

/**
 * One step towards the next signed head: the days of some monitors, the trees of some workspaces, or the head itself.
 * Null when there is no day whose hours are all summed up. Each step is a transaction under the lock of the progress;
 * one that is killed is done anew, and comes to the same.
 */
export async function signNextDay(database: Database, keys: SigningKeys): Promise<SignStep | null> {
  const [installation, signer] = [(await keys.publicKeys()).at(-1)?.kid ?? '', await keys.current()]
  return boundedTransaction(database, limits, async ({ client }) => {
    const progress = await holdProgress(client)
    if (progress === null) return null
    const last = await readLastHead(client)
    const day = last === null ? dayOf(progress.since) : addDays(last.day, 1)
    if (progress.hour < startOf(addDays(day, 1))) return null
    const packed = await packMonitors(client, day)
    if (packed !== 'none') return { day, outcome: packed }
    if (await gatherWorkspaces(client, day)) return { day, outcome: 'gathered' }
    const head = await headOf(client, { day, installation, previous: last === null ? null : headHash(last) })
    const signature = signer.sign('history-day', Buffer.from(headText(head))).toString('hex')
    await writeHead(client, { head, keyId: signer.keyId, signature })
    return { day, outcome: 'signed' }
  })
}

/** Removes the lines of days before this one, of some monitors; returns of how many. Their roots stay. */
export async function forgetLinesBefore({ pool }: Pick<Database, 'pool'>, day: string): Promise<number> {
  const forgotten = await pool.query(
    `update signed_days
    set lines = null
    where (monitor_key, day) in (
      select monitor_key, day
      from signed_days
      where day < $1
        and lines is not null
      order by day
      limit 1000
      for update skip locked
    )`,
    [day],
  )
  return forgotten.rowCount ?? 0
}

/** The same for all days of a monitor that is deleted. Hours that are not signed yet go without a trace. */
export async function forgetLinesOf({ pool }: Pick<Database, 'pool'>, monitorKey: string): Promise<void> {
  await pool.query('delete from signed_hours where monitor_key = $1', [monitorKey])
  await pool.query('update signed_days set lines = null where monitor_key = $1 and lines is not null', [monitorKey])
}

type StagedRow = Omit<HourLeaf, 'part'> & { monitor_key: string; workspace: string }

/** `none` when no hour of the day is left. Monitors that are being deleted or changed are left for later. */
async function packMonitors(client: PoolClient, day: string): Promise<'packed' | 'busy' | 'none'> {
  const times = [startOf(day), startOf(addDays(day, 1))]
  const found = await client.query<{ key: string }>(
    `select distinct monitor_key as key from signed_hours where hour >= $1 and hour < $2 order by 1 limit ${monitorsAtOnce}`,
    times,
  )
  if (found.rows.length === 0) return 'none'
  const keys = found.rows.map(({ key }) => key)
  const held = await client.query<{ key: string }>(
    'select key from monitors where key = any($1::bigint[]) order by key for key share skip locked',
    [keys],
  )
  const removed = await removeHoursOfGone(client, keys)
  if (held.rows.length === 0) return removed > 0 ? 'packed' : 'busy'
  const heldKeys = held.rows.map(({ key }) => key)
  const { rows } = await client.query<StagedRow>(stagedStatement, [heldKeys, ...times])
  const leaves = await addLateHours(client, { day, keys: heldKeys, rows })
  for (const [key, ofMonitor] of Map.groupBy(leaves, ({ monitor_key }) => monitor_key))
    await pack(client, { day, key, ofMonitor })
  await client.query('delete from signed_hours where monitor_key = any($1::bigint[]) and hour >= $2 and hour < $3', [
    heldKeys,
    ...times,
  ])
  return 'packed'
}

async function removeHoursOfGone(client: PoolClient, keys: readonly string[]): Promise<number> {
  const removed = await client.query(
    `delete from signed_hours
    where monitor_key = any($1::bigint[])
      and not exists (select from monitors where key = monitor_key)`,
    [keys],
  )
  return removed.rowCount ?? 0
}

export type LeafRow = HourLeaf & { monitor_key: string; workspace: string }

async function pack(
  client: PoolClient,
  { day, key, ofMonitor }: { day: string; key: string; ofMonitor: LeafRow[] },
): Promise<void> {
  const [first] = ofMonitor
  if (first === undefined) return
  const { monitor, workspace } = first
  const lines = ofMonitor
    .map(({ monitor_key: _key, workspace: _workspace, ...leaf }) => leaf)
    .toSorted(compareHours)
    .map(lineOf)
  const root = rootOfHours(lines)
  await client.query(
    `insert into signed_days (monitor_key, day, monitor_id, workspace_id, size, root_hash, leaf_hash, lines)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key,
      day,
      monitor,
      workspace,
      lines.length,
      Buffer.from(root, 'hex'),
      monitorLeafHash({ monitor, root, size: lines.length }),
      await deflate(lines.join('\n')),
    ],
  )
}

/** False when every workspace that had checks on the day has its tree. */
async function gatherWorkspaces(client: PoolClient, day: string): Promise<boolean> {
  const found = await client.query<{ workspace: string }>(
    `select distinct workspace_id as workspace
    from signed_days d
    where day = $1
      and not exists (
        select from signed_workspace_days w where w.day = d.day and w.workspace_id = d.workspace_id
      )
    order by 1
    limit ${workspacesAtOnce}`,
    [day],
  )
  for (const { workspace } of found.rows) {
    const hashes = await readMonitorHashes(client, { day, workspace })
    const root = rootOf(hashes)
    await client.query(
      `insert into signed_workspace_days (day, workspace_id, size, root_hash, leaf_hash) values ($1, $2, $3, $4, $5)`,
      [
        day,
        workspace,
        hashes.length,
        root,
        workspaceLeafHash({ workspace, root: root.toString('hex'), size: hashes.length }),
      ],
    )
  }
  return found.rows.length > 0
}

async function readMonitorHashes(
  client: PoolClient,
  { day, workspace }: { day: string; workspace: string },
): Promise<Buffer[]> {
  const { rows } = await client.query<{ hash: Buffer }>(
    'select leaf_hash as hash from signed_days where day = $1 and workspace_id = $2 order by monitor_id',
    [day, workspace],
  )
  return rows.map(({ hash }) => hash)
}

async function headOf(client: PoolClient, named: Pick<DayHead, 'day' | 'installation' | 'previous'>): Promise<DayHead> {
  const { rows } = await client.query<{ hash: Buffer }>(
    'select leaf_hash as hash from signed_workspace_days where day = $1 order by workspace_id',
    [named.day],
  )
  return { ...named, root: rootOf(rows.map(({ hash }) => hash)).toString('hex'), size: rows.length }
}

/** Null before a day is signed. */
export async function readLastHead(client: Pick<PoolClient, 'query'> | Database['pool']): Promise<DayHead | null> {
  const { rows } = await client.query<DayHead>(`select ${headColumns} from signed_heads order by day desc limit 1`)
  return rows[0] ?? null
}

/** The members of a `DayHead`. */
export const headColumns = `day::text as day, installation, encode(previous_hash, 'hex') as previous,
  encode(root_hash, 'hex') as root, size`

async function writeHead(
  client: PoolClient,
  { head, keyId, signature }: { head: DayHead; keyId: string; signature: string },
): Promise<void> {
  const { day, size, root, previous, installation } = head
  await client.query(
    `insert into signed_heads (day, size, root_hash, previous_hash, installation, key_id, signature)
    values ($1, $2, decode($3, 'hex'), decode($4, 'hex'), $5, $6, $7)`,
    [day, size, root, previous, installation, keyId, signature],
  )
}

const stagedStatement = `
select
  h.monitor_key, m.id as monitor, m.workspace_id as workspace, l.code as location,
  to_char(h.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"') as hour,
  h.checks, h.up, h.degraded, h.down, h.in_maintenance, h.latency_count, h.latency_sum_ms::float8 as latency_sum_ms,
  encode(h.rounds_hash, 'hex') as rounds
from signed_hours h
join monitors m on m.key = h.monitor_key
join locations l on l.id = h.location
where h.monitor_key = any($1::bigint[])
  and h.hour >= $2
  and h.hour < $3
order by h.monitor_key, h.hour`
