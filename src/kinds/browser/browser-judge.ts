import { noPhases, type Verdict } from '#core/results/result.ts'
import type { BrowserOutcome } from '#net/browser/browse.ts'
import type { PageSight } from '#net/browser/page-words.ts'
import type { Check } from '#kinds/kind.ts'
import type { BrowserOptions } from './browser-options.ts'

type Finding = { status: 'down' | 'degraded'; error: string; assertion?: string }

/** Down before degraded, and of each the first: what the page could not do, then what it should not have done. */
export function judgeVisit(outcome: BrowserOutcome, check: Check<BrowserOptions>): Verdict {
  if (outcome.type === 'ended') return judgeEnd(outcome, check)
  const { sight } = outcome
  const found = [
    failureOf(outcome, check),
    ...stepFindings(sight, check),
    scriptFinding(sight),
    ...assertionsOf(sight, check),
  ].filter((finding) => finding !== null)
  const worst = found.find(({ status }) => status === 'down') ?? found[0]
  const details = detailsOf(sight)
  return {
    status: worst?.status ?? 'up',
    statusCode: sight.status,
    latencyMs: sight.failure === null ? sight.times.loadMs : null,
    error: worst?.error ?? null,
    phases: noPhases,
    details: worst?.assertion === undefined ? details : { ...details, failed_assertion: worst.assertion },
  }
}

const endings = {
  time: 'The visit did not end in time',
  memory: 'The page took more memory than a visit may have (1 GB)',
  program: 'The browser ended by itself during the visit',
}

function judgeEnd({ why, unreachable }: Extract<BrowserOutcome, { type: 'ended' }>, _check: unknown): Verdict {
  const error = unreachable?.message ?? endings[why]
  return { status: 'down', statusCode: null, latencyMs: null, error, phases: noPhases, details: {} }
}

const firstRight = 200
const firstWrong = 400

function failureOf(
  { sight, unreachable }: Extract<BrowserOutcome, { type: 'seen' }>,
  { timeoutMs }: Pick<Check<BrowserOptions>, 'timeoutMs'>,
): Finding | null {
  const { status, failure, hasCrashed } = sight
  if (hasCrashed) return { status: 'down', error: 'The page crashed in the browser' }
  if (failure === 'timeout')
    return { status: 'down', error: unreachable?.message ?? `The page did not load within ${timeoutMs} ms` }
  if (failure !== null)
    return { status: 'down', error: unreachable?.message ?? `The browser could not load the page: ${failure}` }
  if (status !== null && (status < firstRight || status >= firstWrong))
    return { status: 'down', error: `The page answered with the status ${status}`, assertion: 'status' }
  return null
}

function stepFindings({ steps, stepFailure }: PageSight, { options }: Check<BrowserOptions>): Finding[] {
  if (stepFailure === null) return []
  const given = options.steps?.[steps.length - 1]
  const called = [given?.name, given?.action].filter((each) => each !== undefined).join(', ')
  return [{ status: 'down', error: `Step ${steps.length} (${called}): ${stepFailure}`, assertion: 'step' }]
}

function scriptFinding({ scriptFailure }: PageSight): Finding | null {
  return scriptFailure === null
    ? null
    : { status: 'down', error: `The script failed: ${scriptFailure}`, assertion: 'script' }
}

function assertionsOf({ consoleErrors, failedRequests, times, cls }: PageSight, { options }: Check<BrowserOptions>) {
  const { console_errors: ofConsole = 'ignore', failed_requests: ofRequests = 'ignore' } = options
  return [
    problems(consoleErrors, { means: ofConsole, one: 'error in the console', many: 'errors in the console' }),
    problems(failedRequests, { means: ofRequests, one: 'request that failed', many: 'requests that failed' }),
    slower('load', times.loadMs, options.max_load_ms),
    slower('largest paint', times.lcpMs, options.max_lcp_ms),
    shifted(cls, options.max_cls),
  ]
}

function problems(
  { count, first }: PageSight['consoleErrors'],
  { means, one, many }: { means: 'ignore' | 'degraded' | 'down'; one: string; many: string },
): Finding | null {
  if (means === 'ignore' || count === 0) return null
  const error = `The page had ${count} ${count === 1 ? one : many}: ${first[0] ?? ''}`
  return { status: means, error, assertion: one.startsWith('error') ? 'console_errors' : 'failed_requests' }
}

function slower(what: string, ms: number | null, most: number | undefined): Finding | null {
  if (most === undefined || ms === null || ms <= most) return null
  const assertion = what === 'load' ? 'max_load_ms' : 'max_lcp_ms'
  return { status: 'degraded', error: `The page's ${what} took ${ms} ms, more than ${most} ms`, assertion }
}

function shifted(cls: number | null, most: number | undefined): Finding | null {
  if (most === undefined || cls === null || cls <= most) return null
  return { status: 'degraded', error: `The page's layout shifted by ${cls}, more than ${most}`, assertion: 'max_cls' }
}

function detailsOf({
  url,
  times,
  cls,
  steps,
  scriptMs,
  consoleErrors,
  failedRequests,
  requests,
}: PageSight): Verdict['details'] {
  const told = {
    final_url: url,
    ttfb_ms: times.ttfbMs,
    content_ms: times.contentMs,
    load_ms: times.loadMs,
    fcp_ms: times.fcpMs,
    lcp_ms: times.lcpMs,
    cls,
    requests,
    failed_requests: failedRequests.count,
    first_failed_request: failedRequests.first[0] ?? null,
    console_errors: consoleErrors.count,
    first_console_error: consoleErrors.first[0] ?? null,
    steps: steps.length === 0 ? null : steps.length,
    script_ms: scriptMs,
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))
}
