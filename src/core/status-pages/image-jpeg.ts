// JPEG (ITU-T T.81, annex B): markers, most of them with a segment, and coded data behind each start of a scan.
import { type Reading, concatenated, viewOf } from './image-bytes.ts'

const marks = { start: 0xd8, end: 0xd9, scan: 0xda, restart: 0xd0, lastRestart: 0xd7 } as const
/** Tables and frames: quantisation, Huffman codes, restart intervals. APP0 is JFIF, and APP14 says how colours are kept. */
const kept: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, 0xe0, 0xee])
/** Baseline, extended sequential and progressive, which browsers show; the others, but for DHT, JPG and DAC, are frames. */
const shown: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
const noFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])
/** A progressive picture has some ten scans, and each may bring tables of its own. */
const maxSegments = 1000

/** Null for what does not begin like a JPEG. */
export function readJpeg(bytes: Uint8Array): Reading | null {
  if (bytes[0] !== 0xff || bytes[1] !== marks.start || bytes[2] !== 0xff) return null
  const segments = segmentsOf(bytes)
  if (segments === null || !segments.some(({ mark }) => mark === marks.scan)) return { is: 'broken' }
  const frame = segments.find(({ mark }) => mark >= 0xc0 && mark <= 0xcf && !noFrames.has(mark))
  if (frame === undefined || frame.whole.length < 10) return { is: 'broken' }
  if (!shown.has(frame.mark)) return { is: 'unusual' }
  const head = viewOf(frame.whole)
  const stays = segments.filter(({ mark }) => kept.has(mark))
  return {
    is: 'picture',
    picture: {
      width: head.getUint16(7),
      height: head.getUint16(5),
      bytes: concatenated([
        Uint8Array.of(0xff, marks.start),
        ...stays.map(({ whole }) => whole),
        Uint8Array.of(0xff, marks.end),
      ]),
    },
  }
}

/** From its mark to what follows, with the coded data of a scan. */
type Segment = { mark: number; whole: Uint8Array }

/** Up to the end of the picture; null where it breaks off. */
function segmentsOf(bytes: Uint8Array): Segment[] | null {
  const view = viewOf(bytes)
  const segments: Segment[] = []
  let at = 2
  while (at + 2 <= bytes.length && segments.length < maxSegments) {
    const mark = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return null
    // Any number of these may stand before a mark.
    if (mark === 0xff) at += 1
    else if (mark === marks.end) return segments
    else {
      const length = at + 4 <= bytes.length ? view.getUint16(at + 2) : 0
      const end = at + 2 + length
      if (length < 2 || end > bytes.length) return null
      const next = mark === marks.scan ? endOfScan(bytes, end) : end
      segments.push({ mark, whole: bytes.subarray(at, next) })
      at = next
    }
  }
  return null
}

/** Within coded data a zero follows each byte that looks like the beginning of a mark, and marks of restarts belong to it. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const mark = bytes[at + 1] ?? 0
    const isInside = mark === 0 || (mark >= marks.restart && mark <= marks.lastRestart)
    if (bytes[at] === 0xff && !isInside) return at
  }
  return bytes.length
}
