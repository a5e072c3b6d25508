// Purchases that the installation makes to see whether a sale takes place: at most one an hour for a monitor.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { CanaryToken, PurchaseRecord, PurchaseState } from '#core/money/canary.ts'
import type { Database, Reader } from '#store/database/database.ts'
import { refreshVersion } from '#store/monitors/monitor-state.ts'

/** Rows that are older go as new ones come. */
const keptDays = 400

export type DuePurchase = { id: string; monitorId: string; workspaceId: string; location: string }

/**
 * Notes that purchases begin, of monitors of which none began within the hour, and returns them. What another process
 * began and did not end counts as spent.
 */
export async function beginPurchases(
  database: Pick<Database, 'transaction'>,
  { now, limit, isOnline }: { now: Date; limit: number; isOnline: (location: string) => boolean },
): Promise<DuePurchase[]> {
  return database.transaction(async ({ client }) => {
    const locked = await client.query<{ key: string }>(lockStatement, [now, limit])
    // What another process began before its lock ended is seen by a statement of its own.
    const { rows } = await client.query<{ key: string; id: string; workspace_id: string; locations: string[] }>(
      dueStatement,
      [now, locked.rows.map(({ key }) => key)],
    )
    const due = rows.flatMap(({ key, id: monitorId, workspace_id: workspaceId, locations }) => {
      const online = locations.filter(isOnline)
      // By the hour another location buys.
      const location = online[Math.floor(now.getTime() / hourMs) % Math.max(1, online.length)]
      return location === undefined ? [] : [{ id: randomUUID(), key, monitorId, workspaceId, location }]
    })
    const keys = due.map(({ key }) => key)
    await client.query(interruptStatement, [keys, now])
    await client.query(forgetStatement, [keys, new Date(now.getTime() - keptDays * 24 * hourMs)])
    await client.query(
      `insert into canary_purchases (id, monitor_key, begun_at, location, state)
      select id, key, $1, location, 'begun'
      from unnest($2::uuid[], $3::bigint[], $4::text[]) as due (id, key, location)`,
      [now, due.map(({ id }) => id), keys, due.map(({ location }) => location)],
    )
    return due.map(({ id, monitorId, workspaceId, location }) => ({ id, monitorId, workspaceId, location }))
  })
}

export type Reservation = {
  id: string
  token: Pick<CanaryToken, 'network' | 'asset' | 'dayLimit'>
  payee: string
  price: bigint
  nonce: string
  now: Date
}

/** Before anything is signed. False, and nothing is reserved, where the day's limit of the token would be passed. */
export async function reservePurchase(
  database: Pick<Database, 'transaction'>,
  { id, token: { network, asset, dayLimit }, payee, price, nonce, now }: Reservation,
): Promise<boolean> {
  if (price > dayLimit) return false
  return database.transaction(async ({ client }) => {
    const spent = await client.query(
      `insert into canary_spending (day, network, asset, spent)
      values ($1::date, $2, $3, $4::numeric)
      on conflict (day, network, asset) do update
      set spent = canary_spending.spent + excluded.spent
      where canary_spending.spent + excluded.spent <= $5::numeric`,
      [now.toISOString().slice(0, 10), network, asset, String(price), String(dayLimit)],
    )
    if (spent.rowCount === 0) return false
    const reserved = await client.query(
      `update canary_purchases
      set state = 'reserved', price = $2::numeric, network = $3, asset = $4, payee = $5, nonce = $6
      where id = $1
        and state = 'begun'`,
      [id, String(price), network, asset, payee, nonce],
    )
    if (reserved.rowCount !== 1) throw new Error('The purchase has ended meanwhile.')
    return true
  })
}

export type PurchaseEnd = {
  id: string
  monitorId: string
  state: Extract<PurchaseState, 'settled' | 'refused' | 'unknown' | 'not_bought'>
  transaction: string | null
  note: string | null
  problem: PurchaseProblem['status'] | null
  now: Date
}

/** True where locations have to be told, because something else is wrong with the sale now. */
export async function endPurchase(database: Pick<Database, 'transaction'>, end: PurchaseEnd): Promise<boolean> {
  const { id, monitorId, state, transaction, note, problem, now } = end
  return database.transaction(async (tx) => {
    const before = textOf((await readPurchaseProblems(tx, [monitorId])).get(monitorId))
    const ended = await tx.client.query(
      `update canary_purchases
      set state = $2, transaction = $3, note = $4, problem = $5, ended_at = $6
      where id = $1
        and state in ('begun', 'reserved')`,
      [id, state, transaction, note, problem, now],
    )
    if (ended.rowCount === 0) return false
    const after = textOf((await readPurchaseProblems(tx, [monitorId])).get(monitorId))
    if (before === after) return false
    await refreshVersion(tx, monitorId)
    return true
  })
}

export type PurchaseProblem = { status: 'down' | 'degraded'; error: string }

/** What was wrong with the last purchase of each of these monitors, by their ids. */
export async function readPurchaseProblems(
  { query }: Reader,
  monitorIds: readonly string[],
): Promise<ReadonlyMap<string, PurchaseProblem>> {
  if (monitorIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; status: PurchaseProblem['status'] | null; error: string }>`
    select m.id, last.problem as status, coalesce(last.note, '') as error
    from monitors m
    cross join lateral (
      select problem, note
      from canary_purchases p
      where p.monitor_key = m.key
        and p.state in ('settled', 'refused', 'unknown')
      order by p.begun_at desc
      limit 1
    ) as last
    where m.id = any(${monitorIds}::uuid[])`.execute(query)
  return new Map(rows.flatMap(({ id, status, error }) => (status === null ? [] : [[id, { status, error }]])))
}

/** Newest first. The caller has looked the monitor up. */
export async function listPurchases(
  { pool }: Pick<Database, 'pool'>,
  { monitorId, limit }: { monitorId: string; limit: number },
): Promise<PurchaseRecord[]> {
  const { rows } = await pool.query<PurchaseRow>(
    `select id, state, begun_at, ended_at, location as location_code, price::text as price, network, asset, payee, transaction, note
    from canary_purchases
    where monitor_key = (select key from monitors where id = $1)
    order by begun_at desc, id
    limit $2`,
    [monitorId, limit],
  )
  return rows.map((row) =>
    Object.assign(row, { begun_at: row.begun_at.toISOString(), ended_at: row.ended_at?.toISOString() ?? null }),
  )
}

type PurchaseRow = Omit<PurchaseRecord, 'begun_at' | 'ended_at'> & { begun_at: Date; ended_at: Date | null }

const hourMs = 3_600_000

function textOf(problem: PurchaseProblem | undefined): string {
  return problem === undefined ? '' : `${problem.status} ${problem.error}`
}

/** Of a monitor, none began within the hour. */
const isDue = `not exists (
    select from canary_purchases p where p.monitor_key = m.key and p.begun_at > $1::timestamptz - interval '1 hour'
  )`

const lockStatement = `
select key
from monitors m
where kind = 'paid_endpoint'
  and check_options ->> 'buys' = 'true'
  and status = 'enabled'
  and ${isDue}
order by key
limit $2
for no key update skip locked`

const dueStatement = `
select key, id, workspace_id, locations
from monitors m
where key = any($2::bigint[])
  and ${isDue}
order by key`

const interruptStatement = `
update canary_purchases
set state = case when state = 'begun' then 'not_bought' else 'interrupted' end,
  note = 'The process that bought ended before the outcome was known.', ended_at = $2
where monitor_key = any($1::bigint[])
  and state in ('begun', 'reserved')`

const forgetStatement = 'delete from canary_purchases where monitor_key = any($1::bigint[]) and begun_at < $2'
