import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { followPath, isSameJson, shownJson } from '#core/language/json-path.ts'
import { expectedStatusesText, isExpectedStatus } from '#core/monitors/expected-statuses.ts'
import type { Verdict } from '#core/results/result.ts'
import type { HttpAnswer, Redirect } from '#net/http/http-request.ts'
import { certificateEnd } from '#kinds/certificate-end.ts'
import type { SignedOutcome } from '#kinds/sign-in/sign-in.ts'
import type { BodyFindings } from './body-look.ts'
import { decodeText } from './charset.ts'
import type { Check } from '#kinds/kind.ts'
import {
  answersProblem,
  bodyProblem,
  certificateProblem,
  cutText,
  type Failed,
  finalUrlProblem,
  headerProblem,
  patternsProblem,
  versionProblem,
} from './web-assertions.ts'
import type { WebOptions } from './web-options.ts'
import type { WebAnswers } from './web-questions.ts'

/** In characters, of what a person wrote. */
const maxShownWish = 100
const maxShownUrl = 500

export type WebObservation = { outcome: SignedOutcome; findings: BodyFindings; answers: WebAnswers }

/** Down when the exchange or an expectation failed, degraded when only the time limit was exceeded. */
export function judgeWeb({ outcome, findings, answers }: WebObservation, check: Check<WebOptions>): Verdict {
  const { phases, latencyMs } = outcome
  if (!outcome.ok) {
    const { failure, redirects, status } = outcome
    const details = redirectDetails(redirects)
    return { status: 'down', statusCode: status, latencyMs: null, error: failure.message, phases, details }
  }
  const { answer } = outcome
  const failed = firstProblem(answer, { findings, answers, refusal: outcome.refusal ?? null }, check)
  const slow = failed === null ? latencyProblem(latencyMs, check.options) : null
  const found = failed ?? slow
  return {
    status: failed === null ? (slow === null ? 'up' : 'degraded') : 'down',
    statusCode: answer.status,
    latencyMs,
    error: found?.error ?? null,
    phases,
    details: {
      ...redirectDetails(answer.redirects),
      ...versionDetails(answer, check.options),
      ...(answer.tls?.isResumed === true ? { tls_resumed: true } : {}),
      ...(found === null ? {} : { failed_assertion: found.assertion }),
    },
    ...expiryOf(answer),
  }
}

function firstProblem(
  answer: HttpAnswer,
  { findings, answers, refusal }: Pick<WebObservation, 'findings' | 'answers'> & { refusal: string | null },
  check: Check<WebOptions>,
): Failed | null {
  const { options } = check
  return (
    statusProblem(answer, refusal, check) ??
    finalUrlProblem(answer, options) ??
    certificateProblem(answer, options) ??
    versionProblem(answer, options) ??
    headerProblem(answer, answers, options) ??
    keywordProblem(answer, findings, check) ??
    patternsProblem(answer, answers, options) ??
    jsonProblem(answer, options) ??
    answersProblem(answer, answers) ??
    bodyProblem(answer, findings, options)
  )
}

/** The certificate of the last answer; behind a redirect it may be another host's, so the host is named. */
function expiryOf({ tls, finalUrl }: HttpAnswer): Pick<Verdict, 'expiry'> {
  if (tls === null || tls.certificate === null) return {}
  return { expiry: { certificate: certificateEnd(tls.certificate, new URL(finalUrl).hostname) } }
}

function redirectDetails(redirects: readonly Redirect[]): Record<string, unknown> {
  const last = redirects.at(-1)
  return last === undefined ? {} : { final_url: cutText(last.url, maxShownUrl), redirects: redirects.length }
}

/** Told where it was asked for. */
function versionDetails({ version }: HttpAnswer, { http2, expected_http_version: expected }: WebOptions): object {
  return http2 === true || expected !== undefined ? { http_version: version } : {}
}

function statusProblem({ status }: HttpAnswer, refusal: string | null, check: Check<WebOptions>): Failed | null {
  if (isExpectedStatus(status, check)) return null
  const why = refusal === null ? '' : `: ${refusal}`
  return { assertion: 'status', error: `HTTP status ${status}, expected ${expectedStatusesText(check)}${why}` }
}

function keywordProblem(
  { isTruncated }: HttpAnswer,
  { hasKeyword, hasAbsentKeyword }: BodyFindings,
  { keyword, options }: Check<WebOptions>,
): Failed | null {
  const where = isTruncated ? 'the first 2 MiB of the answer' : 'the answer'
  if (hasKeyword === false)
    return { assertion: 'keyword', error: `Keyword "${cutText(keyword ?? '', maxShownWish)}" not found in ${where}` }
  if (hasAbsentKeyword !== true) return null
  const { absent_keyword: unwanted = '' } = options
  return { assertion: 'absent_keyword', error: `Keyword "${cutText(unwanted, maxShownWish)}" found in the answer` }
}

function jsonProblem(answer: HttpAnswer, options: WebOptions): Failed | null {
  const { json_path: path, expected_value: expected } = options
  if (path === undefined) return null
  if (answer.isTruncated) return jsonFailure('The answer is longer than 2 MiB, too long to be read as JSON')
  const parsed = parseBoundedJson(decodeText(answer.body, answer.headers))
  if (parsed.type === 'too intricate')
    return jsonFailure('The answer has too many lists, objects or different names to be read as JSON')
  if (parsed.type === 'invalid') return jsonFailure('The answer is not JSON')
  const found = followPath(parsed.value, path)
  const shown = `JSON path ${cutText(path, maxShownWish)}`
  if (!found.isFound && found.isGivenUp)
    return jsonFailure(`${shown} was given up: the answer offers too many ways to follow it`)
  if (!found.isFound) return jsonFailure(`${shown} not found in the answer`)
  if (expected === undefined || isSameJson(found.value, expected)) return null
  return jsonFailure(`${shown} is ${shownJson(found.value)}, expected ${shownJson(expected)}`)
}

function latencyProblem(latencyMs: number, { max_latency_ms: limit }: WebOptions): Failed | null {
  if (limit === undefined || latencyMs <= limit) return null
  return { assertion: 'max_latency_ms', error: `The answer took longer than ${limit} ms` }
}

function jsonFailure(error: string): Failed {
  return { assertion: 'json_path', error }
}
