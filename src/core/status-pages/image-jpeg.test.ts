import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readJpeg } from './image-jpeg.ts'

function segment(mark: number, ...payload: number[]): number[] {
  const length = payload.length + 2
  return [0xff, mark, length >> 8, length & 0xff, ...payload]
}

/** A frame of 515 by 258 pixels. */
function frame(mark = 0xc0): number[] {
  return segment(mark, 8, 1, 2, 2, 3, 1)
}

const scan = [...segment(0xda), 1, 2]

function jpeg(...segments: number[][]): Uint8Array {
  return Uint8Array.from([0xff, 0xd8, ...segments.flat(), 0xff, 0xd9])
}

/** How it is read, and what stays of a picture. */
function read(...segments: number[][]): { is?: string; kept?: number[] } {
  const reading = readJpeg(jpeg(...segments))
  if (reading?.is !== 'picture') return reading === null ? {} : { is: reading.is }
  return { is: 'picture', kept: [...reading.picture.bytes] }
}

describe('a JPEG', () => {
  it('has a width, a height and all of its bytes', () => {
    const bytes = jpeg(frame(), scan)
    assert.deepEqual(readJpeg(bytes), { is: 'picture', picture: { width: 515, height: 258, bytes } })
  })

  it('begins like one', () => {
    for (const place of [0, 1, 2]) {
      const bytes = jpeg(frame(), scan)
      bytes[place] = 0
      assert.equal(readJpeg(bytes), null)
    }
  })

  const cases: [what: string, segments: number[][], is: string][] = [
    ['without a scan', [frame()], 'broken'],
    ['without a frame', [scan], 'broken'],
    ['with a frame of nine bytes', [segment(0xc0, 8, 1, 2, 2, 3), scan], 'broken'],
    ['with an extended frame', [frame(0xc1), scan], 'picture'],
    ['with a progressive frame', [frame(0xc2), scan], 'picture'],
    ['without losses', [frame(0xc3), scan], 'unusual'],
    ['with the last of the frames', [frame(0xcf), scan], 'unusual'],
    ['with what lies behind the frames', [frame(0xd0), scan], 'broken'],
    ['with what lies before the frames', [frame(0xbf), scan], 'broken'],
    ...[0xc4, 0xc8, 0xcc].map((mark): [string, number[][], string] => [
      `with a table of mark ${mark}`,
      [frame(mark), scan],
      'broken',
    ]),
    ['with an empty segment', [segment(0xfe), frame(), scan], 'picture'],
    ['with a segment that is shorter than its length', [[0xff, 0xfe, 0, 1], frame(), scan], 'broken'],
    ['with a segment that breaks off', [frame(), scan, [0xff, 0xfe, 0, 5]], 'broken'],
    ['with something between its segments', [frame(), [0], scan], 'broken'],
    ['with filling before a mark', [[0xff, 0xff], frame(), scan], 'picture'],
    ['of 999 segments', [...Array.from({ length: 997 }, () => segment(0xfe)), frame(), scan], 'picture'],
    ['of 1,000 segments', [...Array.from({ length: 998 }, () => segment(0xfe)), frame(), scan], 'broken'],
  ]
  for (const [what, segments, is] of cases) it(`${what} is ${is}`, () => assert.equal(read(...segments).is, is))

  it('keeps what shows it, and drops what tells of it', () => {
    const dropped = [0xe1, 0xe2, 0xed, 0xfe].map((mark) => segment(mark, 1))
    const stays = [0xc4, 0xdb, 0xdd, 0xe0, 0xee].map((mark) => segment(mark, 1))
    const { kept } = read(...dropped, ...stays, frame(), scan)
    assert.deepEqual(kept, [...jpeg(...stays, frame(), scan)])
  })

  it('has coded data behind a scan, up to a mark that does not belong to it', () => {
    const coded = [...scan, 0xff, 0, 0xff, 0xd0, 0xff, 0xd7, 3]
    assert.deepEqual(read(frame(), coded, segment(0xfe, 1), scan).kept, [...jpeg(frame(), coded, scan)])
    assert.equal(read(frame(), [...scan, 0xff, 0xcf]).is, 'broken')
  })
})
