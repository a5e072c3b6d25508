// What has to hold of monitors that wait to be called.
import assert from 'node:assert/strict'
import { callSettledMs, isMissed, isOverrun } from '#core/monitors/heartbeat.ts'
import type { Result, ResultStatus } from '#core/results/result.ts'
import { callIntakeWordMs } from '#store/monitors/calls.ts'
import type { HeardCall } from './expected-standing.ts'
import { isCalled, type ModelDatabase, type MonitorRow, type ResultRow } from './model-database.ts'
import type { Clock, VirtualTime } from './virtual-time.ts'

/** What a caller means by its call: null where a run has only begun. */
export type Word = { says: ResultStatus | null; isReportedFailure: boolean }

/** A call that was passed on, and when it was received, in virtual time. */
type Made = Word & { result: Result; receivedMs: number; isPromised: boolean }

/** A deadline that counts as missed, or a run that counts as one that did not end, by virtual time. */
type Silence = { monitor: MonitorRow; atMs: number; isOverrun: boolean }

/** A run that hangs: its word came, and was taken, between which it begins by the time of the process. */
type Hung = { beganMs: number; takenMs: number }

export type CallWatch = {
  /** A process passes on what a call says. Returns what is done once its caller was promised that it counts. */
  made: (result: Result, of: Word & { receivedMs: number }) => () => void
  /** A run says that it begins. */
  begun: (monitorId: string, receivedMs: number) => void
  /** The run that began last will not end. */
  hung: (monitorId: string) => void
  /** Of a story without faults: each run that hung was told, where its monitor has a limit. */
  assertHungTold: (monitor: MonitorRow) => void
  /** What the result of this round stands for, by the word of the caller. */
  heard: (monitorId: string, round: number) => HeardCall
  /** After each commit that stored results of this monitor or wrote its state. */
  committed: (key: number) => void
  /** Whether these are still there, and no deadline was missed that a promised call had met. */
  assertEnd: (isThere: (result: Result) => boolean) => void
}

export type CallWatchOptions = {
  database: ModelDatabase
  clock: Pick<Clock, 'hasJumpedSince' | 'momentsOf' | 'jumps'>
  virtual: Pick<VirtualTime, 'nowMs'>
  watch: (rule: () => void) => void
}

/** Times of processes are whole milliseconds. */
const roundingMs = 5
/** Calls that came just now wait to be stored. */
const onTheirWayMs = 30_000
/** A run whose time is over is told within this time. */
const toldMs = 15_000
/** A jump of the clock is noted by an engine within this time, if one runs. */
const knownMs = 60_000

export function createCallWatch({ database, clock, virtual, watch }: CallWatchOptions): CallWatch {
  const made = new Map<string, Map<number, Made>>()
  /** How many results of each monitor were looked at. */
  const seen = new Map<number, number>()
  const silences: Silence[] = []
  /** When runs began, and which of them hung, by monitor. */
  const beginnings = new Map<string, number[]>()
  const hung = new Map<string, Hung[]>()

  const madeOf = (monitorId: string): Map<number, Made> => {
    const calls = made.get(monitorId) ?? new Map()
    made.set(monitorId, calls)
    return calls
  }

  function assertSilent({ monitor, atMs, isOverrun: isOfRun }: Silence): void {
    const sinceMs = atMs - (isOfRun ? runMs(monitor) : metMs(monitor))
    const call = [...madeOf(monitor.id).values()].find(
      ({ isPromised, receivedMs }) => isPromised && receivedMs > sinceMs + roundingMs && receivedMs < atMs - roundingMs,
    )
    assert.ok(
      call === undefined,
      `${monitor.id} was called at ${call?.receivedMs} and counts as ${isOfRun ? 'hanging' : 'missed'} at ${atMs}, in virtual time`,
    )
  }

  /** Around a jump, times are those of no certain moment, and what engines know of calls is of two times. */
  function momentOf(monitor: MonitorRow, round: number): number | null {
    const isJumpKnown = database.jumps.length === clock.jumps
    // What an engine found before the clock went back may be stored after that: its moment is one of the former time.
    const atMs = clock.momentsOf(round / 1000, virtual.nowMs + roundingMs).at(-1)
    if (!isJumpKnown) return null
    assert.ok(atMs !== undefined, `A deadline of ${monitor.id} counts as missed before it has passed.`)
    return clock.hasJumpedSince(atMs - Math.max(lengthMs(monitor), runMs(monitor)) - knownMs) ? null : atMs
  }

  function look(monitor: MonitorRow, { round, verdict }: ResultRow): void {
    const call = madeOf(monitor.id).get(round)
    if (call !== undefined)
      return assert.deepEqual(verdict, call.result.verdict, `What a call of ${monitor.id} said at ${round}`)
    const isOfRun = isOverrun(verdict)
    const isDown = verdict.status === 'down' && (isOfRun || isMissed(verdict))
    assert.ok(isDown, `A call of ${monitor.id} at ${round} was stored that no caller made.`)
    assert.ok(!isOfRun || monitor.maxRunSeconds !== null, `Runs of ${monitor.id} may take any time.`)
    const atMs = momentOf(monitor, round)
    if (atMs === null) return
    const saidMs = Math.max(...database.intakes.values())
    assert.ok(
      saidMs >= round / 1000 + callSettledMs - callIntakeWordMs - roundingMs,
      `A deadline of ${monitor.id} counts as missed while no process takes calls.`,
    )
    const silence = { monitor, atMs, isOverrun: isOfRun }
    silences.push(silence)
    assertSilent(silence)
  }

  return {
    made: (result, { receivedMs, says: said, isReportedFailure }) => {
      const says = said === 'up' && isLate(database, result) ? 'degraded' : said
      const call: Made = { result, receivedMs, says, isReportedFailure, isPromised: false }
      watch(() => assert.equal(result.verdict?.status ?? null, says, `What a call of ${result.monitorId} said`))
      madeOf(result.monitorId).set(result.round, call)
      return () => (call.isPromised = true)
    },
    begun: (monitorId, receivedMs) => beginnings.set(monitorId, [...(beginnings.get(monitorId) ?? []), receivedMs]),
    hung: (monitorId) => {
      const beganMs = beginnings.get(monitorId)?.at(-1)
      if (beganMs === undefined) return
      hung.set(monitorId, [...(hung.get(monitorId) ?? []), { beganMs, takenMs: virtual.nowMs }])
    },
    assertHungTold: (monitor) => {
      const { id, maxRunSeconds } = monitor
      if (maxRunSeconds === null) return
      for (const { beganMs, takenMs } of hung.get(id) ?? []) {
        const untilMs = takenMs + runMs(monitor)
        const isAnother = (atMs: number): boolean => atMs > beganMs && atMs <= untilMs + toldMs
        const calls = [...madeOf(id).values()].map(({ receivedMs }) => receivedMs)
        if (untilMs + toldMs > virtual.nowMs || [...calls, ...(beginnings.get(id) ?? [])].some(isAnother)) continue
        const isTold = silences.some(({ monitor: of, isOverrun: isOfRun, atMs }) => {
          const sinceMs = beganMs + runMs(monitor)
          return isOfRun && of.id === id && atMs >= sinceMs - roundingMs && atMs <= untilMs + roundingMs
        })
        assert.ok(isTold, `A run of ${id} began at ${beganMs}, in virtual time, and nothing tells that it hangs.`)
      }
    },
    heard: (monitorId, round) => {
      const { says = null, isReportedFailure = false } = madeOf(monitorId).get(round) ?? {}
      return says === null ? 'missed' : { status: says, isReportedFailure }
    },
    committed: (key) => {
      const monitor = database.monitors.get(key)
      if (monitor === undefined || !isCalled(monitor)) return
      const known = seen.get(key) ?? 0
      const results = database.results.get(key)
      if (results === undefined || results.size === known) return
      seen.set(key, results.size)
      for (const result of results.values().drop(known)) look(monitor, result)
    },
    assertEnd: (isThere) => {
      for (const calls of made.values())
        for (const { isPromised, result, receivedMs } of calls.values()) {
          if (!isPromised || receivedMs > virtual.nowMs - onTheirWayMs) continue
          assert.ok(isThere(result), `A call that was acknowledged is lost: ${JSON.stringify(result)}`)
        }
      for (const each of silences) assertSilent(each)
    },
  }
}

/** A call so long before a deadline, or later, puts that off. */
function metMs(monitor: MonitorRow): number {
  return monitor.schedule === null ? lengthMs(monitor) : monitor.graceSeconds * 1000
}

/** Zero where a run may take any time. */
function runMs({ maxRunSeconds }: MonitorRow): number {
  return (maxRunSeconds ?? 0) * 1000
}

/** Whether a run took longer than it may. */
function isLate(database: ModelDatabase, { monitorId, verdict }: Result): boolean {
  const most = database.monitorById(monitorId)?.maxRunSeconds ?? null
  return most !== null && (verdict?.latencyMs ?? 0) > most * 1000
}

/** For so long after a call the next one is awaited, and with a schedule at most. */
export function lengthMs({ intervalSeconds, graceSeconds }: MonitorRow): number {
  return (intervalSeconds + graceSeconds) * 1000
}
