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
