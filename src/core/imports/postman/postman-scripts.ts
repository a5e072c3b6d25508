// What test scripts of Postman expect of an answer and keep of it, as far as it is said in the usual ways. No script is
// run: what is not recognised is told.
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

type Place = { json_path: string } | { header: string }

export type ScriptMeaning = {
  statuses: StatusRange[]
  /** Options of a step. */
  expectations: Record<string, unknown>
  captures: { variable: string; where: Place }[]
  /** The beginning of what is not recognised; null where all of it is. */
  rest: string | null
}

/** In characters: people write far less, and each costs time. */
const longestScript = 10_000

const text = /(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/.source
const steps = /((?:\??\.[A-Za-z_$][\w$]*|\??\[(?:\d{1,6}|"[^"\]]{1,100}"|'[^'\]]{1,100}')\])*)/.source
const root = /(pm\.response\.json\(\)|JSON\.parse\( ?(?:responseBody|pm\.response\.text\(\)) ?\)|[A-Za-z_$][\w$]*)/
  .source
const headerValue = `pm\\.response\\.headers\\.get\\( ?${text} ?\\)`
const value = `(?:${headerValue}|${root}${steps})`

type Reading = ScriptMeaning & {
  /** What variables of the script stand for; the empty path is the whole answer. */
  locals: Map<string, Place>
}
/** Reads the groups of a match; false where it is none of this after all. */
type Reader = (reading: Reading, groups: readonly (string | undefined)[]) => boolean

const readers: readonly (readonly [form: string, read: Reader])[] = [
  [`(?:const|let|var) ([A-Za-z_$][\\w$]*) ?= ?${value} ?;?`, readLocal],
  [
    `(?:pm\\.(?:environment|collectionVariables|globals|variables)\\.set|postman\\.set(?:Environment|Global)Variable)\\( ?${text} ?, ?${value} ?\\)`,
    readCapture,
  ],
  ['pm\\.response\\.to\\.have\\.status\\( ?(\\d{3}) ?\\)', readStatus],
  ['pm\\.expect\\( ?pm\\.response\\.code ?\\)\\.to\\.(?:be\\.)?(?:equals?|eql?)\\( ?(\\d{3}) ?\\)', readStatus],
  ['tests ?\\[ ?(?:"[^"]*"|\'[^\']*\') ?\\] ?= ?responseCode\\.code ?={2,3} ?(\\d{3})', readStatus],
  ['pm\\.expect\\( ?pm\\.response\\.code ?\\)\\.to\\.be\\.oneOf\\( ?\\[([\\d, ]*)\\] ?\\)', readStatuses],
  ['pm\\.response\\.to\\.be\\.(ok|success)\\b(?:\\(\\))?', readSuccess],
  ['pm\\.expect\\( ?pm\\.response\\.responseTime ?\\)\\.to\\.be\\.(?:below|lessThan)\\( ?(\\d{1,9}) ?\\)', readTime],
  [`pm\\.response\\.to\\.have\\.header\\( ?${text}(?: ?, ?${text})? ?\\)`, readHeader],
  [`pm\\.expect\\( ?pm\\.response\\.text\\(\\) ?\\)\\.to\\.(?:include|contain)s?\\( ?${text} ?\\)`, readKeyword],
]
const wrappers = new RegExp(
  `pm\\.test\\( ?(?:${text}|\`[^\`]*\`) ?, ?(?:async )?(?:function ?\\( ?\\)|\\( ?\\) ?=>)|["']use strict["']`,
  'g',
)

export function readTestScript(script: string): ScriptMeaning {
  const reading: Reading = { statuses: [], expectations: {}, captures: [], rest: null, locals: new Map() }
  let left = withoutComments(script.slice(0, longestScript))
  for (const [form, read] of readers)
    left = left.replaceAll(new RegExp(form, 'g'), (whole: string, ...found: unknown[]) => {
      const groups = found.slice(
        0,
        found.findIndex((each) => typeof each === 'number'),
      )
      return read(reading, groups.map(textOrNothing)) ? '' : whole
    })
  const rest = left
    .replaceAll(wrappers, '')
    .replaceAll(/[{}();, ]+/g, ' ')
    .trim()
  const { locals: _, ...meaning } = reading
  return { ...meaning, rest: rest === '' ? (script.length > longestScript ? script.slice(longestScript) : null) : rest }
}

function textOrNothing(found: unknown): string | undefined {
  return typeof found === 'string' ? found : undefined
}

/** Each alternative takes all that it can even where its end is missing, so that a text is passed over once. */
const pieces =
  /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\[^])*`?|(\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\s+)/g

/** White space outside of texts becomes one space. */
function withoutComments(script: string): string {
  return script
    .replaceAll(pieces, (whole, blank?: string) => (blank === undefined ? whole : ' '))
    .replaceAll(/ {2,}/g, ' ')
}

type Groups = readonly (string | undefined)[]

/** The text between quotes, of which escaped ones are the quotes themselves. */
function quoted([double, single]: Groups): string {
  return (double ?? single ?? '').replaceAll(/\\(["'\\])/g, '$1')
}

/** The groups are those of `value`. */
function placeOf({ locals }: Reading, [double, single, base, path = '']: Groups): Place | null {
  if (base === undefined) return { header: quoted([double, single]) }
  const from = /[(]/.test(base) ? { json_path: '' } : locals.get(base)
  if (from === undefined) return null
  const names = Array.from(
    path.matchAll(/\.([\w$]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g),
    ([, ...found]) => found.find((name) => name !== undefined) ?? '',
  )
  if ('header' in from) return names.length === 0 ? from : null
  return { json_path: [...(from.json_path === '' ? [] : [from.json_path]), ...names].join('.') }
}

function readLocal(reading: Reading, [name = '', ...rest]: Groups): boolean {
  const place = placeOf(reading, rest)
  if (place === null) return false
  reading.locals.set(name, place)
  return true
}

function readCapture(reading: Reading, [double, single, ...rest]: Groups): boolean {
  const where = placeOf(reading, rest)
  if (where === null || ('json_path' in where && where.json_path === '')) return false
  reading.captures.push({ variable: quoted([double, single]), where })
  return true
}

function readStatus({ statuses }: Reading, [status]: Groups): boolean {
  const number = Number(status)
  if (number < 100 || number > 599) return false
  statuses.push([number, number])
  return true
}

function readStatuses(reading: Reading, [list = '']: Groups): boolean {
  const numbers = list.split(',').map((each) => each.trim())
  return numbers.every((each) => /^[1-5]\d\d$/.test(each)) && numbers.every((each) => readStatus(reading, [each]))
}

function readSuccess({ statuses }: Reading): boolean {
  statuses.push([200, 299])
  return true
}

const [shortestMs, longestMs] = [100, 60_000]

function readTime({ expectations }: Reading, [ms]: Groups): boolean {
  expectations['max_latency_ms'] = Math.min(longestMs, Math.max(shortestMs, Number(ms)))
  return true
}

const mostHeaders = 10

function readHeader({ expectations }: Reading, [name, singleName, double, single]: Groups): boolean {
  const listed = expectations['expected_headers']
  const headers: unknown[] = Array.isArray(listed) ? listed : []
  const header = quoted([name, singleName])
  if (headers.length === mostHeaders || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(header)) return false
  const isNamedAlone = double === undefined && single === undefined
  const match = isNamedAlone ? { match: 'present' } : { value: quoted([double, single]).slice(0, 1_000) }
  expectations['expected_headers'] = [...headers, { name: header, ...match }]
  return true
}

const longestKeyword = 2_000

function readKeyword({ expectations }: Reading, groups: Groups): boolean {
  const keyword = quoted(groups)
  if (keyword === '' || keyword.length > longestKeyword || expectations['keyword'] !== undefined) return false
  expectations['keyword'] = keyword
  return true
}
