import { oneLine } from '#core/language/one-line.ts'
import { redact } from '#core/language/redact.ts'

const maxReasonLength = 500

/**
 * Why an alert was not accepted, in the provider's words, as it may be shown and kept: one line of at most 500
 * characters without any of the secrets. They are looked for before the text is cut, so that no beginning of one stays.
 */
export function shownReason(text: string, secrets: readonly string[]): string {
  const whole = oneLine(redact(text.toWellFormed(), secrets), Infinity)
  return oneLine(redact(whole, secrets), maxReasonLength)
}
