import { z } from 'zod'
import type { Evidence } from '#core/incidents/evidence.ts'
import type { View } from '#core/incidents/view.ts'

export const resultStatuses = ['up', 'down', 'degraded'] as const
export type ResultStatus = (typeof resultStatuses)[number]

/** Timing phases of a check in whole milliseconds; null where a phase did not take place or was not reached. */
export type Phases = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  ttfbMs: number | null
  transferMs: number | null
}

export const noPhases: Phases = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null, transferMs: null }

/**
 * Ends that a check saw on its way, past ones too. The monitor shows them as members of its own, and alerts of expiry
 * depend on them; they are not stored with the result. Times are ISO 8601.
 */
export type Expiry = {
  /**
   * `host` showed the certificate. A renewed one has another `notAfter`; alerts depend on the length of its lifetime
   * (docs/decisions/alerts-and-contacts.md, "When a certificate alerts").
   */
  certificate?: { host: string; issuer: string; notBefore: string; notAfter: string }
  /** `name` is the registrable domain; `expiresAt` is null where its registry publishes no end. */
  domain?: { name: string; expiresAt: string | null }
}

/**
 * What a kind's `judge` decides about an observation. `error` is a sentence for a person and holds the word that tells
 * causes apart, such as "timed out" or "refused" (docs/decisions/targets-and-kinds.md, "The text of a failure").
 */
export type Verdict = {
  status: ResultStatus
  statusCode: number | null
  latencyMs: number | null
  error: string | null
  phases: Phases
  /** Only what is unusual, since it is stored as JSON in the row; strings have at most 500 characters. */
  details: Record<string, unknown>
  /** Left out where the check saw no end. */
  expiry?: Expiry
}

/**
 * The outcome of one check on its way from a location to the engine, identified by monitor, round and location.
 * `verdict` is null when the prober could not tell, because it stalled or had no network itself
 * (docs/decisions/rounds-and-time.md, "The prober's own trouble").
 */
export type Result = {
  monitorId: string
  /** The version of the monitor that was checked. */
  version: number
  /** The round's scheduled time in microseconds since 1970, by the engine's clock. */
  round: number
  location: string
  verdict: Verdict | null
  /** Of a failure whose monitor keeps it, where it may be needed. Stored apart, or not at all. */
  evidence?: Evidence
  /**
   * The address at which the check reached its target, as `plainAddress` spells it. Told with few results: the first of a
   * monitor, and where it is another one than before. Not stored with the result.
   */
  address?: string
  /** What the check saw in short, where the engine asked for it. Stored apart, or not at all. */
  view?: View
}

/** A result as the API shows it. */
export const resultSchema = z.strictObject({
  id: z.string(),
  status: z.enum(resultStatuses),
  status_code: z.int().nullable(),
  latency_ms: z.int().nullable().describe('Milliseconds; the mean when `repeats` is above 1.'),
  location_code: z.string(),
  checked_at: z.iso.datetime(),
  error: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).describe('Depends on the kind; unknown members may appear.'),
  repeats: z.int().min(1).describe('Number of checks this result stands for.'),
  last_checked_at: z.iso.datetime().nullable(),
  latency_max_ms: z.int().nullable(),
})
export type ResultRecord = z.infer<typeof resultSchema>

export const maxTextLength = 500
const maxDetails = 50

/** A target may answer anything: its texts are cut, and characters that PostgreSQL cannot store are removed. */
export function withCleanTexts(verdict: Verdict): Verdict {
  const error = verdict.error === null ? null : cleanText(verdict.error)
  const details = cleanDetails(verdict.details)
  const certificate = verdict.expiry?.certificate
  if (certificate === undefined) return { ...verdict, error, details }
  const cleaned = { ...certificate, issuer: cleanText(certificate.issuer) }
  return { ...verdict, error, details, expiry: { ...verdict.expiry, certificate: cleaned } }
}

function cleanText(text: string): string {
  const cut = text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text
  return cut.replaceAll('\0', '').toWellFormed()
}

function cleanDetails(details: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(details)
  if (entries.length === 0) return details
  return Object.fromEntries(entries.slice(0, maxDetails).map(([name, value]) => [cleanText(name), cleanValue(value)]))
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.slice(0, maxDetails).map(cleanValue)
  if (typeof value === 'object' && value !== null) return cleanDetails(Object.fromEntries(Object.entries(value)))
  return value
}
