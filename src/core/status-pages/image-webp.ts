// WebP (RFC 9649): a RIFF file of chunks, little-endian, each filled up to an even length.
import { type Reading, asciiAt, concatenated, hasAscii, viewOf } from './image-bytes.ts'

const fileHead = 12
const chunkHead = 8
/** The pixels, lossy or lossless, with their transparency; not colour profiles, EXIF, XMP and what nobody knows. */
const kept: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH'])
/** Of the extended header (RFC 9649 2.7.1): that transparency is used, and that the picture moves. */
const flags = { alpha: 0x10, animation: 0x02 } as const

/** Null for what does not begin like a WebP. */
export function readWebp(bytes: Uint8Array): Reading | null {
  if (!hasAscii(bytes, 0, 'RIFF') || !hasAscii(bytes, 8, 'WEBP')) return null
  const chunks = chunksOf(bytes)
  if (chunks === null) return { is: 'broken' }
  const extended = chunks.find(({ type }) => type === 'VP8X')
  if (extended !== undefined && isAnimated(extended)) return { is: 'animated' }
  const pixels = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const size = pixels === undefined ? null : sizeOf(pixels)
  if (size === null) return { is: 'broken' }
  const content = concatenated(chunks.filter(({ type }) => kept.has(type)).map(withoutMetadata))
  const head = new Uint8Array(fileHead)
  head.set(bytes.subarray(0, fileHead))
  viewOf(head).setUint32(4, content.length + 4, true)
  return { is: 'picture', picture: { ...size, bytes: concatenated([head, content]) } }
}

type Chunk = { type: string; whole: Uint8Array; length: number }

/** Behind the head of a file, which has been seen. Null where it breaks off. What follows its end is left out. */
function chunksOf(bytes: Uint8Array): Chunk[] | null {
  const view = viewOf(bytes)
  const end = chunkHead + view.getUint32(4, true)
  if (end > bytes.length) return null
  const chunks: Chunk[] = []
  let at = fileHead
  while (at + chunkHead <= end) {
    const length = view.getUint32(at + 4, true)
    const next = at + chunkHead + length + (length % 2)
    if (next > end) return null
    chunks.push({ type: asciiAt(bytes, at, 4), whole: bytes.subarray(at, next), length })
    at = next
  }
  return chunks
}

function isAnimated({ whole }: Chunk): boolean {
  return ((whole[chunkHead] ?? 0) & flags.animation) !== 0
}

/** The extended header says which chunks there are. */
function withoutMetadata({ type, whole }: Chunk): Uint8Array {
  if (type !== 'VP8X') return whole
  const head = whole.slice()
  head[chunkHead] = (head[chunkHead] ?? 0) & flags.alpha
  return head
}

/** As the pixels have it, which is what a browser draws: RFC 6386 9.1, and RFC 9649 3.4. */
function sizeOf({ type, whole, length }: Chunk): { width: number; height: number } | null {
  const view = viewOf(whole)
  if (type === 'VP8L') {
    if (length < 5 || whole[chunkHead] !== 0x2f) return null
    const bits = view.getUint32(chunkHead + 1, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (length < 10 || whole[chunkHead + 3] !== 0x9d || whole[chunkHead + 4] !== 0x01 || whole[chunkHead + 5] !== 0x2a)
    return null
  const width = view.getUint16(chunkHead + 6, true) & 0x3fff
  return { width, height: view.getUint16(chunkHead + 8, true) & 0x3fff }
}
