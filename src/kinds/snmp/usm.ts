// The user-based security model of SNMP version 3 (RFC 3414), with SHA-2 (RFC 7860) and AES (RFC 3826).
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ber, type BerElement, berInteger, berTags, readElements, readInteger, readOnly } from '#kinds/ber.ts'
import { type Pdu, readPdu, versionCodes } from './snmp-message.ts'

export const authProtocols = {
  'SHA-1': { hash: 'sha1', macBytes: 12 },
  'SHA-256': { hash: 'sha256', macBytes: 24 },
} as const
export type AuthProtocol = keyof typeof authProtocols

/** Keys for one engine; null where the user has no such password. */
export type UsmUser = { name: string; protocol: AuthProtocol; authKey: Buffer | null; privKey: Buffer | null }

/** The engine that answers, and its clock: how often it has started, and for how many seconds it has run. */
export type Engine = { id: Buffer; boots: number; time: number }

export const noUser: UsmUser = { name: '', protocol: 'SHA-256', authKey: null, privKey: null }
export const unknownEngine: Engine = { id: Buffer.alloc(0), boots: 0, time: 0 }

const flags = { auth: 1, priv: 2, reportable: 4 } as const
const userModel = 3
/** The largest datagram of IPv4. */
const maxMessageBytes = 65_507
const cipher = 'aes-128-cfb'
const keyExpansionBytes = 1_048_576

/** The key of a password at one engine (RFC 3414 A.2): a megabyte is hashed for it. */
export function localizedKey(protocol: AuthProtocol, password: string, engineId: Buffer): Buffer {
  const { hash } = authProtocols[protocol]
  const once = Buffer.from(password)
  const chunk = Buffer.alloc(once.length * Math.ceil(16_384 / once.length), once)
  const hashing = createHash(hash)
  let rest = keyExpansionBytes
  for (; rest >= chunk.length; rest -= chunk.length) hashing.update(chunk)
  const key = hashing.update(chunk.subarray(0, rest)).digest()
  return createHash(hash).update(key).update(engineId).update(key).digest()
}

/** What is asked of an engine as a user, authenticated and encrypted where the user has keys. */
export function userMessage(
  messageId: number,
  pdu: Buffer,
  { user, engine }: { user: UsmUser; engine: Engine },
): Buffer {
  const salt = user.privKey === null ? Buffer.alloc(0) : randomBytes(8)
  const scoped = ber(berTags.sequence, ber(berTags.octets, engine.id), ber(berTags.octets), pdu)
  const content =
    user.privKey === null ? scoped : ber(berTags.octets, encrypted(user.privKey, scoped, { engine, salt }))
  const flag = flags.reportable + (user.authKey === null ? 0 : flags.auth) + (user.privKey === null ? 0 : flags.priv)
  const head = ber(
    berTags.sequence,
    berInteger(messageId),
    berInteger(maxMessageBytes),
    ber(berTags.octets, Buffer.from([flag])),
    berInteger(userModel),
  )
  const whole = (mac: Buffer): Buffer => {
    const security = ber(
      berTags.sequence,
      ber(berTags.octets, engine.id),
      berInteger(engine.boots),
      berInteger(engine.time),
      ber(berTags.octets, user.name),
      ber(berTags.octets, mac),
      ber(berTags.octets, salt),
    )
    return ber(berTags.sequence, berInteger(versionCodes['3']), head, ber(berTags.octets, security), content)
  }
  if (user.authKey === null) return whole(Buffer.alloc(0))
  // The code is reckoned with zeros in its place (RFC 3414 6.3.1).
  const empty = Buffer.alloc(authProtocols[user.protocol].macBytes)
  return whole(macOf(user.protocol, user.authKey, whole(empty)))
}

/** A message of version 3 as it came. Nothing in it is proven before `isAuthentic`. */
export type UserMessage = {
  messageId: number
  flags: number
  engine: Engine
  mac: Buffer
  salt: Buffer
  content: BerElement
  whole: Buffer
}

export function readUserMessage(whole: Buffer): UserMessage | null {
  const message = readOnly(whole)
  const [version, head, security, content] = (message === null ? null : readElements(message.content)) ?? []
  if (readInteger(version) !== versionCodes['3'] || head?.tag !== berTags.sequence) return null
  const [id, , flag, model] = readElements(head.content) ?? []
  const messageId = readInteger(id)
  if (messageId === null || flag?.content.length !== 1 || readInteger(model) !== userModel) return null
  const parameters = security?.tag === berTags.octets ? readOnly(security.content) : null
  const [engineId, boots, time, , mac, salt] = (parameters === null ? null : readElements(parameters.content)) ?? []
  const engine = { id: engineId?.content ?? Buffer.alloc(0), boots: readInteger(boots), time: readInteger(time) }
  if (mac === undefined || salt === undefined || content === undefined) return null
  if (engine.boots === null || engine.boots < 0 || engine.time === null || engine.time < 0) return null
  const { id: bytes, boots: started, time: seconds } = engine
  return {
    messageId,
    flags: flag.content[0] ?? 0,
    engine: { id: bytes, boots: started, time: seconds },
    mac: mac.content,
    salt: salt.content,
    content,
    whole,
  }
}

/** Whether the message was made by one who knows the user's key. */
export function isAuthentic({ flags: flag, mac, whole }: UserMessage, { protocol, authKey }: UsmUser): boolean {
  if (authKey === null || (flag & flags.auth) === 0 || mac.length !== authProtocols[protocol].macBytes) return false
  const zeroed = Buffer.from(whole)
  const at = mac.byteOffset - whole.byteOffset
  zeroed.fill(0, at, at + mac.length)
  return timingSafeEqual(macOf(protocol, authKey, zeroed), mac)
}

export function isEncrypted({ flags: flag }: Pick<UserMessage, 'flags'>): boolean {
  return (flag & flags.priv) !== 0
}

/** The PDU within a message, decrypted with the user's key where it is encrypted; null where it cannot be read. */
export function readScopedPdu(message: UserMessage, { privKey }: UsmUser): Pdu | null {
  const { content, engine, salt } = message
  if (!isEncrypted(message)) return scopedPdu(content)
  if (privKey === null || content.tag !== berTags.octets || salt.length !== 8) return null
  const decipher = createDecipheriv(cipher, privKey.subarray(0, 16), initialVector(engine, salt))
  return scopedPdu(readOnly(Buffer.concat([decipher.update(content.content), decipher.final()])))
}

function scopedPdu(scoped: BerElement | null): Pdu | null {
  if (scoped?.tag !== berTags.sequence) return null
  const [, , pdu] = readElements(scoped.content) ?? []
  return readPdu(pdu)
}

type Sealing = { engine: Engine; salt: Buffer }

function encrypted(privKey: Buffer, scoped: Buffer, { engine, salt }: Sealing): Buffer {
  const encryption = createCipheriv(cipher, privKey.subarray(0, 16), initialVector(engine, salt))
  return Buffer.concat([encryption.update(scoped), encryption.final()])
}

/** RFC 3826 3.1.2.1. */
function initialVector({ boots, time }: Engine, salt: Buffer): Buffer {
  const vector = Buffer.alloc(8)
  vector.writeUInt32BE(boots)
  vector.writeUInt32BE(time, 4)
  return Buffer.concat([vector, salt])
}

function macOf(protocol: AuthProtocol, key: Buffer, whole: Buffer): Buffer {
  const { hash, macBytes } = authProtocols[protocol]
  return createHmac(hash, key).update(whole).digest().subarray(0, macBytes)
}
