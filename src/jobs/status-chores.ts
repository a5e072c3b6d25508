import { nextStep } from '#core/maintenance-news.ts'
import { fanOut, forgetEvents } from '#store/status-pages/page-events.ts'
import { announceMaintenance, forgetCourses, holdDueCourses, takeStep } from '#store/status-pages/page-maintenance.ts'
import { forgetReleased } from '#store/status-pages/page-domains.ts'
import { forgetUnconfirmed } from '#store/status-pages/subscribers.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'
import { proveDomains } from './status-domains.ts'

const second = 1000
const hour = 3600 * second
/** Each a transaction with at most 500 jobs; what is left waits for the next time. */
const stepsAtOnce = 200
const coursesAtOnce = 100
const coursesToForget = 1000

/** Turns events of status pages into jobs, one for each subscriber, and removes old events. */
export function statusChores(parts: JobParts): Chore[] {
  const { database, log, now } = parts
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
    { name: 'prove_status_domains', everyMs: 10 * second, run: (signal) => proveDomains(parts, signal) },
    { name: 'announce_maintenance', everyMs: 10 * second, run: (signal) => tellMaintenance({ database, now }, signal) },
    {
      name: 'forget_unconfirmed_subscribers',
      everyMs: hour,
      run: () => forget('Subscriptions that nobody confirmed were removed.', () => forgetUnconfirmed(database, now())),
    },
    {
      name: 'forget_announced_maintenance',
      everyMs: hour,
      run: () =>
        forget('Announced maintenance that is over was forgotten.', () =>
          forgetCourses(database, now(), coursesToForget),
        ),
    },
    {
      name: 'forget_released_domains',
      everyMs: hour,
      run: () => forget('Domains that status pages gave up are free again.', () => forgetReleased(database, now())),
    },
    {
      name: 'forget_status_events',
      everyMs: hour,
      run: () => forget('Old events of status pages were removed.', () => forgetEvents(database, now())),
    },
  ]
}

/**
 * Puts down what the pages of a workspace tell of its maintenance: first what became of what they announced, so that
 * another time in its place is told as a change of it. Any number of processes may do it at once.
 */
export async function tellMaintenance(
  { database, now }: Pick<JobParts, 'database' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  for (let steps = 0; steps < stepsAtOnce && !signal.aborted; steps += 1) {
    const taken = await database.transaction(async (tx) => {
      const at = now()
      const courses = await holdDueCourses(tx, at, coursesAtOnce)
      for (const course of courses) {
        const step = nextStep(course, at)
        if (step !== null) await takeStep(tx, course, { step, now: at })
      }
      return courses.length
    })
    if (taken < coursesAtOnce) break
  }
  for (let steps = 0; steps < stepsAtOnce && !signal.aborted; steps += 1)
    if ((await announceMaintenance(database, now(), coursesAtOnce)) < coursesAtOnce) return
}
