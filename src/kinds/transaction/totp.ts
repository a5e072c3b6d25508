import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepSeconds = 30

/** The bytes of a secret in base32 (RFC 4648 6), as authenticators take it: without padding, in groups, in any case. */
export function secretBytes(text: string): Buffer | null {
  const letters = text.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  if (letters === '' || /[^A-Z2-7]/.test(letters)) return null
  const bits = Array.from(letters, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return bytes.length === 0 ? null : Buffer.from(bytes.map((byte) => parseInt(byte, 2)))
}

/** The six digits of an authenticator at a moment (RFC 6238 with SHA-1 and 30 seconds). */
export function totpCode(secret: Buffer, atMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 1000 / stepSeconds)))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const place = (digest.at(-1) ?? 0) & 0x0f
  return String((digest.readUInt32BE(place) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}
