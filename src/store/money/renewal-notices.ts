import { mailKindNames } from '#core/contacts/contact-kinds.ts'
import type { RenewalReader } from '#core/contacts/notice.ts'
import { pricing } from '#core/money/pricing.ts'
import type { NoticeDay } from '#core/money/renewal.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import type { EndingMonitor } from './renewals.ts'

/** An occasion for a message, and the last end of a period that has reached it. */
export type Occasion = { day: NoticeDay; until: Date }

/**
 * Workspaces, by id, whose credit does not cover the periods that end until the widest occasion, and that were not told
 * of the newest occasion of each.
 */
export async function listUntold(
  { pool }: Pick<Database, 'pool'>,
  { occasions, after, limit }: { occasions: readonly Occasion[]; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(untoldStatement, [
    occasions.map(({ day }) => day),
    occasions.map(({ until }) => until),
    pricing.pricePerLocationCents,
    after,
    limit,
  ])
  return rows.map(({ id }) => id)
}

/** Only under `holdEnding`. */
export async function noteTold(
  { client }: Transaction,
  told: readonly { monitor: EndingMonitor; day: NoticeDay }[],
): Promise<void> {
  await client.query(
    `update monitors
    set renewal_notice = told.day
    from unnest($1::uuid[], $2::smallint[]) as told (id, day)
    where monitors.id = told.id`,
    [told.map(({ monitor }) => monitor.id), told.map(({ day }) => day)],
  )
}

/**
 * The addresses that messages on money go to: the owners of a workspace, or its confirmed email contacts where it has
 * no owners.
 */
export async function listReaders({ query }: Reader, workspaceId: string): Promise<RenewalReader[]> {
  const owners = await query
    .selectFrom('members')
    .select('person_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .orderBy('joined_at')
    .orderBy('person_id')
    .limit(maxReaders)
    .execute()
  if (owners.length > 0) return owners
  return (
    await query
      .selectFrom('alert_channels')
      .select('id as contact_id')
      .where('workspace_id', '=', workspaceId)
      .where('kind', 'in', mailKindNames)
      .where('enabled', '=', true)
      .where('confirmed', '=', true)
      .orderBy('created_at')
      .orderBy('id')
      .limit(maxReaders)
      .execute()
  ).map(({ contact_id }) => ({ contact_id }))
}

export type UnpaidMonitor = { name: string; locations: number; paidUntil: Date }

/**
 * Running monitors whose period ends until then, the earliest first, and the credit; null where there is no workspace.
 */
export async function readEnding(
  { query }: Reader,
  { workspaceId, until }: { workspaceId: string; until: Date },
): Promise<{ name: string; creditCents: number; ending: UnpaidMonitor[] } | null> {
  const workspace = await query
    .selectFrom('workspaces')
    .select(['name', 'credit_cents'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (workspace === undefined) return null
  const ending = await selectMonthly({ query }, workspaceId)
    .where('status', '=', 'enabled')
    .where('paid_until', '<=', until)
    .execute()
  return { name: workspace.name, creditCents: Number(workspace.credit_cents), ending: ending.map(toUnpaid) }
}

/** Monitors that are paused because they are not paid for, the longest first. */
export async function readPaused(
  { query }: Reader,
  workspaceId: string,
): Promise<{ name: string; paused: UnpaidMonitor[] } | null> {
  const workspace = await query.selectFrom('workspaces').select('name').where('id', '=', workspaceId).executeTakeFirst()
  if (workspace === undefined) return null
  const paused = await selectMonthly({ query }, workspaceId)
    .where('status', '=', 'paused')
    .where('pause_reason', '=', 'non_payment')
    .execute()
  return { name: workspace.name, paused: paused.map(toUnpaid) }
}

const maxReaders = 100
/** A workspace has no more paid monitors than this. */
const maxMonitors = 1000

function selectMonthly({ query }: Reader, workspaceId: string) {
  return query
    .selectFrom('monitors')
    .select(['name', 'locations', 'paid_until'])
    .where('workspace_id', '=', workspaceId)
    .where('billing', '=', 'paid')
    .where('billing_period', '=', 'monthly')
    .where('paid_until', 'is not', null)
    .$narrowType<{ paid_until: Date }>()
    .orderBy('paid_until')
    .orderBy('id')
    .limit(maxMonitors)
}

function toUnpaid(row: { name: string; locations: string[]; paid_until: Date }): UnpaidMonitor {
  return { name: row.name, locations: row.locations.length, paidUntil: row.paid_until }
}

const untoldStatement = `
select workspace.id
from (
  select
    monitor.workspace_id,
    sum(cardinality(monitor.locations)) as locations,
    bool_or(coalesce(monitor.renewal_notice > last.day, last.day is not null)) as is_untold
  from monitors as monitor
  cross join lateral (
    select min(day) as day
    from unnest($1::integer[], $2::timestamptz[]) as occasion (day, until)
    where monitor.paid_until <= occasion.until
  ) as last
  where billing = 'paid'
    and billing_period = 'monthly'
    and status = 'enabled'
    and monitor.paid_until <= (select max(until) from unnest($2::timestamptz[]) as until)
    and ($4::uuid is null or monitor.workspace_id > $4)
  group by monitor.workspace_id
) as ending
join workspaces as workspace on workspace.id = ending.workspace_id
where ending.is_untold
  and ending.locations * $3::bigint > workspace.credit_cents
  and workspace.closed_at is null
order by workspace.id
limit $5`
