// What is used of @xmldom/xmldom. Its own types bring those of browsers along, for all files of the program; the
// compiler finds these instead by `paths` of tsconfig.json.

/** An element, a text or another node of DOM 3 Core. */
export type XmlNode = { nodeType: number; childNodes: ArrayLike<XmlNode>; parentNode: XmlNode | null }

export type XmlElement = XmlNode & {
  localName: string
  namespaceURI: string | null
  textContent: string | null
  attributes: ArrayLike<{ localName: string; name: string; value: string }>
  /** The empty text where there is no such attribute. */
  getAttribute: (name: string) => string
  hasAttribute: (name: string) => boolean
  getElementsByTagName: (name: string) => ArrayLike<XmlElement>
}

type Problems = { warning: () => void; error: () => void; fatalError: () => void }

export class DOMParser {
  constructor(options: { errorHandler: Problems })
  parseFromString(source: string, mediaType: string): { documentElement: XmlElement | null }
}
