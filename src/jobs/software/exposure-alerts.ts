import type { ExposureAlert } from '#core/contacts/alerting.ts'
import type { Transaction } from '#store/database/database.ts'
import { type AlertOrder, enqueueAlerts } from '#store/contacts/deliveries.ts'
import {
  areExposuresToTell,
  holdTelling,
  takeEnds,
  takeReminders,
  type ToldExposures,
} from '#store/software/exposure-alerts.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** So many exposures are told one by one; of the others an alert gives the number. */
const shownAtOnce = 20
const remindEveryMs = 7 * 86_400_000

/**
 * Enqueues an alert for each monitor with exposures that ended, and one for each with exposures that go on a week after
 * the last one. Exposures are marked and alerts enqueued in one transaction, so a process that dies loses and repeats
 * nothing. Returns how many alerts were enqueued.
 */
export async function tellExposures({ database, now }: Pick<JobParts, 'database' | 'now'>): Promise<number> {
  const at = now()
  if (!(await areExposuresToTell(database, at))) return 0
  return database.transaction((tx) => tellSome(tx, at))
}

async function tellSome(tx: Transaction, at: Date): Promise<number> {
  if (!(await holdTelling(tx))) return 0
  const nextAt = new Date(at.getTime() + remindEveryMs)
  const ends = await takeEnds(tx, shownAtOnce)
  const reminders = await takeReminders(tx, { at, nextAt, limit: shownAtOnce })
  const orders = [
    ...reminders.filter(isHeard).map((told) => orderOf('exposure.reminder', told, at)),
    ...ends.filter(isHeard).map((told) => orderOf('exposure.ended', told, at)),
  ]
  await enqueueAlerts(tx, orders)
  return orders.length
}

function isHeard({ contactIds }: ToldExposures): boolean {
  return contactIds.length > 0
}

function orderOf(type: ExposureAlert['type'], told: ToldExposures, at: Date): AlertOrder {
  const { workspaceId, monitor, contactIds, exposures, total } = told
  const alert: ExposureAlert = {
    type,
    timestamp: at.toISOString(),
    data: { monitor, incident: null, result: null, exposures, total },
  }
  return { workspaceId, monitorId: monitor.id, incidentId: null, alert, contactIds, at }
}
