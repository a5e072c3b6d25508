import { takeSteps } from '#store/contacts/escalations.ts'
import { endWithholding } from '#store/contacts/parent-holds.ts'
import { decideWaiting, decideWaitingSteps, type Look, type Place } from '#store/contacts/parent-waits.ts'
import { remind } from '#store/contacts/reminders.ts'
import type { Transaction } from '#store/database/database.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'
import { endUnstable } from './unstable-monitors.ts'

const remindersAtOnce = 200
const stepsAtOnce = 50
const waitingAtOnce = 2000
const waitingStepsAtOnce = 1000
const stableAtOnce = 200

/** What is due about incidents that run. Any number of processes may do it at once. */
export function alertStepChores(parts: Pick<JobParts, 'database' | 'log' | 'now'>): Chore[] {
  return [
    { name: 'remind_contacts', everyMs: 5000, run: (signal) => remindAll(parts, signal) },
    { name: 'escalate_incidents', everyMs: 2000, run: (signal) => escalateAll(parts, signal) },
    { name: 'await_parents', everyMs: 1000, run: (signal) => lookAtParents(parts, signal) },
    { name: 'end_unstable', everyMs: 5000, run: (signal) => endAllUnstable(parts, signal) },
  ]
}

async function remindAll({ database, log }: Pick<JobParts, 'database' | 'log'>, signal: AbortSignal): Promise<void> {
  let number = 0
  const look = async (tx: Transaction): Promise<number> => {
    const { due, ordered } = await remind(tx, remindersAtOnce)
    number += ordered
    return due
  }
  while (!signal.aborted) if ((await database.transaction(look)) < remindersAtOnce) break
  if (number > 0) log.info('Reminders of incidents were queued.', { number })
}

async function escalateAll({ database, log }: Pick<JobParts, 'database' | 'log'>, signal: AbortSignal): Promise<void> {
  let number = 0
  while (!signal.aborted) {
    const taken = await database.transaction((tx) => takeSteps(tx, { limit: stepsAtOnce }))
    number += taken
    if (taken < stepsAtOnce) break
  }
  if (number > 0) log.info('Incidents were escalated.', { number })
}

/** Alerts that waited longest are looked at first; those that still wait are passed over until the next time. */
async function lookAtParents(
  { database, log }: Pick<JobParts, 'database' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const released = await database.transaction(endWithholding)
  await database.transaction((tx) => decideWaitingSteps(tx, waitingStepsAtOnce))
  let withheld = 0
  let after: Place | null = null
  do {
    const place: Place | null = after
    const look: Look = await database.transaction((tx) => decideWaiting(tx, { limit: waitingAtOnce, after: place }))
    withheld += look.withheld
    after = look.next
  } while (after !== null && !signal.aborted)
  if (withheld > 0) log.info('Alerts are held back while parents are down.', { number: withheld })
  if (released > 0) log.info('Alerts are no longer held back by parents.', { number: released })
}

async function endAllUnstable(
  { database, log, now }: Pick<JobParts, 'database' | 'log' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  let number = 0
  while (!signal.aborted) {
    const ended = await database.transaction((tx) => endUnstable(tx, { now: now(), limit: stableAtOnce }))
    number += ended
    if (ended < stableAtOnce) break
  }
  if (number > 0) log.info('Monitors are no longer unstable.', { number })
}
