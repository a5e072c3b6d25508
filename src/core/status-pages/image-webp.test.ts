import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readWebp } from './image-webp.ts'

/** Filled up to an even length. */
function chunk(type: string, ...content: number[]): number[] {
  return [...Buffer.from(type), ...littleEndian(content.length), ...content, ...(content.length % 2 ? [0] : [])]
}

function littleEndian(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)
}

function webp(...chunks: number[][]): number[] {
  const content = chunks.flat()
  return [...Buffer.from('RIFF'), ...littleEndian(content.length + 4), ...Buffer.from('WEBP'), ...content]
}

/** 515 by 258 pixels; the two bits above each ask for a scale, which changes no pixel. */
const frame = [0, 0, 0, 0x9d, 0x01, 0x2a, 3, 2 | 0x80, 2, 1 | 0x40]
const lossy = chunk('VP8 ', ...frame)
/** The same size, with transparency. */
const pixels = [0x2f, ...littleEndian(514 | (257 << 14) | (1 << 28))]
const lossless = chunk('VP8L', ...pixels)

/** How bytes are read, and what stays of a picture. */
function read(bytes: number[]): unknown {
  const reading = readWebp(Uint8Array.from(bytes))
  return reading?.is === 'picture' ? [...reading.picture.bytes] : (reading?.is ?? null)
}

describe('a WebP', () => {
  for (const [name, chunks] of Object.entries({ 'with losses': lossy, 'without losses': lossless }))
    it(`${name} has a width, a height and all of its bytes`, () => {
      const bytes = Uint8Array.from(webp(chunks))
      assert.deepEqual(readWebp(bytes), { is: 'picture', picture: { width: 515, height: 258, bytes } })
    })

  it('begins like one', () => {
    for (const place of [0, 3, 8, 11]) assert.equal(read(webp(lossy).with(place, 0)), null)
  })

  const broken: [what: string, bytes: number[]][] = [
    ['with no chunk', webp()],
    ['with a size that is larger than the file', webp(lossy).with(4, lossy.length + 5)],
    ['with a chunk that breaks off', webp(lossy).with(16, 11)],
    ['with its header alone', webp(chunk('VP8X', 0))],
    ['with a lossy frame of nine bytes', webp(chunk('VP8 ', ...frame.slice(0, 9)))],
    ['with a lossless head of four bytes', webp(chunk('VP8L', ...pixels.slice(0, 4)))],
    ['with another lossless signature', webp(chunk('VP8L', ...pixels.with(0, 0x2e)))],
    ...[3, 4, 5].map((place): [string, number[]] => [
      `with another byte ${place} before the size`,
      webp(chunk('VP8 ', ...frame.with(place, 0))),
    ]),
  ]
  for (const [what, bytes] of broken) it(`${what} is broken`, () => assert.equal(read(bytes), 'broken'))

  const header = (flags: number): number[] => chunk('VP8X', flags, 0, 0, 0, 2, 2, 0, 1, 1, 0)
  const alpha = chunk('ALPH')
  it('that moves is told apart', () => assert.equal(read(webp(header(0x12), lossy)), 'animated'))

  it('keeps its transparency, and says in its header that no colour profile is left', () =>
    assert.deepEqual(read(webp(header(0x30), alpha, lossy)), webp(header(0x10), alpha, lossy)))

  it('keeps its last chunk, were it empty', () =>
    assert.deepEqual(read(webp(header(0x10), lossy, alpha)), webp(header(0x10), lossy, alpha)))

  it('loses what is not seen, of odd lengths too', () =>
    assert.deepEqual(read(webp(chunk('EXIF', 1, 2, 3, 4, 5), lossy, chunk('XMP ', 1))), webp(lossy)))

  it('loses what follows it', () => assert.deepEqual(read([...webp(lossy), 1, 2, 3]), webp(lossy)))
})
