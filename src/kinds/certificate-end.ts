import type { Expiry } from '#core/results/result.ts'
import type { PeerCertificate } from '#net/tls/certificate.ts'

/** What expiry alerts need to know of a certificate that a host showed. */
export function certificateEnd(certificate: PeerCertificate, host: string): NonNullable<Expiry['certificate']> {
  const { issuer, notBefore, notAfter } = certificate
  return { host, issuer, notBefore, notAfter }
}
