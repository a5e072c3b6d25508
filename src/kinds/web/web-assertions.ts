// What may be expected of an answer beside its status, its text and its JSON.
import type { HttpAnswer } from '#net/http/http-request.ts'
import type { BodyFindings } from './body-look.ts'
import { firstAsked, type WebAnswers } from './web-questions.ts'
import type { Answer } from './questions.ts'
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
  | 'http_version'
  | 'json_path'
  | 'json_schema'
  | 'jsonata'
  | 'element'
  | 'max_latency_ms'
export type Failed = { assertion: Assertion; error: string }

const maxShown = 200
const maxShownName = 100

/** The first of the expected headers that is not as it should be. */
export function headerProblem(
  { headers }: HttpAnswer,
  { headers: answers }: WebAnswers,
  { expected_headers: expected = [] }: WebOptions,
): Failed | null {
  for (const [index, each] of expected.entries()) {
    const found = headers[each.name.toLowerCase()]
    const problem =
      each.match === 'matches' ? patternedHeaderProblem(found, answers[index], each) : oneHeaderProblem(found, each)
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
  answer: Answer | undefined,
  { value = '' }: ExpectedHeader,
): string | null {
  if (found === undefined) return 'is missing'
  if (answer === undefined || answer === null) return null
  return `is "${cutText(found, maxShown)}", expected to match "${cutText(value, maxShown)}"`
}

/** Texts for questions without an answer. */
export const givenUp = {
  time: 'The comparison was given up: it takes too long on this answer',
  memory: 'The comparison was given up: it takes too much memory on this answer',
} as const

/** Of the patterns for the body, and of all that was given up. */
export function patternsProblem(
  { isTruncated }: HttpAnswer,
  { body_pattern: found, absent_pattern: foundUnwanted, givenUp: why }: WebAnswers,
  options: WebOptions,
): Failed | null {
  if (why !== null) return { assertion: asserted[firstAsked(options) ?? 'headers'], error: givenUp[why] }
  const { body_pattern: wanted = '', absent_pattern: unwanted = '' } = options
  const where = isTruncated ? 'the first 2 MiB of the answer' : 'the answer'
  if (typeof found === 'string')
    return { assertion: 'body_pattern', error: `Pattern "${cutText(wanted, maxShownName)}" not found in ${where}` }
  if (foundUnwanted !== null) return null
  return { assertion: 'absent_pattern', error: `Pattern "${cutText(unwanted, maxShownName)}" found in the answer` }
}

const asserted = {
  body_pattern: 'body_pattern',
  absent_pattern: 'absent_pattern',
  json_schema: 'json_schema',
  jsonata: 'jsonata',
  expected_elements: 'element',
  headers: 'header',
} as const

/** Of the JSON Schema, the expression and the elements. A part of a JSON text is no JSON. */
export function answersProblem({ isTruncated }: HttpAnswer, answers: WebAnswers): Failed | null {
  for (const option of ['json_schema', 'jsonata', 'expected_elements'] as const) {
    const answer = answers[option]
    if (answer === undefined) continue
    const isPart = isTruncated && option !== 'expected_elements'
    const error = isPart ? 'The answer is longer than 2 MiB, too long to be read as JSON' : answer
    if (error !== null) return { assertion: asserted[option], error }
  }
  return null
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

export function versionProblem(
  { version }: HttpAnswer,
  { expected_http_version: expected }: WebOptions,
): Failed | null {
  if (expected === undefined || version === expected) return null
  return { assertion: 'http_version', error: `The answer came by HTTP/${version}, expected HTTP/${expected}` }
}

function digitsOf(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase()
}

export function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 3)}...` : text
}
