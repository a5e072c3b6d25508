import { setTimeout as wait } from 'node:timers/promises'
import type { JobLog } from './job-parts.ts'

/** A run that may take long ends soon after its signal says that the process stops. */
export type Chore = { name: string; everyMs: number; run: (signal: AbortSignal) => Promise<void> }

const retryMs = 60_000

/**
 * Runs a chore at once and then again and again, one run after the other. Every process does; chores are harmless any
 * number of times, and one that fails is due again within a minute.
 */
export function repeat({ name, everyMs, run }: Chore, log: JobLog): { stop: () => Promise<void> } {
  const stopping = new AbortController()
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
      const pauseMs = isDone ? everyMs : Math.min(everyMs, retryMs)
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
}
