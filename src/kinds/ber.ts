// The Basic Encoding Rules (ITU-T X.690), as far as LDAP and SNMP use them: tags of one byte, and lengths that are told.

/** A value with its tag; what it holds is still encoded. */
export type BerElement = { tag: number; content: Buffer }

/** Where the content of an element lies in some bytes. */
export type BerPlace = { tag: number; start: number; end: number }

export const berTags = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  objectId: 0x06,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
} as const

/** More elements side by side are not read: no answer here needs so many. */
const maxElements = 10_000

export function ber(tag: number, ...contents: readonly (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(contents.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)))
  return Buffer.concat([Buffer.from([tag]), encodedLength(content.length), content])
}

/** A whole number of 0 to 2^31 - 1. */
export function berInteger(value: number, tag: number = berTags.integer): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt32BE(value, 1)
  // The first bit is the sign, and there are no more bytes than it takes (8.3.2).
  let start = 0
  while (start < 4 && bytes[start] === 0 && (bytes[start + 1] ?? 0) < 0x80) start += 1
  return ber(tag, bytes.subarray(start))
}

/** What follows the first byte of a length: how many more bytes tell it, or the length itself. Null where neither is. */
export function readLengthByte(byte: number): { length: number } | { byteCount: number } | null {
  if (byte < 0x80) return { length: byte }
  const byteCount = byte & 0x7f
  return byteCount >= 1 && byteCount <= 4 ? { byteCount } : null
}

/** All elements that lie side by side; null where they cannot be read to the end, or are too many. */
export function readElements(bytes: Buffer): BerElement[] | null {
  const elements: BerElement[] = []
  for (let at = 0; at < bytes.length;) {
    const read = readElement(bytes, at)
    if (read === null || elements.length === maxElements) return null
    elements.push(read.element)
    at = read.end
  }
  return elements
}

/** Calls with each element that lies side by side, of which there may be any number; false where they cannot be read. */
export function visitElements(bytes: Buffer, visit: (place: BerPlace) => void): boolean {
  for (let at = 0; at < bytes.length;) {
    const place = readPlace(bytes, at)
    if (place === null) return false
    visit(place)
    at = place.end
  }
  return true
}

/** The one element that all the bytes are; null for anything else. */
export function readOnly(bytes: Buffer): BerElement | null {
  const read = readElement(bytes, 0)
  return read !== null && read.end === bytes.length ? read.element : null
}

/** A number of at most four bytes, with its sign; null for anything else. */
export function readInteger(element: BerElement | undefined, tag: number = berTags.integer): number | null {
  if (element === undefined || element.tag !== tag) return null
  const { length } = element.content
  return length >= 1 && length <= 4 ? element.content.readIntBE(0, length) : null
}

function readElement(bytes: Buffer, at: number): { element: BerElement; end: number } | null {
  const place = readPlace(bytes, at)
  if (place === null) return null
  return { element: { tag: place.tag, content: bytes.subarray(place.start, place.end) }, end: place.end }
}

function readPlace(bytes: Buffer, at: number): BerPlace | null {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) return null
  const told = readLengthByte(first)
  if (told === null) return null
  const start = at + 2 + ('byteCount' in told ? told.byteCount : 0)
  if (start > bytes.length) return null
  const length = 'length' in told ? told.length : bytes.readUIntBE(at + 2, told.byteCount)
  const end = start + length
  return end > bytes.length ? null : { tag, start, end }
}

function encodedLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.alloc(5)
  bytes.writeUInt32BE(length, 1)
  let start = 1
  while (bytes[start] === 0) start += 1
  bytes[start - 1] = 0x80 | (5 - start)
  return bytes.subarray(start - 1)
}
