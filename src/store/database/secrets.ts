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
   * Whether what monitors send is sealed too, and addresses that are secrets. Not while processes of a release that
   * cannot read it may run.
   */
  sealsAll: () => boolean
  encrypt: (text: string) => Buffer
  decrypt: (sealed: Buffer) => string
  /** Base64url HMAC-SHA256, for links. A signature for one purpose is worth nothing for another. */
  sign: (purpose: string, text: string) => string
  isSigned: (purpose: string, text: string, signature: string) => boolean
}

const keyBytes = 32
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = keyIdBytes + nonceBytes + tagBytes

/** Sealed bytes are key id (4), nonce (12), tag (16), AES-256-GCM ciphertext. `key` has 32 bytes. */
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
    encrypt: (text) => seal(text, encryptionKey, keyId),
    decrypt: (sealed) => open(sealed, encryptionKey, keyId),
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

function seal(text: string, key: Buffer, keyId: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(keyId)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([keyId, nonce, cipher.getAuthTag(), sealed])
}

function open(sealed: Buffer, key: Buffer, keyId: Buffer): string {
  if (sealed.length < headBytes) throw new Error('A stored secret is too short to be one.')
  if (!sealed.subarray(0, keyIdBytes).equals(keyId)) throw new Error('A stored secret was encrypted with another key.')
  const nonce = sealed.subarray(keyIdBytes, keyIdBytes + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(keyId)
  decipher.setAuthTag(sealed.subarray(keyIdBytes + nonceBytes, headBytes))
  return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8')
}
