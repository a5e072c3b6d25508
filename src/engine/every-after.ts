import type { Time } from '#time/time.ts'

type Repeated = { pauseMs: number; work: () => Promise<void>; onError: (error: unknown) => void }

/** Waits for each run to end before the pause to the next begins. Returns a function that ends it. */
export function everyAfter({ after }: Pick<Time, 'after'>, { pauseMs, work, onError }: Repeated): () => void {
  let isEnded = false
  let cancel = after(pauseMs, run)
  function run(): void {
    work()
      .catch(onError)
      .finally(() => {
        if (!isEnded) cancel = after(pauseMs, run)
      })
  }
  return () => {
    isEnded = true
    cancel()
  }
}
