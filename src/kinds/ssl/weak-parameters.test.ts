import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { type ChainLink, describeLink } from '#net/tls/certificate.ts'
import { weaknessesOf } from './weak-parameters.ts'

function link(changes: Partial<ChainLink> = {}): ChainLink {
  const { pem } = makeCertificate({ name: 'Shop' })
  const read = describeLink(new X509Certificate(pem).toLegacyObject()) ?? assert.fail()
  return { ...read, isSelfIssued: false, ...changes }
}

type Wish = {
  chain?: ChainLink[]
  protocol?: string
  cipher?: string
  agreement?: { name: string; bits: number | null } | null
}

function found({
  chain = [link()],
  protocol = 'TLSv1.2',
  cipher = 'ECDHE-ECDSA-AES128-GCM-SHA256',
  agreement = { name: 'ECDH prime256v1', bits: 256 },
}: Wish): string[] {
  return weaknessesOf({ session: { protocol, cipher, certificate: null, isResumed: false }, chain, agreement })
}

describe('what a server agrees to', () => {
  const cbc = 'the cipher ECDHE-RSA-AES256-SHA384 does not authenticate what it encrypts (no AEAD)'
  const cases: [what: string, wish: Wish, weak: string[]][] = [
    ['is strong', {}, []],
    ['is strong with ChaCha20', { cipher: 'ECDHE-RSA-CHACHA20-POLY1305' }, []],
    ['is strong in TLS 1.3', { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', agreement: null }, []],
    ['is a cipher without authentication', { cipher: 'ECDHE-RSA-AES256-SHA384' }, [cbc]],
    [
      'is a cipher without forward secrecy',
      { cipher: 'AES128-GCM-SHA256', agreement: null },
      ['the cipher AES128-GCM-SHA256 gives no forward secrecy'],
    ],
    [
      'is a short exchange',
      { cipher: 'DHE-RSA-AES128-GCM-SHA256', agreement: { name: 'DH', bits: 1024 } },
      ['its key exchange has 1024 bits (DH)'],
    ],
    ['is an exchange that is long enough', { agreement: { name: 'DH', bits: 2048 } }, []],
    [
      'is a short key of RSA',
      { chain: [link({ keyType: 'RSA', keyBits: 2047 })] },
      ['the RSA key of the certificate of Shop has 2047 bits'],
    ],
    ['is a key of RSA that is long enough', { chain: [link({ keyType: 'RSA', keyBits: 2048 })] }, []],
    [
      'is a short key of a curve',
      { chain: [link(), link({ subject: 'CA', keyBits: 192 })] },
      ['the EC key of the certificate of CA has 192 bits'],
    ],
    ['is a key that cannot be read', { chain: [link({ keyType: null, keyBits: null, signature: null })] }, []],
    [
      'is signed with SHA-1',
      { chain: [link({ signature: 'sha1WithRSAEncryption' })] },
      ['the certificate of Shop is signed with SHA-1'],
    ],
    [
      'is signed with MD5',
      { chain: [link({ signature: 'md5WithRSAEncryption' })] },
      ['the certificate of Shop is signed with MD5'],
    ],
    [
      'is a root that signed itself so',
      { chain: [link({ signature: 'sha1WithRSAEncryption', isSelfIssued: true })] },
      [],
    ],
    ['is signed with SHA-256', { chain: [link({ signature: 'sha256WithRSAEncryption' })] }, []],
  ]
  for (const [what, wish, weak] of cases) it(what, () => assert.deepEqual(found(wish), weak))
})
