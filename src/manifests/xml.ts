import { ManifestError } from './manifest.ts'
import { piecesOf } from './xml-pieces.ts'

/** Names have no namespace prefix; `text` is the text directly in the element. */
export type XmlElement = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  text: string
}

/** A project of 5 MB has a fifth of this. */
const maxElements = 500_000

/** The root of an XML document. Throws ManifestError. */
export function parseXml(content: string): XmlElement {
  const document: XmlElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [{ name: '', element: document }]
  let elements = 0
  for (const piece of piecesOf(content)) {
    const parent = open.at(-1)
    if (parent === undefined) break
    if (piece.type === 'broken') throw brokenXml(content, piece.at)
    if (piece.type === 'text') parent.element.text += piece.text
    else if (piece.type === 'close') {
      if (open.length === 1 || parent.name !== piece.name) throw brokenXml(content, piece.at)
      open.pop()
    } else {
      if (++elements > maxElements) throw new ManifestError('It has more than 500,000 XML elements.')
      const element = { name: localName(piece.name), attributes: piece.attributes, children: [], text: '' }
      parent.element.children.push(element)
      if (!piece.isEmpty) open.push({ name: piece.name, element })
    }
  }
  const [root, another] = document.children
  if (open.length > 1 || root === undefined || another !== undefined || document.text.trim() !== '')
    throw brokenXml(content, content.length)
  return root
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

/** The trimmed text of the first such child; "" where there is none. */
export function childText(element: XmlElement | undefined, name: string): string {
  return childOf(element, name)?.text.trim() ?? ''
}

function brokenXml(content: string, at: number): ManifestError {
  const line = content.slice(0, at).split('\n').length
  return new ManifestError(`It is not valid XML (line ${line}).`)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
