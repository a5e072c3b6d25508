import { z } from 'zod'
import { AdvisoryError } from './advisory-error.ts'
import { maxVersionLength } from './version-order.ts'

/** Reads the members of a record that are used. `what` names the record for people. Throws AdvisoryError. */
export function parseRecord<T extends z.ZodType>(schema: T, record: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(record)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.join('.')
  throw new AdvisoryError(`${what} cannot be read: ${where}: ${issue?.message ?? 'no reason given'}.`)
}

/** The form of a record's id and of its names elsewhere. */
export const isRecordId = /^[!-~]{1,200}$/
export const recordId = z.string().regex(isRecordId)

/** One line without control characters, in a form that PostgreSQL accepts; null where no text is left. */
export function oneLine(text: string, maxLength: number): string | null {
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line === '') return null
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

/** The summary as one line; without one, the first line of the description. */
export function summaryOf(summary: string | undefined, details: string | undefined): string | null {
  const written = summary === undefined ? null : oneLine(summary, maxSummaryLength)
  if (written !== null || details === undefined) return written
  const first = details.split('\n').find((line) => /[^\s#]/.test(line)) ?? ''
  return oneLine(first.replace(/^[\s#]+/, ''), maxSummaryLength)
}

const maxSummaryLength = 500

/**
 * A bound or a listed version, in a form that PostgreSQL accepts; null where it names nothing. It may not be readable
 * in any order of versions.
 */
export function versionText(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' || trimmed.length > maxVersionLength || !isPlain.test(trimmed) ? null : trimmed
}

const isPlain = /^[ -~]+$/

/** Reads ISO 8601; a time without a zone is UTC (NVD). Null for times outside our era, such as Go's zero time. */
export function readTime(text: string | null | undefined): Date | null {
  if (text === null || text === undefined || !isTime.test(text)) return null
  const date = new Date(hasZone.test(text) ? text : `${text}Z`)
  const year = date.getUTCFullYear()
  return Number.isNaN(year) || year < 1970 || year > 9999 ? null : date
}

const isTime = /^\d{4}-\d\d-\d\d(?:T|$)/
const hasZone = /^\d{4}-\d\d-\d\d$|(?:Z|[+-]\d\d:?\d\d)$/
