// What PostgreSQL keeps of calls: when each is due, when a run began, and which processes take them.
import { callSettledMs, isMissed, isOverrun } from '#core/monitors/heartbeat.ts'
import type { CallStore } from '#store/call-store.ts'
import type { Overrun } from '#store/monitors/runs.ts'
import { callIntakeGapMs, type CallIntakeWord, callIntakeWordMs } from '#store/monitors/calls.ts'
import type { Deadlines } from '#store/monitors/watch-rows.ts'
import { type ModelDatabase, type MonitorRow, type StateRow } from './model-database.ts'
import { notModelled } from './not-modelled.ts'

const hourMs = 3_600_000

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
        check_options: optionsOf(monitor),
        keep_evidence: false,
        location: locations[0] ?? '',
        isPaused: !isEnabled,
        startedAt: startedMs === null ? null : new Date(startedMs),
        workspaceId: monitor.workspaceId,
        hasLog: false,
      }
    },
    findImportedTarget: async () => notModelled('an address that was imported'),
    noteRunStarted: ({ monitorKey, at, dueAt }) =>
      alone(database, [Number(monitorKey)], ([state]) => {
        if (state === undefined) return
        state.callStartedMs = at.getTime()
        state.runDue = dueAt === null ? null : dueAt.getTime() * 1000
      }),
    noteRunEnded: ({ monitorKey, startedAt }) =>
      alone(database, [Number(monitorKey)], ([state]) => {
        if (state === undefined || state.callStartedMs !== (startedAt?.getTime() ?? null)) return
        state.callStartedMs = null
        state.runDue = null
      }),
    // No monitor keeps evidence.
    readKnownSecrets: async () => [],
    readRunLog: async () => null,
    addToRunLog: async () => {},
    readOverruns: async () => readOverruns(database),
    forgetOverrun: ({ monitorKey, round }) =>
      alone(database, [Number(monitorKey)], ([state]) => {
        if (state !== undefined && state.runDue !== null && state.runDue <= Math.ceil(round / 1000) * 1000)
          state.runDue = null
      }),
    noteCallIntake: (word) => noteCallIntake(database, word),
    withdrawCallIntake: async (name) => {
      const seenMs = intakes.get(name)
      if (seenMs !== undefined) intakes.set(name, Math.min(seenMs, database.nowMs() - callIntakeWordMs))
    },
  }
}

/** As the API keeps them. */
export function optionsOf({
  schedule,
  maxRunSeconds,
}: Pick<MonitorRow, 'schedule' | 'maxRunSeconds'>): Record<string, unknown> {
  return {
    ...(schedule === null ? {} : { schedule: schedule.expression, time_zone: schedule.timeZone }),
    ...(maxRunSeconds === null ? {} : { max_run_seconds: maxRunSeconds }),
  }
}

/** The oldest first, of states as they are. */
function readOverruns(database: ModelDatabase): Overrun[] {
  const { monitors, states, nowMs } = database
  const until = Math.min(nowMs() * 1000, settledUntil(database))
  const due = [...states].flatMap(([key, state]) => {
    const monitor = monitors.get(key)
    const { callStartedMs: startedMs, runDue } = state
    if (monitor?.isEnabled !== true || startedMs === null || runDue === null || runDue > until) return []
    return hasEnded(database, { key, from: startedMs * 1000, to: runDue }) ? [] : [{ monitor, round: runDue }]
  })
  return due
    .toSorted((one, other) => one.round - other.round)
    .map(({ monitor: { id, key, version, locations, maxRunSeconds }, round }) => ({
      monitorId: id,
      monitorKey: String(key),
      version,
      location: locations[0] ?? '',
      round,
      hasLog: false,
      maxRunSeconds: maxRunSeconds ?? 0,
    }))
}

/** Whether a call of a run's time is stored, also one whose process could not note that it ended the run. */
function hasEnded({ results }: ModelDatabase, { key, from, to }: { key: number; from: number; to: number }): boolean {
  const stored = results.get(key)?.values() ?? []
  return [...stored].some(
    ({ round, verdict }) => round > from && round <= to && !isMissed(verdict) && !isOverrun(verdict),
  )
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
  const { states } = database
  const known = keys.flatMap((key) => {
    const state = states.get(key)
    return state === undefined ? [] : [[key, state.deadline] as const]
  })
  return {
    deadlines: new Map(known),
    callsSettledUntil: known.length === 0 ? -Infinity : settledUntil(database),
  }
}

/** What became of calls of an earlier time is known; in microseconds since 1970. */
function settledUntil({ intakes, nowMs }: ModelDatabase): number {
  if (intakes.size === 0) return Infinity
  const fresh = [...intakes.values()].filter((seenMs) => seenMs > nowMs() - callIntakeGapMs)
  const least = Math.min(...fresh.map((seenMs) => Math.min(seenMs, nowMs())))
  return fresh.length === 0 ? -Infinity : (least - callSettledMs) * 1000
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
  const put = (time: number, length: number): number => Math.min(Math.max(time, lastMs * 1000), nowMs * 1000) + length
  const isNear = (time: number | null, length: number): boolean =>
    time !== null && time > settledMs * 1000 && time < nowMs * 1000 + length
  await moveTimes(database, {
    of: 'deadline',
    isMoved: ({ deadline }, key) => isNear(deadline, lengthOf(key)),
    moved: (deadline, key) => put(deadline, lengthOf(key)),
  })
  const gap = gapSeconds * 1_000_000
  await moveTimes(database, {
    of: 'runDue',
    isMoved: ({ runDue }) => isNear(runDue, gap),
    moved: (runDue) => put(runDue, gap),
  })
}

export type Move = {
  of: 'deadline' | 'runDue'
  isMoved: (state: StateRow, key: number) => boolean
  moved: (time: number, key: number) => number
}

/** In whole microseconds, as the column has them. */
export async function moveTimes({ states, stateLocks }: ModelDatabase, { of, isMoved, moved }: Move): Promise<void> {
  const statement = {}
  const keys = [...states].filter(([key, state]) => isMoved(state, key)).map(([key]) => key)
  await stateLocks.take(keys, statement)
  for (const key of keys) {
    const state = states.get(key)
    const time = state?.[of] ?? null
    if (state !== undefined && time !== null && isMoved(state, key)) state[of] = Math.round(moved(time, key))
  }
  stateLocks.release(statement)
}
