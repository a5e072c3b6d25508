/** The bytes of a picture without what it does not need to be seen: places, cameras, comments, what follows its end. */
export type Picture = { width: number; height: number; bytes: Uint8Array }

/** What a reader of one form of pictures says of bytes that begin like it. */
export type Reading = { is: 'picture'; picture: Picture } | { is: 'broken' | 'animated' | 'unusual' }

/** Whether the bytes at a place are these characters of ASCII. */
export function hasAscii(bytes: Uint8Array, at: number, text: string): boolean {
  return asciiAt(bytes, at, text.length) === text
}

/** Shorter where the bytes end before. */
export function asciiAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

export function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
