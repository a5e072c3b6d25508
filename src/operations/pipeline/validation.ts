import type { z } from 'zod'
import { type Fields, fail } from '#core/language/error.ts'

export type Parsed<T> = { ok: true; value: T } | { ok: false; fields: Fields }

type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

const maxFields = 100
const maxFieldLength = 200
const maxDepth = 64
/** The name for problems of the whole body. */
const wholeBody = 'body'

/**
 * Parses without converting types, because `"false"` taken as true would be found too late
 * (docs/decisions/api-surface.md, "Validation"). Problems are sentences under dotted paths such as `steps.0.url`.
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const unstorable = findUnstorable(value)
  if (unstorable !== null) return { ok: false, fields: collect([unstorable]) }
  const parsed = schema.safeParse(value, { error: sentence })
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, fields: issueFields(parsed.error.issues) }
}

/** Problems of a zod parse as the `fields` of an error body, each name led by `prefix` where one is given. */
export function issueFields(issues: readonly Issue[], prefix?: string): Fields {
  return collect(issues.flatMap((issue) => problemsOf(issue, prefix === undefined ? [] : [prefix])))
}

/** What a zod issue means, as a sentence; undefined leaves the schema's own message. */
export function sentence(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This field is required.'
        : `Must be ${typeNames[issue.expected] ?? issue.expected}.`
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most')
    case 'invalid_format':
      return formats[issue.format] ?? 'Does not have the expected form.'
    case 'invalid_value':
      return issue.values.length === 1
        ? `Must be ${String(issue.values[0])}.`
        : `Must be one of ${issue.values.join(', ')}.`
    case 'unrecognized_keys':
      return 'Unknown field.'
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return 'This value is not valid.'
  }
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Record<string, string> = {
  uuid: 'Must be a UUID.',
  guid: 'Must be a UUID.',
  date: 'Must be a date such as 2026-01-31.',
  datetime: 'Must be a time such as 2026-01-31T12:00:00Z.',
  email: 'Must be an email address.',
  url: 'Must be a URL.',
  base64: 'Must be base64.',
}

function bound(origin: string, limit: number, words: string): string {
  const unit = limit === 1 ? 'character' : 'characters'
  if (origin === 'string')
    return limit === 1 && words === 'at least' ? 'Must not be empty.' : `Must have ${words} ${limit} ${unit}.`
  if (origin === 'array' || origin === 'set') return `Must have ${words} ${limit} ${limit === 1 ? 'item' : 'items'}.`
  return `Must be ${words} ${limit}.`
}

type Problem = { path: PropertyKey[]; text: string }

function problemsOf(issue: Issue, prefix: PropertyKey[]): Problem[] {
  const path = [...prefix, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], text: issue.message }))
  if (issue.code === 'invalid_key') return [{ path, text: issue.issues[0]?.message ?? issue.message }]
  return [{ path, text: issue.message }]
}

function collect(problems: Problem[]): Fields {
  const fields = new Map<string, string[]>()
  for (const { path, text } of problems) {
    const name = path.length === 0 ? wholeBody : path.map(String).join('.').slice(0, maxFieldLength)
    if (fields.has(name) || fields.size < maxFields) fields.set(name, [...(fields.get(name) ?? []), text])
  }
  return Object.fromEntries(fields)
}

/** PostgreSQL stores neither U+0000 nor half a surrogate pair, and no schema means to take them. */
function findUnstorable(root: unknown): Problem | null {
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next
    if (path.length > maxDepth) throw fail('invalid_json', `The body is nested deeper than ${maxDepth} levels.`)
    if (typeof value === 'string' && !isStorable(value))
      return { path, text: 'Contains a character that cannot be stored.' }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, member] of Object.entries(value)) {
      if (!isStorable(key)) return { path, text: 'Has a member with a name that cannot be stored.' }
      open.push({ value: member, path: [...path, key] })
    }
  }
  return null
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
