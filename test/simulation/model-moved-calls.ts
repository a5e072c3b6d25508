// What PostgreSQL does to the times of calls after a jump of the clock.
import { deadlineAfterJump } from '#core/monitors/heartbeat.ts'
import { versionOfNone } from '#store/results/results-to-come.ts'
import { moveTimes } from './model-calls.ts'
import { isCalled, type ModelDatabase, type StateRow } from './model-database.ts'

const newTimeMs = 10_000
const toleratedMs = 2_000

/** As `moveCallTimes`, when the clock jumped by so many milliseconds. The caller has the lock of the intakes. */
export async function moveCallTimes(database: ModelDatabase, { byMs }: { byMs: number }): Promise<void> {
  const { intakes } = database
  const newMs = newMsOf(byMs)
  const isOfNewTime = ({ lastCheckedAt: at }: StateRow): boolean => {
    const nowMs = database.nowMs()
    return at !== null && at >= (nowMs - newMs) * 1000 && at <= nowMs * 1000
  }
  await moveTimes(database, {
    of: 'deadline',
    isMoved: (state) => state.deadline !== null && !isOfNewTime(state),
    moved: (deadline, key) => movedBy(database, { key, deadline, byMs }),
  })
  const nowMs = database.nowMs()
  for (const state of database.states.values()) {
    const { callStartedMs: startedMs, runDue } = state
    if (startedMs === null || (startedMs >= nowMs - newMs && startedMs <= nowMs)) continue
    state.callStartedMs = startedMs + byMs
    if (runDue !== null) state.runDue = runDue + byMs * 1000
  }
  if (byMs < 0) foldFromNow(database, nowMs)
  for (const [name, seenMs] of intakes)
    if (byMs > 0 || seenMs > nowMs) intakes.set(name, Math.min(seenMs + byMs, nowMs))
}

/** As `moveLateCallTimes`. The caller has the lock of the intakes. */
export async function moveLateCallTimes(
  database: ModelDatabase,
  { byMs, sinceMs }: { byMs: number; sinceMs: number },
): Promise<void> {
  const isCalledOne = (key: number): boolean => {
    const monitor = database.monitors.get(key)
    return monitor !== undefined && isCalled(monitor)
  }
  const isInFuture = ({ round }: StateRow, key: number): boolean =>
    isCalledOne(key) && round > (database.nowMs() + toleratedMs) * 1000
  const isWrittenLate = ({ deadline, lastCheckedAt: at }: StateRow, key: number): boolean => {
    const graceMs = (database.monitors.get(key)?.graceSeconds ?? 0) * 1000
    const isOfNewTime = at === null || (at >= (sinceMs - newMsOf(byMs)) * 1000 && at <= database.nowMs() * 1000)
    return deadline !== null && deadline < (sinceMs + graceMs) * 1000 && !isOfNewTime
  }
  await moveTimes(database, {
    of: 'deadline',
    isMoved: byMs < 0 ? isInFuture : isWrittenLate,
    moved: (deadline, key) => movedBy(database, { key, deadline, byMs }),
  })
  if (byMs > 0) return
  const nowMs = database.nowMs()
  for (const state of database.states.values()) {
    const { callStartedMs: startedMs, runDue } = state
    if (startedMs === null || startedMs <= nowMs + toleratedMs) continue
    state.callStartedMs = startedMs + byMs
    if (runDue !== null) state.runDue = runDue + byMs * 1000
  }
  foldFromNow(database, nowMs)
}

function newMsOf(byMs: number): number {
  return Math.min(newTimeMs, Math.abs(byMs) / 2)
}

function movedBy(
  database: ModelDatabase,
  { key, deadline, byMs }: { key: number; deadline: number; byMs: number },
): number {
  const { monitors, states } = database
  const nowMs = database.nowMs()
  const { schedule = null, intervalSeconds = 0, graceSeconds = 0 } = monitors.get(key) ?? {}
  const lastAt = states.get(key)?.lastCheckedAt ?? null
  if (schedule !== null && lastAt !== null)
    return deadlineAfterJump(
      { lastAt, by: byMs * 1000, now: nowMs * 1000 },
      { schedule, intervalSeconds, graceSeconds },
    )
  return Math.max(deadline + byMs * 1000, (nowMs + graceSeconds * 1000) * 1000)
}

function foldFromNow({ monitors, states, results }: ModelDatabase, nowMs: number): void {
  const now = nowMs * 1000
  for (const monitor of monitors.values()) {
    if (!isCalled(monitor)) continue
    const state = states.get(monitor.key)
    if (state !== undefined) state.round = Math.min(state.round, now)
    for (const result of results.get(monitor.key)?.values() ?? [])
      if (result.round > now) result.version = versionOfNone
  }
}
