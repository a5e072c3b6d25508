import type { ChainLink } from '#net/tls/certificate.ts'
import type { TlsSight } from '#net/tls/tls-probe.ts'

type Parameters = Pick<TlsSight, 'session' | 'chain' | 'agreement'>

/** NIST SP 800-131A: what gives less than 112 bits of strength is not to be used any more. */
const leastBits = { RSA: 2048, DSA: 2048, EC: 224, DH: 2048 } as const

/**
 * What is weak in what a server agreed to with a client of today, each to follow "has" or "uses". A root signs itself, so
 * that its signature proves nothing.
 */
export function weaknessesOf({ session: { protocol, cipher }, chain, agreement }: Parameters): string[] {
  return [...chain.flatMap(weaknessesOfLink), ...weaknessesOfCipher({ protocol, cipher, agreement })]
}

function weaknessesOfLink(link: ChainLink): string[] {
  const { keyType, keyBits, signature, isSelfIssued } = link
  const found: string[] = []
  const least = keyType === 'RSA' || keyType === 'DSA' || keyType === 'EC' ? leastBits[keyType] : null
  if (least !== null && keyBits !== null && keyBits < least)
    found.push(`the ${keyType} key of the certificate of ${link.subject} has ${keyBits} bits`)
  const digest = /md5|sha1(?!\d)/i.exec(signature ?? '')?.[0]
  if (digest !== undefined && !isSelfIssued)
    found.push(`the certificate of ${link.subject} is signed with ${digest.toUpperCase().replace('SHA1', 'SHA-1')}`)
  return found
}

/** Ciphers of TLS 1.3 have neither fault (RFC 8446). OpenSSL names all that authenticate by one of these words. */
const authenticating = /GCM|CCM|CHACHA20/

function weaknessesOfCipher({
  protocol,
  cipher,
  agreement,
}: Pick<TlsSight, 'agreement'> & { protocol: string; cipher: string }): string[] {
  if (protocol === 'TLSv1.3') return []
  const found: string[] = []
  if (!authenticating.test(cipher)) found.push(`the cipher ${cipher} does not authenticate what it encrypts (no AEAD)`)
  if (agreement === null) found.push(`the cipher ${cipher} gives no forward secrecy`)
  const isShort = agreement?.name === 'DH' && agreement.bits !== null && agreement.bits < leastBits.DH
  if (isShort) found.push(`its key exchange has ${agreement.bits} bits (DH)`)
  return found
}
