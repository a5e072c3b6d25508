import { fanOut, forgetEvents } from '#store/status-events.ts'
import { forgetUnconfirmed } from '#store/status-subscribers.ts'
import type { JobParts } from './parts.ts'
import type { Chore } from './timer.ts'

const second = 1000
const hour = 3600 * second
/** Each a transaction with at most 500 jobs; what is left waits for the next time. */
const stepsAtOnce = 200

/** What happened on status pages becomes jobs, one for each subscriber; and what is over is forgotten. */
export function statusChores({ database, log, now }: JobParts): Chore[] {
  const forget = async (what: string, step: () => Promise<number>): Promise<void> => {
    const number = await step()
    if (number > 0) log.info(what, { number })
  }
  return [
    {
      name: 'tell_status',
      everyMs: 3 * second,
      run: async (signal) => {
        for (let steps = 0; steps < stepsAtOnce && !signal.aborted; steps += 1)
          if (!(await database.transaction((tx) => fanOut(tx, now())))) return
      },
    },
    {
      name: 'forget_unconfirmed_subscribers',
      everyMs: hour,
      run: () => forget('Subscriptions that nobody confirmed were removed.', () => forgetUnconfirmed(database, now())),
    },
    {
      name: 'forget_status_events',
      everyMs: hour,
      run: () => forget('Old events of status pages were removed.', () => forgetEvents(database, now())),
    },
  ]
}
