import { type Certificate, makeCertificate } from './certificates.ts'

const dayMs = 86_400_000

/** Certificates of one root; `root` is for `setDefaultCACertificates`. */
export function testCertificates(): Record<'root' | 'good' | 'expired' | 'wrongName' | 'selfSigned', Certificate> {
  const root = makeCertificate({ name: 'Test Root', isAuthority: true })
  const names = ['localhost', '127.0.0.1']
  const past = { notBefore: new Date(Date.now() - 90 * dayMs), notAfter: new Date(Date.now() - 3.5 * dayMs) }
  return {
    root,
    good: makeCertificate({ name: 'localhost', names, issuer: root }),
    expired: makeCertificate({ name: 'localhost', names, issuer: root, ...past }),
    wrongName: makeCertificate({ name: 'other.example', names: ['other.example'], issuer: root }),
    selfSigned: makeCertificate({ name: 'localhost', names }),
  }
}

/** What a check keeps of a certificate. */
export const seenCertificate = {
  subject: 'localhost',
  issuer: 'Test Root',
  names: ['localhost'],
  notBefore: new Date(0).toISOString(),
  notAfter: new Date(0).toISOString(),
  serial: '01',
  fingerprint256: 'AB',
}
