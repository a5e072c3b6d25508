import { t } from '@lingui/core/macro'
import { ApiError, type Fields } from '../api/ask.ts'

/** A failure as a form shows it. */
export type Problem = { message: string; fields: Fields }

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { message: error.message, fields: error.fields }
  return { message: t`Something went wrong in this page. Reload it and try again.`, fields: {} }
}
