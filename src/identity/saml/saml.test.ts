import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type SamlBehaviour, algorithms, createSamlProvider, formats } from '../../../test/support/saml-provider.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { type SamlArrival, type SamlProvider, createSaml, serviceMetadata } from './saml.ts'
import { readResponse } from './saml-response.ts'
import { wrappings } from '../../../test/support/saml-wrappings.ts'

const service = {
  entityId: 'https://perigee.test/saml/one/metadata',
  consumerUrl: 'https://perigee.test/saml/one/acs',
}

const rsaSha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const withComments = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'
const sha512 = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
}
const deep = `${'<a>'.repeat(15_000)}${'</a>'.repeat(15_000)}`
const deepStatus = (): string =>
  `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol"><p:Status><p:StatusCode Value="x"/><p:StatusMessage>${deep}</p:StatusMessage></p:Status></p:Response>`

describe('SAML 2.0', () => {
  const own = createSamlProvider()
  const other = createSamlProvider('evil')
  const saml = createSaml()
  const provider: SamlProvider = {
    entityId: own.entityId,
    signOnUrl: own.signOnUrl,
    certificates: [own.certificate.pem],
    subjectAttribute: null,
    emailAttribute: null,
    groupsAttribute: 'groups',
  }
  const answered = async (behaviour: SamlBehaviour, changes: Partial<SamlProvider> = {}): Promise<SamlArrival> => {
    own.behave(behaviour)
    const as = { ...provider, ...changes }
    const { url, requestId } = await saml.depart({ service, provider: as }, 'state')
    const { SAMLResponse: response } = own.consent(url)
    return { service, provider: as, requestId, response }
  }
  const signIn = async (behaviour: SamlBehaviour) => saml.arrive(await answered(behaviour))
  /** Reads a response as the thread does. A thread for each would cost ten times as much as the reading. */
  const read = async (behaviour: SamlBehaviour, changes: Partial<SamlProvider> = {}) =>
    readResponse(await answered(behaviour, changes))

  it('leaves with a request of its own, by the redirect binding', async () => {
    const { url, requestId } = await saml.depart({ service, provider }, 'state')
    const { origin, searchParams } = new URL(url)
    assert.equal(origin, 'https://login.example')
    assert.deepEqual([searchParams.get('tenant'), searchParams.get('RelayState')], ['1', 'state'])
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    assert.match(requestId, /^_[0-9a-f]{40}$/)
    for (const part of [`ID="${requestId}"`, `"${service.consumerUrl}"`, `>${service.entityId}<`, 'bindings:HTTP-POST'])
      assert.ok(xml.includes(part), `${part} in ${xml}`)
    assert.notEqual((await saml.depart({ service, provider }, 'state')).requestId, requestId)
  })

  it('gives who a person is', async () => {
    const attributes = { displayName: ['Ann'], groups: ['sre', 'staff'] }
    assert.deepEqual(await signIn({ attributes }), {
      subject: 'subject-1',
      claims: { email: 'ann@example.com', name: 'Ann', groups: ['sre', 'staff'] },
    })
  })

  const good: [string, SamlBehaviour, Partial<SamlProvider>][] = [
    ['with the response signed as well', { signed: ['assertion', 'response'] }, {}],
    ['signed with SHA-512', { algorithms: { ...algorithms, ...sha512 } }, {}],
    ['signed by the second of its certificates', {}, { certificates: [other.certificate.pem, own.certificate.pem] }],
    ['whose NameID is a mail address', { nameId: 'subject-1', format: formats.email }, {}],
    ['without a format of the NameID', { edit: (xml) => xml.replace(/ Format="[^"]*"/, '') }, {}],
    ['whose clock is half a minute ahead', { notBefore: 30 }, {}],
    ['whose assertion ended half a minute ago', { notOnOrAfter: -30 }, {}],
    ['that says no destination', { edit: (xml) => xml.replace(/ Destination="[^"]*"/, '') }, {}],
    [
      'with a transient NameID and an attribute in its place',
      { format: formats.transient, nameId: 'once', attributes: { uid: ['subject-1'] } },
      { subjectAttribute: 'uid' },
    ],
  ]
  for (const [what, behaviour, changes] of good)
    it(`takes a response ${what}`, async () => {
      const { subject, claims } = await read(behaviour, changes)
      assert.deepEqual([subject, claims['email']], ['subject-1', 'ann@example.com'])
    })

  it('finds the mail address where providers have it', async () => {
    const claim = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'
    const found: [Record<string, readonly string[] | undefined>, Partial<SamlProvider>, string | undefined][] = [
      [{ email: undefined, [claim]: ['bob@example.com'] }, {}, 'bob@example.com'],
      [{ email: undefined }, {}, 'bob@own.example'],
      [{ upn: ['bob@upn.example'] }, { emailAttribute: 'upn' }, 'bob@upn.example'],
      [{}, { emailAttribute: 'upn' }, undefined],
    ]
    for (const [attributes, changes, email] of found) {
      const { claims } = await read({ attributes, nameId: 'bob@own.example', format: formats.email }, changes)
      assert.equal(claims['email'], email)
    }
  })

  const hostile: [string, SamlBehaviour, RegExp, Partial<SamlProvider>?][] = [
    ['that nobody signed', { signed: [] }, /did not sign the assertion/],
    ['of which the assertion is not signed', { signed: ['response'] }, /did not sign the assertion/],
    ['signed by another key', { signedBy: other.certificate }, /signed by none of the certificates/],
    ['that was changed', { tamper: (xml) => xml.replace('>subject-1<', '>subject-2<') }, /signed by none/],
    [
      'of which only the assertion is signed by its key',
      { signed: ['assertion', 'response'], responseSignedBy: other.certificate },
      /signed by none/,
    ],
    ['signed with SHA-1', { algorithms: { signature: rsaSha1 } }, /signs with rsa-sha1/],
    ['with a digest of SHA-1', { algorithms: { digest: sha1 } }, /signs with sha1/],
    ['with a canonical form that keeps comments', { algorithms: { canonicalization: withComments } }, /signs with/],
    ['of another provider', { entityId: 'https://evil.example/saml' }, /calls itself https:\/\/evil\.example\/saml\./],
    ['for another service', { audience: 'https://other.example' }, /for another service/],
    ['without an audience', { edit: without('AudienceRestriction') }, /for another service/],
    ['without conditions', { edit: without('Conditions') }, /did not answer as SAML 2\.0|for another service/],
    ['for another address', { recipient: 'https://perigee.test/saml/two/acs' }, /Recipient/],
    ['without a recipient', { edit: (xml) => xml.replace(/ Recipient="[^"]*"/, '') }, /Recipient/],
    ['sent to another address', { destination: 'https://perigee.test/saml/two/acs' }, /Destination/],
    ['to another request', { inResponseTo: '_other' }, /InResponseTo/],
    ['to no request', { edit: (xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '') }, /InResponseTo/],
    ['that has expired', { notOnOrAfter: -120 }, /has expired/],
    ['that never ends', { edit: (xml) => xml.replaceAll(/ NotOnOrAfter="[^"]*"/g, '') }, /NotOnOrAfter/],
    ['that is not valid yet', { notBefore: 120 }, /not valid yet/],
    [
      'confirmed otherwise than for its bearer',
      { edit: (xml) => xml.replace('cm:bearer', 'cm:sender-vouches') },
      /bearer/,
    ],
    ['without a confirmation', { edit: without('SubjectConfirmation') }, /bearer/],
    ['that does not say that somebody signed in', { edit: without('AuthnStatement') }, /AuthnStatement/],
    ['with a transient NameID', { format: formats.transient }, /another one at each sign-in/],
    ['without a NameID', { edit: without('NameID') }, /names no person/],
    ['with an empty NameID', { nameId: '' }, /names no person/],
    ['without the attribute that names people', {}, /not one value of the attribute uid/, { subjectAttribute: 'uid' }],
    [
      'with two values of the attribute that names people',
      { attributes: { uid: ['a', 'b'] } },
      /not one value of the attribute uid/,
      { subjectAttribute: 'uid' },
    ],
    ['with a comment in the NameID', { nameId: 'root<!---->.evil' }, /DOCTYPE, a comment/],
    ['with CDATA', { nameId: '<![CDATA[subject-1]]>' }, /DOCTYPE, a comment/],
    [
      'with a processing instruction',
      { tamper: (xml) => xml.replace('>subject-1<', '>subject<?x?>-1<') },
      /DOCTYPE, a comment/,
    ],
    ['with a DOCTYPE', { tamper: (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}` }, /DOCTYPE, a comment/],
    ['that is encrypted', { edit: encrypted }, /encrypted the assertion/],
    ['that denies', { status: 'Requester' }, /did not let you in: Requester/],
    ['without a status', { edit: without('Status') }, /has no status/],
    ['without an assertion', { signed: [], edit: without('Assertion') }, /sent no assertion/],
    ['that is a request', { tamper: () => '<x xmlns="urn:oasis:names:tc:SAML:2.0:protocol"/>' }, /something else/],
    ['that is no XML', { tamper: () => 'no XML' }, /no XML/],
    ['that is not well-formed', { tamper: (xml) => xml.slice(0, -5) }, /no XML/],
    ['that is empty', { tamper: () => '' }, /no XML/],
  ]
  for (const [what, behaviour, message, changes] of hostile)
    it(`refuses a response ${what}`, () => refused(read(behaviour, changes), message))

  const threaded: [string, SamlBehaviour, RegExp][] = [
    ['with a changed text', { tamper: (xml) => xml.replace('>subject-1<', '>subject-2<') }, /signed by none/],
    ['that is deep', { tamper: () => '<a>'.repeat(60_000) }, /no XML|too long/],
    ['with a deep status', { tamper: deepStatus }, /more than 100 levels/],
    [
      'with a deep assertion',
      { tamper: (xml) => xml.replace('</saml:Assertion>', `${deep}$&`) },
      /more than 100 levels/,
    ],
    ['that is too large', { tamper: (xml) => xml + ' '.repeat(256 * 1024) }, /more than 256 KB/],
  ]
  for (const [what, behaviour, message] of threaded)
    it(`refuses in its thread a response ${what}`, () => refused(signIn(behaviour), message))

  for (const [name, tamper] of Object.entries(wrappings))
    it(`refuses signature wrapping ${name}`, async () => {
      for (const signed of [['assertion'], ['assertion', 'response']] as const)
        await refused(read({ signed, tamper }), /more than one|signed by none|did not sign/)
    })

  it('describes the service to providers', async () => {
    const xml = await serviceMetadata(service)
    for (const part of [
      `entityID="${service.entityId}"`,
      `Location="${service.consumerUrl}"`,
      'WantAssertionsSigned="true"',
      'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    ])
      assert.ok(xml.includes(part), `${part} in ${xml}`)
  })
})

/** Leaves out the first element of a name, with what is in it. */
function without(name: string): (xml: string) => string {
  return (xml) => xml.replace(new RegExp(`<(\\w+):${name}[ >].*?</\\1:${name}>`), '')
}

function encrypted(xml: string): string {
  return xml.replace('</samlp:Response>', '<saml:EncryptedAssertion/></samlp:Response>')
}

function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(work, (error) => error instanceof ProviderTrouble && message.test(error.message))
}
