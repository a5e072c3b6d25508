import { signingKeys } from '#store/installation/signing-keys.ts'
import { signNextDay } from '#store/results/signed-days.ts'
import { sumUpNextHours } from '#store/results/signed-hours.ts'
import { inTurns, rests } from '#jobs/runner/in-turns.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const minute = 60_000

/** Sums up the hours that have ended, so that they can be signed. Merging waits for it, so it keeps up with results. */
export function sumUpChore({ database, log, now }: Pick<JobParts, 'database' | 'log' | 'now'>): Chore {
  return {
    name: 'sum_up_hours',
    everyMs: minute,
    run: async (signal) => {
      let hours = 0
      await inTurns(
        signal,
        async () => {
          const step = await sumUpNextHours(database, now())
          hours += step?.hours ?? 0
          return step !== null
        },
        rests.keepingUp,
      )
      if (hours > 0) log.debug('Hours of results were summed up.', { hours })
    },
  }
}

/**
 * Signs the days whose hours are all summed up. A restored copy must not, as long as it may not send anything: the
 * original goes on to sign, and of two heads of one day readers could not say which is right.
 */
export function signChore({ database, secrets, log }: Pick<JobParts, 'database' | 'secrets' | 'log'>): Chore {
  const keys = signingKeys(database, secrets)
  return {
    name: 'sign_days',
    everyMs: 10 * minute,
    run: (signal) =>
      inTurns(signal, async () => {
        const step = await signNextDay(database, keys)
        if (step?.outcome === 'signed') log.info('A day of history was signed.', { day: step.day })
        return step?.outcome === 'busy' ? 'busy' : step !== null
      }),
  }
}
