import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import {
  iconPicture,
  iconWebpPicture,
  jpegPicture,
  losslessPicture,
  pngPicture,
  webpPicture,
} from '../../../test/support/pictures.ts'
import { type ImageKind, maxImageBytes, readPageImage } from './page-image.ts'

describe('pictures of status pages', () => {
  const read: readonly [name: string, kind: ImageKind, bytes: Uint8Array, shown: readonly unknown[]][] = [
    ['PNG', 'logo', pngPicture(), ['image/png', 48, 24]],
    ['JPEG', 'logo', jpegPicture(), ['image/jpeg', 48, 24]],
    ['lossy WebP', 'logo', webpPicture(), ['image/webp', 48, 24]],
    ['lossless WebP', 'logo', losslessPicture(), ['image/webp', 48, 24]],
    ['PNG with transparency', 'favicon', iconPicture(), ['image/png', 32, 32]],
    ['WebP with transparency', 'favicon', iconWebpPicture(), ['image/webp', 32, 32]],
  ]
  for (const [name, kind, bytes, shown] of read)
    it(`are read as ${name}`, () => {
      const image = imageOf(kind, bytes)
      assert.deepEqual([image.mediaType, image.width, image.height], shown)
      assert.deepEqual(imageOf(kind, image.bytes), image, 'what is kept is read again as it is')
    })

  const withSecrets: readonly [string, Uint8Array][] = [
    ['a PNG its texts, its time and its EXIF', pngWith(['tEXt', 'eXIf', 'tIME', 'iTXt'])],
    ['a PNG the frames of an animation', pngWith(['acTL', 'fcTL', 'fdAT'])],
    ['a PNG what follows it', joined(pngPicture(), ascii('secret'))],
    ['a JPEG its EXIF, its XMP and its comment', jpegWith([0xe1, 0xe2, 0xed, 0xfe])],
    ['a JPEG what follows it', joined(jpegPicture(), ascii('secret'))],
    ['a WebP its EXIF, its XMP and what is unknown', webpWith(['EXIF', 'XMP ', 'SECR'])],
    ['a WebP what follows it', joined(webpPicture(), ascii('secret'))],
  ]
  for (const [what, bytes] of withSecrets)
    it(`lose of ${what}`, () => {
      assert.ok(textOf(bytes).includes('secret'))
      assert.ok(!textOf(imageOf('logo', bytes).bytes).includes('secret'))
    })

  it('say in their header that no colour profile is left', () => {
    const { bytes } = imageOf('favicon', iconWebpPicture())
    assert.ok(!textOf(bytes).includes('ICCP'))
    assert.equal(bytes[20], 0x10)
  })

  const jpeg = jpegPicture()
  const refused: readonly [name: string, kind: ImageKind, bytes: Uint8Array, problem: string][] = [
    ['no bytes', 'logo', new Uint8Array(0), 'Must be a PNG, JPEG or WebP picture.'],
    ['SVG', 'logo', ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Must be a PNG, JPEG or WebP picture.'],
    ['GIF', 'logo', ascii('GIF89a'), 'Must be a PNG, JPEG or WebP picture.'],
    ['too many bytes', 'logo', new Uint8Array(maxImageBytes + 1), 'Must have at most 200 KB; this one has 201.'],
    ['half a PNG', 'logo', pngPicture().subarray(0, 300), 'Is a broken PNG picture.'],
    ['a PNG with a wrong byte', 'logo', changedAt(pngPicture(), 200), 'Is a broken PNG picture.'],
    ['half a JPEG', 'logo', jpeg.subarray(0, 300), 'Is a broken JPEG picture.'],
    ['a JPEG without its end', 'logo', jpeg.subarray(0, -2), 'Is a broken JPEG picture.'],
    ['half a WebP', 'logo', webpPicture().subarray(0, 300), 'Is a broken WebP picture.'],
    ['a moving WebP', 'logo', changedAt(webpPicture(), 20, 0x02), 'Is a moving WebP picture; it must stand still.'],
    ['a lossless JPEG', 'logo', losslessJpeg(), 'Is a form of JPEG that not every browser shows. Save it as PNG.'],
    ['a wide icon', 'favicon', pngPicture(), 'Must be as wide as it is high; this one is 48 × 24.'],
    ['a small picture', 'logo', pngOf(15, 16), 'Must be 16 to 2000 pixels wide and high; this one is 15 × 16.'],
    ['a large picture', 'logo', pngOf(2000, 2001), 'Must be 16 to 2000 pixels wide and high; this one is 2000 × 2001.'],
    ['a large icon', 'favicon', pngOf(513, 513), 'Must be 16 to 512 pixels wide and high; this one is 513 × 513.'],
  ]
  for (const [name, kind, bytes, problem] of refused)
    it(`are refused: ${name}`, () => assert.deepEqual(readPageImage(kind, bytes), { problem }))

  it('are read or refused, whatever is sent', () => {
    const beginnings = [pngPicture(), jpegPicture(), webpPicture(), losslessPicture(), iconWebpPicture()]
    const mutated = fc
      .tuple(fc.constantFrom(...beginnings), fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { maxLength: 8 }))
      .map(([bytes, changes]) => changes.reduce((each, [at, value]) => changedAt(each, at % each.length, value), bytes))
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        const outcome = readPageImage('logo', bytes)
        assert.ok('problem' in outcome || outcome.image.bytes.length <= bytes.length + 2)
      }),
    )
  })
})

function imageOf(kind: ImageKind, bytes: Uint8Array) {
  const outcome = readPageImage(kind, bytes)
  return 'image' in outcome ? outcome.image : assert.fail(outcome.problem)
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'))
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function joined(...pieces: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(pieces))
}

function changedAt(bytes: Uint8Array, at: number, value = (bytes[at] ?? 0) ^ 1): Uint8Array {
  return bytes.with(at, value)
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const named = joined(ascii(type), content)
  return joined(uint32(content.length), named, uint32(crc32(named)))
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return Uint8Array.from(bytes)
}

/** Behind the head, which has 33 bytes with the signature. */
function pngWith(types: readonly string[]): Uint8Array {
  const png = pngPicture()
  return joined(png.subarray(0, 33), ...types.map((type) => chunk(type, ascii('secret'))), png.subarray(33))
}

function pngOf(width: number, height: number): Uint8Array {
  const png = pngPicture()
  const head = chunk('IHDR', joined(uint32(width), uint32(height), png.subarray(24, 29)))
  return joined(png.subarray(0, 8), head, png.subarray(33))
}

function jpegWith(marks: readonly number[]): Uint8Array {
  const jpeg = jpegPicture()
  const segments = marks.map((mark) => joined(Uint8Array.of(0xff, 0xff, mark, 0, 8), ascii('secret')))
  return joined(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2))
}

function losslessJpeg(): Uint8Array {
  const jpeg = jpegPicture()
  const frame = Buffer.from(jpeg).indexOf(Buffer.of(0xff, 0xc0))
  return changedAt(jpeg, frame + 1, 0xc3)
}

function webpWith(types: readonly string[]): Uint8Array {
  const whole = Buffer.from(
    joined(webpPicture(), ...types.map((type) => joined(ascii(type), Uint8Array.of(6, 0, 0, 0), ascii('secret')))),
  )
  whole.writeUInt32LE(whole.length - 8, 4)
  return Uint8Array.from(whole)
}
