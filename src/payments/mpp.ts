import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { isDeeper, maxJsonDepth } from '#core/language/json-depth.ts'
import { decodeJson } from '#core/language/base64-json.ts'
import type { Challenge, ChargeRequest, Credential } from './method.ts'

/** Payments on the wire (draft-httpauth-payment-00). */
export type Mpp = {
  /** The realm of every challenge. */
  realm: string
  /**
   * A fresh challenge, which expires after `challengeLifeMs`. `nonce` makes two of the same moment differ.
   * `isForAccount`: the caller who is asked has an account.
   */
  createChallenge: (wish: {
    method: string
    request: ChargeRequest
    nonce: string
    at: Date
    isForAccount?: boolean
  }) => Challenge
  /** Whether this service made the challenge, and what its id is bound to is unchanged. */
  isOurs: (challenge: Challenge) => boolean
  /** Whether a challenge of ours was made for a caller with an account. */
  isForAccount: (challenge: Challenge) => boolean
}

export type MppOptions = {
  /** The realm of every challenge. An installation has one, whatever address it is reached by. */
  realm: string
  /** At least 32 characters each. The first one signs; challenges that were signed with another one still hold. */
  secrets: () => readonly [string, ...string[]]
}

/** How long a challenge can be answered. */
export const challengeLifeMs = 5 * 60_000

/** The one intent of all our challenges: money for one request. */
export const chargeIntent = 'charge'

export function createMpp({ realm, secrets }: MppOptions): Mpp {
  return {
    realm,
    createChallenge: ({ method, request, nonce, at, isForAccount = false }) => {
      const expires = new Date(at.getTime() + challengeLifeMs).toISOString()
      const terms = { realm, method, intent: chargeIntent, requestText: encode(request) }
      const bound = { ...terms, expires, opaque: encode({ nonce, ...(isForAccount ? accountMark : {}) }) }
      return { id: idOf(bound, secrets()[0]).toString('base64url'), request, ...bound }
    },
    isOurs: (challenge) => {
      const id = Buffer.from(challenge.id, 'base64url')
      const isSigned = secrets().some((secret) => isEqual(id, idOf(challenge, secret)))
      return isSigned && challenge.realm === realm && challenge.intent === chargeIntent
    },
    isForAccount: ({ opaque = '' }) => markedSchema.safeParse(decodeJson(opaque)).success,
  }
}

/** Stands in `opaque`, which the id is bound to and which payers send back as it is. */
const accountMark = { caller: 'account' } as const
const markedSchema = z.object({ caller: z.literal(accountMark.caller) })

/** A challenge as it was made, of what it is told by where its request is not sent as one text. */
export function challengeOf(told: Omit<Challenge, 'intent' | 'requestText'>): Challenge {
  return { ...told, intent: chargeIntent, requestText: encode(told.request) }
}

/** When a challenge of ours was made. */
export function issuedAt({ expires }: Challenge): Date {
  return new Date(Date.parse(expires) - challengeLifeMs)
}

export type Sent = { type: 'none' } | { type: 'malformed' } | { type: 'one'; credential: Credential }

/**
 * Reads what a transport found: nothing, the text after `Payment` in the header `Authorization`, or the object that MCP carries, whose `request` and `opaque` may be plain. Throws nothing.
 */
export function readCredential(sent: unknown): Sent {
  if (sent === undefined) return { type: 'none' }
  const json = typeof sent === 'string' ? decodeJson(sent) : sent
  const parsed = isDeeper(json, maxJsonDepth) ? null : credentialSchema.safeParse(json)
  if (parsed?.success !== true) return { type: 'malformed' }
  const { challenge: wire, payload, source } = parsed.data
  const requestText = typeof wire.request === 'string' ? wire.request : encode(wire.request)
  const request = requestSchema.safeParse(decodeJson(requestText))
  if (!request.success) return { type: 'malformed' }
  const opaque = typeof wire.opaque === 'object' ? encode(wire.opaque) : wire.opaque
  const { id, realm, method, intent, expires } = wire
  const challenge = { id, realm, method, intent, request: request.data, requestText, expires }
  return {
    type: 'one',
    credential: {
      challenge: { ...challenge, ...(opaque === undefined ? {} : { opaque }) },
      payload,
      ...(source === undefined ? {} : { source }),
    },
  }
}

/** The value of `WWW-Authenticate`: all challenges in one field (RFC 9110 11.6.1). `description` is for people. */
export function formatChallenges(challenges: readonly Challenge[], description: string): string {
  return challenges
    .map(({ id, realm, method, intent, requestText: request, expires, opaque }) => {
      const members = { id, realm, method, intent, request, description, expires, opaque }
      const pairs = Object.entries(members).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${quoted(value)}`],
      )
      return `Payment ${pairs.join(', ')}`
    })
    .join(', ')
}

/** A challenge where JSON carries it, with its request as it is (draft-payment-transport-mcp-00). */
export type PlainChallenge = Omit<Challenge, 'requestText'> & { description: string }

export function plainChallenge(challenge: Challenge, description: string): PlainChallenge {
  const { id, realm, method, intent, request, expires, opaque } = challenge
  const members = { id, realm, method, intent, request, expires, description }
  return opaque === undefined ? members : { ...members, opaque }
}

/** The proof of payment for the payer. `method` is its name on the wire. */
export type PaymentProof = { method: string; reference: string; at: Date; challengeId: string }

export type PaymentReceipt = {
  status: 'success'
  method: string
  reference: string
  timestamp: string
  challengeId: string
}

export function receiptOf({ method, reference, at, challengeId }: PaymentProof): PaymentReceipt {
  return { status: 'success', method, reference, timestamp: at.toISOString(), challengeId }
}

/** The value of `Payment-Receipt`. */
export function formatReceipt(proof: PaymentProof): string {
  return encode(receiptOf(proof))
}

const maxRequestLength = 16 * 1024
const requestSchema = z.record(z.string(), z.unknown())
const short = z.string().min(1).max(1000)
const long = z.string().min(1).max(maxRequestLength)

const credentialSchema = z.object({
  challenge: z.object({
    id: short,
    realm: short,
    method: short,
    intent: short,
    request: z.union([long, requestSchema]),
    expires: z.iso.datetime(),
    // We bind no digest: a challenge that has one is not ours.
    digest: z.undefined().optional(),
    opaque: z.union([long, z.record(z.string(), z.string())]).optional(),
  }),
  payload: z.unknown(),
  source: z.string().max(1000).optional(),
})

type Bound = Pick<Challenge, 'realm' | 'method' | 'intent' | 'requestText' | 'expires' | 'opaque'>

/**
 * The draft binds seven slots. The digest of the body stays empty, because `externalId` in the request covers the body.
 */
function idOf({ realm, method, intent, requestText, expires, opaque = '' }: Bound, secret: string): Buffer {
  const slots = [realm, method, intent, requestText, expires, '', opaque]
  return createHmac('sha256', secret).update(slots.join('|')).digest()
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Base64url without padding of canonical JSON (RFC 8785). */
function encode(value: Readonly<Record<string, unknown>>): string {
  return Buffer.from(canonicalJson(value)).toString('base64url')
}

/** A quoted string of RFC 9110 5.6.4; what a header cannot carry becomes a question mark. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
