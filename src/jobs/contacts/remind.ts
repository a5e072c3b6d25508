import { remind } from '#store/contacts/reminders.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const remindersAtOnce = 200

/** Orders all reminders that are due. Any number of processes may do it at once. */
export async function remindAll(
  { database, log }: Pick<JobParts, 'database' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  let number = 0
  while (!signal.aborted) {
    const { due, ordered } = await database.transaction((tx) => remind(tx, remindersAtOnce))
    number += ordered
    if (due < remindersAtOnce) break
  }
  if (number > 0) log.info('Contacts are reminded of incidents.', { number })
}
