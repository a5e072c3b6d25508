export type JsonReading = { type: 'value'; value: unknown } | { type: 'invalid' } | { type: 'too intricate' }

/**
 * How long V8's parser takes for what a text consists of, in microseconds: for each object and list, for each name of a
 * member that did not come before, and for each further member or item. The length of texts and numbers hardly counts.
 */
const cost = { container: 0.1, newName: 0.6, item: 0.01 }

/**
 * Of one text: 150,000 lists, or 25,000 different names. What servers write has one object or list for some 30
 * characters, and a few hundred different names.
 */
export const usualMaxCost = 15_000

/** A shorter text takes a few milliseconds, whatever it holds. */
const shortLength = 65_536

/** The value of a JSON text that others sent; a text which was made to be slow is refused before it is parsed. */
export function parseBoundedJson(text: string, maxCost = usualMaxCost): JsonReading {
  if (text.length > shortLength && isTooIntricate(text, maxCost)) return { type: 'too intricate' }
  try {
    return { type: 'value', value: JSON.parse(text) }
  } catch {
    return { type: 'invalid' }
  }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const openBrace = 0x7b

/** Adds up in one pass over the text, which need not be valid. */
function isTooIntricate(text: string, maxCost: number): boolean {
  const names = createNames()
  let spent = 0
  for (let at = 0; at < text.length && spent <= maxCost; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = names.read(text, at + 1)
    else if (code === openBracket || code === openBrace) spent += cost.container
    else if (code === comma) spent += cost.item
    else if (code === colon && names.isNew()) spent += cost.newName
  }
  return spent > maxCost
}

type Names = {
  /** Reads the string whose first character is at `from` and returns the place of the quote that ends it. */
  read: (text: string, from: number) => number
  /** Whether the string before, which is a name, came for the first time. */
  isNew: () => boolean
}

/** So many that few names are taken for one another. */
const places = 2 ** 22

/** The factor differs from text to text, so that nobody can send names which are taken for one another. */
function createNames(): Names {
  const seen = new Uint8Array(places / 8)
  const factor = (Math.floor(Math.random() * 0x1_00_00_00_00) | 1) >>> 0
  let hash = 0
  return {
    read: (text, from) => {
      hash = factor
      let at = from
      for (; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code === quote) break
        if (code === backslash) at += 1
        hash = Math.imul(hash ^ code, factor)
        hash ^= hash >>> 15
      }
      return at
    },
    isNew: () => {
      const place = hash >>> 10
      const byte = seen[place >> 3] ?? 0
      const bit = 1 << (place & 7)
      seen[place >> 3] = byte | bit
      return (byte & bit) === 0
    },
  }
}
