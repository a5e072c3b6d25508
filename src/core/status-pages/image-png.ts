// PNG (W3C, Portable Network Graphics, third edition): a signature, then chunks, each with a checksum.
import { type Reading, asciiAt, concatenated, viewOf } from './image-bytes.ts'

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** What the pixels and their colours are made of. Without the chunks of animations a picture shows its still image. */
const kept: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'])
const headLength = 13
/** The length and the type before the content of a chunk, and the checksum behind it. */
const before = 8
const around = 12

/** Null for what does not begin like a PNG. */
export function readPng(bytes: Uint8Array): Reading | null {
  if (!signature.every((byte, at) => bytes[at] === byte)) return null
  const chunks = chunksOf(bytes)
  const [first] = chunks ?? []
  if (chunks === null || first?.type !== 'IHDR' || first.whole.length !== headLength + around) return { is: 'broken' }
  if (!chunks.some(({ type }) => type === 'IDAT')) return { is: 'broken' }
  const head = viewOf(first.whole)
  const stays = chunks.filter(({ type }) => kept.has(type))
  return {
    is: 'picture',
    picture: {
      width: head.getUint32(before),
      height: head.getUint32(before + 4),
      bytes: concatenated([Uint8Array.from(signature), ...stays.map(({ whole }) => whole)]),
    },
  }
}

type Chunk = { type: string; whole: Uint8Array }

/** Up to the end of the picture; null where it breaks off, or a checksum is not that of its chunk. */
function chunksOf(bytes: Uint8Array): Chunk[] | null {
  const view = viewOf(bytes)
  const table = checksumTable()
  const chunks: Chunk[] = []
  let at = signature.length
  while (at + around <= bytes.length) {
    const length = view.getUint32(at)
    const end = at + around + length
    if (end > bytes.length) return null
    const type = asciiAt(bytes, at + 4, 4)
    if (checksum(bytes.subarray(at + 4, end - 4), table) !== view.getUint32(end - 4)) return null
    chunks.push({ type, whole: bytes.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return null
}

/** Annex D of the standard: the cyclic redundancy check of ISO 3309. */
function checksumTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let rest = index
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
    return rest
  })
}

function checksum(bytes: Uint8Array, table: Uint32Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) rest = (table[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8)
  return (rest ^ 0xffffffff) >>> 0
}
