import { randomUUID } from 'node:crypto'
import type { CryptoKey, JWK } from 'jose'
import { z } from 'zod'
import { assertionHeaderType, assertionMs, readRegistrationId, registrationIdOf } from '#core/people/agent.ts'
import {
  type AgentServices,
  type Assertion,
  type Assertions,
  type KeyPair,
  type PublishedKey,
  type SigningKey,
  type Signed,
  currentSigningKey,
  publishedKeys,
} from '#operations/people/agent-assertions.ts'

export type AgentKeySet = {
  /** The keys as they are published (RFC 7517 5). */
  keySet: (now: Date) => Promise<{ keys: unknown[] }>
}

// jose is loaded with its first use: an installation may see no agent for long.

const algorithm = 'ES256'
const maxLength = 4096

export function createAssertions(
  services: Pick<AgentServices, 'database' | 'secrets'>,
  issuer: string,
): Assertions & AgentKeySet {
  const currentKey = (now: Date): Promise<SigningKey> => currentSigningKey(services, { now, createKeyPair })
  return {
    ready: async (now) => {
      const { id, privateKey } = await currentKey(now)
      const { importJWK } = await import('jose')
      const key = await importJWK(jwkSchema.parse(JSON.parse(privateKey)), algorithm)
      return (registration, at) => sign(registration, { issuer, keyId: id, key, at })
    },
    verify: async (text, now) => {
      if (text.length > maxLength) return null
      const claims = await readVerified(text, await publishedKeys(services, now))
      if (claims === null || claims.iss !== issuer || claims.aud !== issuer) return null
      if (claims.exp * 1000 <= now.getTime()) return null
      const registrationId = readRegistrationId(claims.sub)
      return registrationId === null ? null : { registrationId, generation: claims.generation }
    },
    keySet: async (now) => {
      await currentKey(now)
      const keys = await publishedKeys(services, now)
      return { keys: keys.map(({ publicKey }) => publicKey) }
    },
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
    // A person who had verified this address has claimed the agent; before that the address is the agent's wish alone.
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
