import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Transaction } from '#store/database/database.ts'
import { restartMonitors } from '#store/monitors/monitor-state.ts'

export type PaidPeriod = { monitorId: string; paidUntil: Date; paidLocations: number; at: Date }

/** `pause_reason` of monitors that are not paid for. */
const unpaidReason = 'non_payment'

/** Another period is paid: nothing is overdue, and notices begin anew. Only under `lockMonitor`. */
export async function setPaidPeriod(tx: Transaction, period: PaidPeriod): Promise<void> {
  await setPaidPeriods(tx, [period])
}

/** The same for many monitors; the caller holds them. */
export async function setPaidPeriods({ client }: Transaction, periods: readonly PaidPeriod[]): Promise<void> {
  await client.query(periodsStatement, [
    periods.map(({ monitorId }) => monitorId),
    periods.map(({ paidUntil }) => paidUntil),
    periods.map(({ paidLocations }) => paidLocations),
    periods.map(({ at }) => at),
  ])
}

/** Stops monitors until they are renewed. The caller holds them with their partitions. */
export async function pauseUnpaid(
  tx: Transaction,
  monitors: readonly { id: string; workspaceId: string; name: string }[],
  at: Date,
): Promise<void> {
  for (const { id, workspaceId, name } of monitors) {
    await tx.query
      .updateTable('monitors')
      .set({ status: 'paused', pause_reason: unpaidReason, billing_state: 'overdue', updated_at: at })
      .where('id', '=', id)
      .execute()
    await restartMonitors(tx, {
      monitorIds: [id],
      at,
      reason: 'The monitor was paused, because its renewal was not paid.',
    })
    await insertAuditEntry(tx, {
      workspaceId,
      at,
      actor: { kind: 'system', id: null, name: 'Perigee' },
      action: 'pause_monitor',
      target: { kind: 'monitor', id, name },
      details: { reason: unpaidReason },
    })
  }
}

const periodsStatement = `
update monitors
set paid_until = paid.until,
  paid_locations = paid.locations,
  billing_state = 'active',
  renewal_notice = null,
  updated_at = paid.at
from unnest($1::uuid[], $2::timestamptz[], $3::integer[], $4::timestamptz[]) as paid (id, until, locations, at)
where monitors.id = paid.id`
