import type { HttpAnswer } from '#net/http/http-request.ts'
import type { Check } from '#kinds/kind.ts'
import { declaredCharset, headerCharset } from './charset.ts'
import type { Asking } from './question-thread.ts'
import type { Answer, Question } from './questions.ts'
import type { WebOptions } from './web-options.ts'

/** Of each question its answer; undefined for what was not asked. `givenUp` says why none of them has an answer. */
export type WebAnswers = {
  body_pattern?: Answer
  absent_pattern?: Answer
  json_schema?: Answer
  jsonata?: Answer
  expected_elements?: Answer
  /** In the order of the expected headers. */
  headers: readonly (Answer | undefined)[]
  givenUp: 'time' | 'memory' | null
}

export const noAnswers: WebAnswers = { headers: [], givenUp: null }

const bodyOptions = ['body_pattern', 'absent_pattern', 'json_schema', 'jsonata', 'expected_elements'] as const
export type BodyOption = (typeof bodyOptions)[number]

/** The first of what is asked of a body; null where nothing is. */
export function firstAsked(options: WebOptions): BodyOption | null {
  return bodyOptions.find((option) => options[option] !== undefined) ?? null
}

/** Asks everything of a check at once. Throws where the thread, and no question, is to blame. */
export async function askWeb(
  answer: HttpAnswer,
  { options, shareKey = '' }: Check<WebOptions>,
  { asking, signal }: { asking: Asking; signal: AbortSignal },
): Promise<WebAnswers> {
  const { expected_headers: headers = [] } = options
  const ofBody = bodyOptions.flatMap((option) => {
    const question = questionOf(option, options, answer)
    return question === null ? [] : [[option, question] as const]
  })
  const ofHeaders = headers.flatMap(({ name, match, value = '' }, at) => {
    const text = answer.headers[name.toLowerCase()]
    return match === 'matches' && text !== undefined
      ? [[at, { type: 'pattern', pattern: value, text } satisfies Question] as const]
      : []
  })
  if (ofBody.length + ofHeaders.length === 0) return noAnswers
  const questions = [...ofBody, ...ofHeaders].map(([, question]) => question)
  const body = ofBody.length === 0 ? '' : bodyText(answer)
  const answered = await asking.ask(shareKey, { body, questions }, signal)
  if (answered.type === 'given up') return { ...noAnswers, givenUp: answered.why }
  const { answers } = answered
  const found: (Answer | undefined)[] = headers.map(() => undefined)
  for (const [index, [at]] of ofHeaders.entries()) found[at] = answers[ofBody.length + index]
  return {
    ...Object.fromEntries(ofBody.map(([option], index) => [option, answers[index]])),
    headers: found,
    givenUp: null,
  }
}

function questionOf(option: BodyOption, options: WebOptions, { headers }: HttpAnswer): Question | null {
  const { body_pattern: wanted, absent_pattern: unwanted, json_schema: schema, jsonata: expression } = options
  const { expected_elements: expected } = options
  switch (option) {
    case 'body_pattern':
      return wanted === undefined ? null : { type: 'pattern', pattern: wanted }
    case 'absent_pattern':
      return unwanted === undefined ? null : { type: 'pattern', pattern: unwanted }
    case 'json_schema':
      return schema === undefined ? null : { type: 'json_schema', schema }
    case 'jsonata':
      return expression === undefined ? null : { type: 'jsonata', expression }
    case 'expected_elements':
      return expected === undefined ? null : { type: 'elements', expected, isXml: isXml(headers) }
  }
}

/** XHTML is XML, too (RFC 7303). */
export function isXml({ 'content-type': type = '' }: Readonly<Record<string, string>>): boolean {
  return /^\s*(?:text|application)\/(?:[\w.-]+\+)?xml\b/i.test(type)
}

export function bodyText({ body, headers }: HttpAnswer): string {
  return new TextDecoder(headerCharset(headers) ?? declaredCharset(body)).decode(body)
}
