// What later steps take from the answer of an earlier one.
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { followPath } from '#core/language/json-path.ts'
import type { HttpAnswer } from '#net/http/http-request.ts'
import type { Asking } from '#kinds/web/question-thread.ts'
import type { Question } from '#kinds/web/questions.ts'
import { givenUp } from '#kinds/web/web-assertions.ts'
import { bodyText, isXml } from '#kinds/web/web-questions.ts'
import type { Capture } from './capture-options.ts'

export type Values = ReadonlyMap<string, string>
/** `problem` is a sentence without its end, which quotes no value. */
export type Captured = { values: Values } | { problem: string }

const maxValueLength = 4_096

type Means = { asking: Asking; shareKey: string; signal: AbortSignal }

export async function captureFrom(answer: HttpAnswer, captures: readonly Capture[], means: Means): Promise<Captured> {
  const found = await findAll(answer, captures, means)
  if ('problem' in found) return found
  const values = new Map<string, string>()
  for (const capture of captures) {
    const value = found.values.get(capture.name)
    if (value === undefined) return { problem: `Nothing to capture as "${capture.name}": ${missing(capture)}` }
    if (value.length > maxValueLength)
      return { problem: `What is captured as "${capture.name}" has more than ${maxValueLength} characters` }
    values.set(capture.name, value)
  }
  return { values }
}

function missing({ json_path: path, header, pattern, selector, selector_attribute: attribute }: Capture): string {
  if (path !== undefined) return `the answer has no text, number or boolean at ${path}`
  if (header !== undefined) return `the answer has no header ${header}`
  if (pattern !== undefined) return 'the pattern is not found in the answer'
  return `the answer has no element ${selector}${attribute === undefined ? '' : ` with ${attribute}`}`
}

async function findAll(answer: HttpAnswer, captures: readonly Capture[], means: Means): Promise<Captured> {
  const values = new Map<string, string>()
  for (const { name, json_path: path, header } of captures) {
    const value =
      header === undefined ? (path === undefined ? null : valueAt(answer, path)) : answer.headers[header.toLowerCase()]
    if (typeof value === 'string') values.set(name, value)
  }
  const asked = captures.flatMap((capture) => {
    const question = questionOf(capture, answer)
    return question === null ? [] : [{ name: capture.name, question }]
  })
  if (asked.length === 0) return { values }
  const questions = { body: bodyText(answer), questions: asked.map(({ question }) => question) }
  const answered = await means.asking.ask(means.shareKey, questions, means.signal)
  if (answered.type === 'given up') return { problem: givenUp[answered.why] }
  for (const [at, { name }] of asked.entries()) {
    const value = answered.answers[at] ?? null
    if (value !== null) values.set(name, value)
  }
  return { values }
}

function questionOf(
  { pattern, selector, selector_attribute: attribute }: Capture,
  { headers }: HttpAnswer,
): Question | null {
  if (pattern !== undefined) return { type: 'first match', pattern }
  if (selector === undefined) return null
  return { type: 'first element', selector, attribute, isXml: isXml(headers) }
}

function valueAt(answer: HttpAnswer, path: string): string | null {
  const reading = parseBoundedJson(bodyText(answer))
  if (reading.type !== 'value') return null
  const found = followPath(reading.value, path)
  if (!found.isFound) return null
  const { value } = found
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
