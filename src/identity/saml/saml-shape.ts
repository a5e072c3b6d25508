import type { XmlElement } from '@xmldom/xmldom'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { plain } from '#identity/provider-trouble.ts'
import { childOf, childrenOf, everyBelow, isNamed, textIn } from './saml-xml.ts'

const algorithms: Readonly<Record<string, ReadonlySet<string>>> = {
  SignatureMethod: new Set([
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ]),
  DigestMethod: new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']),
  CanonicalizationMethod: new Set(['http://www.w3.org/2001/10/xml-exc-c14n#']),
  // SAML Core 5.4.4 has no others.
  Transform: new Set([
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    'http://www.w3.org/2001/10/xml-exc-c14n#',
  ]),
}
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/**
 * Refuses every response but the plain one: one Response with one Assertion in it, each signed at most once, in its own
 * place. All forms of signature wrapping need a second one of these, or a signature elsewhere (Somorovsky et al., On
 * Breaking SAML, 2012). Returns whether the Response itself is signed.
 */
export function assertPlainResponse(root: XmlElement, consumerUrl: string): { isSigned: boolean } {
  if (!isNamed(root, 'protocol', 'Response'))
    throw new ProviderTrouble('The provider sent something else than a response of SAML 2.0.')
  assertSuccess(root)
  const all = [root, ...everyBelow(root)]
  const named = (name: string): XmlElement[] => all.filter(({ localName }) => localName === name)
  if (all.some(({ localName }) => localName.startsWith('Encrypted')))
    throw new ProviderTrouble('The provider encrypted the assertion. Switch that off: TLS keeps it secret.')
  const [assertion, ...more] = named('Assertion')
  if (assertion === undefined) throw new ProviderTrouble('The provider sent no assertion.')
  const isPlain = more.length === 0 && named('Response').length === 1 && assertion.parentNode === root
  if (!isPlain || !isNamed(assertion, 'assertion', 'Assertion')) throw wrapped()
  const signatures = named('Signature')
  const ofAssertion = signatures.filter(({ parentNode }) => parentNode === assertion)
  const ofResponse = signatures.filter(({ parentNode }) => parentNode === root)
  if (ofAssertion.length === 0)
    throw new ProviderTrouble('The provider did not sign the assertion. Have it sign assertions.')
  if (ofAssertion.length > 1 || ofResponse.length > 1 || ofAssertion.length + ofResponse.length < signatures.length)
    throw wrapped()
  assertIdsOnce(all)
  assertAlgorithms(all)
  if (root.hasAttribute('Destination') && root.getAttribute('Destination') !== consumerUrl)
    throw new ProviderTrouble('The response of the provider is for another address than ours (Destination).')
  return { isSigned: ofResponse.length === 1 }
}

function assertSuccess(root: XmlElement): void {
  const status = childOf(root, 'protocol', 'Status')
  const [code] = status === null ? [] : childrenOf(status, 'protocol', 'StatusCode')
  if (status === null || code === undefined) throw new ProviderTrouble('The response of the provider has no status.')
  if (code.getAttribute('Value') === success) return
  const reason = childOf(code, 'protocol', 'StatusCode') ?? code
  const words = [lastPart(reason.getAttribute('Value')), textIn(childOf(status, 'protocol', 'StatusMessage'))]
  throw new ProviderTrouble(`The provider did not let you in: ${words.map(plain).join(' ').trim()}.`)
}

function assertIdsOnce(all: readonly XmlElement[]): void {
  const ids = all.flatMap(({ attributes }) =>
    Array.from(attributes)
      .filter(({ localName }) => localName.toLowerCase() === 'id')
      .map(({ value }) => value),
  )
  if (new Set(ids).size < ids.length) throw wrapped()
}

function assertAlgorithms(all: readonly XmlElement[]): void {
  for (const element of all) {
    const allowed = algorithms[element.localName]
    const algorithm = element.getAttribute('Algorithm')
    if (allowed !== undefined && !allowed.has(algorithm))
      throw new ProviderTrouble(
        `The provider signs with ${plain(lastPart(algorithm))}, which is not taken. Have it sign with RSA and SHA-256.`,
      )
  }
}

function wrapped(): ProviderTrouble {
  return new ProviderTrouble('The response of the provider holds more than one assertion, response or signature.')
}

function lastPart(uri: string): string {
  return uri.split(/[:#/]/).findLast((part) => part !== '') ?? ''
}
