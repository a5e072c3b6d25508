import { occurrencesOf, planAheadMs } from '#core/maintenance.ts'
import { extendPlan, forgetOccurrences, forgetTagged, holdUnplanned } from '#store/maintenance/maintenance-plan.ts'
import { forgetTold } from '#store/maintenance/told-maintenance.ts'
import { createReleaseStore, type ReleaseStore } from '#store/release-store.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'
import { tellMaintenance } from './told-maintenance.ts'

const second = 1000
const hour = 3600 * second
const day = 24 * hour
const alertsAtOnce = 200
const windowsAtOnce = 100
const rowsAtOnce = 1000
/** Somewhat longer than failures are shown. */
const keptMs = 400 * day

/** Tells what outlasted its maintenance, and plans ahead. Any number of processes may do it at once. */
export function maintenanceChores(parts: JobParts): Chore[] {
  return [
    { name: 'tell_after_maintenance', everyMs: 5 * second, run: () => tellReleased(parts) },
    { name: 'tell_maintenance', everyMs: 5 * second, run: (signal) => tellMaintenance(parts, signal) },
    { name: 'plan_maintenance', everyMs: hour, run: () => planAhead(parts) },
    { name: 'forget_maintenance', everyMs: hour, run: () => forgetOld(parts) },
  ]
}

export async function tellReleased({ database, log, now }: Pick<JobParts, 'database' | 'log' | 'now'>): Promise<void> {
  await releaseAlerts({ store: createReleaseStore(database), log, now })
}

export type ReleaseParts = { store: ReleaseStore; log: Pick<JobParts['log'], 'info'>; now: () => Date }

/** Alerts are taken and ordered in one transaction, so none is lost or told twice. */
export async function releaseAlerts({ store, log, now }: ReleaseParts): Promise<void> {
  let number = 0
  for (;;) {
    const { taken, orders } = await store.transaction(async (tx) => {
      const released = await tx.takeReleased(now(), alertsAtOnce)
      await tx.enqueueAlerts(await tx.foldUnstable(released.orders))
      return released
    })
    number += orders.length
    if (taken < alertsAtOnce) break
  }
  if (number > 0) log.info('Incidents outlasted their maintenance, and their alerts were queued.', { number })
}

/** Adds what the plans of windows lack; a day's worth at a time. */
export async function planAhead({ database, now }: Pick<JobParts, 'database' | 'now'>): Promise<void> {
  const until = new Date(now().getTime() + planAheadMs)
  const late = new Date(until.getTime() - day)
  for (;;) {
    const number = await database.transaction(async (tx) => {
      const windows = await holdUnplanned(tx, late, windowsAtOnce)
      for (const { key, schedule, timeZone, plannedUntil } of windows) {
        const found = occurrencesOf(schedule, { timeZone, from: plannedUntil, until })
        const occurrences = found.filter(({ startsAt }) => startsAt >= plannedUntil)
        await extendPlan(tx, { key, occurrences, until })
      }
      return windows.length
    })
    if (number < windowsAtOnce) return
  }
}

async function forgetOld({ database, now }: JobParts): Promise<void> {
  const before = new Date(now().getTime() - keptMs)
  const over = new Date(now().getTime() - day)
  const past = [
    [forgetOccurrences, before],
    [forgetTagged, before],
    [forgetTold, over],
  ] as const
  for (const [forget, until] of past) while ((await forget(database, until, rowsAtOnce)) === rowsAtOnce);
}
