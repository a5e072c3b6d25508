import { declarationBytes, declaredCharset, headerCharset } from './charset.ts'

/** Looks for a text in a body that comes in pieces, whatever its charset and wherever the pieces are cut. */
export type KeywordSearch = {
  /** True once the keyword was found. */
  look: (piece: Uint8Array, headers: Readonly<Record<string, string>>) => boolean
  /** The final word, after the last piece. */
  isFound: () => boolean
}

export function createKeywordSearch(keyword: string): KeywordSearch {
  const wanted = Buffer.from(keyword)
  let search: ((piece: Buffer) => boolean) | null = null
  let start: Buffer = Buffer.alloc(0)
  let hasFound = false
  function choose(charset: string): void {
    search = charset === 'utf-8' ? searchBytes(wanted) : searchDecoded(keyword, charset)
    hasFound = search(start)
  }
  return {
    look: (piece, headers) => {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (search !== null) hasFound ||= search(bytes)
      else {
        start = Buffer.concat([start, bytes])
        const named = headerCharset(headers)
        if (named !== null) choose(named)
        else if (start.length >= declarationBytes) choose(declaredCharset(start))
        else hasFound = start.includes(wanted)
      }
      return hasFound
    },
    isFound: () => {
      if (search === null && !hasFound) choose(declaredCharset(start))
      return hasFound
    },
  }
}

/** UTF-8 needs no decoding: the keyword's bytes are looked for, across the seam of two pieces as well. */
function searchBytes(wanted: Buffer): (piece: Buffer) => boolean {
  const overlap = wanted.length - 1
  let tail: Buffer = Buffer.alloc(0)
  return (piece) => {
    const seam = Buffer.concat([tail, piece.subarray(0, overlap)])
    if (seam.includes(wanted) || piece.includes(wanted)) return true
    const end = piece.length >= overlap ? piece : seam
    tail = Buffer.from(end.subarray(Math.max(0, end.length - overlap)))
    return false
  }
}

function searchDecoded(keyword: string, charset: string): (piece: Buffer) => boolean {
  const decoder = new TextDecoder(charset)
  let tail = ''
  return (piece) => {
    const text = tail + decoder.decode(piece, { stream: true })
    if (text.includes(keyword)) return true
    tail = text.slice(Math.max(0, text.length - keyword.length + 1))
    return false
  }
}
