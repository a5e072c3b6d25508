// Rows of many columns by the thousand: sent as one text each and taken apart here they cost half as much, on both
// sides, as the driver's column by column (measured on lists of monitors).
import { readTextArray } from './array-literal.ts'

/** Gives the values of a row in their order; each throws where the row holds something else. */
export type RowValues = {
  text: () => string
  textOrNull: () => string | null
  integer: () => number
  integerOrNull: () => number | null
  boolean: () => boolean
  /** A `timestamptz` of a session that runs in UTC. */
  timeOrNull: () => Date | null
  textsOrNull: () => string[] | null
  oneOf: <Value extends string>(values: Choices<Value>) => Value
  oneOfOrNull: <Value extends string>(values: Choices<Value>) => Value | null
  /** An object. */
  json: () => Record<string, unknown>
}

/** The values that a column may hold, each under itself. */
export type Choices<Value extends string> = ReadonlyMap<string, Value>

export function choicesOf<Value extends string>(values: readonly Value[]): Choices<Value> {
  return new Map(values.map((value) => [value, value]))
}

/** The values of `row(…)::text`. */
export function rowValues(row: string): RowValues {
  const texts = readRowText(row)
  let position = 0
  const textOrNull = (): string | null => {
    const text = texts[position]
    if (text === undefined) throw new RangeError(`The row has ${texts.length} columns.`)
    position += 1
    return text
  }
  const text = (): string => textOrNull() ?? refuse('null')
  const integerOrNull = (): number | null => {
    const value = textOrNull()
    return value === null ? null : toInteger(value)
  }
  return {
    text,
    textOrNull,
    integer: () => toInteger(text()),
    integerOrNull,
    boolean: () => toBoolean(text()),
    timeOrNull: () => {
      const value = textOrNull()
      return value === null ? null : toTime(value)
    },
    textsOrNull: () => {
      const value = textOrNull()
      return value === null ? null : readTextArray(value)
    },
    oneOf: (values) => chosen(text(), values),
    oneOfOrNull: (values) => {
      const value = textOrNull()
      return value === null ? null : chosen(value, values)
    },
    json: () => JSON.parse(text()),
  }
}

/**
 * The columns of a row as PostgreSQL writes it (8.16.6): those with special characters, and empty ones, in quotation
 * marks, where quotation marks and backslashes stand twice; null as nothing at all.
 */
export function readRowText(row: string): (string | null)[] {
  const last = row.length - 1
  if (row.charAt(0) !== '(' || row.charAt(last) !== ')') refuse(row)
  const columns: (string | null)[] = []
  for (let from = 1; ;) {
    const end = row.charAt(from) === '"' ? endOfQuoted(row, from) : endOfPlain(row, from)
    columns.push(columnOf(row.slice(from, end)))
    if (end >= last) return columns
    from = end + 1
  }
}

function endOfPlain(row: string, from: number): number {
  const comma = row.indexOf(',', from)
  return comma === -1 ? row.length - 1 : comma
}

function endOfQuoted(row: string, from: number): number {
  for (let quote = row.indexOf('"', from + 1); quote !== -1; quote = row.indexOf('"', quote + 2))
    if (row.charAt(quote + 1) !== '"') return quote + 1
  return refuse(row)
}

function columnOf(written: string): string | null {
  if (written === '') return null
  if (!written.startsWith('"')) return written
  const inner = written.slice(1, -1)
  return inner.includes('"') || inner.includes('\\') ? inner.replaceAll(/""|\\\\/g, (pair) => pair.charAt(0)) : inner
}

function chosen<Value extends string>(text: string, values: Choices<Value>): Value {
  return values.get(text) ?? refuse(text)
}

function toInteger(text: string): number {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : refuse(text)
}

function toBoolean(text: string): boolean {
  if (text !== 't' && text !== 'f') refuse(text)
  return text === 't'
}

/** `2026-11-21 23:04:36.123456+00`: the milliseconds are cut, as the driver does. */
function toTime(text: string): Date {
  const time = new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
  return text.endsWith('+00') && !Number.isNaN(time.getTime()) ? time : refuse(text)
}

function refuse(text: string): never {
  throw new SyntaxError(`A row of PostgreSQL does not hold what was asked for: ${text.slice(0, 100)}`)
}
