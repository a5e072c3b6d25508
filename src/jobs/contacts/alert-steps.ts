import { takeSteps } from '#store/contacts/escalations.ts'
import { remind } from '#store/contacts/reminders.ts'
import type { Transaction } from '#store/database/database.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const remindersAtOnce = 200
const stepsAtOnce = 50

/** What is due about incidents that run. Any number of processes may do it at once. */
export function alertStepChores(parts: Pick<JobParts, 'database' | 'log'>): Chore[] {
  return [
    { name: 'remind_contacts', everyMs: 5000, run: (signal) => remindAll(parts, signal) },
    { name: 'escalate_incidents', everyMs: 2000, run: (signal) => escalateAll(parts, signal) },
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
  if (number > 0) log.info('Contacts are reminded of incidents.', { number })
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
