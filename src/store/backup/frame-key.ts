import { createCipheriv, createDecipheriv, createHash, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** 32 bytes for AES-256-GCM; made for one file, so that the places of its frames are nonces that never repeat. */
export type FrameKey = Buffer

/** `vouched` is what else its tag covers. */
export type Frame = { content: Buffer; number: number; isLast: boolean; vouched: Buffer }

export type Cost = { N: number; r: number; p: number }
/** 64 MiB and some tenths of a second for each guess. */
export const usualCost: Cost = { N: 2 ** 16, r: 8, p: 2 }
/** A file from elsewhere may ask for no more. */
export const maxCost: Cost = { N: 2 ** 18, r: 8, p: 4 }

const keyBytes = 32
const checkBytes = 16
const nonceBytes = 12
const tagBytes = 16

export async function derivedKey(
  passphrase: string,
  { salt, cost }: { salt: Buffer; cost: Cost },
): Promise<{ key: FrameKey; check: Buffer }> {
  const bytes = await stretched(passphrase, salt, { ...cost, maxmem: 256 * cost.N * cost.r })
  return { key: bytes.subarray(0, keyBytes), check: bytes.subarray(keyBytes) }
}

/** Null for another passphrase. */
export async function checkedKey(
  passphrase: string,
  { check, ...derivation }: { salt: Buffer; cost: Cost; check: Buffer },
): Promise<FrameKey | null> {
  const derived = await derivedKey(passphrase, derivation)
  const isSame = derived.check.length === check.length && timingSafeEqual(derived.check, check)
  return isSame ? derived.key : null
}

export function sealFrame(frame: Frame, key: FrameKey | null): { tag: Buffer; content: Buffer } {
  const nonce = nonceOf(frame)
  if (key === null) return { tag: checksum(frame, nonce), content: frame.content }
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(frame.vouched)
  const content = Buffer.concat([cipher.update(frame.content), cipher.final()])
  return { tag: cipher.getAuthTag(), content }
}

/** Null where it is not what was sealed at its place. */
export function openFrame(frame: Frame, tag: Buffer, key: FrameKey | null): Buffer | null {
  const nonce = nonceOf(frame)
  if (key === null) return timingSafeEqual(checksum(frame, nonce), tag) ? frame.content : null
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(frame.vouched).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(frame.content), decipher.final()])
  } catch {
    return null
  }
}

function nonceOf({ number, isLast }: Frame): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUIntBE(number, 0, 6)
  nonce.writeUInt8(isLast ? 1 : 0, nonceBytes - 1)
  return nonce
}

function checksum({ content, vouched }: Frame, nonce: Buffer): Buffer {
  return createHash('sha256').update(vouched).update(nonce).update(content).digest().subarray(0, tagBytes)
}

function stretched(passphrase: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, keyBytes + checkBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
