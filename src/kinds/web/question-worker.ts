// The code of the thread of question-thread.ts.
import type { DomUtils } from 'htmlparser2'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { shownJson } from '#core/language/json-path.ts'
import { answerLater } from '#threads/answering.ts'
import type { ThreadQuestion } from './question-thread.ts'
import { draftOf } from './json-schema-problem.ts'
import type { Answer, ExpectedElement, Question } from './questions.ts'

const maxShown = 200

answerLater(async ({ load, body, questions }: ThreadQuestion): Promise<Answer[]> => {
  await Promise.all(load.map((type) => libraries[type]()))
  const json = once(() => parseBoundedJson(body))
  const answers: Answer[] = []
  for (const question of questions) answers.push(await answer(question, { body, json }))
  return answers
})

/** A process loads what it is asked for. */
const libraries = {
  pattern: () => import('re2js'),
  json_schema: () => import('@cfworker/json-schema'),
  jsonata: () => import('jsonata'),
  elements: () => Promise.all([import('css-select'), import('htmlparser2')]),
  'first match': () => import('re2js'),
  'first element': () => Promise.all([import('css-select'), import('htmlparser2')]),
}

type Means = { body: string; json: () => ReturnType<typeof parseBoundedJson> }

async function answer(question: Question, { body, json }: Means): Promise<Answer> {
  try {
    if (question.type === 'pattern') return await findPattern(question.pattern, question.text ?? body)
    if (question.type === 'elements') return await findElements(question, body)
    if (question.type === 'first match') return await firstMatch(question.pattern, body)
    if (question.type === 'first element') return await firstElement(question, body)
    const reading = json()
    if (reading.type === 'invalid') return 'The answer is not JSON'
    if (reading.type === 'too intricate')
      return 'The answer has too many lists, objects or different names to be read as JSON'
    return question.type === 'json_schema'
      ? await fitSchema(question.schema, reading.value)
      : await evaluate(question.expression, reading.value)
  } catch (error) {
    // The stack is full.
    if (error instanceof RangeError) return 'The answer is nested too deeply'
    throw error
  }
}

async function findPattern(pattern: string, text: string): Promise<Answer> {
  const { RE2JS } = await libraries.pattern()
  return RE2JS.compile(pattern).test(text) ? null : ''
}

/** What its first group has, or all of it where it has no group. */
async function firstMatch(pattern: string, text: string): Promise<Answer> {
  const { RE2JS } = await libraries.pattern()
  const matcher = RE2JS.compile(pattern).matcher(text)
  if (!matcher.find()) return null
  return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? null
}

type DomElement = Parameters<typeof DomUtils.getAttributeValue>[0]
type DomNode = Exclude<Parameters<typeof DomUtils.innerText>[0], unknown[]>

/** The attribute of the first element that has it, or the text of the first one. */
async function firstElement(
  { selector, attribute, isXml }: Question & { type: 'first element' },
  body: string,
): Promise<Answer> {
  const [{ selectAll }, { DomUtils, parseDocument }] = await libraries.elements()
  const document: DomNode = parseDocument(body, { xmlMode: isXml })
  const found = selectAll<DomNode, DomElement>(selector, document, { xmlMode: isXml })
  if (attribute === undefined) {
    const [first] = found
    return first === undefined ? null : DomUtils.innerText(first).replaceAll(/\s+/g, ' ').trim()
  }
  const values = found.map((element) => DomUtils.getAttributeValue(element, attribute))
  return values.find((value) => value !== undefined) ?? null
}

async function fitSchema(schema: object, value: unknown): Promise<Answer> {
  const { Validator } = await libraries.json_schema()
  const { valid, errors } = new Validator(schema, draftOf(schema), true).validate(value)
  if (valid) return null
  // The others follow from the last one, unless one of several schemas had to fit.
  const worst = errors.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf') ?? errors.at(-1)
  const path = (worst?.instanceLocation ?? '#').split('/').slice(1).join('.')
  const what = worst?.keyword === 'false' ? 'it must not be there' : (worst?.error.replace(/\.$/, '') ?? '')
  return cut(`The answer does not fit the schema${path === '' ? '' : ` at ${path}`}: ${what}`)
}

async function evaluate(expression: string, value: unknown): Promise<Answer> {
  const { default: jsonata } = await libraries.jsonata()
  try {
    const found: unknown = await jsonata(expression).evaluate(value)
    return found === true
      ? null
      : `The expression gives ${found === undefined ? 'nothing' : shown(found)}, expected true`
  } catch (error) {
    if (error instanceof RangeError) throw error
    // JSONata throws objects that are no errors.
    return cut(`The expression cannot be evaluated: ${String(Object(error).message)}`)
  }
}

function shown(found: unknown): string {
  return typeof found === 'function' ? 'a function' : shownJson(found)
}

async function findElements({ expected, isXml }: Question & { type: 'elements' }, body: string): Promise<Answer> {
  const [{ selectAll }, { DomUtils, parseDocument }] = await libraries.elements()
  const document = parseDocument(body, { xmlMode: isXml })
  for (const each of expected) {
    const texts = once(() => found.map((element) => DomUtils.innerText(element).replaceAll(/\s+/g, ' ').trim()))
    const found = selectAll(each.selector, document, { xmlMode: isXml })
    const problem = elementProblem(found.length, texts, each)
    if (problem !== null) return `Element ${cut(each.selector)} ${problem}`
  }
  return null
}

function elementProblem(
  count: number,
  texts: () => string[],
  { match = 'present', value = '' }: ExpectedElement,
): Answer {
  if (match === 'absent') return count === 0 ? null : `is there${count === 1 ? '' : ` ${count} times`}`
  if (count === 0) return 'is missing'
  if (match === 'present') return null
  const isRight = (text: string): boolean => (match === 'equals' ? text === value : text.includes(value))
  if (texts().some(isRight)) return null
  const what = match === 'equals' ? `"${cut(value)}"` : `to contain "${cut(value)}"`
  return `is "${cut(texts()[0] ?? '')}", expected ${what}`
}

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown - 3)}...` : text
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => (made ??= { value: make() }).value
}
