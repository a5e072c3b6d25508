type Attributes = ReadonlyMap<string, string>

/** The pieces of a document in their order. `at` is an offset into the document. */
export type XmlPiece =
  | { type: 'text'; text: string }
  | { type: 'open'; name: string; attributes: Attributes; isEmpty: boolean }
  | { type: 'close'; name: string; at: number }
  | { type: 'broken'; at: number }

/**
 * Reads each character of an XML document once or twice, and expands only numbers and the five entities of XML 1.0:
 * entities that a DOCTYPE defines stay as they are. Ends with the first markup that cannot be read.
 */
export function* piecesOf(content: string): Generator<XmlPiece> {
  const scan = scanner(content)
  let at = 0
  while (at < content.length) {
    const next = content.indexOf('<', at)
    const markup = next === -1 ? content.length : next
    if (markup > at) yield { type: 'text', text: decoded(content.slice(at, markup)) }
    if (next === -1) return
    const read = readMarkup(scan, markup)
    if (read === null) return yield { type: 'broken', at: markup }
    if (read.piece !== null) yield read.piece
    at = read.end
  }
}

/** Belongs to one document, because sticky expressions remember their position and must not be shared. */
type Scanner = { content: string; match: (pattern: 'name' | 'attribute' | 'tagEnd', at: number) => Match | null }
type Match = { groups: readonly (string | undefined)[]; end: number }

function scanner(content: string): Scanner {
  const patterns = {
    name: /([^\s<>/="'&]+)/y,
    attribute: /\s+([^\s<>/="'&]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y,
    tagEnd: /\s*(\/?)>/y,
  }
  const match: Scanner['match'] = (name, at) => {
    const pattern = patterns[name]
    pattern.lastIndex = at
    const groups = pattern.exec(content)
    return groups === null ? null : { groups, end: pattern.lastIndex }
  }
  return { content, match }
}

/** Null where the markup cannot be read; a null `piece` is markup without content. */
type Markup = { piece: XmlPiece | null; end: number } | null

function readMarkup(scan: Scanner, at: number): Markup {
  const { content } = scan
  if (content.startsWith('<!--', at)) return skipTo(content, at + 4, '-->')
  if (content.startsWith('<?', at)) return skipTo(content, at + 2, '?>')
  if (content.startsWith('<![CDATA[', at)) {
    const skipped = skipTo(content, at + 9, ']]>')
    return skipped && { ...skipped, piece: { type: 'text', text: content.slice(at + 9, skipped.end - 3) } }
  }
  if (content.startsWith('<!', at)) return skipDoctype(content, at)
  return content[at + 1] === '/' ? readClose(content, at) : readOpen(scan, at)
}

function skipTo(content: string, from: number, mark: string): Markup {
  const found = content.indexOf(mark, from)
  return found === -1 ? null : { piece: null, end: found + mark.length }
}

/** Skips to the `>` outside of quotes, brackets and comments. An opening without its end ends the search at once. */
function skipDoctype(content: string, at: number): Markup {
  const token = /[[\]>"']|<!--/g
  token.lastIndex = at + 2
  let depth = 0
  for (let found = token.exec(content); found !== null; found = token.exec(content)) {
    const [mark] = found
    if (mark === '[') depth++
    else if (mark === ']') depth--
    else if (mark === '>') {
      if (depth <= 0) return { piece: null, end: token.lastIndex }
    } else {
      const skipped = skipTo(content, token.lastIndex, mark === '<!--' ? '-->' : mark)
      if (skipped === null) return null
      token.lastIndex = skipped.end
    }
  }
  return null
}

function readClose(content: string, at: number): Markup {
  const end = content.indexOf('>', at)
  return end === -1 ? null : { piece: { type: 'close', name: content.slice(at + 2, end).trimEnd(), at }, end: end + 1 }
}

const noAttributes: Attributes = new Map()

function readOpen({ match }: Scanner, at: number): Markup {
  const named = match('name', at + 1)
  if (named === null) return null
  const found: [string, string][] = []
  let { end } = named
  for (let attribute = match('attribute', end); attribute !== null; attribute = match('attribute', end)) {
    const [, key = '', double, single = ''] = attribute.groups
    found.push([key, decoded(double ?? single)])
    ;({ end } = attribute)
  }
  const closed = match('tagEnd', end)
  if (closed === null) return null
  const [, name = ''] = named.groups
  const attributes = found.length === 0 ? noAttributes : new Map(found)
  return { piece: { type: 'open', name, attributes, isEmpty: closed.groups[1] === '/' }, end: closed.end }
}

function decoded(text: string): string {
  return text.includes('&') ? text.replaceAll(/&#?\w{1,8};/g, decodedEntity) : text
}

function decodedEntity(entity: string): string {
  const [, decimal, hex] = /^&#(?:(\d+)|x([\da-f]+));$/i.exec(entity) ?? []
  if (decimal === undefined && hex === undefined) return named.get(entity) ?? entity
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
}

const named: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])
