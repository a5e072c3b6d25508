import { pricing } from '#core/money/pricing.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { holdPartitionsOf } from '#store/monitors/monitor-removal.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'

/** A running monitor that is paid by the month, and whose period ends. */
export type EndingMonitor = {
  id: string
  workspaceId: string
  name: string
  locations: number
  paidUntil: Date
  /** The last occasion of this period that its workspace was told of. */
  notice: number | null
}

/** Periods that end `until` then; `after` is the last workspace of the page before. */
export type WorkspacePage = { until: Date; after: string | null; limit: number }

/**
 * Workspaces, by id, with monitors to renew and credit for at least one location, and how many monitors each has to
 * renew.
 */
export async function listRenewals(
  { pool }: Pick<Database, 'pool'>,
  { until, after, limit }: WorkspacePage,
): Promise<{ workspaceId: string; monitors: number }[]> {
  const values = [until, after, limit, pricing.pricePerLocationCents]
  const { rows } = await pool.query<{ id: string; monitors: number }>(renewalsStatement, values)
  return rows.map(({ id, monitors }) => ({ workspaceId: id, monitors }))
}

export type HeldWorkspace = { workspaceId: string; creditCents: number; ending: EndingMonitor[] }

/**
 * Holds workspaces and those of their monitors whose period ends until then, the earliest first, with the credit of
 * each. Workspaces that another transaction holds are left out: it may be the same work, and one lock must not hold up
 * the rest.
 */
export async function holdEnding(
  { client }: Transaction,
  { workspaceIds, until }: { workspaceIds: readonly string[]; until: Date },
): Promise<HeldWorkspace[]> {
  const held = await client.query<{ id: string; credit: number }>(holdStatement, [workspaceIds])
  const found = await client.query<EndingMonitor>(endingStatement, [held.rows.map(({ id }) => id), until])
  const ending = Map.groupBy(found.rows, ({ workspaceId }) => workspaceId)
  return held.rows.map(({ id, credit }) => ({ workspaceId: id, creditCents: credit, ending: ending.get(id) ?? [] }))
}

/**
 * Marks monitors as overdue whose period has ended unpaid; paused ones too, since a pause does not stop the paid time.
 * At most 1,000 a call; returns how many.
 */
export async function markOverdue({ pool }: Pick<Database, 'pool'>, at: Date): Promise<number> {
  const marked = await pool.query(overdueStatement, [at])
  return marked.rowCount ?? 0
}

/** Workspaces with monitors that run although their period ended until then, by id. */
export async function listUnpaid(
  { pool }: Pick<Database, 'pool'>,
  { until, after, limit }: WorkspacePage,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(unpaidStatement, [until, after, limit])
  return rows.map(({ id }) => id)
}

/** Holds at most `limit` of these monitors of a workspace, and the partitions that they are in. */
export async function holdUnpaid(
  tx: Transaction,
  { workspaceId, until, limit }: { workspaceId: string; until: Date; limit: number },
): Promise<EndingMonitor[]> {
  await lockWorkspace(tx, workspaceId)
  await holdPartitionsOf(tx, workspaceId)
  const { rows } = await tx.client.query<EndingMonitor>(`${endingStatement} limit $3`, [[workspaceId], until, limit])
  return rows
}

const isMonthly = `billing = 'paid' and billing_period = 'monthly'`
const isRunningUntil = `${isMonthly} and status = 'enabled' and paid_until <=`

const renewalsStatement = `
select workspace.id, ending.monitors
from (
  select workspace_id, count(*)::integer as monitors
  from monitors
  where ${isRunningUntil} $1
    and ($2::uuid is null or workspace_id > $2)
  group by workspace_id
) as ending
join workspaces as workspace on workspace.id = ending.workspace_id
where workspace.credit_cents >= $4
  and workspace.closed_at is null
order by workspace.id
limit $3`

const holdStatement = `
select id, credit_cents::float8 as credit
from workspaces
where id = any($1::uuid[])
  and closed_at is null
order by id
for no key update skip locked`

const endingStatement = `
select
  id, workspace_id as "workspaceId", name, cardinality(locations) as locations, paid_until as "paidUntil",
  renewal_notice as notice
from monitors
where workspace_id = any($1::uuid[])
  and ${isRunningUntil} $2
order by workspace_id, paid_until, id
for no key update`

const overdueStatement = `
update monitors
set billing_state = 'overdue', updated_at = $1
where key in (
  select key
  from monitors
  where ${isMonthly}
    and billing_state = 'active'
    and paid_until <= $1
  order by paid_until
  limit 1000
  for no key update skip locked
)`

const unpaidStatement = `
select distinct workspace_id as id
from monitors
where ${isRunningUntil} $1
  and ($2::uuid is null or workspace_id > $2)
order by workspace_id
limit $3`
