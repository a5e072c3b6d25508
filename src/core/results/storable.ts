import { isDeeper } from '#core/language/json-depth.ts'
import type { Expiry, Result, Verdict } from './result.ts'

const largestInteger = 2 ** 31 - 1
const largestSmallInteger = 2 ** 15 - 1
/** PostgreSQL reads JSON by functions that call themselves, and so does what writes it here. */
const maxDepth = 32

/**
 * Whether the columns of results take it. Probers clean what they send, and a location whose credential was stolen sends
 * what its thief likes: one such value would take back the transaction in which the results of others are stored.
 */
export function isStorable({ version, verdict }: Pick<Result, 'version' | 'verdict'>): boolean {
  return version <= largestInteger && (verdict === null || isVerdictStorable(verdict))
}

/** Runs for every result, of which most have neither an error nor details. */
export function isVerdictStorable({ statusCode, latencyMs, error, phases, details, expiry }: Verdict): boolean {
  const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = phases
  return (
    (statusCode ?? 0) <= largestSmallInteger &&
    [latencyMs, dnsMs, connectMs, tlsMs, ttfbMs, transferMs].every((ms) => (ms ?? 0) <= largestInteger) &&
    (error === null || isText(error)) &&
    !isDeeper(details, maxDepth) &&
    hasTexts(details) &&
    (expiry === undefined || hasExpiryTexts(expiry))
  )
}

/** Its times as well: of a result that is set aside they are kept as they came. */
function hasExpiryTexts({ certificate, domain }: Expiry): boolean {
  return hasTexts(certificate) && hasTexts(domain)
}

/** Whether all texts in a value are such. */
function hasTexts(value: unknown): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(hasTexts)
  return Object.entries(value).every(([name, each]) => isText(name) && hasTexts(each))
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
