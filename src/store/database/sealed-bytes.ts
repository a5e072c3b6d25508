import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** What a value is bound to (`Place` of secrets.ts). */
type BoundTo = { column: string; id: string }

/** One key as sealing uses it: `id` names it in what it sealed. */
export type SealingKey = { id: string; encryption: Buffer }

export const keyBytes = 32
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = keyIdBytes + nonceBytes + tagBytes
/** Begins values that are bound to their place. Values without it are of an earlier release. */
const boundMark = Buffer.from([0xff, 0x70, 0x67, 0x02])

/**
 * Sealed bytes are the mark (4), key id (4), nonce (12), tag (16), AES-256-GCM ciphertext. What stands before the nonce
 * and the place are the additional data that the tag vouches for. `place` is null for a value that a process of an
 * earlier release has to read.
 */
export function seal(text: string, { id, encryption }: SealingKey, place: BoundTo | null): Buffer {
  const nonce = randomBytes(nonceBytes)
  const keyId = Buffer.from(id, 'hex')
  const cipher = createCipheriv('aes-256-gcm', encryption, nonce, { authTagLength: tagBytes })
  cipher.setAAD(vouched(keyId, place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const parts = [keyId, nonce, cipher.getAuthTag(), sealed]
  return Buffer.concat(place === null ? parts : [boundMark, ...parts])
}

/** By the key that the value names. Throws where it is none of these, and for what was sealed for another place. */
export function open(whole: Buffer, keys: readonly SealingKey[], place: BoundTo): string {
  const isBound = whole.subarray(0, boundMark.length).equals(boundMark)
  const sealed = isBound ? whole.subarray(boundMark.length) : whole
  if (sealed.length < headBytes) throw new Error('A stored secret is too short to be one.')
  const keyId = sealed.subarray(0, keyIdBytes)
  const key = keys.find(({ id }) => id === keyId.toString('hex'))
  if (key === undefined) throw new Error(unknownKey(keyId.toString('hex')))
  const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key.encryption, nonce, { authTagLength: tagBytes })
  decipher.setAAD(vouched(keyId, isBound ? place : null))
  decipher.setAuthTag(sealed.subarray(keyIdBytes + nonceBytes, headBytes))
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8')
}

/** In SQL, the id of the key by which the bytes of an expression are sealed. */
export function keyIdSql(bytes: string): string {
  const at = (from: number): string => `substring(${bytes} from ${from} for ${keyIdBytes})`
  return `encode(case when ${at(1)} = '\\x${boundMark.toString('hex')}' then ${at(boundMark.length + 1)} else ${at(1)} end, 'hex')`
}

function unknownKey(id: string): string {
  return `A stored secret was encrypted with the key ${id}, which is not among the keys of this process. Add that key to PERIGEE_FORMER_SECRET_KEYS.`
}

function vouched(keyId: Buffer, place: BoundTo | null): Buffer {
  if (place === null) return keyId
  // No column and no id holds a NUL, so that no two places are written alike.
  return Buffer.concat([boundMark, keyId, Buffer.from(`${place.column}\0${place.id}`)])
}
