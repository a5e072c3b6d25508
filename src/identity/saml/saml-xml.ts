import { DOMParser, type XmlElement, type XmlNode } from '@xmldom/xmldom'
import { ProviderTrouble } from '#identity/provider-fetch.ts'

/** The namespaces of SAML Core 1.2, SAML Metadata 1.2 and XML Signature 1.1. */
export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
export type Namespace = keyof typeof namespaces

/**
 * The root of a document, by the parser that the library of SAML has, so that both see the same. No document of SAML
 * needs a DOCTYPE, a comment, CDATA or a processing instruction, all of which have been used to make two readers see two
 * texts: one that has any is refused, and so is one with more levels than any needs.
 */
export function parseXml(text: string): XmlElement {
  const body = text.replace(/^\uFEFF?\s*<\?xml\s[^>]*\?>/, '')
  if (/<[!?]/.test(body))
    throw new ProviderTrouble('The XML has a DOCTYPE, a comment or the like, which SAML does not need.')
  const root = parse(body) ?? unreadable()
  assertShallow(root)
  return root
}

function parse(body: string): XmlElement | null {
  try {
    return new DOMParser({ errorHandler: strict }).parseFromString(body, 'text/xml').documentElement
  } catch {
    return null
  }
}

/** Responses have some ten levels. What checks their signatures takes seconds for 15,000. */
const maxLevels = 100

function assertShallow(root: XmlElement): void {
  let level = [root]
  for (let levels = 1; level.length > 0; levels += 1) {
    if (levels > maxLevels) throw new ProviderTrouble(`The XML has more than ${maxLevels} levels.`)
    level = level.flatMap(({ childNodes }) => Array.from(childNodes).filter(isElement))
  }
}

/** By itself the parser repairs what is not well-formed. */
const strict = { warning: unreadable, error: unreadable, fatalError: unreadable }

function unreadable(): never {
  throw new ProviderTrouble('The provider sent what is no XML.')
}

/** Those below an element at any depth, in the order of the document. */
export function everyBelow(element: XmlElement): XmlElement[] {
  return Array.from(element.getElementsByTagName('*'))
}

export function childrenOf(element: XmlElement, namespace: Namespace, name: string): XmlElement[] {
  return Array.from(element.childNodes)
    .filter(isElement)
    .filter((child) => isNamed(child, namespace, name))
}

/** The only child of that name; null where there is none or more than one. */
export function childOf(element: XmlElement, namespace: Namespace, name: string): XmlElement | null {
  const [only, ...others] = childrenOf(element, namespace, name)
  return others.length === 0 ? (only ?? null) : null
}

export function isNamed(element: XmlElement, namespace: Namespace, name: string): boolean {
  return element.namespaceURI === namespaces[namespace] && element.localName === name
}

export function textIn(element: XmlElement | null): string {
  return (element?.textContent ?? '').trim()
}

function isElement(node: XmlNode): node is XmlElement {
  return node.nodeType === 1
}
