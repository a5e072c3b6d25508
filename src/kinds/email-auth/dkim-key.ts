/**
 * The size of an RSA public key in DER, as SubjectPublicKeyInfo (RFC 5280 4.1, what everyone publishes) or bare
 * (RFC 8017 A.1.1, what RFC 6376 3.6.1 asks for); null when the bytes are no such key.
 */
export function rsaKeyBits(der: Uint8Array): number | null {
  const outer = readElement(der, 0, der.length)
  if (outer?.tag !== sequence || outer.end !== der.length) return null
  const first = readElement(der, outer.start, outer.end)
  if (first?.tag === integer) return modulusBits(der, outer)
  if (first?.tag !== sequence || !startsWith(der, first.start, rsaEncryption)) return null
  const bits = readElement(der, first.end, outer.end)
  if (bits?.tag !== bitString || bits.end !== outer.end || der[bits.start] !== 0) return null
  const key = readElement(der, bits.start + 1, bits.end)
  return key?.tag === sequence && key.end === bits.end ? modulusBits(der, key) : null
}

const sequence = 0x30
const integer = 0x02
const bitString = 0x03
/** The object identifier 1.2.840.113549.1.1.1. */
const rsaEncryption = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]

/** `start` and `end` of its content. */
type Element = { tag: number; start: number; end: number }

function modulusBits(der: Uint8Array, key: Element): number | null {
  const modulus = readElement(der, key.start, key.end)
  if (modulus?.tag !== integer) return null
  const exponent = readElement(der, modulus.end, key.end)
  if (exponent?.tag !== integer || exponent.end !== key.end || exponent.start === exponent.end) return null
  let start = modulus.start
  while (der[start] === 0 && start < modulus.end) start++
  const bytes = modulus.end - start
  return bytes === 0 ? null : bytes * 8 - (Math.clz32(der[start] ?? 0) - 24)
}

/** Null when there is none before `end`, or its length is longer than four bytes. */
function readElement(der: Uint8Array, offset: number, end: number): Element | null {
  const tag = der[offset]
  const first = der[offset + 1]
  if (tag === undefined || first === undefined || offset + 2 > end) return null
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  const start = offset + 2 + lengthBytes
  if (lengthBytes > 4 || start > end || first === 0x80) return null
  const length = der.subarray(offset + 2, start).reduce((sum, byte) => sum * 256 + byte, first < 0x80 ? first : 0)
  return start + length <= end ? { tag, start, end: start + length } : null
}

function startsWith(der: Uint8Array, offset: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => der[offset + index] === byte)
}
