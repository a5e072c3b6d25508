import type { XmlElement } from '@xmldom/xmldom'
import type { ProviderClaims } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import type { SamlProvider } from './saml.ts'
import { childOf, childrenOf, textIn } from './saml-xml.ts'

const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const mailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
/** Those that name the same person the next time. SAML Core 8.3 has the others. */
const lastingFormats = new Set([unspecified, mailFormat, 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'])

/** As common providers name what SAML has no names for. */
const usualNames = {
  email: [
    'email',
    'mail',
    'emailAddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  name: [
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'name',
    'cn',
  ],
} as const

/** Of an assertion that was verified. */
export function claimsOf(
  assertion: XmlElement,
  { subjectAttribute, emailAttribute, groupsAttribute }: SamlProvider,
): ProviderClaims {
  const attributes = attributesOf(assertion)
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => attributes.get(name) ?? []).find((value) => value !== '')
  const nameId = nameIdOf(assertion)
  const own = nameId?.format === mailFormat ? nameId.value : undefined
  const email = emailAttribute === null ? (first(usualNames.email) ?? own) : first([emailAttribute])
  const subject = subjectAttribute === null ? lastingName(nameId) : onlyValue(attributes, subjectAttribute)
  const groups = attributes.get(groupsAttribute) ?? []
  return { subject, claims: { [groupsAttribute]: groups, name: first(usualNames.name), email } }
}

type NameId = { format: string; value: string }

function nameIdOf(assertion: XmlElement): NameId | null {
  const subject = childOf(assertion, 'assertion', 'Subject')
  const element = subject === null ? null : childOf(subject, 'assertion', 'NameID')
  if (element === null) return null
  const format = element.getAttribute('Format')
  return { format: format === '' ? unspecified : format, value: textIn(element) }
}

/** Accounts are linked by it, so it has to name the same person the next time. */
function lastingName(nameId: NameId | null): string {
  if (nameId === null || nameId.value === '') throw new ProviderTrouble('The assertion names no person (NameID).')
  if (lastingFormats.has(nameId.format)) return nameId.value
  throw new ProviderTrouble(
    'The NameID of the provider is another one at each sign-in, or of an unknown format. Have it send a persistent one, or name an attribute in its place.',
  )
}

function onlyValue(attributes: ReadonlyMap<string, readonly string[]>, name: string): string {
  const [value = '', ...others] = attributes.get(name) ?? []
  if (value !== '' && others.length === 0) return value
  throw new ProviderTrouble(`The assertion has not one value of the attribute ${name}, by which accounts are linked.`)
}

function attributesOf(assertion: XmlElement): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const statements = childrenOf(assertion, 'assertion', 'AttributeStatement')
  for (const attribute of statements.flatMap((each) => childrenOf(each, 'assertion', 'Attribute'))) {
    const name = attribute.getAttribute('Name')
    const values = childrenOf(attribute, 'assertion', 'AttributeValue').map(textIn)
    found.set(name, [...(found.get(name) ?? []), ...values])
  }
  return found
}
