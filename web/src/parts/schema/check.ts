import { plural, t } from '@lingui/core/macro'
import { type Schema, isNullable, isOf, shapeOf } from '../../api/schema.ts'
import { leadsStatuses, statusProblem } from './status-codes.ts'

export type Problems = Record<string, string[]>

/** The problems of a value that show by its shape alone, under dotted names, in the service's own words. */
export function checkValue(schema: Schema, value: unknown, name: string): Problems {
  if (value === undefined || (value === null && isNullable(schema))) return {}
  if (leadsStatuses(name) && typeof value === 'string') return { [name]: [statusProblem()] }
  const problem = problemOf(schema, value)
  if (problem !== null) return { [name]: [problem] }
  if (Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema
    return merged(value.map((each: unknown, index) => checkOne(items, each, `${name}.${index}`)))
  }
  return {}
}

/** For an object; missing members are problems too. */
export function checkObject(schema: Schema, value: Readonly<Record<string, unknown>>, name: string): Problems {
  const prefix = name === '' ? '' : `${name}.`
  const missing = (schema.required ?? []).filter((member) => value[member] === undefined)
  const absent = missing.map((member) => ({ [prefix + member]: [t`This field is required.`] }))
  const members = Object.entries(schema.properties ?? {})
  return merged([...absent, ...members.map(([member, each]) => checkValue(each, value[member], prefix + member))])
}

function checkOne(schema: Schema, value: unknown, name: string): Problems {
  return isRecord(value) ? checkObject(schema, value, name) : checkValue(schema, value, name)
}

function problemOf(schema: Schema, value: unknown): string | null {
  switch (shapeOf(schema)) {
    case 'text':
    case 'lines':
      return typeof value === 'string' ? textProblem(schema, value) : t`Must be text.`
    case 'number':
      return numberProblem(schema, value)
    case 'texts':
    case 'objects':
      return Array.isArray(value) ? listProblem(schema, value.length) : t`Must be a list.`
    case 'flag':
    case 'choice':
    case 'pairs':
      return null
    case 'json':
      return isOf(schema, 'object') && !isRecord(value) ? t`Must be an object in JSON.` : null
  }
}

function textProblem({ minLength = 0, maxLength = Infinity, pattern }: Schema, text: string): string | null {
  if (text.length < minLength) return plural(minLength, { other: `Must have at least ${minLength} characters.` })
  if (text.length > maxLength) return plural(maxLength, { other: `Must have at most ${maxLength} characters.` })
  return pattern !== undefined && !new RegExp(pattern, 'u').test(text) ? t`Does not have the expected form.` : null
}

function numberProblem(schema: Schema, value: unknown): string | null {
  const { minimum = -Infinity, maximum = Infinity } = schema
  if (typeof value !== 'number') return t`Must be a number.`
  if (isOf(schema, 'integer') && !Number.isInteger(value)) return t`Must be a whole number.`
  if (value < minimum) return t`Must be at least ${minimum}.`
  return value > maximum ? t`Must be at most ${maximum}.` : null
}

function listProblem({ minItems = 0, maxItems = Infinity }: Schema, length: number): string | null {
  if (length < minItems)
    return plural(minItems, { one: 'Must have at least # item.', other: 'Must have at least # items.' })
  if (length <= maxItems) return null
  return plural(maxItems, { one: 'Must have at most # item.', other: 'Must have at most # items.' })
}

function merged(all: readonly Problems[]): Problems {
  return Object.assign({}, ...all)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
