import type { CompactVerifyResult, JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { type AgentIssuer, assertionHeaderType } from '#core/people/agent.ts'
import { type AppError, fail } from '#core/language/error.ts'
import type { Vouched } from '#operations/people/agent-registration.ts'
import { invalidRequest } from './answers.ts'
import type { AgentParts } from './agent-parts.ts'

/** An assertion of a provider that was verified. */
export type VerifiedIdJag = Vouched & {
  /** When the person last signed in at the provider, in seconds since 1970; null when it does not say. */
  authTime: number | null
}

/** Seconds that clocks may differ by. */
const skew = 60
/** Assertions are made for one use at once. */
const maxAgeSeconds = 600
const maxLength = 16_384
const maxTextLength = 255
const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/**
 * Believes a provider's assertion, or refuses it with the first thing that is wrong
 * (draft-ietf-oauth-identity-assertion-authz-grant). Whether the person signed in lately is asked later, and whether the
 * assertion was used before last of all, so that one that is refused is not used up.
 */
export async function verifyIdJag(
  { publicUrl, issuers, issuerKeys }: Pick<AgentParts, 'publicUrl' | 'issuers' | 'issuerKeys'>,
  token: string,
  now: Date,
): Promise<VerifiedIdJag> {
  const jose = await import('jose')
  const issuer = trustedIssuer(jose, token, issuers)
  const { payload, protectedHeader } = await verifySignature(jose, token, {
    read: () => issuerKeys.read(issuer, now),
    refresh: () => issuerKeys.refresh(issuer, now),
  })
  if (mediaType(protectedHeader.typ) !== assertionHeaderType)
    throw invalidRequest(`The assertion is not an ID-JAG: the typ of its header must be ${assertionHeaderType}.`)
  const claims = readClaims(payload)
  assertAudience(claims['aud'], publicUrl)
  const endsAt = assertTimely(claims, now.getTime() / 1000)
  const { sub: subject, jti, tenant } = readNames(claims)
  const email = z.email().max(254).safeParse(claims['email'])
  if (!email.success || claims['email_verified'] !== true)
    throw fail('missing_verified_email', 'The assertion has no email that its provider has verified.')
  const authTime = z.number().safeParse(claims['auth_time'])
  return {
    issuer,
    identity: { issuer: issuer.issuer, subject, tenant: tenant ?? '' },
    email: email.data.toLowerCase(),
    jti,
    endsAt,
    authTime: authTime.success ? authTime.data : null,
  }
}

/** Whether the person signed in at the provider within the last hour: an older sign-in proves no person at the keyboard. */
export function isRecentSignIn(authTime: number | null, now: Date): boolean {
  const age = authTime === null ? Number.POSITIVE_INFINITY : now.getTime() / 1000 - authTime
  return age < maxSignInAgeSeconds && age >= -skew
}

export const maxSignInAgeSeconds = 3600

/** Loaded with its first use: an installation may see no agent for long. */
type Jose = typeof import('jose')

function trustedIssuer(jose: Jose, token: string, issuers: readonly AgentIssuer[]): AgentIssuer {
  const { iss } = decode(jose, token)
  const issuer = issuers.find((trusted) => trusted.issuer === iss)
  if (issuer === undefined) throw fail('invalid_issuer', 'This service does not trust the issuer of the assertion.')
  return issuer
}

function decode({ decodeJwt, decodeProtectedHeader }: Jose, token: string): { iss?: string | undefined } {
  if (token.length > maxLength) throw invalidRequest(`The assertion is longer than ${maxLength} characters.`)
  try {
    if (token.split('.').length !== 3) throw new Error('A signed token has three parts.')
    decodeProtectedHeader(token)
    return decodeJwt(token)
  } catch {
    throw invalidRequest('The assertion is not a signed JSON Web Token.')
  }
}

type Keys = { read: () => Promise<JSONWebKeySet>; refresh: () => Promise<JSONWebKeySet | null> }

/** A key that is not known may be a new one: the set is fetched once more for it. */
async function verifySignature(jose: Jose, token: string, keys: Keys): Promise<CompactVerifyResult> {
  const first = await tryKeys(jose, token, await keys.read())
  if (!(first instanceof Error)) return first
  const fresh = first instanceof jose.errors.JWKSNoMatchingKey ? await keys.refresh() : null
  const second = fresh === null ? first : await tryKeys(jose, token, fresh)
  if (second instanceof Error) throw invalidSignature(jose, second)
  return second
}

async function tryKeys(
  { compactVerify, createLocalJWKSet }: Jose,
  token: string,
  keys: JSONWebKeySet,
): Promise<CompactVerifyResult | Error> {
  try {
    return await compactVerify(token, createLocalJWKSet(keys), { algorithms })
  } catch (error) {
    // A key set may hold what no key can be made of, which is told in other classes of errors.
    return error instanceof Error ? error : new Error(String(error))
  }
}

function invalidSignature({ errors }: Jose, cause: Error): AppError {
  const why =
    cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys
      ? 'The issuer has no key with the kid and algorithm of the assertion.'
      : 'The assertion is not signed with a key of its issuer.'
  return fail('invalid_signature', why, { cause })
}

function mediaType(typ: unknown): string {
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : ''
}

function readClaims(payload: Uint8Array): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(payload)))
}

/** One audience, alone or as a list of one: an assertion for several could be passed on by any of them. */
function assertAudience(aud: unknown, publicUrl: string): void {
  const only: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  if (only !== publicUrl) throw fail('invalid_audience', `The assertion must have exactly one audience: ${publicUrl}.`)
}

/** Returns when it could not be used any more. Times in seconds. */
function assertTimely(claims: Record<string, unknown>, now: number): Date {
  const times = z.object({ exp: z.number(), iat: z.number(), nbf: z.number().optional() }).safeParse(claims)
  if (!times.success) throw invalidRequest('The assertion needs numbers as its exp and iat.')
  const { exp, iat, nbf = iat } = times.data
  if (exp + skew <= now) throw fail('expired', 'The assertion has expired.')
  if (iat - skew > now || nbf - skew > now) throw fail('expired', 'The assertion is not valid yet.')
  if (now - iat > maxAgeSeconds + skew)
    throw fail('expired', `The assertion was made more than ${maxAgeSeconds} seconds ago.`)
  return new Date((Math.min(exp, iat + maxAgeSeconds) + skew) * 1000)
}

const nameSchema = z
  .string()
  .min(1)
  .max(maxTextLength)
  .refine((text) => !text.includes('\0') && text.isWellFormed())
const namesSchema = z.object({ sub: nameSchema, jti: nameSchema, tenant: nameSchema.optional() })

function readNames(claims: Record<string, unknown>): z.infer<typeof namesSchema> {
  const names = namesSchema.safeParse(claims)
  if (!names.success)
    throw invalidRequest(`The assertion needs a sub and a jti, each text of 1 to ${maxTextLength} characters.`)
  return names.data
}
