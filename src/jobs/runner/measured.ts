import type { JobsObserver } from './job-parts.ts'

/** Does the work and tells how it went. */
export async function measured<T>(
  { task, observer }: { task: string; observer: Pick<JobsObserver, 'ran'> },
  work: () => T | Promise<T>,
): Promise<T> {
  const startedMs = performance.now()
  let isDone = false
  try {
    const done = await work()
    isDone = true
    return done
  } finally {
    observer.ran({ task, isDone, seconds: (performance.now() - startedMs) / 1000 })
  }
}
