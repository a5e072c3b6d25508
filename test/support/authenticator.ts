// A device with passkeys, without a browser before it: so it can answer as no browser would.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'

/** Claims that the device makes in its answer. */
export type Answering = {
  /** The person proved to be there by a PIN, a finger or a face. */
  isVerified?: boolean
  origin?: string
  challenge?: string
}

export type Device = {
  id: string
  /** Answers what `/passkey/generate-register-options` gave. */
  create: (options: unknown, answering?: Answering) => unknown
  /** Answers what `/passkey/generate-authenticate-options` gave. */
  get: (options: unknown, answering?: Answering) => unknown
}

/** One passkey, of ES256. `id` may be that of another. */
export function passkeyDevice({ host, origin, id = randomBytes(16) }: DeviceOptions): Device {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let uses = 0
  const dataOf = ({ isVerified = true }: Answering, credential: Buffer | null): Buffer => {
    uses += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(uses)
    // WebAuthn 6.1: present, verified, with a credential.
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (credential === null ? 0 : 0x40)
    return Buffer.concat([hash(host), Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)])
  }
  const client = (type: string, options: unknown, answering: Answering): Buffer => {
    const { challenge } = challenged.parse(options)
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...own(answering) }))
  }
  const answer = (response: Record<string, unknown>): unknown => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    id: id.toString('base64url'),
    create: (options, answering = {}) => {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestation = cborMap([
        ['fmt', 'none'],
        ['attStmt', null],
        ['authData', dataOf(answering, credential)],
      ])
      return answer({
        clientDataJSON: client('webauthn.create', options, answering).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get: (options, answering = {}) => {
      const said = client('webauthn.get', options, answering)
      const authenticatorData = dataOf(answering, null)
      return answer({
        clientDataJSON: said.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authenticatorData, hash(said)]), privateKey).toString('base64url'),
      })
    },
  }
}

type DeviceOptions = { host: string; origin: string; id?: Buffer }

const challenged = z.looseObject({ challenge: z.string() })

function own({ origin, challenge }: Answering): Record<string, string> {
  return { ...(origin === undefined ? {} : { origin }), ...(challenge === undefined ? {} : { challenge }) }
}

function hash(of: string | Buffer): Buffer {
  return createHash('sha256').update(of).digest()
}

type Cbor = number | string | Buffer | null

/** RFC 8949, as much of it as passkeys need: small numbers, texts, bytes, and maps of them; null is an empty one. */
function cborMap(entries: [Cbor, Cbor][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  return value === null ? cborMap([]) : Buffer.concat([head(2, value.length), value])
}

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 0xff])
}
