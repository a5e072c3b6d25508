import { followPath, isSameJson, shownJson } from '#core/language/json-path.ts'
import { noPhases, type ResultStatus, type Verdict } from '#core/results/result.ts'

/** What a call to a heartbeat address reports. */
export type Call =
  | ({ type: 'succeeded' } & Ended)
  | ({ type: 'failed' } & Ended)
  | { type: 'started' }
  /** Nothing that counts: Healthchecks keeps such a call beside the others. */
  | { type: 'logged' }
  /** The body of a webhook call states a status. */
  | { type: 'told'; status: ResultStatus; note: string | null }

/** `tookMs` is how long the run took by its own word. */
type Ended = { exitCode: number | null; note: string | null; tookMs?: number | null }

export const maxNoteLength = 500

/**
 * Reads the end of the address: nothing after the token, `/fail`, `/start` or an exit code of 0 to 255. Null for
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

/** A start longer ago belongs to a run that never reported its end. */
const longestRunMs = 7 * 86_400_000

/**
 * The verdict of a call; null for a start and a log, which are no checks. `sinceStartMs` is the time since the last start, null
 * when there was none or its run has ended.
 */
export function verdictOfCall(call: Call, sinceStartMs: number | null): Verdict | null {
  const isRun = sinceStartMs !== null && sinceStartMs >= 0 && sinceStartMs <= longestRunMs
  const toldMs = call.type === 'succeeded' || call.type === 'failed' ? (call.tookMs ?? null) : null
  const tookMs = toldMs ?? (isRun ? sinceStartMs : null)
  switch (call.type) {
    case 'started':
    case 'logged':
      return null
    case 'succeeded':
      return verdict('up', { source: 'ping', exit_code: call.exitCode }, { error: null, latencyMs: tookMs })
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
  }
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
export function missedVerdict(expectedWithinSeconds: number): Verdict {
  const error = `No call came within ${expectedWithinSeconds} seconds`
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

export type Rhythm = { intervalSeconds: number; graceSeconds: number }

/**
 * Microseconds since 1970. The grace is added after a call but not after a missed deadline, so that a dead job fails
 * one round an interval (docs/decisions/heartbeats.md, "The next deadline").
 */
export function deadlineAfterCall(callAt: number, { intervalSeconds, graceSeconds }: Rhythm): number {
  return callAt + (intervalSeconds + graceSeconds) * 1_000_000
}

export function deadlineAfterMiss(deadline: number, { intervalSeconds }: Rhythm): number {
  return deadline + intervalSeconds * 1_000_000
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
