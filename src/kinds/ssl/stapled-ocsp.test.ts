import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { OCSPResponseStatus } from '@peculiar/asn1-ocsp'
import fc from 'fast-check'
import { type Certificate, makeCertificate } from '../../../test/support/certificates.ts'
import { ocspResponse, type OcspWish } from '../../../test/support/ocsp.ts'
import { type ChainLink, describeLink } from '#net/tls/certificate.ts'
import { readStaple } from './stapled-ocsp.ts'

const now = new Date()
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)

function linkOf({ pem }: Certificate): ChainLink {
  return describeLink(new X509Certificate(pem).toLegacyObject()) ?? assert.fail()
}

const issuer = makeCertificate({ name: 'Issuer', isAuthority: true })
const of = makeCertificate({ name: 'shop.example', names: ['shop.example'], issuer })
const other = makeCertificate({ name: 'other.example', names: ['other.example'], issuer })
const chain = [linkOf(of), linkOf(issuer)]
const delegate = makeCertificate({ name: 'Responder', issuer, signsOcsp: true })
const plain = makeCertificate({ name: 'Server', issuer })
const past = makeCertificate({ name: 'Old', issuer, signsOcsp: true, notBefore: inHours(-48), notAfter: inHours(-1) })
const stranger = makeCertificate({ name: 'Stranger', isAuthority: true })
const pretender = makeCertificate({ name: 'Responder', issuer: stranger, signsOcsp: true })

function read(wish: Partial<OcspWish> = {}) {
  return readStaple(ocspResponse({ of, issuer, ...wish }), chain, now)
}

describe('a stapled OCSP response', () => {
  it('says that a certificate is good, and until when', () => {
    const [thisUpdate, nextUpdate] = [inHours(-2), inHours(3)]
    assert.deepEqual(read({ thisUpdate, nextUpdate }), {
      word: {
        status: 'good',
        revoked_at: null,
        this_update: thisUpdate.toISOString(),
        next_update: nextUpdate.toISOString(),
      },
      problem: null,
    })
  })

  it('says that a certificate was revoked, or is not known', () => {
    const revokedAt = new Date('2026-02-03T04:05:06Z')
    const { word } = read({ status: { revokedAt } })
    assert.deepEqual([word?.status, word?.revoked_at], ['revoked', '2026-02-03T04:05:06.000Z'])
    assert.equal(read({ status: 'unknown' }).word?.status, 'unknown')
  })

  it('may be signed by one to whom the issuer gave that right', () => {
    assert.equal(read({ signer: delegate, certificates: [delegate] }).word?.status, 'good')
  })

  const unsigned = 'is not signed by the issuer of the certificate'
  const wrong: [what: string, wish: Partial<OcspWish>, problem: string][] = [
    ['is signed by one who does not come along', { signer: delegate }, unsigned],
    ['is signed by a server of the issuer', { signer: plain, certificates: [plain] }, unsigned],
    ['is signed by one whose right has ended', { signer: past, certificates: [past] }, unsigned],
    ['is signed by a stranger', { signer: stranger }, unsigned],
    ['is signed by the responder of a stranger', { signer: pretender, certificates: [pretender] }, unsigned],
    [
      'is signed by the sixth that comes along',
      { signer: delegate, certificates: [...Array(5).fill(plain), delegate] },
      unsigned,
    ],
    ['is about another certificate', { of: other }, 'is about another certificate'],
    [
      'begins later',
      { thisUpdate: new Date(now.getTime() + 400_000) },
      `is valid from ${new Date(now.getTime() + 400_000).toISOString().slice(0, 10)} on`,
    ],
    ['has ended', { nextUpdate: inHours(-1) }, `was valid until ${inHours(-1).toISOString()}`],
    ['is no answer', { failure: OCSPResponseStatus.tryLater }, 'says that its responder could not answer (tryLater)'],
  ]
  for (const [what, wish, problem] of wrong)
    it(`proves nothing where it ${what}`, () =>
      assert.deepEqual(read(wish), { word: null, problem: `The stapled OCSP response ${problem}` }))

  it('proves nothing where one bit of it is another', () => {
    const right = ocspResponse({ of, issuer })
    const property = fc.property(fc.nat(right.length - 1), fc.nat(7), (at, bit) => {
      const changed = Buffer.from(right)
      changed[at] = (changed[at] ?? 0) ^ (1 << bit)
      const { word } = readStaple(changed, chain, now)
      // What says how the response is wrapped is not signed, and may say the same in another way.
      assert.ok(word === null || word.status === 'good')
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('is refused where it is long, or no such thing, and without an issuer', () => {
    const problems = [
      readStaple(Buffer.alloc(65 * 1024), chain, now),
      readStaple(Buffer.from('no DER'), chain, now),
      readStaple(Buffer.alloc(0), chain, now),
      readStaple(ocspResponse({ of, issuer }), chain.slice(0, 1), now),
    ].map(({ problem }) => problem)
    assert.deepEqual(problems, [
      'The stapled OCSP response has more than 65536 bytes',
      'The stapled OCSP response cannot be read',
      'The stapled OCSP response cannot be read',
      'The stapled OCSP response cannot be proven without the certificate of its issuer',
    ])
  })

  it('takes bytes of any sort in time', () => {
    const nested = Buffer.concat([...Array.from({ length: 10_000 }, () => Buffer.from([0x30, 0x80])), Buffer.alloc(2)])
    const startedAt = performance.now()
    assert.equal(readStaple(nested, chain, now).word, null)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.equal(readStaple(Buffer.from(bytes), chain, now).word, null)
      }),
    )
    assert.ok(performance.now() - startedAt < 5_000)
  })
})
