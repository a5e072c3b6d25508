import { generateKeyPairSync } from 'node:crypto'
import { z } from 'zod'
import {
  type PublicSigningKey,
  type SigningPurpose,
  publicSigningKey,
  signedText,
  signFor,
} from '#core/proofs/signature.ts'
import type { Reader } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'
import { claimSetting, readSetting } from './settings.ts'

/** What this installation signs with, so that others can check it without asking the installation. */
export type SigningKeys = {
  current: () => Promise<SigningKey>
  /** The current key first, then those that have signed before it. */
  publicKeys: () => Promise<PublicSigningKey[]>
}

export type SigningKey = {
  /** The `kid` of its public key. */
  keyId: string
  /** 64 bytes. */
  sign: (purpose: SigningPurpose, content: Uint8Array) => Buffer
  /** A compact JSON Web Signature with the content in it; `type` says in its header what it is for. */
  signText: (type: string, content: string) => string
}

const name = 'signing_keys'
const place: Place = { column: 'settings.value', id: name }
const pairSchema = z.strictObject({ x: z.string(), d: z.string() })
const storedSchema = z.strictObject({ keys: z.tuple([pairSchema], pairSchema) })

type Stored = z.infer<typeof storedSchema>

/**
 * The first key is made when the keys are first asked for. Keys are stored as a list, the current one first, because
 * what a former key has signed has to stay verifiable.
 */
export function signingKeys(reader: Reader, secrets: Secrets): SigningKeys {
  return {
    current: async () => {
      const [pair] = (await readOrMake(reader, secrets)).keys
      return {
        keyId: publicSigningKey(pair.x).kid,
        sign: (purpose, content) => signFor(purpose, pair, content),
        signText: (type, content) => signedText(type, pair, content),
      }
    },
    publicKeys: async () => (await readOrMake(reader, secrets)).keys.map(({ x }) => publicSigningKey(x)),
  }
}

async function readOrMake(reader: Reader, secrets: Secrets): Promise<Stored> {
  const held = await readSetting(reader, name)
  if (typeof held === 'string') return opened(held, secrets)
  const made: Stored = { keys: [newPair()] }
  const sealed = secrets.encrypt(JSON.stringify(made), place).toString('base64')
  // Of two processes that ask at the same time, the first one has made the key.
  if (await claimSetting(reader, name, sealed)) return made
  return readOrMake(reader, secrets)
}

function opened(sealed: string, secrets: Secrets): Stored {
  return storedSchema.parse(JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64'), place)))
}

function newPair(): z.infer<typeof pairSchema> {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return pairSchema.parse({ x, d })
}
