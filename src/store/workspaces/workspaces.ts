import { sql } from 'kysely'
import { type AppError, fail } from '#core/language/error.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

export type Workspace = {
  id: string
  name: string
  plan: string
  billingDetails: BillingDetails
  creditCents: number
  createdAt: Date
  /** Why the workspace was closed; null while it is open. */
  closedReason: ClosedReason | null
}

/** `deleted`: nothing is left of it but its payments, whose receipts have to be kept. */
export type ClosedReason = 'claimed' | 'revoked' | 'deleted'

export type BillingDetails = {
  name: string | null
  address: string | null
  country: string | null
  vatId: string | null
}

const closedReasons: readonly ClosedReason[] = ['claimed', 'revoked', 'deleted']

const maxListed = 1000

export async function createWorkspace(
  reader: Reader,
  workspace: { id: string; name: string; plan: string },
): Promise<void> {
  await reader.query.insertInto('workspaces').values(workspace).execute()
}

/**
 * Until the transaction ends no other one counts or changes things of which the workspace may have a limited number.
 * The lock leaves foreign keys to the workspace free, because transactions that hold monitors write entries of the
 * audit log. Refuses with `unavailable` where the workspace is gone.
 */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(workspaceGone)
}

/** Refuses to add anything to a workspace that was closed while the caller was on its way. Under a lock of its row. */
export async function assertOpen(reader: Reader, workspaceId: string): Promise<void> {
  const { closed_at: closedAt } = await reader.query
    .selectFrom('workspaces')
    .select('closed_at')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow(workspaceGone)
  if (closedAt !== null) throw workspaceGone()
}

/**
 * A workspace was moved, closed or deleted between a caller's authentication and here. Sending the request again tells
 * what holds by now: a key that moved acts for the other workspace, and any other is 401.
 */
export function workspaceGone(): AppError {
  const message = 'The workspace was closed or moved while this request was on its way. Send it again.'
  return fail('unavailable', message, { retryAfterSeconds: 1 })
}

/** Null when there is no such workspace. */
export async function readWorkspace(reader: Reader, workspaceId: string): Promise<Workspace | null> {
  const row = await reader.query.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** For the operator: the oldest 1,000 of the installation. */
export async function listWorkspaces(reader: Reader): Promise<Workspace[]> {
  const rows = await reader.query
    .selectFrom('workspaces')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  return rows.map(fromRow)
}

/** False when there is no such workspace. Whether the plan exists is the caller's to know. */
export async function setWorkspacePlan(reader: Reader, workspaceId: string, plan: string): Promise<boolean> {
  const updated = await reader.query
    .updateTable('workspaces')
    .set({ plan })
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Returns its plan. */
export async function renameWorkspace(
  reader: Reader,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<string> {
  const { plan } = await reader.query
    .updateTable('workspaces')
    .set({ name })
    .where('id', '=', workspaceId)
    .returning('plan')
    .executeTakeFirstOrThrow()
  return plan
}

export type BillingChange = {
  workspaceId: string
  details: BillingDetails
  /** The answer of the authorities about the VAT id a moment ago; null when they gave none or were not asked. */
  isVatIdConfirmed: boolean | null
  at: Date
}

/** While the VAT id stays, its last known answer stays too. */
export async function setBillingDetails(
  reader: Reader,
  { workspaceId, details, isVatIdConfirmed, at }: BillingChange,
): Promise<void> {
  const { vatId } = details
  const updated = await reader.query
    .updateTable('workspaces')
    .set({
      billing_name: details.name,
      billing_address: details.address,
      billing_country: details.country,
      billing_vat_id: vatId,
      vat_confirmed: isVatIdConfirmed ?? sql`case when billing_vat_id = ${vatId} then vat_confirmed end`,
      vat_asked_at: vatId === null ? null : at,
    })
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (updated.numUpdatedRows !== 1n) throw new Error(`There is no workspace ${workspaceId}.`)
}

/** How many of the workspace's monitors use a plan slot, and how many are paid. */
export async function countMonitorsByBilling(
  reader: Reader,
  workspaceId: string,
): Promise<{ plan: number; paid: number }> {
  const rows = await reader.query
    .selectFrom('monitors')
    .select((columns) => ['billing', columns.fn.countAll<string>().as('count')])
    .where('workspace_id', '=', workspaceId)
    .groupBy('billing')
    .execute()
  const countOf = (billing: string): number => Number(rows.find((row) => row.billing === billing)?.count ?? 0)
  return { plan: countOf('plan'), paid: countOf('paid') }
}

type Row = {
  id: string
  name: string
  plan: string
  billing_name: string | null
  billing_address: string | null
  billing_country: string | null
  billing_vat_id: string | null
  credit_cents: string
  created_at: Date
  closed_reason: string | null
}

function fromRow(row: Row): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    billingDetails: {
      name: row.billing_name,
      address: row.billing_address,
      country: row.billing_country,
      vatId: row.billing_vat_id,
    },
    creditCents: Number(row.credit_cents),
    createdAt: row.created_at,
    closedReason: closedReasons.find((reason) => reason === row.closed_reason) ?? null,
  }
}
