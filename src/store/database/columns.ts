// How a column is read from the text that PostgreSQL writes for it.
import { z } from 'zod'
import { readTextArray } from './array-literal.ts'

/** Throws where the column holds something else. */
export type Column<Value> = (text: string | null) => Value

export function textColumn(text: string | null): string {
  return text ?? refuse('null')
}

export function integerColumn(text: string | null): number {
  const value = Number(textColumn(text))
  return Number.isSafeInteger(value) ? value : refuse(textColumn(text))
}

export function booleanColumn(text: string | null): boolean {
  return text === 't' || (text === 'f' ? false : refuse(textColumn(text)))
}

const timeInUtc = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?\+00$/

/**
 * A `timestamptz` of a session that runs in UTC, `2026-11-21 23:04:36.123456+00`, as the API says it. What is shorter
 * than a millisecond is cut, as the driver does. Lists have thousands of them, so no `Date` is made of one.
 */
export function isoTimeColumn(text: string | null): string {
  const written = textColumn(text)
  if (!timeInUtc.test(written)) refuse(written)
  const milliseconds = written.slice(20, Math.min(23, written.length - 3)).padEnd(3, '0')
  return `${written.slice(0, 10)}T${written.slice(11, 19)}.${milliseconds}Z`
}

/** The same in milliseconds since 1970. */
export function momentColumn(text: string | null): number {
  return Date.parse(isoTimeColumn(text))
}

export function textsColumn(text: string | null): string[] {
  return readTextArray(textColumn(text))
}

/** An object. */
export function jsonColumn(text: string | null): Record<string, unknown> {
  return JSON.parse(textColumn(text))
}

export function choiceColumn<Value extends string>(values: readonly Value[]): Column<Value> {
  const known = new Map<string, Value>(values.map((value) => [value, value]))
  return (text) => known.get(textColumn(text)) ?? refuse(textColumn(text))
}

export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  return (text) => (text === null ? null : column(text))
}

/** The column of a value that this schema describes. */
export function columnOf<Schema extends z.ZodType>(schema: Schema): Column<z.output<Schema>>
export function columnOf(schema: z.ZodType): Column<unknown> {
  if (schema instanceof z.ZodNullable) return orNull(columnOf(innerOf(schema)))
  if (schema instanceof z.ZodEnum) return choiceColumn(schema.options.map(String))
  if (schema instanceof z.ZodISODateTime) return isoTimeColumn
  const column = columnsByType[schema.def.type]
  if (column === undefined) throw new TypeError(`No column is known for the type ${schema.def.type} of a schema.`)
  return column
}

const columnsByType: Readonly<Partial<Record<string, Column<unknown>>>> = {
  string: textColumn,
  number: integerColumn,
  boolean: booleanColumn,
  array: textsColumn,
  record: jsonColumn,
  object: jsonColumn,
}

function innerOf(schema: z.ZodNullable): z.ZodType {
  const inner = schema.unwrap()
  return inner instanceof z.ZodType ? inner : refuse('a schema')
}

export function refuse(text: string): never {
  throw new SyntaxError(`A row of PostgreSQL does not hold what was asked for: ${text.slice(0, 100)}`)
}
