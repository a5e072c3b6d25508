/** Takes bytes as they come and gives lines. */
export type LineReader = {
  /** The lines that these bytes complete, as UTF-8, without their ends. */
  feed: (bytes: Uint8Array) => string[]
  /** Whether a line has begun and is not complete. */
  hasRest: () => boolean
}

/**
 * A line ends with LF, before which one CR is no part of it: not every server sends both. How much is held is for the
 * caller to limit.
 */
export function createLineReader(): LineReader {
  let rest = ''
  return {
    feed: (bytes) => {
      // One character a byte: appending costs nothing, however small the pieces, and no letter is torn apart.
      const pieces = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n')
      const last = pieces.pop() ?? ''
      const lines = pieces.map((piece, place) => toLine(place === 0 ? rest + piece : piece))
      rest = lines.length === 0 ? rest + last : last
      return lines
    },
    hasRest: () => rest !== '',
  }
}

function toLine(bytes: string): string {
  return Buffer.from(bytes.endsWith('\r') ? bytes.slice(0, -1) : bytes, 'latin1').toString('utf8')
}
