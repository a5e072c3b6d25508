// Signatures that can be checked without this installation: Ed25519 (RFC 8032).
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { sha256 } from './sha-256.ts'

/** What a signature is made for. A signature for one purpose is worth nothing for another. */
export type SigningPurpose = 'history-day' | 'history-countersign'

/** A public key as a JSON Web Key (RFC 8037 2). `kid` is its thumbprint (RFC 7638), which no two keys share. */
export const publicSigningKeySchema = z.strictObject({
  kid: z.string(),
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

export type PublicSigningKey = z.infer<typeof publicSigningKeySchema>

/** Both numbers in base64url, 32 bytes each (RFC 8037 2). */
export type SigningPair = { x: string; d: string }

export function publicSigningKey(x: string): PublicSigningKey {
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })
  const kid = sha256(Buffer.from(members)).toString('base64url')
  return { kid, kty: 'OKP', crv: 'Ed25519', x, alg: 'EdDSA', use: 'sig' }
}

/** 64 bytes. */
export function signFor(purpose: SigningPurpose, { x, d }: SigningPair, content: Uint8Array): Buffer {
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, d } })
  return sign(null, signedBytes(purpose, content), key)
}

/** False also where the signature, or the key, is none. */
export function isSignedFor(
  purpose: SigningPurpose,
  { kty, crv, x }: Pick<PublicSigningKey, 'kty' | 'crv' | 'x'>,
  { content, signature }: { content: Uint8Array; signature: Uint8Array },
): boolean {
  try {
    const key = createPublicKey({ format: 'jwk', key: { kty, crv, x } })
    return verify(null, signedBytes(purpose, content), key, signature)
  } catch {
    return false
  }
}

/**
 * A text that is signed and carries what it says, as a JSON Web Signature in its compact form (RFC 7515 7.1), which
 * libraries of every language check by the published keys. `type` says in its header what it is for. Its signed bytes
 * begin with base64url of a brace, so neither this nor a signature for a purpose can pass for the other.
 */
export function signedText(type: string, { x, d }: SigningPair, content: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', kid: publicSigningKey(x).kid, typ: type })
  const signed = [header, content].map((part) => Buffer.from(part).toString('base64url')).join('.')
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x, d } })
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

/** No purpose contains a zero byte, so no content can pass for that of another purpose. */
function signedBytes(purpose: SigningPurpose, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`perigee ${purpose}\0`), content])
}
