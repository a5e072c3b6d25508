import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { readPng } from './image-png.ts'

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function chunk(type: string, ...content: number[]): number[] {
  const named = [...Buffer.from(type), ...content]
  return [...bigEndian(content.length), ...named, ...bigEndian(crc32(Uint8Array.from(named)))]
}

function bigEndian(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)
}

/** 515 by 258 pixels, of eight bits in three colours. */
const size = [...bigEndian(515), ...bigEndian(258)]
const head = chunk('IHDR', ...size, 8, 2, 0, 0, 0)
const pixels = chunk('IDAT', 1, 2, 3)
const end = chunk('IEND')

/** How bytes are read, and what stays of a picture. */
function read(...chunks: number[][]): unknown {
  const reading = readPng(Uint8Array.from([...signature, ...chunks.flat()]))
  return reading?.is === 'picture' ? [...reading.picture.bytes] : reading?.is
}

describe('a PNG', () => {
  it('has a width, a height and all of its bytes', () => {
    const bytes = Uint8Array.from([...signature, ...head, ...pixels, ...end])
    assert.deepEqual(readPng(bytes), { is: 'picture', picture: { width: 515, height: 258, bytes } })
  })

  it('begins with all of its signature', () => {
    for (const place of signature.keys())
      assert.equal(readPng(Uint8Array.from([...signature.with(place, 0), ...head, ...pixels, ...end])), null)
  })

  const broken: [what: string, chunks: number[][]][] = [
    ['without a chunk', []],
    ['without a head', [pixels, end]],
    ['with pixels of thirteen bytes in place of a head', [chunk('IDAT', ...size, 8, 2, 0, 0, 0), end]],
    ['with a head behind its pixels', [pixels, head, end]],
    ['with a short head', [chunk('IHDR', ...size, 8, 2, 0, 0), pixels, end]],
    ['with a long head', [chunk('IHDR', ...size, 8, 2, 0, 0, 0, 0), pixels, end]],
    ['without pixels', [head, end]],
    ['with pixels behind its end', [head, end, pixels]],
    ['without an end', [head, pixels]],
    ['that breaks off before its end', [head, pixels, end.slice(0, -1)]],
    ['with a chunk that is longer than the rest', [head, pixels.with(3, 16), end]],
    ['with a wrong checksum', [head, pixels.with(pixels.length - 1, 0), end]],
    ['with another byte than its checksum says', [head, pixels.with(8, 0), end]],
    ['with a chunk of another name than its checksum says', [head, pixels, chunk('iDAT').with(4, 0x49), end]],
  ]
  for (const [what, chunks] of broken) it(`${what} is broken`, () => assert.equal(read(...chunks), 'broken'))

  it('loses what is not seen', () =>
    assert.deepEqual(read(head, chunk('tEXt', 1), pixels, chunk('eXIf'), end, [1, 2, 3]), [
      ...signature,
      ...head,
      ...pixels,
      ...end,
    ]))
})
