import { followPath, isSameJson, shownJson } from '#core/language/json-path.ts'
import { type CallSchedule, dueAfter } from './call-schedule.ts'
import { noPhases, type ResultStatus, type Verdict } from '#core/results/result.ts'

/** What a call to a heartbeat address reports. */
export type Call =
  | ({ type: 'succeeded' } & Ended)
  | ({ type: 'failed' } & Ended)
  | { type: 'started' }
  /** Something that a run printed, which counts for nothing. */
  | { type: 'logged' }
  /** The body of a webhook call states a status. */
  | { type: 'told'; status: ResultStatus; note: string | null }
  /** A push_metric call tells a number, which has been judged. */
  | { type: 'measured'; status: ResultStatus; error: string | null; value: number; unit: string | null }

/** `tookMs` is how long the run took by its own word. */
type Ended = { exitCode: number | null; note: string | null; tookMs?: number | null }

export const maxNoteLength = 500

/**
 * Reads the end of the address: nothing after the token, `/fail`, `/start`, `/log` or an exit code of 0 to 255. Null for
 * anything else (docs/kinds/heartbeat.md).
 */
export function callOf(suffix: string | null): Call | null {
  switch (suffix) {
    case null:
      return { type: 'succeeded', exitCode: null, note: null }
    case 'fail':
      return { type: 'failed', exitCode: null, note: null }
    case 'start':
      return { type: 'started' }
    case 'log':
      return { type: 'logged' }
    default:
      return exitCall(suffix)
  }
}

function exitCall(suffix: string): Call | null {
  if (!/^\d{1,3}$/.test(suffix) || Number(suffix) > 255) return null
  const exitCode = Number(suffix)
  return { type: exitCode === 0 ? 'succeeded' : 'failed', exitCode, note: null }
}

/** Keeps the beginning of the body of a failure, in which a job may say what went wrong, unless the address said it. */
export function withNote(call: Call, body: string): Call {
  return call.type === 'failed' && call.note === null && body !== ''
    ? { ...call, note: body.slice(0, maxNoteLength) }
    : call
}

export type WebhookExpectation = { json_path?: string | undefined; expected_value?: unknown }

/**
 * The body of a webhook call may state a status: by the monitor's own expectation, or by default in a member `status`
 * with the value up, down or degraded. A body that cannot be read, or says nothing, is a plain success, so that a tool
 * that posts something else still counts as having called (docs/kinds/webhook.md).
 */
export function webhookCall(
  body: string,
  { json_path: path = 'status', expected_value: expected }: WebhookExpectation,
): Call {
  const plain: Call = { type: 'succeeded', exitCode: null, note: null }
  const parsed = jsonOf(body)
  if (parsed === undefined) return plain
  const found = followPath(parsed, path)
  if (!found.isFound) return plain
  if (expected !== undefined)
    return isSameJson(found.value, expected)
      ? plain
      : { type: 'told', status: 'down', note: `${path} is ${shownJson(found.value)}` }
  const { value } = found
  if (value !== 'up' && value !== 'down' && value !== 'degraded') return plain
  return value === 'up' ? plain : { type: 'told', status: value, note: `The call said ${value}` }
}

/** How long a run may take at most and at least, in seconds. */
export type RunLimits = { maxSeconds: number | null; minSeconds: number | null }

const noLimits: RunLimits = { maxSeconds: null, minSeconds: null }

export function runLimitsOf(options: Readonly<Record<string, unknown>>): RunLimits {
  const { max_run_seconds: max, min_run_seconds: min } = options
  return { maxSeconds: typeof max === 'number' ? max : null, minSeconds: typeof min === 'number' ? min : null }
}

/** The longest that a run may be said to take. */
export const maxRunSeconds = 7 * 86_400

/** A start longer ago belongs to a run that never reported its end. */
const longestRunMs = maxRunSeconds * 1000

/**
 * The verdict of a call; null for a start and a log, which are no checks. `sinceStartMs` is the time since the last start, null
 * when there was none or its run has ended.
 */
export function verdictOfCall(call: Call, sinceStartMs: number | null, limits: RunLimits = noLimits): Verdict | null {
  const isRun = sinceStartMs !== null && sinceStartMs >= 0 && sinceStartMs <= longestRunMs
  const toldMs = call.type === 'succeeded' || call.type === 'failed' ? (call.tookMs ?? null) : null
  const tookMs = toldMs ?? (isRun ? sinceStartMs : null)
  switch (call.type) {
    case 'started':
    case 'logged':
      return null
    case 'succeeded': {
      const error = tookMs === null ? null : durationProblem(tookMs, limits)
      const told = { source: 'ping', exit_code: call.exitCode }
      return verdict(error === null ? 'up' : 'degraded', told, { error, latencyMs: tookMs })
    }
    case 'failed': {
      const code = call.exitCode === null ? '' : ` with exit code ${call.exitCode}`
      const error = `The run reported a failure${code}`
      return verdict(
        'down',
        { source: 'fail', exit_code: call.exitCode, note: call.note },
        { error, latencyMs: tookMs },
      )
    }
    case 'told':
      return verdict(call.status, { source: 'ping', note: call.note }, { error: call.note, latencyMs: tookMs })
    case 'measured': {
      const { value, unit, error } = call
      return verdict(call.status, { source: 'ping', value, unit }, { error, latencyMs: null })
    }
  }
}

/** A run that succeeded late, or so soon that it may have done nothing, did not fail. */
function durationProblem(tookMs: number, { maxSeconds, minSeconds }: RunLimits): string | null {
  if (maxSeconds !== null && tookMs > maxSeconds * 1000)
    return `The run took ${tookMs} ms, more than ${maxSeconds} seconds`
  if (minSeconds !== null && tookMs < minSeconds * 1000)
    return `The run took ${tookMs} ms, less than ${minSeconds} seconds`
  return null
}

/** The verdict of a run that began and did not end in time. */
export function overrunVerdict(maxSeconds: number): Verdict {
  const error = `The run did not end within ${maxSeconds} seconds`
  return verdict('down', { source: 'overrun' }, { error, latencyMs: null })
}

/** Whether the verdict comes from a run that did not end, which is no call and puts no deadline off. */
export function isOverrun({ details }: Verdict): boolean {
  return details['source'] === 'overrun'
}

/**
 * A reported failure opens the incident at once, whatever the threshold: the job itself says that it failed, so there
 * is nothing to confirm (docs/decisions/heartbeats.md).
 */
export function opensAtOnce({ details }: Verdict): boolean {
  return details['source'] === 'fail'
}

/** Whether the verdict comes from a deadline that passed and not from a call. */
export function isMissed({ details }: Verdict): boolean {
  return details['source'] === 'missed'
}

/** The verdict of a deadline that passed without a call. */
export function missedVerdict({ intervalSeconds, graceSeconds, schedule }: Rhythm): Verdict {
  const error =
    schedule === null
      ? `No call came within ${intervalSeconds + graceSeconds} seconds`
      : `No call came within ${graceSeconds} seconds of its scheduled time`
  return verdict('down', { source: 'missed' }, { error, latencyMs: null })
}

/**
 * A call is stored or turned away within this time of its receipt. Many callers wait some seconds for an answer and then
 * give up; the refusal has to reach them before that.
 */
export const callPatienceMs = 1_500

/**
 * After this long it is known what became of a call: the patience, and half a second for a body that came with the call
 * and for clocks that differ. Before that, no deadline after the call can count as missed.
 */
export const callSettledMs = callPatienceMs + 500

/** When calls are expected: an interval after one another, or by a schedule, which then counts alone. */
export type Rhythm = { intervalSeconds: number; graceSeconds: number; schedule: CallSchedule | null }

/**
 * When the next call is missed after this one, in microseconds since 1970, as all times here. With an interval the grace
 * is added after a call but not after a missed deadline, so that a dead job fails one round an interval
 * (docs/decisions/heartbeats.md, "The next deadline").
 */
export function deadlineAfterCall(callAt: number, rhythm: Rhythm): number {
  return nextExpected(callAt, rhythm) + rhythm.graceSeconds * 1_000_000
}

export function deadlineAfterMiss(deadline: number, rhythm: Rhythm): number {
  const graceUs = rhythm.schedule === null ? 0 : rhythm.graceSeconds * 1_000_000
  return nextExpected(deadline - graceUs, rhythm) + graceUs
}

/**
 * After the clock jumped by so much. A schedule is one of the clock on the wall and does not move with it; but what was
 * heard last has another time now. Calls may have been lost meanwhile, so that a grace is left.
 */
export function deadlineAfterJump(
  jump: { lastAt: number; by: number; now: number },
  rhythm: Rhythm,
  findDue: typeof dueAfter = dueAfter,
): number {
  const { lastAt, by, now } = jump
  const graceUs = rhythm.graceSeconds * 1_000_000
  return Math.max(nextExpected(lastAt + by, rhythm, findDue) + graceUs, now + graceUs)
}

function nextExpected(at: number, { intervalSeconds, schedule }: Rhythm, findDue = dueAfter): number {
  return (schedule === null ? null : findDue(schedule, at)) ?? at + intervalSeconds * 1_000_000
}

function verdict(
  status: ResultStatus,
  told: Record<string, unknown>,
  { error, latencyMs }: { error: string | null; latencyMs: number | null },
): Verdict {
  const details = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))
  return { status, statusCode: null, latencyMs, error, phases: noPhases, details }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
