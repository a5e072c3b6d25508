/** Names known without a message: the domain whose record is read, and the one that mail claims to come from. */
export type SpfNames = { domain: string; senderDomain: string }

type Piece = { literal: string } | { letter: string; count: number; isReversed: boolean; delimiters: string }

/** Whether a text is a macro-string (RFC 7208 7.1). */
export function isMacroString(text: string): boolean {
  return parsePieces(text) !== null
}

/** Whether a text is a domain-spec (RFC 7208 7.1): a macro-string that ends in a top label or a macro. */
export function isDomainSpec(text: string): boolean {
  const pieces = parsePieces(text)
  if (pieces === null || pieces.length === 0) return false
  return /%(?:\{[^}]*\}|[%_-])$/.test(text) || /\.(?!\d+\.?$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.?$/i.test(text)
}

/** The name that a domain-spec stands for; null when that depends on the sender's address or server. */
export function expandDomainSpec(spec: string, names: SpfNames): string | null {
  const texts = (parsePieces(spec) ?? []).map((piece) => expandPiece(piece, names))
  if (texts.some((text) => text === null)) return null
  const name = texts.join('').toLowerCase()
  return shortened(name.endsWith('.') ? name.slice(0, -1) : name)
}

function expandPiece(piece: Piece, { domain, senderDomain }: SpfNames): string | null {
  if ('literal' in piece) return piece.literal
  const value = piece.letter === 'd' ? domain : piece.letter === 'o' ? senderDomain : null
  if (value === null) return null
  const labels = value.split(new RegExp(`[${piece.delimiters.replaceAll(/[-.+/]/g, '\\$&') || '.'}]`))
  const ordered = piece.isReversed ? labels.toReversed() : labels
  return ordered.slice(-piece.count).join('.')
}

/** RFC 7208 7.3: a name that is too long loses labels from the left. */
function shortened(name: string): string {
  let rest = name
  while (rest.length > 253 && rest.includes('.')) rest = rest.slice(rest.indexOf('.') + 1)
  return rest
}

const pattern = /%\{([a-z])(\d*)(r?)([.+,/_=-]*)\}|%([%_-])|([\x21-\x24\x26-\x7e]+)/giy
/** The macros of explanations (c, r, t) have no place in names. */
const letters = 'slodiphv'
const escapes: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' }

function parsePieces(text: string): Piece[] | null {
  const pieces: Piece[] = []
  let end = 0
  for (const found of text.matchAll(pattern)) {
    const [whole, letter, digits = '', reversal = '', delimiters = '', escape, literal] = found
    end = found.index + whole.length
    if (literal !== undefined) pieces.push({ literal })
    else if (escape !== undefined) pieces.push({ literal: escapes[escape] ?? '' })
    else if (letter !== undefined && letters.includes(letter.toLowerCase()) && Number(digits || '1') > 0) {
      const count = Number(digits || '128')
      pieces.push({ letter: letter.toLowerCase(), count, isReversed: reversal !== '', delimiters })
    } else return null
  }
  return end === text.length ? pieces : null
}
