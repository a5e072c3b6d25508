import { SAML } from '@node-saml/node-saml'
import type { XmlElement } from '@xmldom/xmldom'
import type { ProviderClaims } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { plain } from '#identity/provider-trouble.ts'
import type { SamlArrival } from './saml.ts'
import { claimsOf } from './saml-claims.ts'
import { assertPlainResponse } from './saml-shape.ts'
import { childOf, childrenOf, parseXml, textIn } from './saml-xml.ts'

/** How far clocks may differ. */
const skewMs = 60_000
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/**
 * Who a response says a person is, after every check of SAML Profiles 4.1.4.3. The assertion itself is read from the
 * bytes that were signed. Throws `ProviderTrouble`.
 */
export async function readResponse(arrival: SamlArrival): Promise<ProviderClaims> {
  const { service, provider, response } = arrival
  const xml = Buffer.from(response, 'base64').toString('utf8')
  const { isSigned } = assertPlainResponse(parseXml(xml), service.consumerUrl)
  const assertion = parseXml(await signedAssertion(arrival, isSigned))
  const issuer = textIn(childOf(assertion, 'assertion', 'Issuer'))
  if (issuer !== provider.entityId)
    throw new ProviderTrouble(
      `The provider calls itself ${issuer.slice(0, maxShownIssuer)}. Enter that as its entity ID.`,
    )
  if (childrenOf(assertion, 'assertion', 'AuthnStatement').length === 0)
    throw new ProviderTrouble('The assertion does not say that somebody signed in (AuthnStatement).')
  assertConfirmed(assertion, arrival)
  return claimsOf(assertion, provider)
}

/** In characters. */
const maxShownIssuer = 200

/** The assertion as it was signed by one of the pinned certificates, for our audience and this moment. */
async function signedAssertion(
  { service, provider, response }: SamlArrival,
  isResponseSigned: boolean,
): Promise<string> {
  const library = new SAML({
    issuer: service.entityId,
    audience: service.entityId,
    callbackUrl: service.consumerUrl,
    idpCert: [...provider.certificates],
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: isResponseSigned,
    acceptedClockSkewMs: skewMs,
  })
  const { profile } = await library.validatePostResponseAsync({ SAMLResponse: response }).catch(explain)
  const signed = profile?.getAssertionXml?.()
  if (signed === undefined) throw new ProviderTrouble('The provider sent no assertion.')
  return signed
}

/**
 * A bearer has to be confirmed for our address, for the request that was sent, and for now. The request is kept for ten
 * minutes and taken once, so an assertion counts once as well.
 */
function assertConfirmed(assertion: XmlElement, { service, requestId }: SamlArrival): void {
  const subject = childOf(assertion, 'assertion', 'Subject')
  const confirmations = subject === null ? [] : childrenOf(subject, 'assertion', 'SubjectConfirmation')
  const said = confirmations
    .filter((confirmation) => confirmation.getAttribute('Method') === bearer)
    .flatMap((confirmation) => childrenOf(confirmation, 'assertion', 'SubjectConfirmationData'))
  if (said.length === 0)
    throw new ProviderTrouble('The assertion is not confirmed for its bearer (SubjectConfirmation).')
  const problems = said.map((one) => problemOf(one, { service, requestId }))
  const [problem] = problems
  if (problem !== undefined && problem !== null && !problems.includes(null)) throw new ProviderTrouble(problem)
}

function problemOf(
  confirmed: XmlElement,
  { service, requestId }: Pick<SamlArrival, 'service' | 'requestId'>,
): string | null {
  if (confirmed.getAttribute('Recipient') !== service.consumerUrl)
    return 'The assertion is for another address than ours (Recipient).'
  if (confirmed.getAttribute('InResponseTo') !== requestId)
    return 'The assertion answers another sign-in (InResponseTo). Begin here, not at the provider.'
  const [now, end] = [Date.now(), Date.parse(confirmed.getAttribute('NotOnOrAfter'))]
  if (!(now - skewMs < end)) return expired
  const begin = confirmed.getAttribute('NotBefore')
  return begin !== '' && !(now + skewMs >= Date.parse(begin)) ? early : null
}

const expired = 'The assertion has expired. Compare the clocks.'
const early = 'The assertion is not valid yet. Compare the clocks.'

/** The messages of the library, which has no codes. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/expired/i, expired],
  [/not yet valid/i, early],
  [/audience/i, 'The assertion is for another service (AudienceRestriction). Enter our entity ID at the provider.'],
  [/signature/i, 'The response is signed by none of the certificates that were entered, or was changed since.'],
]

function explain(error: unknown): never {
  const message = error instanceof Error ? error.message : ''
  const [, sentence] = sentences.find(([pattern]) => pattern.test(message)) ?? []
  throw new ProviderTrouble(sentence ?? `The provider did not answer as SAML 2.0 has it: ${plain(message)}.`)
}
