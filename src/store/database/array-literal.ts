import { type RawBuilder, sql } from 'kysely'

// PostgreSQL array literals for the statements that carry thousands of values: the driver's own conversion of a
// JavaScript array costs several times as much as joining it.

export function numberArray(values: readonly (number | null)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index += 1) text += `${index === 0 ? '' : ','}${values[index] ?? 'NULL'}`
  return `${text}}`
}

/**
 * Reads an array column that was cast to text, without nulls: plain words are told apart by their commas (PostgreSQL
 * 8.15.6).
 */
export function readTextArray(text: string): string[] {
  if (text === '{}') return []
  if (!text.includes('"') && !text.includes('\\')) return text.slice(1, -1).split(',')
  return Array.from(text.matchAll(element), ([plain, inner]) => inner?.replaceAll(escaped, '$1') ?? plain)
}

const element = /"((?:[^"\\]|\\.)*)"|[^,{}"]+/gs
const escaped = /\\(.)/gs

export function textArray(values: readonly (string | null)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null
    text += `${index === 0 ? '' : ','}${value === null ? 'NULL' : quoted(value)}`
  }
  return `${text}}`
}

/** For comparing in the query builder: one parameter, however many values there are. */
export function anyOf(values: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${textArray(values)})`
}

const special = /["\\]/g

function quoted(value: string): string {
  return `"${value.replace(special, String.raw`\$&`)}"`
}
