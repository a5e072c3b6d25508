// What PostgreSQL keeps of calls: when each is due, when a run began, and which processes take them.
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import type { CallStore } from '#store/call-store.ts'
import { callIntakeGapMs, type CallIntakeWord, callIntakeWordMs } from '#store/monitors/calls.ts'
import { versionOfNone } from '#store/results/results-to-come.ts'
import type { Deadlines } from '#store/monitors/watch-rows.ts'
import { isCalled, type ModelDatabase, type StateRow } from './model-database.ts'
import { notModelled } from './not-modelled.ts'

const hourMs = 3_600_000
const newTimeMs = 10_000

/** What `createCallStore` does on PostgreSQL. The secret part of the address of a monitor is its id. */
export function modelCallStore(database: ModelDatabase): CallStore {
  const { states, intakes } = database
  return {
    findCallTarget: async (token) => {
      const monitor = database.monitorById(token)
      if (monitor === undefined) return undefined
      const { id, key, version, kind, locations, isEnabled } = monitor
      const startedMs = states.get(key)?.callStartedMs ?? null
      return {
        monitorId: id,
        monitorKey: String(key),
        version,
        kind,
        check_options: {},
        location: locations[0] ?? '',
        isPaused: !isEnabled,
        startedAt: startedMs === null ? null : new Date(startedMs),
      }
    },
    findImportedTarget: async () => notModelled('an address that was imported'),
    noteRunStarted: ({ monitorKey, at }) =>
      alone(database, [Number(monitorKey)], ([state]) => {
        if (state !== undefined) state.callStartedMs = at.getTime()
      }),
    noteRunEnded: ({ monitorKey, startedAt }) =>
      alone(database, [Number(monitorKey)], ([state]) => {
        if (state?.callStartedMs === startedAt.getTime()) state.callStartedMs = null
      }),
    noteCallIntake: (word) => noteCallIntake(database, word),
    withdrawCallIntake: async (name) => {
      const seenMs = intakes.get(name)
      if (seenMs !== undefined) intakes.set(name, Math.min(seenMs, database.nowMs() - callIntakeWordMs))
    },
  }
}

/** Changes states once no transaction has them. */
async function alone(
  { states, stateLocks }: ModelDatabase,
  keys: readonly number[],
  change: (rows: (StateRow | undefined)[]) => void,
): Promise<void> {
  const statement = {}
  await stateLocks.take(keys, statement)
  change(keys.map((key) => states.get(key)))
  stateLocks.release(statement)
}

export function readDeadlines(database: ModelDatabase, keys: readonly number[]): Deadlines {
  const { states, intakes, nowMs } = database
  const known = keys.flatMap((key) => {
    const state = states.get(key)
    return state === undefined ? [] : [[key, state.deadline] as const]
  })
  const fresh = [...intakes.values()].filter((seenMs) => seenMs > nowMs() - callIntakeGapMs)
  const least = Math.min(...fresh.map((seenMs) => Math.min(seenMs, nowMs())))
  const settledMs = fresh.length === 0 ? -Infinity : least - callSettledMs
  return {
    deadlines: new Map(known),
    callsSettledUntil: known.length === 0 ? -Infinity : intakes.size === 0 ? Infinity : settledMs * 1000,
  }
}

/** A transaction that says and moves all at its commit, by the time at which it began. */
async function noteCallIntake(
  database: ModelDatabase,
  { name, isFirst, sinceLastSeconds }: CallIntakeWord,
): Promise<number | null> {
  const { intakes, intakeLock } = database
  const nowMs = database.nowMs()
  const transaction = {}
  await intakeLock.take([intakesLock], transaction)
  try {
    const { lastMs, settledMs, gapSeconds } = seenBefore(database, { name, nowMs, ownSeconds: sinceLastSeconds() })
    const hasGap = gapSeconds !== null && (isFirst() || gapSeconds * 1000 > callIntakeGapMs)
    if (hasGap) await putOff(database, { lastMs, settledMs, gapSeconds, nowMs })
    for (const [other, seenMs] of intakes) if (seenMs < nowMs - hourMs) intakes.delete(other)
    intakes.set(name, nowMs)
    return hasGap ? gapSeconds : null
  } finally {
    intakeLock.release(transaction)
  }
}

/** What the lock of all who move deadlines is named. */
export const intakesLock = 'intakes'

type Seen = { lastMs: number; settledMs: number; gapSeconds: number | null }

function seenBefore(
  { intakes }: ModelDatabase,
  { name, nowMs, ownSeconds }: { name: string; nowMs: number; ownSeconds: number | null },
): Seen {
  const newestMs = Math.max(...intakes.values())
  const asked = [...intakes].filter(([other, seenMs]) => other === name || seenMs >= newestMs - callIntakeGapMs)
  const times = asked.map(([, seenMs]) => seenMs)
  const lastMs = Math.max(...times)
  const sinceSeconds = Math.max(0, (nowMs - lastMs) / 1000)
  return {
    lastMs,
    settledMs: Math.min(...times) - callSettledMs,
    gapSeconds: times.length === 0 ? null : Math.min(sinceSeconds, ownSeconds ?? Infinity),
  }
}

/** As an UPDATE does it, a state that a transaction has is looked at again once that has ended. */
async function putOff(
  database: ModelDatabase,
  { lastMs, settledMs, gapSeconds, nowMs }: Seen & { gapSeconds: number; nowMs: number },
): Promise<void> {
  const lengthOf = (key: number): number => (gapSeconds + (database.monitors.get(key)?.graceSeconds ?? 0)) * 1_000_000
  const isNear = ({ deadline }: StateRow, key: number): boolean =>
    deadline !== null && deadline > settledMs * 1000 && deadline < nowMs * 1000 + lengthOf(key)
  await moveDeadlines(
    database,
    isNear,
    (deadline, key) => Math.min(Math.max(deadline, lastMs * 1000), nowMs * 1000) + lengthOf(key),
  )
}

/** In whole microseconds, as the column has them. */
async function moveDeadlines(
  { states, stateLocks }: ModelDatabase,
  isMoved: (state: StateRow, key: number) => boolean,
  moved: (deadline: number, key: number) => number,
): Promise<void> {
  const statement = {}
  const keys = [...states].filter(([key, state]) => isMoved(state, key)).map(([key]) => key)
  await stateLocks.take(keys, statement)
  for (const key of keys) {
    const state = states.get(key)
    if (state === undefined || state.deadline === null || !isMoved(state, key)) continue
    state.deadline = Math.round(moved(state.deadline, key))
  }
  stateLocks.release(statement)
}

/** As `moveCallTimes`, when the clock jumped by so many milliseconds. The caller has the lock of the intakes. */
export async function moveCallTimes(
  database: ModelDatabase,
  { byMs, nowMs }: { byMs: number; nowMs: number },
): Promise<void> {
  const { intakes, monitors } = database
  const newMs = Math.min(newTimeMs, Math.abs(byMs) / 2)
  const isOfNewTime = ({ lastCheckedAt: at }: StateRow): boolean =>
    at !== null && at >= (nowMs - newMs) * 1000 && at <= nowMs * 1000
  await moveDeadlines(
    database,
    (state) => state.deadline !== null && !isOfNewTime(state),
    (deadline, key) => Math.max(deadline + byMs * 1000, (nowMs + (monitors.get(key)?.graceSeconds ?? 0) * 1000) * 1000),
  )
  if (byMs < 0) foldFromNow(database, nowMs)
  for (const [name, seenMs] of intakes)
    if (byMs > 0 || seenMs > nowMs) intakes.set(name, Math.min(seenMs + byMs, nowMs))
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
