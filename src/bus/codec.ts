// Messages as bytes: JSON, with results and assignments as arrays, because there are many of them.
import { z } from 'zod'
import { type Assignment, type CheckConfiguration, checkConfigurationSchema } from '#core/monitors/check.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import {
  type CountersignOffer,
  type CountersignReply,
  countersignOfferSchema,
  countersignReplySchema,
} from '#core/proofs/countersign.ts'
import { readRoute, type TakenRoute } from '#core/incidents/route.ts'
import { plainAddress } from '#core/language/ip-address.ts'
import { readEvidence } from '#core/incidents/evidence.ts'
import { readView } from '#core/incidents/view.ts'
import { type Expiry, type Phases, type Result, resultStatuses, type Verdict } from '#core/results/result.ts'
import {
  type Change,
  maxConfigurationsPerRequest,
  maxMessageBytes,
  maxResultsPerMessage,
  type Presence,
} from './bus.ts'

/** Bytes that are not what their subject promises. */
export class CodecError extends Error {}

const knownKinds = new Set<string>(kindNames)
const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/**
 * Engines and APIs keep the names of up to a thousand probers a location, and a stolen credential can make names up.
 */
const maxName = 1_000
const maxSetAside = 100
const maxId = 64
/** A year: no date of PostgreSQL lies as far back as a number of milliseconds may say. */
const longestLostMs = 365 * 86_400_000
// Unknown members are ignored, because processes of two releases run side by side during an upgrade.
const presenceSchema = z.object({
  location: z.string().max(maxName),
  locationName: z.string().max(maxName).optional(),
  prober: z.string().max(maxName),
  witness: z.string().max(maxName).optional(),
  isLeaving: z.boolean(),
  // What another release knows of is nothing that this one could choose by.
  only: z.literal('browser').optional().catch(undefined),
  isFresh: z.boolean().optional(),
  lostNetworkMs: z
    .number()
    .min(0)
    .transform((ms) => Math.min(ms, longestLostMs))
    .optional(),
  setAside: z.array(z.string().max(maxId)).max(maxSetAside).optional(),
})
const changeSchema = z.object({
  monitorId: z.string(),
  partition: z.int(),
  hasRecovered: z.boolean().optional(),
  failedMs: z.number().optional(),
})
const idsSchema = z.array(z.string().max(maxId)).max(maxConfigurationsPerRequest)
/** No route waits for longer at a prober. */
const longestAgoMs = 3_600_000
const takenRouteSchema = z.object({
  monitorId: z.string().max(maxId),
  isFailure: z.boolean(),
  agoMs: z
    .number()
    .min(0)
    .transform((ms) => Math.min(ms, longestAgoMs)),
  route: z.unknown().transform((found, context) => {
    const route = readRoute(found)
    if (route !== null) return route
    context.addIssue({ code: 'custom', message: 'It is no route.' })
    return z.NEVER
  }),
})
/** Configurations of a kind that this release does not know are left out, so that the others are still checked. */
const configurationsSchema = z.preprocess(
  (list) => (Array.isArray(list) ? list.filter((item) => !isOfNewerKind(item)) : list),
  z.array(checkConfigurationSchema),
)

export const presenceCodec = codecOf<Presence>(presenceSchema)
export const changeCodec = codecOf<Change>(changeSchema)
export const idsCodec = codecOf<string[]>(idsSchema)
export const takenRouteCodec = codecOf<TakenRoute>(takenRouteSchema)
export const countersignOfferCodec = codecOf<CountersignOffer>(countersignOfferSchema)
export const countersignReplyCodec = codecOf<CountersignReply>(countersignReplySchema)
export const configurationsCodec = codecOf<CheckConfiguration[]>(configurationsSchema)

/** Results as messages of at most 100 results and 256 KB. One result alone, with its evidence, is smaller than that. */
export function encodeResults(results: readonly Result[]): Uint8Array[] {
  const messages: Uint8Array[] = []
  let parts: string[] = []
  let length = 0
  for (const result of results) {
    const part = JSON.stringify(resultTuple(result))
    // UTF-8 needs at most three bytes for a UTF-16 unit.
    if (parts.length === maxResultsPerMessage || (parts.length > 0 && (length + part.length) * 3 > maxMessageBytes)) {
      messages.push(encoder.encode(`[${parts.join(',')}]`))
      parts = []
      length = 0
    }
    parts.push(part)
    length += part.length + 1
  }
  if (parts.length > 0) messages.push(encoder.encode(`[${parts.join(',')}]`))
  return messages
}

export function decodeResults(bytes: Uint8Array): Result[] {
  const list = listOf(bytes)
  if (list.length > maxResultsPerMessage) throw new CodecError('A message has more results than one is sent with.')
  return list.map(resultOf)
}

export function encodeAssignments(assignments: readonly Assignment[]): Uint8Array {
  return encoder.encode(JSON.stringify(assignments.map(assignmentTuple)))
}

export function decodeAssignments(bytes: Uint8Array): Assignment[] {
  return listOf(bytes).map((item) => {
    const [monitorId, version, round, asked]: unknown[] = Array.isArray(item) ? item : []
    if (typeof monitorId !== 'string' || typeof version !== 'number' || typeof round !== 'number')
      throw new CodecError('An assignment is not [monitor, version, round].')
    const assignment: Assignment = { monitorId, version, round }
    if (asked === 1) assignment.wantsView = true
    return assignment
  })
}

/** Earlier releases read the first three. */
function assignmentTuple({ monitorId, version, round, wantsView }: Assignment): unknown[] {
  return wantsView === true ? [monitorId, version, round, 1] : [monitorId, version, round]
}

type Codec<T> = { encode: (value: T) => Uint8Array; decode: (bytes: Uint8Array) => T }

function codecOf<T>(schema: z.ZodType<T>): Codec<T> {
  return {
    encode: (value) => encoder.encode(JSON.stringify(value)),
    decode: (bytes) => {
      const parsed = schema.safeParse(jsonOf(bytes))
      if (!parsed.success) throw new CodecError(z.prettifyError(parsed.error))
      return parsed.data
    },
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new CodecError('The message is not JSON.', { cause })
  }
}

function listOf(bytes: Uint8Array): unknown[] {
  const list = jsonOf(bytes)
  if (!Array.isArray(list)) throw new CodecError('The message is not a list.')
  return list
}

function resultTuple(result: Result): unknown[] {
  const { monitorId, version, round, location, verdict } = result
  if (verdict === null) return [monitorId, version, round, location]
  const { status, statusCode, latencyMs, error, phases, details, expiry } = verdict
  const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = phases
  return [
    monitorId,
    version,
    round,
    location,
    resultStatuses.indexOf(status),
    statusCode,
    latencyMs,
    error,
    [dnsMs, connectMs, tlsMs, ttfbMs, transferMs],
    details,
    ...rarePartsOf(expiry, result),
  ]
}

/** Most results have none of these. For what is left out before another part, earlier releases take null as well. */
function rarePartsOf(expiry: Verdict['expiry'], { evidence, address, view }: Result): unknown[] {
  if (view !== undefined) return [expiry ?? null, evidence ?? null, address ?? null, view]
  if (address !== undefined) return [expiry ?? null, evidence ?? null, address]
  if (evidence !== undefined) return [expiry ?? null, evidence]
  return expiry === undefined ? [] : [expiry]
}

/** Written by hand because it runs for every check; a schema would cost several times as much. */
function resultOf(item: unknown): Result {
  if (!Array.isArray(item)) throw new CodecError('A result is not a list.')
  const [monitorId, version, round, location, ...rest]: unknown[] = item
  if (typeof monitorId !== 'string' || typeof location !== 'string' || !isWhole(version) || !isWhole(round))
    throw new CodecError('A result lacks its monitor, version, round or location.')
  const result = { monitorId, version, round, location, verdict: rest.length === 0 ? null : verdictOf(rest) }
  if (rest.length <= evidencePlace) return result
  const evidence = readEvidence(rest[evidencePlace])
  const address = addressOf(rest[evidencePlace + 1])
  const view = rest.length <= evidencePlace + 2 ? null : readView(rest[evidencePlace + 2])
  return {
    ...result,
    ...(evidence === null ? {} : { evidence }),
    ...(address === null ? {} : { address }),
    ...(view === null ? {} : { view }),
  }
}

/** Among what follows the location. Evidence or a view of another shape is left out: the result counts without it. */
const evidencePlace = 7

/** What is no address is left out as well. */
function addressOf(found: unknown): string | null {
  return typeof found === 'string' ? plainAddress(found) : null
}

function verdictOf([statusIndex, statusCode, latencyMs, error, phases, details, expiry]: unknown[]): Verdict {
  const status = isWhole(statusIndex) ? resultStatuses[statusIndex] : undefined
  if (status === undefined) throw new CodecError('A result has no status.')
  if (!isWholeOrNull(statusCode) || !isWholeOrNull(latencyMs)) throw new CodecError('A result has no whole numbers.')
  if (error !== null && typeof error !== 'string') throw new CodecError('The error of a result is not a text.')
  if (!isRecord(details)) throw new CodecError('The details of a result are not an object.')
  const verdict = { status, statusCode, latencyMs, error, phases: phasesOf(phases), details }
  return expiry === undefined || expiry === null ? verdict : { ...verdict, expiry: expiryOf(expiry) }
}

function expiryOf(expiry: unknown): Expiry {
  const { certificate, domain } = isRecord(expiry) ? expiry : {}
  return {
    ...(certificate === undefined ? {} : { certificate: certificateOf(certificate) }),
    ...(domain === undefined ? {} : { domain: domainOf(domain) }),
  }
}

function certificateOf(certificate: unknown): NonNullable<Expiry['certificate']> {
  const { host, issuer, notBefore, notAfter } = isRecord(certificate) ? certificate : {}
  if (
    typeof host !== 'string' ||
    typeof issuer !== 'string' ||
    typeof notBefore !== 'string' ||
    typeof notAfter !== 'string'
  )
    throw new CodecError('The certificate of a result lacks its host, issuer or times.')
  return { host, issuer, notBefore, notAfter }
}

function domainOf(domain: unknown): NonNullable<Expiry['domain']> {
  const { name, expiresAt } = isRecord(domain) ? domain : {}
  if (typeof name !== 'string' || (expiresAt !== null && typeof expiresAt !== 'string'))
    throw new CodecError('The domain of a result lacks its name or end.')
  return { name, expiresAt }
}

function phasesOf(list: unknown): Phases {
  const [dnsMs, connectMs, tlsMs, ttfbMs, transferMs]: unknown[] = Array.isArray(list) ? list : []
  if (
    !isWholeOrNull(dnsMs) ||
    !isWholeOrNull(connectMs) ||
    !isWholeOrNull(tlsMs) ||
    !isWholeOrNull(ttfbMs) ||
    !isWholeOrNull(transferMs)
  )
    throw new CodecError('The phases of a result are not whole numbers.')
  return { dnsMs, connectMs, tlsMs, ttfbMs, transferMs }
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isWholeOrNull(value: unknown): value is number | null {
  return value === null || isWhole(value)
}

function isOfNewerKind(item: unknown): boolean {
  return isRecord(item) && typeof item['kind'] === 'string' && !knownKinds.has(item['kind'])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
