import { followPath, isSameJson, shownJson } from '#core/language/json-path.ts'
import { noPhases, type ResultStatus, type Verdict } from '#core/results/result.ts'

/** What a call to a heartbeat address says. `failed` opens the incident at once (specification, Heartbeat calls). */
export type Call =
  | { type: 'succeeded'; exitCode: number | null; note: string | null }
  | { type: 'failed'; exitCode: number | null; note: string | null }
  | { type: 'started' }
  /** What the body of a webhook call says of itself. */
  | { type: 'told'; status: ResultStatus; note: string | null }

const maxNoteLength = 500

/** What follows the token in the address: nothing, `/fail`, `/start` or an exit code of 0 to 255 (decisions.md B16). */
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

/** Keeps the beginning of the body of a failure, which may be a job's last words. */
export function withNote(call: Call, body: string): Call {
  return call.type === 'failed' && body !== '' ? { ...call, note: body.slice(0, maxNoteLength) } : call
}

export type WebhookExpectation = { json_path?: string | undefined; expected_value?: unknown }

/**
 * A webhook call's body may carry a verdict: the expectation of the monitor, or by default a member `status` that is
 * up, down or degraded. No body, or one that says nothing, is a plain success (decisions.md B2a).
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

/** A start that lies longer ago was of a run that never told its end. */
const longestRunMs = 7 * 86_400_000

/**
 * How a call counts; null for a start, which is no check. `sinceStartMs` is the time since the last start, null if
 * there was none or its run has ended.
 */
export function verdictOfCall(call: Call, sinceStartMs: number | null): Verdict | null {
  const isRun = sinceStartMs !== null && sinceStartMs >= 0 && sinceStartMs <= longestRunMs
  const tookMs = isRun ? sinceStartMs : null
  switch (call.type) {
    case 'started':
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

/** A reported failure opens the incident at once, whatever the threshold (specification, Heartbeat calls). */
export function opensAtOnce({ details }: Verdict): boolean {
  return details['source'] === 'fail'
}

/** Whether this is the verdict of a deadline that passed, not of a call. */
export function isMissed({ details }: Verdict): boolean {
  return details['source'] === 'missed'
}

/** The verdict of a deadline that passed without a call. */
export function missedVerdict(expectedWithinSeconds: number): Verdict {
  const error = `No call came within ${expectedWithinSeconds} seconds`
  return verdict('down', { source: 'missed' }, { error, latencyMs: null })
}

export type Rhythm = { intervalSeconds: number; graceSeconds: number }

/** Deadline after a call, and after a deadline that was missed (decisions.md B10a). Microseconds since 1970. */
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
