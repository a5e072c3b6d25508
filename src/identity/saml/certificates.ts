import { X509Certificate } from 'node:crypto'
import { ProviderTrouble } from '#identity/provider-fetch.ts'

const minRsaBits = 2048

/**
 * A certificate in PEM (RFC 7468 5.1) as it is kept: the key of it signs what a provider says. Throws `ProviderTrouble`
 * with a sentence. The dates of it do not matter: it is believed because an owner entered it (SAML V2.0 Metadata
 * Interoperability Profile 2.6.1).
 */
export function readCertificate(pem: string): string {
  const certificate = parsed(pem)
  const { asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0 } = {} } = certificate.publicKey
  if (asymmetricKeyType !== 'rsa') throw new ProviderTrouble('Must be of an RSA key, which SAML signs with.')
  if (modulusLength < minRsaBits) throw new ProviderTrouble(`Must be of an RSA key of at least ${minRsaBits} bits.`)
  return certificate.toString()
}

/** The PEM of base64, as documents of metadata have it. */
export function pemOf(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/\s/g, '')}\n-----END CERTIFICATE-----\n`
}

/** Whether the dates of all certificates have passed, which a provider that goes on with one may not notice. */
export function haveExpired(certificates: readonly string[], at: Date): boolean {
  return certificates.every((pem) => parsed(pem).validToDate < at)
}

function parsed(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new ProviderTrouble('Must be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.')
  }
}
