import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type Answer, encode, type StringAnswer } from 'dns-packet'

export type Zone = {
  name: string
  key: Answer
  keyTag: number
  /** The DS record of the key, as the zone above has it. */
  digest: Answer
  /** The data of that record in words. */
  anchor: string
  /** The records, which share name and type, with their signature. */
  signed: (records: Answer[], wishes?: Wishes) => Answer[]
}

export type Wishes = {
  fromSeconds?: number
  toSeconds?: number
  keyTag?: number
  labels?: number
  algorithm?: number
  /** Of the zone that the signature names. */
  signer?: string
  isSpoilt?: boolean
}

/** A zone with one key of ECDSA P-256, whose records are signed as RFC 4034 3.1.8 says; names are in lower case. */
export function signedZone(name: string, keyFlags = 257): Zone {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const keyData = Buffer.concat([Buffer.from([keyFlags >> 8, keyFlags & 255, 3, 13]), bytes])
  const tag = tagOf(keyData)
  const digest = createHash('sha256')
    .update(Buffer.concat([wire(name), keyData]))
    .digest()
  return {
    name,
    keyTag: tag,
    key: { type: 'DNSKEY', name, ttl: 300, data: { flags: keyFlags, algorithm: 13, key: bytes } },
    digest: { type: 'DS', name, ttl: 300, data: { keyTag: tag, algorithm: 13, digestType: 2, digest } },
    anchor: `${tag} 13 2 ${digest.toString('hex')}`,
    signed: (records, wishes = {}) => [...records, signatureOf(records, { zone: name, tag, privateKey }, wishes)],
  }
}

type Signing = { zone: string; tag: number; privateKey: KeyObject }

function signatureOf(records: Answer[], { zone, tag, privateKey }: Signing, wishes: Wishes): Answer {
  const [first] = records
  if (first === undefined) throw new Error('Nothing to sign.')
  const now = Math.floor(Date.now() / 1000)
  const labels = first.name.split('.').filter((label) => label !== '' && label !== '*').length
  const data = {
    typeCovered: first.type,
    algorithm: wishes.algorithm ?? 13,
    labels: wishes.labels ?? labels,
    originalTTL: 300,
    expiration: now + (wishes.toSeconds ?? 864_000),
    inception: now + (wishes.fromSeconds ?? -3600),
    keyTag: wishes.keyTag ?? tag,
    signersName: wishes.signer ?? zone,
    signature: Buffer.alloc(0),
  }
  const head = dataOf({ type: 'RRSIG', name: first.name, ttl: 300, data })
  const bodies = records.map((record) => recordBytes(record)).toSorted((one, other) => one.compare(other))
  const signature = sign('sha256', Buffer.concat([head, ...bodies]), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  if (wishes.isSpoilt === true) signature.writeUInt8(signature.readUInt8(9) ^ 1, 9)
  return { type: 'RRSIG', name: first.name, ttl: 300, data: { ...data, signature } }
}

/** RFC 4034, appendix B. */
function tagOf(data: Buffer): number {
  let sum = 0
  for (const [index, byte] of data.entries()) sum += (index & 1) === 1 ? byte : byte << 8
  return (sum + (sum >> 16)) & 0xffff
}

/** A record alone in a message, which dns-packet writes without pointers. */
function recordBytes(record: Answer): Buffer {
  return encode({ type: 'response', answers: [record] }).subarray(12)
}

function dataOf(record: Answer): Buffer {
  return recordBytes(record).subarray(wire(record.name).length + 10)
}

function wire(name: string): Buffer {
  const record: StringAnswer = { type: 'PTR', name, data: '' }
  const bytes = encode({ type: 'response', answers: [record] }).subarray(12)
  return Buffer.from(bytes.subarray(0, bytes.indexOf(0) + 1))
}
