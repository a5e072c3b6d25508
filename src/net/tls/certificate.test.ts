import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import type { PeerCertificate } from 'node:tls'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { certificateNames, describeCertificate } from './certificate.ts'
import { certificateFailure, handshakeFailure } from './tls-failure.ts'

const names = ['a.example', '127.0.0.1', 'b.example']
const whole = new X509Certificate(makeCertificate({ name: 'a.example', names }).pem).raw

/**
 * OpenSSL's reading of a certificate with changed bytes; null when OpenSSL refuses it. A certificate with an unreadable
 * key is left out because Node crashes on it (`toLegacyObject`), and it never reaches the service: a server cannot
 * complete a handshake with it, and as another certificate it is no issuer.
 */
function damaged(changes: readonly [number, number][]): PeerCertificate | null {
  const bytes = Buffer.from(whole)
  for (const [place, value] of changes) bytes[place % bytes.length] = value
  try {
    const parsed = new X509Certificate(bytes)
    return parsed.publicKey.type === 'public' ? parsed.toLegacyObject() : null
  } catch {
    return null
  }
}

const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
const code = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_REVOKED', 'null'),
)

describe('a certificate', () => {
  it('is described by what it says', () => {
    const described = describeCertificate(damaged([]) ?? assert.fail('It cannot be read.'))
    assert.deepEqual([described?.subject, described?.names], ['a.example', ['a.example', '127.0.0.1', 'b.example']])
  })

  it('is not described where one of its dates cannot be read', () => {
    const read = damaged([]) ?? assert.fail('It cannot be read.')
    for (const dates of [{ valid_from: 'never' }, { valid_to: 'never' }])
      assert.equal(describeCertificate({ ...read, ...dates }), null)
  })

  it('is described, or not, without throwing, whatever its bytes are', () => {
    let readable = 0
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), code, (changes, reason) => {
        const certificate = damaged(changes)
        if (certificate === null) return
        readable += 1
        const described = describeCertificate(certificate)
        if (described !== null) {
          assert.equal(new Date(described.notAfter).toISOString(), described.notAfter)
          assert.ok(described.names.every((each) => typeof each === 'string'))
          assert.deepEqual([typeof described.subject, typeof described.issuer], ['string', 'string'])
        }
        const refused = { code: reason, host: 'a.example', chain: [certificate], now: new Date(0) }
        const { message, phase } = certificateFailure(refused)
        assert.ok(message !== '' && message.length < 1000 + reason.length && phase === 'tls')
      }),
      { numRuns: 2000 },
    )
    assert.ok(readable > 200, `${readable} of 2000 could be read`)
  })

  it('has at most a hundred names, however many it has', () => {
    const word = fc.constantFrom('DNS:', 'IP Address:', 'URI:', ', ', 'a.example', '"')
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ unit: anyCharacter })), { maxLength: 1000 }), (words) => {
        const text = words.join('')
        const found = certificateNames(text)
        assert.ok(found.length <= 100)
        for (const each of found) assert.ok(text.includes(`DNS:${each}`) || text.includes(`IP Address:${each}`))
      }),
    )
  })

  it('that was not shown is a failure with a text, whatever the code', () => {
    const word = fc.constantFrom('ERR_SSL_', 'TLSV1_', 'SSLV3_', 'ALERT_', 'UNKNOWN_CA', 'ECONNRESET')
    const codes = fc.oneof(
      code,
      fc.array(word).map((words) => words.join('')),
    )
    fc.assert(
      fc.property(codes, (reason) => {
        const { message, code: named } = handshakeFailure(Object.assign(new Error(), { code: reason }), 'a.example:443')
        assert.match(message, /a\.example:443/)
        assert.match(named, /^[a-z_]+$/)
      }),
    )
  })

  it('that was not sent fails with a text too', () => {
    const refused = { code: 'CERT_HAS_EXPIRED', host: 'a.example', chain: [], now: new Date(0) }
    assert.equal(certificateFailure(refused).message, 'The certificate chain of a.example has expired')
  })
})
