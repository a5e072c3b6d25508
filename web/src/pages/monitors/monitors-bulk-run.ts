import { ApiError } from '../../api/ask.ts'
import type { MonitorsOutcome } from '../../api/overview.ts'
import { problemOf } from '../../parts/problem.ts'
import type { MonitorRow } from './monitors-rows.ts'

/** Monitors in one request: it takes a second or two, after which the person may have pressed Stop. */
const atOnce = 200
/** Writes are counted by the minute: after a 429 the run waits, three times at most. */
const mostWaits = 3
const longestWaitMs = 60_000

export type Progress = {
  done: number
  failed: readonly { row: MonitorRow; message: string }[]
  isWaiting: boolean
  isOver: boolean
  /** Why the run broke off. Whether its last request was carried out is unknown. */
  trouble: string | null
}

export type Run = {
  rows: readonly MonitorRow[]
  act: (ids: readonly string[]) => Promise<MonitorsOutcome>
  /** Ends it before the next request. */
  signal: AbortSignal
}

/** Goes on until all are done, or something keeps it from going on. */
export async function runAll({ rows, act, signal }: Run, tell: (progress: Progress) => void): Promise<Progress> {
  let progress: Progress = { done: 0, failed: [], isWaiting: false, isOver: false, trouble: null }
  const say = (next: Partial<Progress>): void => {
    progress = { ...progress, ...next }
    tell(progress)
  }
  say({})
  try {
    for (let from = 0; from < rows.length && !signal.aborted; from += atOnce) {
      const asked = rows.slice(from, from + atOnce)
      const ids = asked.map(({ id }) => id)
      const { done, refused } = await patiently(
        () => act(ids),
        signal,
        (isWaiting) => say({ isWaiting }),
      )
      const failed = refused.flatMap(({ id, message }) =>
        asked.filter((row) => row.id === id).map((row) => ({ row, message })),
      )
      say({ done: progress.done + done, failed: [...progress.failed, ...failed] })
    }
    say({ isOver: true })
  } catch (error) {
    say({ isOver: true, isWaiting: false, trouble: problemOf(error).message })
  }
  return progress
}

/** Ids of monitors that failed, and of monitors that were not reached. */
export function leftOf(rows: readonly MonitorRow[], { done, failed }: Progress): string[] {
  return [...failed.map(({ row }) => row.id), ...rows.slice(done + failed.length).map(({ id }) => id)]
}

async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onWaiting: (isWaiting: boolean) => void,
): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await work()
    } catch (error) {
      const isLimited = error instanceof ApiError && error.code === 'rate_limited'
      if (!isLimited || waits === mostWaits || signal.aborted) throw error
      onWaiting(true)
      await wait(Number(error.headers.get('retry-after')) * 1000, signal)
      onWaiting(false)
      if (signal.aborted) throw error
    }
  }
}

/** Ends early when it is not wanted any more. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(longestWaitMs, Math.max(1000, ms)))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
