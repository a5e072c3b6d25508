import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** The uses of the installation's secret key; the key itself stays inside. */
export type Secrets = {
  /** Names the key without revealing it: two keys never have the same identity. */
  readonly identity: string
  /**
   * Whether what monitors send is sealed too, and addresses that are secrets, and everything is bound to its place. Not
   * while processes of a release that cannot read it may run.
   */
  sealsAll: () => boolean
  /** The place is where it will be stored. */
  encrypt: (text: string, place: Place) => Buffer
  /** Throws for what was sealed for another place. */
  decrypt: (sealed: Buffer, place: Place) => string
  /** Base64url HMAC-SHA256, for links. A signature for one purpose is worth nothing for another. */
  sign: (purpose: string, text: string) => string
  isSigned: (purpose: string, text: string, signature: string) => boolean
}

/**
 * A column and the id of a row (of a setting its name), to which a sealed value is bound: whoever can write to the database cannot have one
 * monitor send the secrets of another. A job has no id while it is made, and `former_secret` of a contact holds what was
 * sealed for its `signing_secret`.
 */
export type Place = {
  column:
    | 'monitors.request_headers'
    | 'monitors.secret_options'
    | 'monitors.content'
    | 'monitors.call_token'
    | 'idempotency_keys.last_content'
    | 'alert_channels.destination'
    | 'alert_channels.secret_options'
    | 'alert_channels.signing_secret'
    | 'status_subscribers.signing_secret'
    | 'agent_signing_keys.private_key'
    | 'payment_attempts.sealed_payload'
    | 'jobs.person_mail'
    | 'settings.value'
    | 'incident_evidence.content'
    | 'import_steps.content'
  id: string
}

const keyBytes = 32
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = keyIdBytes + nonceBytes + tagBytes
/** Begins values that are bound to their place. Values without it are of an earlier release. */
const boundMark = Buffer.from([0xff, 0x70, 0x67, 0x02])

/**
 * Sealed bytes are the mark (4), key id (4), nonce (12), tag (16), AES-256-GCM ciphertext. What stands before the nonce
 * and the place are the additional data that the tag vouches for. `key` has 32 bytes.
 */
export function createSecrets(key: Buffer, sealsAll: () => boolean = () => true): Secrets {
  if (key.length !== keyBytes) throw new Error(`The secret key has ${key.length} bytes, not ${keyBytes}.`)
  const identity = derive(key, 'identity')
  const keyId = identity.subarray(0, keyIdBytes)
  const encryptionKey = derive(key, 'encryption')
  const signingKey = derive(key, 'signing')
  const signature = (purpose: string, text: string): Buffer =>
    createHmac('sha256', signingKey).update(`${purpose.length}:${purpose}`).update(text).digest()
  return {
    identity: identity.toString('hex'),
    sealsAll,
    encrypt: (text, place) => seal(text, { key: encryptionKey, keyId, place: sealsAll() ? place : null }),
    decrypt: (sealed, place) => open(sealed, { key: encryptionKey, keyId, place }),
    sign: (purpose, text) => signature(purpose, text).toString('base64url'),
    isSigned: (purpose, text, given) => {
      const bytes = Buffer.from(given, 'base64url')
      const expected = signature(purpose, text)
      return bytes.length === expected.length && timingSafeEqual(bytes, expected)
    },
  }
}

/** The stored form of a token. Tokens are random and long, so a plain SHA-256 cannot be searched. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `perigee ${use}`, keyBytes))
}

/** `place` is null for a value that a process of an earlier release has to read. */
type Sealing = { key: Buffer; keyId: Buffer; place: Place | null }

function seal(text: string, { key, keyId, place }: Sealing): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(vouched(keyId, place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const parts = [keyId, nonce, cipher.getAuthTag(), sealed]
  return Buffer.concat(place === null ? parts : [boundMark, ...parts])
}

function open(whole: Buffer, { key, keyId, place }: Sealing): string {
  const isBound = whole.subarray(0, boundMark.length).equals(boundMark)
  const sealed = isBound ? whole.subarray(boundMark.length) : whole
  if (sealed.length < headBytes) throw new Error('A stored secret is too short to be one.')
  if (!sealed.subarray(0, keyIdBytes).equals(keyId)) throw new Error('A stored secret was encrypted with another key.')
  const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(vouched(keyId, isBound ? place : null))
  decipher.setAuthTag(sealed.subarray(keyIdBytes + nonceBytes, headBytes))
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8')
}

function vouched(keyId: Buffer, place: Place | null): Buffer {
  if (place === null) return keyId
  // No column and no id holds a NUL, so that no two places are written alike.
  return Buffer.concat([boundMark, keyId, Buffer.from(`${place.column}\0${place.id}`)])
}
