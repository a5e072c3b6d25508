import type { HttpAnswer } from '#net/http/http-request.ts'
import type { Check } from '#kinds/kind.ts'
import { declaredCharset, headerCharset } from './charset.ts'
import type { PatternQuestion, Patterns } from './pattern-thread.ts'
import type { WebOptions } from './web-options.ts'

/** Whether each pattern was found; null for what was not looked for. `givenUp` says why none of them has an answer. */
export type PatternFindings = {
  body: boolean | null
  absent: boolean | null
  /** In the order of the expected headers. */
  headers: readonly (boolean | null)[]
  givenUp: 'time' | 'memory' | null
}

export const noPatterns: PatternFindings = { body: null, absent: null, headers: [], givenUp: null }

export function hasBodyPattern({ body_pattern: wanted, absent_pattern: unwanted }: WebOptions): boolean {
  return wanted !== undefined || unwanted !== undefined
}

/** Asks for all patterns of a check at once. Throws where the thread, and no pattern, is to blame. */
export async function findPatterns(
  answer: HttpAnswer,
  { options, shareKey = '' }: Check<WebOptions>,
  { patterns, signal }: { patterns: Patterns; signal: AbortSignal },
): Promise<PatternFindings> {
  const { body_pattern: wanted, absent_pattern: unwanted, expected_headers: headers = [] } = options
  const body = hasBodyPattern(options) ? bodyText(answer) : ''
  const questions: PatternQuestion[] = []
  const ask = (pattern: string | undefined, text: string | undefined): number | null =>
    pattern === undefined || text === undefined ? null : questions.push({ pattern, text }) - 1
  const places = {
    body: ask(wanted, body),
    absent: ask(unwanted, body),
    headers: headers.map(({ name, match, value }) =>
      match === 'matches' ? ask(value, answer.headers[name.toLowerCase()]) : null,
    ),
  }
  if (questions.length === 0) return noPatterns
  const answered = await patterns.match(shareKey, questions, signal)
  if (answered.type === 'given up') return { ...noPatterns, givenUp: answered.why }
  const found = (place: number | null): boolean | null => (place === null ? null : (answered.matches[place] ?? null))
  return {
    body: found(places.body),
    absent: found(places.absent),
    headers: places.headers.map(found),
    givenUp: null,
  }
}

function bodyText({ body, headers }: HttpAnswer): string {
  return new TextDecoder(headerCharset(headers) ?? declaredCharset(body)).decode(body)
}
