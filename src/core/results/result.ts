import { z } from 'zod'

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
 * Ends that a check saw on its way, bad ones too: for the monitor's own members (decisions.md B1) and for expiry
 * alerts. They are not stored with the result. Times are ISO 8601.
 */
export type Expiry = {
  /** `host` showed it. A renewed certificate has another `notAfter`; a sixth of its lifetime is A17's window. */
  certificate?: { host: string; issuer: string; notBefore: string; notAfter: string }
  /** The registrable domain; `expiresAt` is null where its registry publishes no end. */
  domain?: { name: string; expiresAt: string | null }
}

/** What a kind's judge decides about what was observed. `error` is a sentence for people (decisions.md A28). */
export type Verdict = {
  status: ResultStatus
  statusCode: number | null
  latencyMs: number | null
  error: string | null
  phases: Phases
  /** Only what is unusual: stored as JSON beside the phases, strings of at most 500 characters. */
  details: Record<string, unknown>
  /** Left out where the check saw none. */
  expiry?: Expiry
}

/**
 * One check's outcome on its way from a location to the engine. It is identified by monitor, round and location.
 * `verdict` is null when the location could not tell: its own stall, or no network of its own (decisions.md A4).
 */
export type Result = {
  monitorId: string
  /** The version of the monitor that was checked. */
  version: number
  /** The round's scheduled time in microseconds since 1970, by the engine's clock. */
  round: number
  location: string
  verdict: Verdict | null
}

/** Result of the specification, as the API shows it. */
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

const maxTextLength = 500
const maxDetails = 50

/** What targets answer may hold anything: texts are cut, and what PostgreSQL cannot store is taken out. */
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
