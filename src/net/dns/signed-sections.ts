import type { DnsName, SignedRecord, SignedSections, SignedValue } from './signed-record.ts'

/** Each name may take a hundredth of a millisecond to read, and what is looked at further costs more. */
const maxRecords = 500
const maxNameBytes = 255
const internet = 1

/** Throws a RangeError where the message is none, or has too much in it. */
export function readSignedSections(bytes: Buffer): SignedSections {
  const counts = [bytes.readUInt16BE(6), bytes.readUInt16BE(8)] as const
  if (counts[0] + counts[1] > maxRecords) throw new RangeError('Too many records.')
  const questions = bytes.readUInt16BE(4)
  let offset = 12
  for (let question = 0; question < questions; question++) offset = readName(bytes, offset).end + 4
  const answers = readSection(bytes, { offset, count: counts[0] })
  const authorities = readSection(bytes, { offset: answers.end, count: counts[1] })
  return { answers: answers.records, authorities: authorities.records }
}

type Section = { records: SignedRecord[]; end: number }

function readSection(bytes: Buffer, { offset, count }: { offset: number; count: number }): Section {
  const records: SignedRecord[] = []
  let end = offset
  for (let index = 0; index < count; index++) {
    const name = readName(bytes, end)
    const type = bytes.readUInt16BE(name.end)
    const start = name.end + 10
    end = start + bytes.readUInt16BE(name.end + 8)
    if (end > bytes.length) throw new RangeError('A record ends behind the message.')
    if (bytes.readUInt16BE(name.end + 2) !== internet) continue
    records.push({ owner: name.labels, type, ...readData(bytes, { type, start, end }) })
  }
  return { records, end }
}

type Place = { type: number; start: number; end: number }

/** How many bytes stand in front of the names in the data of a type, and how many names (RFC 4034 6.2, RFC 6840 5.1). */
const namesIn: Readonly<Record<number, { before: number; names: number }>> = {
  2: { before: 0, names: 1 },
  5: { before: 0, names: 1 },
  6: { before: 0, names: 2 },
  12: { before: 0, names: 1 },
  15: { before: 2, names: 1 },
  33: { before: 6, names: 1 },
  39: { before: 0, names: 1 },
  46: { before: 18, names: 1 },
}

function readData(bytes: Buffer, { type, start, end }: Place): { data: Buffer; value: SignedValue } {
  const { before, names } = namesIn[type] ?? { before: 0, names: 0 }
  const parts = [bytes.subarray(start, start + before)]
  const found: DnsName[] = []
  let offset = start + before
  for (let index = 0; index < names; index++) {
    const name = readName(bytes, offset)
    found.push(name.labels)
    parts.push(toWire(name.labels))
    offset = name.end
  }
  if (offset > end) throw new RangeError('A name ends behind its record.')
  parts.push(bytes.subarray(offset, end))
  const data = Buffer.concat(parts)
  return { data, value: readValue(data, type, found[0] ?? []) }
}

function readValue(data: Buffer, type: number, name: DnsName): SignedValue {
  switch (type) {
    case 5:
    case 39:
      return { is: 'alias', target: name }
    case 43:
      return readDigest(data)
    case 46:
      return readSignature(data, name)
    case 47:
      return readNextName(data)
    case 48:
      return readKey(data)
    case 50:
      return readNextHash(data)
    default:
      return { is: 'other' }
  }
}

function readDigest(data: Buffer): SignedValue {
  return {
    is: 'digest',
    keyTag: data.readUInt16BE(0),
    algorithm: data.readUInt8(2),
    digestType: data.readUInt8(3),
    digest: data.subarray(4),
  }
}

function readSignature(data: Buffer, signer: DnsName): SignedValue {
  const headBytes = 18 + toWire(signer).length
  return {
    is: 'signature',
    covered: data.readUInt16BE(0),
    algorithm: data.readUInt8(2),
    labels: data.readUInt8(3),
    originalTtlSeconds: data.readUInt32BE(4),
    expiration: data.readUInt32BE(8),
    inception: data.readUInt32BE(12),
    keyTag: data.readUInt16BE(16),
    signer,
    signedHead: data.subarray(0, headBytes),
    signature: data.subarray(headBytes),
  }
}

function readNextName(data: Buffer): SignedValue {
  const { labels, end } = readName(data, 0)
  return { is: 'next name', next: labels, types: data.subarray(end) }
}

function readKey(data: Buffer): SignedValue {
  return {
    is: 'key',
    flags: data.readUInt16BE(0),
    protocol: data.readUInt8(2),
    algorithm: data.readUInt8(3),
    keyTag: keyTagOf(data),
    publicKey: data.subarray(4),
  }
}

/** RFC 4034, appendix B. */
function keyTagOf(data: Buffer): number {
  let sum = 0
  for (const [index, byte] of data.entries()) sum += index % 2 === 0 ? byte * 256 : byte
  return (sum + Math.floor(sum / 65_536)) % 65_536
}

function readNextHash(data: Buffer): SignedValue {
  const saltEnd = 5 + data.readUInt8(4)
  const hashStart = saltEnd + 1
  const hashEnd = hashStart + data.readUInt8(saltEnd)
  if (hashEnd > data.length) throw new RangeError('A hash ends behind its record.')
  return {
    is: 'next hash',
    hashAlgorithm: data.readUInt8(0),
    flags: data.readUInt8(1),
    iterations: data.readUInt16BE(2),
    salt: data.subarray(5, saltEnd),
    nextHash: data.subarray(hashStart, hashEnd),
    types: data.subarray(hashEnd),
  }
}

/** Pointers lead only backwards (RFC 1035 4.1.4), so that they come to an end. */
function readName(bytes: Buffer, offset: number): { labels: DnsName; end: number } {
  const labels: string[] = []
  let at = offset
  let end: number | null = null
  let before = offset
  let length = 1
  for (;;) {
    const size = bytes.readUInt8(at)
    if (size === 0) return { labels, end: end ?? at + 1 }
    if (size >= 0xc0) {
      const target = bytes.readUInt16BE(at) - 0xc000
      if (target >= before) throw new RangeError('A pointer leads forwards.')
      end ??= at + 2
      before = target
      at = target
      continue
    }
    length += size + 1
    const next = at + 1 + size
    if (size > 63 || length > maxNameBytes || next > bytes.length) throw new RangeError('Not a name.')
    labels.push(inLowerCase(bytes.toString('latin1', at + 1, next)))
    at = next
  }
}

/** Of ASCII alone: another byte is no letter here. */
function inLowerCase(label: string): string {
  return label.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function toWire(name: DnsName): Buffer {
  return Buffer.from(`${name.map((label) => String.fromCharCode(label.length) + label).join('')}\0`, 'latin1')
}
