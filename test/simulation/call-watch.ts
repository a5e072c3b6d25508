// What has to hold of monitors that wait to be called.
import assert from 'node:assert/strict'
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import type { Result, ResultStatus } from '#core/results/result.ts'
import { callIntakeWordMs } from '#store/monitors/calls.ts'
import type { HeardCall } from './expected-standing.ts'
import { isCalled, type ModelDatabase, type MonitorRow, type ResultRow } from './model-database.ts'
import type { Clock, VirtualTime } from './virtual-time.ts'

/** What a caller means by its call: null where a run has only begun. */
export type Word = { says: ResultStatus | null; isReportedFailure: boolean }

/** A call that was passed on, and when it was received, in virtual time. */
type Made = Word & { result: Result; receivedMs: number; isPromised: boolean }

/** A deadline that counts as missed, by virtual time. */
type Missed = { monitor: MonitorRow; atMs: number }

export type CallWatch = {
  /** A process passes on what a call says. Returns what is done once its caller was promised that it counts. */
  made: (result: Result, of: Word & { receivedMs: number }) => () => void
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
/** A jump of the clock is noted by an engine within this time, if one runs. */
const knownMs = 60_000

export function createCallWatch({ database, clock, virtual, watch }: CallWatchOptions): CallWatch {
  const made = new Map<string, Map<number, Made>>()
  /** How many results of each monitor were looked at. */
  const seen = new Map<number, number>()
  const missed: Missed[] = []

  const madeOf = (monitorId: string): Map<number, Made> => {
    const calls = made.get(monitorId) ?? new Map()
    made.set(monitorId, calls)
    return calls
  }

  function assertMissed({ monitor, atMs }: Missed): void {
    const sinceMs = atMs - lengthMs(monitor)
    const call = [...madeOf(monitor.id).values()].find(
      ({ isPromised, receivedMs }) => isPromised && receivedMs > sinceMs + roundingMs && receivedMs < atMs - roundingMs,
    )
    assert.ok(
      call === undefined,
      `${monitor.id} was called at ${call?.receivedMs} and counts as missed at ${atMs}, in virtual time`,
    )
  }

  /** Around a jump, times are those of no certain moment, and what engines know of calls is of two times. */
  function momentOf(monitor: MonitorRow, round: number): number | null {
    const isJumpKnown = database.jumps.length === clock.jumps
    const atMs = clock.momentsOf(round / 1000, Infinity).at(-1)
    if (!isJumpKnown || atMs === undefined) return null
    return clock.hasJumpedSince(atMs - lengthMs(monitor) - knownMs) ? null : atMs
  }

  function look(monitor: MonitorRow, { round, verdict }: ResultRow): void {
    const call = madeOf(monitor.id).get(round)
    if (call !== undefined)
      return assert.deepEqual(verdict, call.result.verdict, `What a call of ${monitor.id} said at ${round}`)
    const isMissed = verdict.status === 'down' && verdict.details['source'] === 'missed'
    assert.ok(isMissed, `A call of ${monitor.id} at ${round} was stored that no caller made.`)
    const atMs = momentOf(monitor, round)
    if (atMs === null) return
    const saidMs = Math.max(...database.intakes.values())
    assert.ok(
      saidMs >= round / 1000 + callSettledMs - callIntakeWordMs - roundingMs,
      `A deadline of ${monitor.id} counts as missed while no process takes calls.`,
    )
    missed.push({ monitor, atMs })
    assertMissed({ monitor, atMs })
  }

  return {
    made: (result, { receivedMs, says, isReportedFailure }) => {
      const call: Made = { result, receivedMs, says, isReportedFailure, isPromised: false }
      watch(() => assert.equal(result.verdict?.status ?? null, says, `What a call of ${result.monitorId} said`))
      madeOf(result.monitorId).set(result.round, call)
      return () => (call.isPromised = true)
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
      for (const each of missed) assertMissed(each)
    },
  }
}

/** For so long after a call the next one is awaited. */
export function lengthMs({ intervalSeconds, graceSeconds }: MonitorRow): number {
  return (intervalSeconds + graceSeconds) * 1000
}
