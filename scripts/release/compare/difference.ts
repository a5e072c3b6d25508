// Where two artefacts differ first: the file of an archive, the archive in a package, and the byte.
import { execFileSync } from 'node:child_process'
import { gunzipSync } from 'node:zlib'
import { partsOfAr, partsOfTar, type Part } from './containers.ts'
import { inOrderOfImage } from './image-parts.ts'

const largestBytes = 2 ** 31

/** What a form holds. A compressed file is one part without a name. */
type Form = { isOf: (bytes: Buffer) => boolean; parts: (bytes: Buffer) => Part[] }

const forms: readonly Form[] = [
  { isOf: (bytes) => startsWith(bytes, '1f8b'), parts: (bytes) => unpacked(gunzipSync(bytes)) },
  { isOf: (bytes) => startsWith(bytes, 'fd377a585a00'), parts: (bytes) => unpacked(fromXz(bytes)) },
  { isOf: (bytes) => bytes.subarray(0, 8).toString('latin1') === '!<arch>\n', parts: partsOfAr },
  {
    isOf: (bytes) => bytes.subarray(257, 262).toString('latin1') === 'ustar',
    parts: (bytes) => inOrderOfImage(partsOfTar(bytes)),
  },
]

/** Null where they are the same, byte by byte. */
export function firstDifference(one: Buffer, other: Buffer): string | null {
  if (one.equals(other)) return null
  const form = forms.find(({ isOf }) => isOf(one) && isOf(other))
  if (form === undefined) return differentByte(one, other)
  const inside = differenceOfParts(form.parts(one), form.parts(other))
  return inside ?? `the same contents, packed differently: ${differentByte(one, other)}`
}

function differenceOfParts(ones: readonly Part[], others: readonly Part[]): string | null {
  for (let index = 0; index < Math.max(ones.length, others.length); index += 1) {
    const [one, other] = [ones[index], others[index]]
    if (one === undefined) return `only the second has ${other?.name}`
    if (other === undefined) return `only the first has ${one.name}`
    if (one.name !== other.name) return `${one.name} in the first, ${other.name} in the second`
    if (one.facts !== other.facts) return `${one.name}: ${one.facts} and ${other.facts}`
    const inside = firstDifference(one.bytes, other.bytes)
    if (inside !== null) return one.name === '' ? inside : `${one.name}: ${inside}`
  }
  return null
}

function differentByte(one: Buffer, other: Buffer): string {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one[at] === other[at]) at += 1
  return at === length ? `${one.length} and ${other.length} bytes` : `byte ${at} is ${one[at]} and ${other[at]}`
}

function unpacked(bytes: Buffer): Part[] {
  return [{ name: '', facts: '', bytes }]
}

function fromXz(bytes: Buffer): Buffer {
  return execFileSync('xz', ['--decompress', '--stdout'], { input: bytes, maxBuffer: largestBytes })
}

function startsWith(bytes: Buffer, hexadecimal: string): boolean {
  return bytes.subarray(0, hexadecimal.length / 2).toString('hex') === hexadecimal
}
