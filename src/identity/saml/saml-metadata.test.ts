import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { haveExpired, readCertificate } from './certificates.ts'
import { readProviderMetadata } from './saml-metadata.ts'

const [first, second] = [1, 2].map((at) => makeCertificate({ name: `Signing ${at}`, rsaBits: 2048 }).pem)
const [one = '', two = ''] = [first, second]
const base64Of = (pem: string): string => pem.replaceAll(/-----[^-]+-----/g, '')

type Wish = { keys?: string; services?: string; roles?: string }

function key(pem: string, use?: 'signing' | 'encryption'): string {
  const said = use === undefined ? '' : ` use="${use}"`
  return `<md:KeyDescriptor${said}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${base64Of(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
}

function service(binding: string, location: string): string {
  return `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`
}

const redirect = service('HTTP-Redirect', 'https://login.example/sso?a=1&amp;b=2')

function metadata({ keys = key(one, 'signing'), services = redirect, roles }: Wish = {}): string {
  const role = roles ?? `<md:IDPSSODescriptor>${keys}${services}</md:IDPSSODescriptor>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://login.example/saml">${role}</md:EntityDescriptor>`
}

describe('metadata of an identity provider', () => {
  it('says what an owner would enter otherwise', () => {
    assert.deepEqual(readProviderMetadata(metadata()), {
      entityId: 'https://login.example/saml',
      signOnUrl: 'https://login.example/sso?a=1&b=2',
      certificates: [one],
    })
  })

  it('may have several keys, of which those for encryption count not', () => {
    const other = makeCertificate({ name: 'Encryption', rsaBits: 2048 }).pem
    const keys = `${key(one, 'signing')}${key(other, 'encryption')}${key(two)}${key(one)}`
    assert.deepEqual(readProviderMetadata(metadata({ keys })).certificates, [one, two])
  })

  it('may have other bindings, and stand in a list of one', () => {
    const services = `${service('HTTP-POST', 'https://login.example/post')}${redirect}`
    const listed = metadata({ services }).replace(/^<\?xml.*\n/, '')
    const wrapped = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${listed}</md:EntitiesDescriptor>`
    assert.equal(readProviderMetadata(wrapped).signOnUrl, 'https://login.example/sso?a=1&b=2')
  })

  const role = `<md:IDPSSODescriptor>${key(one)}${redirect}</md:IDPSSODescriptor>`
  const refused: [string, string, RegExp][] = [
    ['is no XML', 'metadata', /no XML/],
    ['has a DOCTYPE', `<!DOCTYPE a>${metadata()}`, /DOCTYPE/],
    ['is of a service', metadata({ roles: '<md:SPSSODescriptor/>' }), /no identity provider/],
    ['is of two providers', metadata({ roles: role + role }), /more than one/],
    ['has no key', metadata({ keys: '' }), /no certificate for signing/],
    ['has a key for encryption only', metadata({ keys: key(one, 'encryption') }), /no certificate for signing/],
    ['has a key that is none', metadata({ keys: key('QUJD') }), /certificate in PEM/],
    ['has no redirect binding', metadata({ services: service('HTTP-POST', 'https://a.example') }), /HTTP-Redirect/],
  ]
  for (const [what, xml, message] of refused)
    it(`is refused where it ${what}`, () => {
      assert.throws(
        () => readProviderMetadata(xml),
        (error) => error instanceof ProviderTrouble && message.test(error.message),
      )
    })
})

describe('a certificate', () => {
  it('is kept as PEM, without what stands around it', () => {
    assert.equal(readCertificate(`Bag Attributes\n\n${one}`), one)
  })

  it('is refused where its key is of another kind, or short', () => {
    const short = makeCertificate({ name: 'Short', rsaBits: 1024 }).pem
    const curve = makeCertificate({ name: 'Curve' }).pem
    for (const [pem, message] of [
      [curve, /RSA key, which/],
      [short, /at least 2048 bits/],
      ['', /certificate in PEM/],
    ] as const)
      assert.throws(() => readCertificate(pem), message)
  })

  it('has expired where all of them have', () => {
    const at = new Date()
    const past = makeCertificate({ name: 'Past', rsaBits: 2048, notAfter: new Date(at.getTime() - 1000) }).pem
    assert.deepEqual([haveExpired([past], at), haveExpired([past, one], at)], [true, false])
  })
})
