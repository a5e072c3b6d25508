// What may be expected of an answer beside its status, its text and its JSON.
import type { HttpAnswer } from '#net/http/http-request.ts'
import type { BodyFindings } from './body-look.ts'
import type { PatternFindings } from './web-patterns.ts'
import type { ExpectedHeader, WebOptions } from './web-options.ts'

export type Assertion =
  | 'status'
  | 'keyword'
  | 'absent_keyword'
  | 'body_pattern'
  | 'absent_pattern'
  | 'header'
  | 'final_url'
  | 'body'
  | 'certificate'
  | 'json_path'
  | 'max_latency_ms'
export type Failed = { assertion: Assertion; error: string }

const maxShown = 200
const maxShownName = 100

/** The first of the expected headers that is not as it should be. */
export function headerProblem(
  { headers }: HttpAnswer,
  patterns: PatternFindings,
  { expected_headers: expected = [] }: WebOptions,
): Failed | null {
  for (const [index, each] of expected.entries()) {
    const found = headers[each.name.toLowerCase()]
    const problem =
      each.match === 'matches'
        ? patternedHeaderProblem(found, patterns.headers[index] ?? null, each)
        : oneHeaderProblem(found, each)
    if (problem !== null) return { assertion: 'header', error: `Header ${cutText(each.name, maxShownName)} ${problem}` }
  }
  return null
}

function oneHeaderProblem(found: string | undefined, { match = 'equals', value = '' }: ExpectedHeader): string | null {
  if (match === 'absent') return found === undefined ? null : `is there: "${cutText(found, maxShown)}"`
  if (found === undefined) return 'is missing'
  const isRight = match === 'present' || (match === 'equals' ? found === value : found.includes(value))
  if (isRight) return null
  const shown = `is "${cutText(found, maxShown)}", expected`
  return match === 'equals'
    ? `${shown} "${cutText(value, maxShown)}"`
    : `${shown} to contain "${cutText(value, maxShown)}"`
}

/** A pattern without an answer was given up, which `patternsProblem` tells. */
function patternedHeaderProblem(
  found: string | undefined,
  isMatched: boolean | null,
  { value = '' }: ExpectedHeader,
): string | null {
  if (found === undefined) return 'is missing'
  if (isMatched !== false) return null
  return `is "${cutText(found, maxShown)}", expected to match "${cutText(value, maxShown)}"`
}

const givenUp = {
  time: 'The pattern was given up: it takes too long on this answer',
  memory: 'The pattern was given up: it takes too much memory on this answer',
} as const

/** Of the patterns for the body, and of all that were given up. */
export function patternsProblem(
  { isTruncated }: HttpAnswer,
  { body, absent, givenUp: why }: PatternFindings,
  { body_pattern: wanted, absent_pattern: unwanted = '' }: WebOptions,
): Failed | null {
  if (why !== null) {
    const assertion = wanted !== undefined ? 'body_pattern' : unwanted === '' ? 'header' : 'absent_pattern'
    return { assertion, error: givenUp[why] }
  }
  const where = isTruncated ? 'the first 2 MiB of the answer' : 'the answer'
  if (body === false)
    return {
      assertion: 'body_pattern',
      error: `Pattern "${cutText(wanted ?? '', maxShownName)}" not found in ${where}`,
    }
  if (absent !== true) return null
  return { assertion: 'absent_pattern', error: `Pattern "${cutText(unwanted, maxShownName)}" found in the answer` }
}

/** The part after `#` is sent to no server, and so is not compared. */
export function finalUrlProblem({ finalUrl }: HttpAnswer, { final_url: expected }: WebOptions): Failed | null {
  if (expected === undefined || withoutFragment(expected) === withoutFragment(finalUrl)) return null
  const error = `The answer came from ${cutText(finalUrl, maxShown)}, expected ${cutText(expected, maxShown)}`
  return { assertion: 'final_url', error }
}

function withoutFragment(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

export function bodyProblem(
  { isTruncated }: HttpAnswer,
  { sha256 }: BodyFindings,
  { body_sha256: expected }: WebOptions,
): Failed | null {
  if (expected === undefined || sha256 === expected.toLowerCase()) return null
  const error = isTruncated
    ? 'The answer is longer than 2 MiB, too long to be compared with the expected body'
    : `The body is another one: its SHA-256 is ${sha256}`
  return { assertion: 'body', error }
}

export function certificateProblem({ tls }: HttpAnswer, { certificate_sha256: expected }: WebOptions): Failed | null {
  if (expected === undefined) return null
  const found = tls?.certificate?.fingerprint256 ?? null
  if (found !== null && digitsOf(found) === digitsOf(expected)) return null
  const error =
    found === null
      ? 'The answer came without a certificate'
      : `The certificate is another one: its SHA-256 fingerprint is ${digitsOf(found)}`
  return { assertion: 'certificate', error }
}

function digitsOf(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase()
}

export function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 3)}...` : text
}
