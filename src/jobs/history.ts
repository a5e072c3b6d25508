import { addDays, dayOf } from '#core/language/utc-day.ts'
import { forgetMonitorEvents } from '#store/incidents/episodes.ts'
import { mergeDueResults } from '#store/results/merge-due.ts'
import { beginGathering, gatherNextMonth } from '#store/results/day-gathering.ts'
import { forgetNextDay } from '#store/results/day-removal.ts'
import { rewriteNextDay } from '#store/results/day-rewrites.ts'
import { forgetLinesBefore } from '#store/results/signed-days.ts'
import { forgetProblems, forgetRejected } from '#store/results/expired-rows.ts'
import { forgetLatencyHours } from '#store/results/latency-hours.ts'
import { beginMerging, readMergeLag } from '#store/results/merge-turns.ts'
import { inTurns, rests } from '#jobs/runner/in-turns.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

/** How many days results are kept, and problems that ended. */
export type Retention = { resultDays: number; problemDays: number }

/** Told what became of the history; for metrics. */
export type HistoryObserver = {
  /** Rows that became part of others. */
  merged: (rows: number) => void
  rewritten: () => void
  /** How many seconds merging is late. */
  mergeLag: (seconds: number) => void
}

export type CompactionParts = Pick<JobParts, 'database' | 'log' | 'now'> & {
  retention: Retention
  observer: HistoryObserver
}

type Run = { parts: CompactionParts; signal: AbortSignal }

const second = 1000
const minute = 60 * second
/** A run ends after so long even if there is more to do, to say what it did. */
const longestRunMs = 5 * minute
/** Merging, rewriting, gathering and forgetting, in steps that each commit; any number of processes share them. */
export function compactionChores(parts: CompactionParts): Chore[] {
  return [
    { name: 'merge_results', everyMs: 30 * second, run: (signal) => mergeResults({ parts, signal }) },
    { name: 'rewrite_days', everyMs: 10 * minute, run: (signal) => rewriteDays({ parts, signal }) },
    { name: 'gather_months', everyMs: 60 * minute, run: (signal) => gatherMonths({ parts, signal }) },
    { name: 'forget_history', everyMs: 60 * minute, run: (signal) => forgetHistory({ parts, signal }) },
  ]
}

async function mergeResults({ parts, signal }: Run): Promise<void> {
  const { database, log, now, observer } = parts
  while ((await beginMerging(database)) > 0) signal.throwIfAborted()
  const done = { monitors: 0, rows: 0, steps: 0 }
  const startedAt = performance.now()
  await inTurns(
    signal,
    async () => {
      const step = await mergeDueResults(database, now())
      done.monitors += step.monitors
      done.rows += step.removed
      done.steps += 1
      observer.merged(step.removed)
      return step.monitors > 0 && performance.now() - startedAt < longestRunMs
    },
    rests.keepingUp,
  )
  observer.mergeLag(await readMergeLag(database, now()))
  if (done.rows > 0) log.debug('Results were merged.', { ...done, ...since(startedAt) })
}

async function rewriteDays({ parts, signal }: Run): Promise<void> {
  const { database, log, now, observer } = parts
  let rows = 0
  let startedAt = performance.now()
  await inTurns(signal, async () => {
    const step = await rewriteNextDay(database, now())
    if (step === null) return false
    if (step.outcome === 'copied') rows += step.rows
    if (step.outcome === 'refused') log.error('A rewritten day differs from its results; it stays as it is.', step)
    if (step.outcome === 'swapped') {
      observer.rewritten()
      log.info('A day of results was rewritten into hours.', { day: step.day, rows, ...since(startedAt) })
      rows = 0
      startedAt = performance.now()
    }
    return step.outcome === 'busy' ? 'busy' : true
  })
}

async function gatherMonths({ parts, signal }: Run): Promise<void> {
  const { database, log, now } = parts
  await beginGathering(database, now())
  const startedAt = performance.now()
  let rows = 0
  await inTurns(signal, async () => {
    const step = await gatherNextMonth(database)
    rows += step?.rows ?? 0
    return step !== null && performance.now() - startedAt < longestRunMs
  })
  if (rows > 0) log.info('Days of past months were gathered by monitors.', { rows, ...since(startedAt) })
}

async function forgetHistory({ parts, signal }: Run): Promise<void> {
  const { database, log, now, retention } = parts
  await inTurns(signal, async () => {
    const step = await forgetNextDay(database, { now: now(), resultDays: retention.resultDays })
    if (step?.outcome === 'dropped') log.info('A day of results was dropped.', { day: step.day })
    return step?.outcome === 'busy' ? 'busy' : step !== null
  })
  const forgotten = { problems: 0, rejected: 0 }
  await inTurns(signal, async () => (await forgetLatencyHours(database, now())) > 0)
  const { problemDays, resultDays } = retention
  const keptSince = addDays(dayOf(now()), -resultDays)
  await inTurns(signal, async () => (await forgetLinesBefore(database, keptSince)) > 0)
  await inTurns(signal, async () => (await forgetMonitorEvents(database, { now: now(), days: problemDays })) > 0)
  await inTurns(signal, async () => {
    const problems = await forgetProblems(database, { now: now(), problemDays })
    const rejected = await forgetRejected(database, now())
    forgotten.problems += problems
    forgotten.rejected += rejected
    return problems + rejected > 0
  })
  if (forgotten.problems + forgotten.rejected > 0) log.info('Old problems and refused results were deleted.', forgotten)
}

function since(startedAt: number): { seconds: number } {
  return { seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
}
