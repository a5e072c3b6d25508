import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { keyBytes, open, seal, type SealingKey } from './sealed-bytes.ts'

/**
 * The secret keys of an installation, of 32 bytes each. One is current: it alone seals and signs. The others open what
 * they sealed and vouch for what they signed, so that the key can change while processes run
 * (docs/decisions/secret-keys.md).
 */
export type SecretKeys = {
  current: Buffer
  /** The one that becomes current when every process knows it. */
  next?: Buffer | null
  /** Those that were current, the newest first. */
  former?: readonly Buffer[]
}

/** Each names its key without revealing it: two keys never have the same identity. Its first 8 letters are the key's id. */
export type KeyIdentities = {
  current: string
  next: string | null
  former: readonly string[]
  /** All of them, in the order of `signatures`. */
  known: readonly string[]
}

/** The uses of the installation's secret keys; the keys themselves stay inside. */
export type Secrets = {
  /** Of the current key. */
  readonly identity: string
  readonly identities: KeyIdentities
  /**
   * Whether what monitors send is sealed too, and addresses that are secrets, and everything is bound to its place. Not
   * while processes of a release that cannot read it may run.
   */
  sealsAll: () => boolean
  /** The place is where it will be stored. */
  encrypt: (text: string, place: Place) => Buffer
  /** Throws for what was sealed for another place, or by a key that is not known. */
  decrypt: (sealed: Buffer, place: Place) => string
  /** Base64url HMAC-SHA256, for links. A signature for one purpose is worth nothing for another. */
  sign: (purpose: string, text: string) => string
  /** Whether any known key made the signature. */
  isSigned: (purpose: string, text: string, signature: string) => boolean
  /** What each known key signs, the current one first: for signatures that are stored, or compared elsewhere. */
  signatures: (purpose: string, text: string) => readonly [string, ...string[]]
  /** Goes over to other keys at once. */
  change: (keys: SecretKeys) => void
}

/**
 * A column and the id of a row (of a setting its name), to which a sealed value is bound: an attacker who can write to the
 * database cannot have one monitor send the secrets of another. `store/installation/sealed-columns.ts` says where the
 * values of each column lie. A job has no id while it is made, and `former_secret` of a contact holds what was
 * sealed for its `signing_secret`.
 */
export type Place = {
  column:
    | 'monitors.request_headers'
    | 'monitors.secret_options'
    | 'monitors.content'
    | 'monitors.call_token'
    | 'monitor_state.run_log'
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
    | 'location_views.content'
    | 'monitor_routes.content'
    | 'import_steps.content'
    | 'identity_providers.client_secret'
  id: string
}

/** One key alone has neither former ones nor a next one. */
export function createSecrets(keys: Buffer | SecretKeys, sealsAll: () => boolean = () => true): Secrets {
  let ring = ringOf(Buffer.isBuffer(keys) ? { current: keys } : keys)
  return {
    get identity() {
      return ring.identities.current
    },
    get identities() {
      return ring.identities
    },
    sealsAll,
    encrypt: (text, place) => seal(text, ring.keys[0], sealsAll() ? place : null),
    decrypt: (sealed, place) => open(sealed, ring.keys, place),
    sign: (purpose, text) => signature(ring.keys[0], purpose, text).toString('base64url'),
    isSigned: (purpose, text, given) => {
      const bytes = Buffer.from(given, 'base64url')
      return ring.keys.some((key) => isSame(bytes, signature(key, purpose, text)))
    },
    signatures: (purpose, text) => {
      const [current, ...others] = ring.keys
      const signed = (key: Key): string => signature(key, purpose, text).toString('base64url')
      return [signed(current), ...others.map(signed)]
    },
    change: (changed) => {
      ring = ringOf(changed)
    },
  }
}

/** How a key is named wherever people see it, and in what it sealed. */
export function keyIdOf(identity: string): string {
  return identity.slice(0, keyIdLength)
}

/** The identity of a key of 32 bytes. */
export function identityOf(key: Buffer): string {
  if (key.length !== keyBytes) throw new Error(`The secret key has ${key.length} bytes, not ${keyBytes}.`)
  return derive(key, 'identity').toString('hex')
}

/** The stored form of a token. Tokens are random and long, so a plain SHA-256 cannot be searched. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Four bytes in hexadecimal digits. */
const keyIdLength = 8

type Key = SealingKey & { identity: string; signing: Buffer }
type Ring = { keys: readonly [Key, ...Key[]]; identities: KeyIdentities }

/** A key that is named twice counts as what it is named first. */
function ringOf({ current, next = null, former = [] }: SecretKeys): Ring {
  const first = keyOf(current)
  const others = [...(next === null ? [] : [next]), ...former].map(keyOf)
  const rest = others.filter(
    ({ identity }, at) =>
      identity !== first.identity && others.findIndex((other) => other.identity === identity) === at,
  )
  const [following = null] =
    next === null ? [] : rest.slice(0, 1).filter(({ identity }) => identity === identityOf(next))
  return {
    keys: [first, ...rest],
    identities: {
      current: first.identity,
      next: following === null ? null : following.identity,
      former: rest.flatMap((key) => (key === following ? [] : [key.identity])),
      known: [first, ...rest].map(({ identity }) => identity),
    },
  }
}

function keyOf(key: Buffer): Key {
  const identity = identityOf(key)
  return { identity, id: keyIdOf(identity), encryption: derive(key, 'encryption'), signing: derive(key, 'signing') }
}

/** HKDF (RFC 5869) with a label for each use, so that what is made for one use tells nothing of the others. */
function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `perigee ${use}`, keyBytes))
}

function signature({ signing }: Key, purpose: string, text: string): Buffer {
  return createHmac('sha256', signing).update(`${purpose.length}:${purpose}`).update(text).digest()
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
