/** Turns bytes into lines as they come. */
export type LineReader = {
  /** Returns the lines that these bytes complete, as UTF-8 without their ends. */
  feed: (bytes: Uint8Array) => string[]
  /** Whether a line has begun and is not complete. */
  hasRest: () => boolean
}

/**
 * A line ends with LF, before which one CR does not belong to it: not every server sends both. The caller has to limit
 * how much is held.
 */
export function createLineReader(): LineReader {
  let rest = ''
  return {
    feed: (bytes) => {
      // With one character for each byte, appending is cheap however small the pieces are, and no letter is torn apart.
      const pieces = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n')
      const last = pieces.pop() ?? ''
      const lines = pieces.map((piece, place) => toLine(place === 0 ? rest + piece : piece))
      rest = lines.length === 0 ? rest + last : last
      return lines
    },
    hasRest: () => rest !== '',
  }
}

/** Bytes of ASCII are the same characters in both, and most lines have no others. */
function toLine(bytes: string): string {
  const line = bytes.endsWith('\r') ? bytes.slice(0, -1) : bytes
  return beyondAscii.test(line) ? Buffer.from(line, 'latin1').toString('utf8') : line
}

const beyondAscii = /[\u0080-\u00ff]/
