// An identity provider of SAML 2.0 that does as told, also what no provider should.
import { randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { type Certificate, makeCertificate } from './certificates.ts'

/** What the browser posts to the service. */
export type SamlForm = { SAMLResponse: string; RelayState: string }

/** What it does otherwise than it should; all undefined is a good provider. */
export type SamlBehaviour = {
  nameId?: string
  format?: string
  /** By name; undefined in place of the usual `email` leaves that out. */
  attributes?: Record<string, readonly string[] | undefined>
  entityId?: string
  audience?: string
  recipient?: string
  destination?: string
  inResponseTo?: string
  /** In seconds from now. */
  notBefore?: number
  notOnOrAfter?: number
  status?: string
  signed?: readonly ('assertion' | 'response')[]
  algorithms?: { signature?: string; digest?: string; canonicalization?: string }
  signedBy?: Certificate
  responseSignedBy?: Certificate
  /** Of the XML, before it is signed and after it. */
  edit?: (xml: string) => string
  tamper?: (xml: string) => string
}

export type TestSamlProvider = {
  entityId: string
  signOnUrl: string
  certificate: Certificate
  behave: (behaviour: SamlBehaviour) => void
  /** What the browser posts to the service from an address that it was sent to. */
  consent: (url: string) => SamlForm
  /** Where the browser is to post that. */
  consumerOf: (url: string) => string
}

export const formats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
} as const

export const algorithms = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
  canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#',
} as const

const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const statuses = 'urn:oasis:names:tc:SAML:2.0:status:'

export function createSamlProvider(name = 'login'): TestSamlProvider {
  const certificate = makeCertificate({ name, rsaBits: 2048 })
  const entityId = `https://${name}.example/saml`
  let behaviour: SamlBehaviour = {}
  return {
    entityId,
    signOnUrl: `https://${name}.example/sso?tenant=1`,
    certificate,
    behave: (next) => {
      behaviour = next
    },
    consumerOf: (url) => attributeOf(requestIn(url), 'AssertionConsumerServiceURL'),
    consent: (url) => {
      const { searchParams } = new URL(url)
      const request = requestIn(url)
      const usual = { entityId, signedBy: certificate, ...behaviour }
      const xml = responseTo(request, usual)
      return { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: searchParams.get('RelayState') ?? '' }
    },
  }
}

type Usual = SamlBehaviour & { entityId: string; signedBy: Certificate }

function responseTo(request: string, behaviour: Usual): string {
  const { signed = ['assertion'], edit = unchanged, tamper = unchanged } = behaviour
  let xml = edit(responseXml(request, behaviour))
  for (const name of ['assertion', 'response'] as const) if (signed.includes(name)) xml = sign(xml, name, behaviour)
  return tamper(xml)
}

function requestIn(url: string): string {
  return inflateRawSync(Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
}

function attributeOf(request: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(request)?.[1] ?? ''
}

function unchanged(xml: string): string {
  return xml
}

function responseXml(request: string, behaviour: Usual): string {
  const [, service = ''] = /Issuer[^>]*>([^<]*)</.exec(request) ?? []
  const consumer = attributeOf(request, 'AssertionConsumerServiceURL')
  const { entityId, status = 'Success', inResponseTo = attributeOf(request, 'ID'), nameId = 'subject-1' } = behaviour
  const { format = formats.persistent, recipient = consumer, destination = consumer, audience = service } = behaviour
  const begins = instant(behaviour.notBefore ?? -5)
  const ends = instant(behaviour.notOnOrAfter ?? 300)
  const head = (id: string): string => `ID="_${id}" Version="2.0" IssueInstant="${instant(0)}"`
  const attributes = Object.entries({ email: ['ann@example.com'], ...behaviour.attributes }).map(attributeXml)
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"`,
    ` ${head(randomUUID())} Destination="${destination}" InResponseTo="${inResponseTo}">`,
    `<saml:Issuer>${entityId}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="${statuses}${status}"/></samlp:Status>`,
    `<saml:Assertion ${head(randomUUID())}><saml:Issuer>${entityId}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${format}">${nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">`,
    `<saml:SubjectConfirmationData InResponseTo="${inResponseTo}" Recipient="${recipient}" NotOnOrAfter="${ends}"/>`,
    `</saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${begins}" NotOnOrAfter="${ends}">`,
    `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${instant(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>`,
    `urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
    `</saml:Assertion></samlp:Response>`,
  ].join('')
}

function attributeXml([name, values]: [string, readonly string[] | undefined]): string {
  if (values === undefined) return ''
  const inside = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')
  return `<saml:Attribute Name="${name}">${inside}</saml:Attribute>`
}

function instant(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString()
}

function sign(xml: string, what: 'assertion' | 'response', { algorithms: own, ...behaviour }: Usual): string {
  const { pem, keyPem } = (what === 'response' ? behaviour.responseSignedBy : undefined) ?? behaviour.signedBy
  const { signature, digest, canonicalization } = { ...algorithms, ...own }
  const place =
    what === 'assertion' ? `//*[local-name(.)='Assertion' and not(ancestor::*[local-name(.)='Object'])]` : '/*'
  const signer = new SignedXml({
    privateKey: keyPem,
    publicCert: pem,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: algorithms.canonicalization,
  })
  signer.addReference({ xpath: place, transforms: [enveloped, canonicalization], digestAlgorithm: digest })
  const location = { reference: `${place}/*[local-name(.)='Issuer']`, action: 'after' } as const
  signer.computeSignature(xml, { prefix: 'ds', location })
  return signer.getSignedXml()
}
