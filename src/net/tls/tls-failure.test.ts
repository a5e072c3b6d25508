import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import type { PeerCertificate } from 'node:tls'
import { type CertificateWish, makeCertificate } from '../../../test/support/certificates.ts'
import { certificateFailure, handshakeFailure } from './tls-failure.ts'

const from = new Date('2026-01-01T00:00:00Z')
const until = new Date('2026-03-01T00:00:00Z')

function certificate(wish: Partial<CertificateWish> = {}): PeerCertificate {
  const { pem } = makeCertificate({ name: 'a.example', notBefore: from, notAfter: until, ...wish })
  return new X509Certificate(pem).toLegacyObject()
}

function messageFor(code: string, chain: readonly PeerCertificate[], now: Date): string {
  const { phase, message } = certificateFailure({ code, host: 'a.example', chain, now })
  assert.equal(phase, 'tls')
  return message
}

function after(ms: number, time: Date): Date {
  return new Date(time.getTime() + ms)
}

const dayMs = 86_400_000

describe('a certificate that is refused', () => {
  const leaf = certificate()
  const issuing = certificate({ name: 'b'.repeat(60), notAfter: after(-dayMs, until) })

  it('has expired since a second, or some days', () => {
    const told = 'The certificate of a.example expired on 2026-03-01'
    assert.equal(messageFor('CERT_HAS_EXPIRED', [leaf], after(1_000, until)), `${told} (0 days ago)`)
    assert.equal(messageFor('CERT_HAS_EXPIRED', [leaf, issuing], after(9 * dayMs, until)), `${told} (9 days ago)`)
  })

  it('has expired by that of its issuer where it has not itself', () => {
    assert.equal(
      messageFor('CERT_HAS_EXPIRED', [leaf, issuing], until),
      `The issuing certificate "${'b'.repeat(60)}" in the chain of a.example expired on 2026-02-28 (1 day ago)`,
    )
  })

  it('has expired in some place where none of those that came has', () => {
    for (const chain of [[leaf], []])
      assert.equal(messageFor('CERT_HAS_EXPIRED', chain, until), 'The certificate chain of a.example has expired')
  })

  it('becomes valid on a day, or later', () => {
    const told = 'The certificate of a.example becomes valid'
    assert.equal(messageFor('CERT_NOT_YET_VALID', [leaf], after(-1_000, from)), `${told} on 2026-01-01`)
    assert.equal(messageFor('CERT_NOT_YET_VALID', [leaf], from), `${told} later`)
  })

  const named: [count: number, told: string][] = [
    [1, 'n0.example'],
    [5, 'n0.example, n1.example, n2.example, n3.example, n4.example'],
    [6, 'n0.example, n1.example, n2.example, n3.example, n4.example and 1 more'],
  ]
  for (const [count, told] of named)
    it(`is for ${told}`, () => {
      const other = certificate({ names: Array.from({ length: count }, (_, at) => `n${at}.example`) })
      for (const code of ['HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID'])
        assert.equal(messageFor(code, [other], from), `The certificate is for ${told}, not for a.example`)
    })

  it('is for its subject where it has no names', () => {
    assert.equal(
      messageFor('HOSTNAME_MISMATCH', [issuing], from),
      `The certificate is for ${'b'.repeat(60)}, not for a.example`,
    )
  })

  it('is shown with a hundred letters of a name', () => {
    const long = certificate({ names: [`${'c'.repeat(60)}.${'d'.repeat(60)}.example`] })
    assert.equal(
      messageFor('HOSTNAME_MISMATCH', [long], from),
      `The certificate is for ${'c'.repeat(60)}.${'d'.repeat(39)}, not for a.example`,
    )
  })

  const others: [code: string, failure: string][] = [
    ['CERT_REVOKED', 'certificate_revoked: The certificate of a.example was revoked by its issuer'],
    [
      'INVALID_PURPOSE',
      'certificate_wrong_purpose: The certificate of a.example is not trusted: it was not issued for servers',
    ],
    [
      'CERT_SIGNATURE_FAILURE',
      'certificate_invalid: The certificate of a.example is not trusted: CERT_SIGNATURE_FAILURE',
    ],
  ]
  for (const [code, failure] of others)
    it(`is "${failure}"`, () => {
      const { code: own, message } = certificateFailure({ code, host: 'a.example', chain: [leaf], now: from })
      assert.equal(`${own}: ${message}`, failure)
    })
})

describe('a handshake that fails', () => {
  for (const code of ['ECONNRESET', 'EPIPE'])
    it(`by ${code} was closed by the server`, () => {
      const error = Object.assign(new Error('internals'), { code })
      assert.deepEqual(handshakeFailure(error, 'a:1'), {
        phase: 'tls',
        code: 'tls_closed',
        message: 'a:1 closed the connection during the TLS handshake',
      })
    })

  it('by an error without a code is told all the same', () => {
    assert.equal(
      handshakeFailure(new Error('internals'), 'a:1').message,
      'The TLS handshake with a:1 failed (EUNKNOWN)',
    )
  })
})
