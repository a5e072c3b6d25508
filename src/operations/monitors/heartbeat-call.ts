import { type AppError, fail, invalidFields } from '#core/language/error.ts'
import {
  type Call,
  callPatienceMs,
  type RunLimits,
  runLimitsOf,
  verdictOfCall,
  webhookCall,
  withNote,
} from '#core/monitors/heartbeat.ts'
import { judgeMetric, maxMetric, metricOptionsOf, readMetric } from '#core/monitors/metric.ts'
import { evidenceOfCall } from '#core/incidents/evidence.ts'
import type { CallReading } from '#core/monitors/imported-calls.ts'
import { withCleanTexts } from '#core/results/result.ts'
import { type CallStore, createCallStore } from '#store/call-store.ts'
import type { CallTarget } from '#store/monitors/call-targets.ts'
import { findRunLog, keepRunLog, type LogParts, type SentLog } from './run-log.ts'
import { createPatience, ownClock, type Patience, type PatienceClock } from './patience.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'

/** What the address may mean, the likeliest first. The body is read only where one of them leads to a monitor. */
export type ReceivedCall = {
  readings: readonly CallReading[]
  readBody: () => Promise<string>
  /** The number that the query tells, which counts for a push_metric monitor alone. */
  value?: string | undefined
  /** Looks the monitor up at a place: else a flood of calls would have every other request wait for the database. */
  atPlace: <T>(work: () => Promise<T>) => Promise<T>
  /** The time so many milliseconds ago. No two have the same round, which is in microseconds since 1970. */
  timeOf: (agoMs: number) => CallTime
}

export type CallTime = { at: Date; round: number }

/** A body that takes no longer came with its call. */
const quickBodyMs = 100

export type CallServices = Pick<Services, 'database' | 'secrets' | 'publishResults' | 'noteLostCall'>

/** What calls of one process ask for. */
export function callPartsOf(services: CallServices): CallParts {
  return {
    store: createCallStore(services.database, services.secrets),
    publishResults: (location, results) => services.publishResults(location, results),
    noteLostCall: () => services.noteLostCall(),
    clock: ownClock,
  }
}

/** What a call asks for, beside the limits. */
export type CallParts = Omit<CallServices, 'database' | 'secrets'> & {
  store: Pick<CallStore, 'findCallTarget' | 'findImportedTarget' | 'noteRunStarted' | 'noteRunEnded'> &
    LogParts['store']
  clock: PatienceClock
}

export type CallLimits = Pick<Limits, 'countCall'>

/**
 * Takes a call of a job. Resolves when it is durable; throws 404 for an unknown address, 400 where a number is missing,
 * and 503 when it could not be kept, so that the caller tries again, after `callPatienceMs` at the latest beside the
 * time that the caller's own body takes. A call whose body was long in coming is of the moment when that was here: what became of a call is known
 * `callSettledMs` after its time, which the engine relies on. Calls to a paused monitor are answered and dropped
 * (docs/decisions/heartbeats.md).
 */
export async function takeCall(parts: CallParts, limits: CallLimits, received: ReceivedCall): Promise<void> {
  const { store, clock } = parts
  const { readings, timeOf, atPlace } = received
  const { wait: inTime, usedMs } = ourPart(parts)
  const arrival = timeOf(0)
  const { target, reading } = (await inTime(atPlace(() => findMeant(store, readings)))) ?? {}
  const said = reading?.call ?? null
  if (target === undefined || said === null || !isKnown(target, said))
    throw fail('not_found', 'There is nothing at this address.')
  const rate = await inTime(limits.countCall(target.monitorId))
  if (rate.isExceeded)
    throw fail('rate_limited', `More than ${rate.limit} calls within a minute.`, {
      retryAfterSeconds: rate.resetSeconds,
    })
  if (target.isPaused) return
  const { monitorId, monitorKey, version, location, startedAt } = target
  const askedMs = clock.steadyMs()
  const body = await received.readBody()
  const { at, round } = clock.steadyMs() - askedMs < quickBodyMs ? arrival : timeOf(usedMs())
  const sent = { target, reading, body }
  if (said.type === 'logged') return target.keep_evidence ? inTime(keepRunLog(parts, sent)) : undefined
  const call = callWithBody(said, { ...sent, value: received.value })
  const runLimits = runLimitsOf(target.check_options)
  const verdict = verdictOfCall(call, startedAt === null ? null : at.getTime() - startedAt.getTime(), runLimits)
  if (verdict === null) return inTime(store.noteRunStarted({ monitorKey, at, dueAt: runEnd(at, runLimits) }))
  const log = said.type === 'failed' && target.keep_evidence ? await inTime(findRunLog(parts, sent)) : null
  const evidence = log === null ? {} : { evidence: evidenceOfCall(verdict, log) }
  const result = { monitorId, version, round, location, verdict: withCleanTexts(verdict), ...evidence }
  await inTime(parts.publishResults(location, [result])).catch((cause: unknown) => {
    throw notKept(cause)
  })
  if (startedAt !== null || target.hasLog) await inTime(store.noteRunEnded({ monitorKey, startedAt }))
}

function runEnd(at: Date, { maxSeconds }: RunLimits): Date | null {
  return maxSeconds === null ? null : new Date(at.getTime() + maxSeconds * 1000)
}

type Meant = { target: CallTarget; reading: CallReading }

async function findMeant(store: CallParts['store'], readings: readonly CallReading[]): Promise<Meant | undefined> {
  for (const reading of readings) {
    const { address } = reading
    const target = await (address.type === 'own'
      ? store.findCallTarget(address.token)
      : store.findImportedTarget(address.path))
    if (target !== undefined) return { target, reading }
  }
  return undefined
}

/** What we have to do for a call, in time. What its caller does wrong or late is no part of that. */
function ourPart({ noteLostCall, clock }: CallParts): Patience {
  const { wait, usedMs } = createPatience({ limitMs: callPatienceMs, onLate: notKept, clock })
  const inTime: Patience['wait'] = async (work) => {
    try {
      return await wait(work)
    } catch (error) {
      noteLostCall()
      throw error
    }
  }
  return { wait: inTime, usedMs }
}

function notKept(cause?: unknown): AppError {
  return fail('unavailable', 'The call could not be stored. Call again.', { retryAfterSeconds: 5, cause })
}

/** A push_metric monitor has no runs: it is told a number, or that there is none. */
function isKnown({ kind }: CallTarget, call: Call): boolean {
  if (kind !== 'push_metric') return true
  return (call.type === 'succeeded' || call.type === 'failed') && call.exitCode === null
}

function callWithBody(said: Call, { target, reading, body, value }: SentLog & Pick<ReceivedCall, 'value'>): Call {
  if (target.kind === 'webhook' && reading?.isBare === true) return toldBy(target, body)
  if (target.kind === 'push_metric' && said.type === 'succeeded') return measuredBy(target, value, body)
  return withNote(said, body)
}

function measuredBy(target: CallTarget, query: string | undefined, body: string): Call {
  const value = readMetric(query, body)
  if (value === null)
    throw invalidFields(
      { value: [`Must be a number of at most ${maxMetric} in size: ?value=12.5, or the body of a POST.`] },
      { status: 400 },
    )
  const options = metricOptionsOf(target.check_options)
  return { type: 'measured', ...judgeMetric(value, options), value, unit: options.unit ?? null }
}

function toldBy({ check_options: options }: CallTarget, body: string): Call {
  const { json_path: path, expected_value: expected } = options
  return webhookCall(body, {
    ...(typeof path === 'string' ? { json_path: path } : {}),
    ...(expected === undefined ? {} : { expected_value: expected }),
  })
}
