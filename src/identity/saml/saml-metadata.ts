import type { XmlElement } from '@xmldom/xmldom'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { pemOf, readCertificate } from './certificates.ts'
import { childrenOf, everyBelow, isNamed, parseXml, textIn } from './saml-xml.ts'

/** What an owner would otherwise enter. Certificates are PEM. */
export type ProviderMetadata = { entityId: string; signOnUrl: string; certificates: string[] }

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/**
 * The one identity provider that a document of metadata describes (SAML Metadata 2.4.3). Its signature says nothing
 * here: an owner brings the document, and is trusted with what it says. Throws `ProviderTrouble`.
 */
export function readProviderMetadata(xml: string): ProviderMetadata {
  const root = parseXml(xml)
  const described = [root, ...everyBelow(root)]
    .filter((element) => isNamed(element, 'metadata', 'EntityDescriptor'))
    .flatMap((entity) => childrenOf(entity, 'metadata', 'IDPSSODescriptor').map((role) => ({ entity, role })))
  const [only, ...others] = described
  if (only === undefined) throw new ProviderTrouble('The metadata describes no identity provider of SAML 2.0.')
  if (others.length > 0) throw new ProviderTrouble('The metadata describes more than one identity provider.')
  return { entityId: only.entity.getAttribute('entityID'), signOnUrl: signOnUrlOf(only.role), ...keysOf(only.role) }
}

function signOnUrlOf(role: XmlElement): string {
  const service = childrenOf(role, 'metadata', 'SingleSignOnService').find(
    (each) => each.getAttribute('Binding') === redirectBinding,
  )
  if (service === undefined)
    throw new ProviderTrouble('The metadata names no address for signing in by the HTTP-Redirect binding.')
  return service.getAttribute('Location')
}

/** A key without a use is for signing as well (SAML Metadata 2.4.1.1). */
function keysOf(role: XmlElement): Pick<ProviderMetadata, 'certificates'> {
  const found = childrenOf(role, 'metadata', 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap(everyBelow)
    .filter((element) => isNamed(element, 'signature', 'X509Certificate'))
    .map((element) => readCertificate(pemOf(textIn(element))))
  if (found.length === 0) throw new ProviderTrouble('The metadata has no certificate for signing.')
  return { certificates: [...new Set(found)] }
}
