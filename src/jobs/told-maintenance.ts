import type { MaintenanceAlert } from '#core/contacts/alerting.ts'
import {
  beginMaintenance,
  type BegunMaintenance,
  endMaintenance,
  followExtended,
  type MaintenanceOrder,
  tellBegun,
} from '#store/maintenance/told-maintenance.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const windowsAtOnce = 20

type Parts = Pick<JobParts, 'database' | 'log' | 'now'>

/**
 * Tells contacts that maintenance has begun or is over. What is known of a window changes in the transaction that writes
 * its alerts, so each is told once, whoever looks at it. Ends come first: a window may be under way again.
 */
export async function tellMaintenance({ database, log, now }: Parts, signal: AbortSignal): Promise<void> {
  const at = now()
  const look = { now: at, limit: windowsAtOnce }
  let number = 0
  await followExtended(database, at)
  while (!signal.aborted) {
    const ended = await database.transaction((tx) => endMaintenance(tx, look))
    if (ended < windowsAtOnce) break
  }
  while (!signal.aborted) {
    const taken = await database.transaction(async (tx) => {
      const found = await beginMaintenance(tx, look)
      await tellBegun(
        tx,
        found.begun.map((begun) => orderOf(begun, at)),
      )
      number += found.begun.length
      return found.taken
    })
    if (taken < windowsAtOnce) break
  }
  if (number > 0) log.info('Alerts of started maintenance were queued.', { number })
}

function orderOf(begun: BegunMaintenance, at: Date): MaintenanceOrder {
  const { id, windowId, name, startsAt, endsAt, contactId, workspaceId, total, names } = begun
  const alert: MaintenanceAlert = {
    type: 'maintenance.started',
    timestamp: at.toISOString(),
    data: {
      monitor: null,
      incident: null,
      result: null,
      maintenance: {
        id: windowId,
        name,
        starts_at: startsAt.toISOString(),
        ends_at: endsAt.toISOString(),
        monitors: { total, names },
      },
      episode: { id, started_at: startsAt.toISOString(), ended_at: null },
    },
  }
  return { contactId, workspaceId, alert, at }
}
