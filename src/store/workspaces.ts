import type { Reader } from './database.ts'

export type Workspace = {
  id: string
  name: string
  plan: string
  billingDetails: BillingDetails
  createdAt: Date
}

export type BillingDetails = {
  name: string | null
  address: string | null
  country: string | null
  vatId: string | null
}

const maxListed = 1000

export async function createWorkspace(
  reader: Reader,
  workspace: { id: string; name: string; plan: string },
): Promise<void> {
  await reader.query.insertInto('workspaces').values(workspace).execute()
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

export async function setBillingDetails(reader: Reader, workspaceId: string, details: BillingDetails): Promise<void> {
  const updated = await reader.query
    .updateTable('workspaces')
    .set({
      billing_name: details.name,
      billing_address: details.address,
      billing_country: details.country,
      billing_vat_id: details.vatId,
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
  created_at: Date
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
    createdAt: row.created_at,
  }
}
