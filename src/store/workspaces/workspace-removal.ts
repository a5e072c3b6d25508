import type { Transaction } from '#store/database/database.ts'
import { addJobs } from '#store/database/job-queue.ts'
import { forgetJob, holdPartitionsOf } from '#store/monitors/monitor-removal.ts'
import { lockWorkspace } from './workspaces.ts'

type Monitor = { monitorId: string; partition: number }

/**
 * Deletes a workspace with everything that belongs to it, and returns its monitors, whose engines are to be told after
 * the commit. A workspace that has paid must keep its receipts: it stays, closed, with its ledger alone. Results may be
 * millions and are left to jobs. Locks in the usual order: partitions, contacts, the workspace, monitors.
 */
export async function deleteWorkspace(
  tx: Transaction,
  { workspaceId, at }: { workspaceId: string; at: Date },
): Promise<Monitor[]> {
  await holdPartitionsOf(tx, workspaceId)
  await tx.query
    .selectFrom('alert_channels')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forUpdate()
    .execute()
  await lockWorkspace(tx, workspaceId)
  const monitors = await tx.query
    .selectFrom('monitors')
    .select(['id', 'key', 'partition'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()
  await addJobs(
    tx,
    monitors.map(({ key }) => forgetJob(key)),
  )
  if (await hasLedger(tx, workspaceId)) await emptyAndClose(tx, { workspaceId, at })
  else await tx.query.deleteFrom('workspaces').where('id', '=', workspaceId).executeTakeFirstOrThrow()
  return monitors.map(({ id, partition }) => ({ monitorId: id, partition }))
}

/** Every table whose rows go with their workspace, in an order that foreign keys allow. A test compares the schema. */
export const emptiedTables = [
  'project_objects',
  'imports',
  'status_pages',
  'status_posts',
  'deliveries',
  'exposures',
  'incident_evidence',
  'location_views',
  'monitor_routes',
  'incidents',
  'maintenance_windows',
  'reports',
  'slos',
  'saved_views',
  'monitors',
  'escalation_policies',
  'on_call_schedules',
  'alert_channels',
  'idempotency_keys',
  'api_tokens',
  'screens',
  'agent_registrations',
  'invitations',
  'set_up_links',
  'provider_sessions',
  'identity_providers',
  'sign_in_domains',
  'members',
  'audit_entries',
] as const

/** A payment that is under way counts: it may still arrive. */
async function hasLedger({ client }: Transaction, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select exists (select from credit_transactions where workspace_id = $1)
      or exists (select from payment_attempts where workspace_id = $1 and state <> 'failed') as has`,
    [workspaceId],
  )
  return rows[0]?.has === true
}

async function emptyAndClose(
  { client }: Transaction,
  { workspaceId, at }: { workspaceId: string; at: Date },
): Promise<void> {
  for (const table of emptiedTables) await client.query(`delete from ${table} where workspace_id = $1`, [workspaceId])
  await client.query(
    `update workspaces
    set name = 'Deleted', closed_at = coalesce(closed_at, $2), closed_reason = 'deleted',
      billing_name = null, billing_address = null, billing_country = null, billing_vat_id = null, vat_confirmed = null
    where id = $1`,
    [workspaceId, at],
  )
}
