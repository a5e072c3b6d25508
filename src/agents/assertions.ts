import { randomUUID } from 'node:crypto'
import type { CryptoKey, JWK } from 'jose'
import { z } from 'zod'
import { assertionHeaderType, assertionMs, readRegistrationId, registrationIdOf } from '#core/people/agent.ts'
import {
  type KeyPair,
  type PublishedKey,
  type SigningKey,
  keepKeys,
  listPublishedKeys,
  readSigningKey,
} from '#store/people/agent-keys.ts'
import type { Registration } from '#store/people/agent-registrations.ts'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'

/** Our own assertions: what an agent shows to be given an access token. */
export type Assertions = {
  /** Signs with the key whose turn it is. Ask before a transaction is open: a key may have to be made. */
  ready: (now: Date) => Promise<Sign>
  /** Whose assertion this is, and of which generation; null for what we did not make, or what has ended. */
  verify: (text: string, now: Date) => Promise<{ registrationId: string; generation: number } | null>
  /** The keys as they are published (RFC 7517 5). */
  keySet: (now: Date) => Promise<{ keys: unknown[] }>
}

export type Sign = (registration: Signed, now: Date) => Promise<Assertion>

export type Signed = Pick<Registration, 'id' | 'type' | 'email' | 'claimedAt' | 'generation'>

export type Assertion = { text: string; expiresAt: Date }

// jose is loaded with its first use: an installation may see no agent for long.

const algorithm = 'ES256'
const maxLength = 4096

export function createAssertions(
  { database, secrets }: { database: Database; secrets: Secrets },
  issuer: string,
): Assertions {
  return {
    ready: async (now) => {
      const { id, privateKey } = await currentKey(now)
      const { importJWK } = await import('jose')
      const key = await importJWK(jwkSchema.parse(JSON.parse(privateKey)), algorithm)
      return (registration, at) => sign(registration, { issuer, keyId: id, key, at })
    },
    verify: async (text, now) => {
      if (text.length > maxLength) return null
      const claims = await readVerified(text, await listPublishedKeys(database, now))
      if (claims === null || claims.iss !== issuer || claims.aud !== issuer) return null
      if (claims.exp * 1000 <= now.getTime()) return null
      const registrationId = readRegistrationId(claims.sub)
      return registrationId === null ? null : { registrationId, generation: claims.generation }
    },
    keySet: async (now) => {
      await currentKey(now)
      const keys = await listPublishedKeys(database, now)
      return { keys: keys.map(({ publicKey }) => publicKey) }
    },
  }

  /** Nobody keeps the keys beside those who use them: one is made when there is none, or none for the time to come. */
  async function currentKey(now: Date): Promise<SigningKey> {
    const current = await readSigningKey(database, secrets, now)
    if (current !== null && !current.needsNext) return current
    await keepKeys(database, secrets, { now, createKeyPair })
    const kept = current ?? (await readSigningKey(database, secrets, now))
    if (kept === null) throw new Error('There is no key to sign with, although one was made.')
    return kept
  }
}

/** A key pair named by its thumbprint (RFC 7638), which no two share. */
async function createKeyPair(): Promise<KeyPair> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose')
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const id = await calculateJwkThumbprint(jwk)
  return {
    id,
    publicKey: JSON.stringify({ ...jwk, kid: id, alg: algorithm, use: 'sig' }),
    privateKey: JSON.stringify(await exportJWK(privateKey)),
  }
}

type Signer = { issuer: string; keyId: string; key: CryptoKey | Uint8Array; at: Date }

async function sign(registration: Signed, { issuer, keyId, key, at }: Signer): Promise<Assertion> {
  const issuedAt = Math.floor(at.getTime() / 1000)
  const expiresAt = issuedAt + assertionMs / 1000
  const subject = registrationIdOf(registration.id)
  const { email, claimedAt } = registration
  const { SignJWT } = await import('jose')
  const text = await new SignJWT({
    client_id: subject,
    registration_type: registration.type,
    generation: registration.generation,
    // Somebody who had verified it has claimed the agent; before that it is but a wish.
    ...(email === null || claimedAt === null ? {} : { email, email_verified: true }),
  })
    .setProtectedHeader({ alg: algorithm, typ: assertionHeaderType, kid: keyId })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key)
  return { text, expiresAt: new Date(expiresAt * 1000) }
}

const jwkSchema: z.ZodType<JWK> = z.looseObject({ kty: z.string() })

const claimsSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.number(),
  generation: z.int(),
})

async function readVerified(text: string, published: PublishedKey[]): Promise<z.infer<typeof claimsSchema> | null> {
  const keys = published.map(({ publicKey }) => jwkSchema.parse(publicKey))
  const { compactVerify, createLocalJWKSet } = await import('jose')
  try {
    const { payload, protectedHeader } = await compactVerify(text, createLocalJWKSet({ keys: keys.map(withKind) }), {
      algorithms: [algorithm],
    })
    if (protectedHeader.typ !== assertionHeaderType) return null
    return claimsSchema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data ?? null
  } catch {
    return null
  }
}

function withKind(key: JWK): JWK & { kty: string } {
  return { ...key, kty: key.kty ?? 'EC' }
}
