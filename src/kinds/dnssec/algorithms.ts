import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'

type Algorithm = {
  name: string
  hash: string | null
  /** Null where the bytes are no key that is used. */
  jwk: (publicKey: Buffer) => JsonWebKey | null
}

/**
 * What is signed with SHA-1 (5 and 7) counts as signed with an algorithm that is not supported (RFC 9905 2). The others
 * that are missing are forbidden or hardly used (RFC 8624 3.1).
 */
const algorithms: Readonly<Record<number, Algorithm>> = {
  8: { name: 'RSASHA256', hash: 'sha256', jwk: rsaKey },
  10: { name: 'RSASHA512', hash: 'sha512', jwk: rsaKey },
  13: { name: 'ECDSAP256SHA256', hash: 'sha256', jwk: (bytes) => pointOf(bytes, { crv: 'P-256', length: 32 }) },
  14: { name: 'ECDSAP384SHA384', hash: 'sha384', jwk: (bytes) => pointOf(bytes, { crv: 'P-384', length: 48 }) },
  15: { name: 'ED25519', hash: null, jwk: (bytes) => edwardsKey(bytes, { crv: 'Ed25519', length: 32 }) },
  16: { name: 'ED448', hash: null, jwk: (bytes) => edwardsKey(bytes, { crv: 'Ed448', length: 57 }) },
}

const unusedNames: Readonly<Record<number, string>> = {
  1: 'RSAMD5',
  3: 'DSA',
  5: 'RSASHA1',
  6: 'DSA-NSEC3-SHA1',
  7: 'RSASHA1-NSEC3-SHA1',
  12: 'ECC-GOST',
  17: 'SM2SM3',
  23: 'ECC-GOST12',
}

/** IANA's word for an algorithm of signatures. */
export function algorithmName(algorithm: number): string {
  return algorithms[algorithm]?.name ?? unusedNames[algorithm] ?? `algorithm ${algorithm}`
}

export function isJudged(algorithm: number): boolean {
  return algorithms[algorithm] !== undefined
}

/** Null where the bytes are no key of the algorithm, or one that would take too long to work with. */
export function openKey(algorithm: number, publicKey: Buffer): KeyObject | null {
  const jwk = algorithms[algorithm]?.jwk(publicKey) ?? null
  if (jwk === null) return null
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

export type Signed = { algorithm: number; bytes: Buffer; signature: Buffer }

export function isSignedBy(key: KeyObject, { algorithm, bytes, signature }: Signed): boolean {
  try {
    return verify(algorithms[algorithm]?.hash ?? null, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** RFC 3110 2 allows moduli of up to 4,096 bits; a longer exponent only costs time. */
const maxModulusBytes = 512
const maxExponentBytes = 5

function rsaKey(bytes: Buffer): JsonWebKey | null {
  const first = bytes[0] ?? 0
  const start = first === 0 ? 3 : 1
  const exponentBytes = first === 0 ? (bytes[1] ?? 0) * 256 + (bytes[2] ?? 0) : first
  const exponent = bytes.subarray(start, start + exponentBytes)
  const modulus = bytes.subarray(start + exponentBytes)
  if (exponent.length === 0 || exponent.length > maxExponentBytes) return null
  if (modulus.length === 0 || modulus.length > maxModulusBytes) return null
  return { kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') }
}

function pointOf(bytes: Buffer, { crv, length }: { crv: string; length: number }): JsonWebKey | null {
  if (bytes.length !== 2 * length) return null
  const [x, y] = [bytes.subarray(0, length), bytes.subarray(length)]
  return { kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') }
}

function edwardsKey(bytes: Buffer, { crv, length }: { crv: string; length: number }): JsonWebKey | null {
  return bytes.length === length ? { kty: 'OKP', crv, x: bytes.toString('base64url') } : null
}
