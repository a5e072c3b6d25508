import { setTimeout as wait } from 'node:timers/promises'
import type { JobLog } from './job-parts.ts'

/** A run that may take long ends soon after its signal says that the process stops. */
export type Chore = { name: string; everyMs: number; run: (signal: AbortSignal) => Promise<void> }

const retryMs = 60_000
/** Its multiples lie as evenly between whole numbers as any (the golden ratio). */
const evenly = (Math.sqrt(5) - 1) / 2

/**
 * Which share of its pause a chore waits for the first time. Chores of one pause that all began at the start of a process
 * would go on in step: each of them would want a connection at the same moment, and let it go unused until the next one.
 */
export function firstShare(place: number): number {
  return 1 - ((place * evenly) % 1)
}

/**
 * Runs a chore at once and then again and again, one run after the other. Every process does; chores are harmless any
 * number of times, and one that fails is due again within a minute.
 */
export function repeat({ name, everyMs, run }: Chore, log: JobLog, place = 0): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  let share = firstShare(place)
  const done = loop()
  return {
    stop: () => {
      stopping.abort()
      return done
    },
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isDone = await run(stopping.signal).then(
        () => true,
        (error: unknown) => {
          log.warn('A recurring job failed.', { task: name, job_id: null, error })
          return false
        },
      )
      const pauseMs = share * (isDone ? everyMs : Math.min(everyMs, retryMs))
      share = 1
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
}
