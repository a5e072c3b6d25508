import { X509Certificate } from 'node:crypto'
import type { Certificate, PeerCertificate as NodeCertificate } from 'node:tls'

export type PeerCertificate = {
  subject: string
  issuer: string
  names: string[]
  /** ISO 8601. */
  notBefore: string
  notAfter: string
  serial: string
  fingerprint256: string
}

/** Null when the server sent no certificate, which Node reports as an empty object, or one with unreadable dates. */
export function describeCertificate(certificate: NodeCertificate): PeerCertificate | null {
  if (!Object.hasOwn(certificate, 'valid_to')) return null
  const notBefore = new Date(certificate.valid_from)
  const notAfter = new Date(certificate.valid_to)
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) return null
  return {
    subject: readableName(certificate.subject),
    issuer: readableName(certificate.issuer),
    names: certificateNames(certificate.subjectaltname),
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    serial: certificate.serialNumber,
    fingerprint256: certificate.fingerprint256,
  }
}

/** A certificate of a chain, with what tells how strong it is. */
export type ChainLink = PeerCertificate & {
  /** `RSA`, `EC`, `ED25519` and the like, in upper case; null where it cannot be read. */
  keyType: string | null
  keyBits: number | null
  /** How its issuer signed it, as OpenSSL names that: `ecdsa-with-SHA256`, `sha1WithRSAEncryption`. */
  signature: string | null
  /** Whether it is its own issuer, so that its signature proves nothing. */
  isSelfIssued: boolean
  /** Encoded (X.690 DER). */
  raw: Buffer
}

/** Null as `describeCertificate` is. */
export function describeLink(certificate: NodeCertificate): ChainLink | null {
  const described = describeCertificate(certificate)
  if (described === null) return null
  return { ...described, ...strengthOf(certificate.raw), raw: certificate.raw }
}

type Strength = Pick<ChainLink, 'keyType' | 'keyBits' | 'signature' | 'isSelfIssued'>

function strengthOf(raw: Buffer): Strength {
  try {
    const certificate = new X509Certificate(raw)
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey
    return {
      keyType: type?.toUpperCase() ?? null,
      keyBits: details?.modulusLength ?? bitsOf[details?.namedCurve ?? type ?? ''] ?? null,
      signature: certificate.signatureAlgorithm ?? null,
      isSelfIssued: certificate.subject === certificate.issuer,
    }
  } catch {
    return { keyType: null, keyBits: null, signature: null, isSelfIssued: false }
  }
}

/** Of curves, by the names that OpenSSL gives them. */
const bitsOf: Readonly<Record<string, number>> = {
  prime192v1: 192,
  secp224r1: 224,
  prime256v1: 256,
  secp256k1: 256,
  secp384r1: 384,
  secp521r1: 521,
  brainpoolP256r1: 256,
  brainpoolP384r1: 384,
  brainpoolP512r1: 512,
  ed25519: 256,
  ed448: 456,
}

/** The common name of a subject or issuer, else its organisation; a certificate may have neither, or several. */
export function readableName(name: Certificate | undefined): string {
  const found = name?.CN ?? name?.O ?? name?.OU ?? 'unnamed'
  return Array.isArray(found) ? (found[0] ?? 'unnamed') : found
}

const maxNames = 100

/** The DNS names and addresses in OpenSSL's text `DNS:a.example, IP Address:192.0.2.1`. */
export function certificateNames(text: string | undefined): string[] {
  if (text === undefined) return []
  return text
    .split(', ')
    .filter((entry) => entry.startsWith('DNS:') || entry.startsWith('IP Address:'))
    .slice(0, maxNames)
    .map((entry) => entry.slice(entry.indexOf(':') + 1))
}
