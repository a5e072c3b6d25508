import type { MaintenanceInput, Occurrence } from '#core/maintenance.ts'
import type { Database } from '#store/database/database.ts'
import { planAnew } from '#store/maintenance/maintenance-plan.ts'
import { insertMaintenance, setMaintenanceMonitors } from '#store/maintenance/maintenance.ts'

export type PlannedMaintenance = {
  workspaceId: string
  /** Default all. */
  monitorIds?: string[]
  /** Of monitors that it covers; without `monitorIds`, it covers those alone. */
  monitorTags?: string[]
  excludesUptime?: boolean
  occurrences: readonly Occurrence[]
  now?: Date
}

/** A window with these occurrences, whatever its schedule says. */
export async function planMaintenance(
  database: Database,
  planned: PlannedMaintenance,
): Promise<{ id: string; key: string }> {
  const { workspaceId, monitorIds, monitorTags = [], excludesUptime = false, occurrences, now = new Date() } = planned
  const input: MaintenanceInput = {
    name: 'Upgrade',
    description: null,
    schedule: { type: 'once', starts_at: now.toISOString(), ends_at: now.toISOString() },
    time_zone: 'UTC',
    monitor_ids: monitorIds ?? null,
    monitor_tags: monitorTags,
    excludes_uptime: excludesUptime,
    tags: [],
  }
  return database.transaction(async (tx) => {
    const window = await insertMaintenance(tx, { workspaceId, input, plannedUntil: now, now })
    await setMaintenanceMonitors(tx, { workspaceId, key: window.key, ids: monitorIds ?? [] })
    await planAnew(tx, { key: window.key, occurrences, now })
    return window
  })
}
