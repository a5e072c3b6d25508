// Of which incidents people are told, where maintenance was planned.
import type { Context } from './context.ts'
import type { IncidentRow, ModelDatabase } from './model-database.ts'
import { isInMaintenance } from './model-maintenance.ts'

/** What outlasts its maintenance is told within this time, unless it ends before. */
const releasedMs = 180_000

/**
 * Whether an incident is told: not where it lies wholly in a maintenance, and in any case where it began outside of one or
 * outlasted it by far. In between, and where the clock jumped, both may be.
 */
export function tellingOf(
  { database, clock, watchdogs }: Pick<Context, 'database' | 'clock' | 'watchdogs'>,
  { id, monitorId, startedMs, resolvedMs }: IncidentRow,
): 'told' | 'untold' | 'either' {
  const monitorKey = database.monitorById(monitorId)?.key ?? -1
  if (!isInMaintenance(database, { monitorKey, atMs: startedMs })) return clock.hasJumped ? 'either' : 'told'
  if (clock.hasJumped) return 'either'
  const covered = { monitorKey, atMs: startedMs }
  // An end that is found late is of a time before.
  const knownMs = clock.startedMs + (watchdogs.courses.get(id)?.endedMs ?? Infinity)
  if (knownMs <= endOf(database, covered, 0)) return 'untold'
  const seenMs = endOf(database, covered, releasedMs) + releasedMs
  return (resolvedMs ?? database.nowMs()) > seenMs ? 'told' : 'either'
}

/** When no maintenance holds the monitor any more that is held at this time, nor begins within `gapMs`. */
function endOf(
  { maintenances }: ModelDatabase,
  { monitorKey, atMs }: { monitorKey: number; atMs: number },
  gapMs: number,
): number {
  let overMs = atMs
  for (;;) {
    const endMs = overMs
    const holding = maintenances.filter(
      ({ monitorKeys, startsMs, endsMs }) =>
        startsMs <= endMs + gapMs && endsMs > endMs && (monitorKeys?.includes(monitorKey) ?? true),
    )
    if (holding.length === 0) return overMs
    overMs = Math.max(...holding.map(({ endsMs }) => endsMs))
  }
}
