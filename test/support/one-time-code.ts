import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { pause } from './pause.ts'

/** How long a code is shown. */
export const stepMs = 30_000
const onTheWayMs = 5_000
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows at a time (RFC 6238, with the values that every app takes). */
export function oneTimeCode(secret: string, atMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / stepMs)))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0x0f
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000
  return String(number).padStart(6, '0')
}

/** The code of the step before, which is taken until this step ends: never so near its end that it comes too late. */
export async function previousCode(secret: string): Promise<string> {
  const leftMs = stepMs - (Date.now() % stepMs)
  if (leftMs < onTheWayMs) await pause(leftMs)
  return oneTimeCode(secret, Date.now() - stepMs)
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text.replace(/=+$/, '')).map((letter) => {
    const value = alphabet.indexOf(letter)
    assert.ok(value >= 0, `${letter} is not of base32`)
    return value.toString(2).padStart(5, '0')
  })
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
