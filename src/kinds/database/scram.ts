// SCRAM-SHA-256 as a client has it (RFC 5802, RFC 7677), without channel binding.
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)

export const scramMechanism = 'SCRAM-SHA-256'

/** The server sets the pace, and a thread of this process has to keep up with it for all checks. */
const maxIterations = 200_000

export type ScramClient = {
  first: string
  /** The answer to the server's first message; null for one that cannot be answered. */
  answer: (serverFirst: string) => Promise<ScramAnswer | null>
}

export type ScramAnswer = {
  final: string
  /** Whether the server's last message proves that it knows the password, too. */
  isProof: (serverFinal: string) => boolean
}

/** The name of the user is told before, and left out here as PostgreSQL wants it. */
export function scramClient(password: string, nonce = randomBytes(18).toString('base64')): ScramClient {
  const bare = `n=,r=${nonce}`
  return {
    first: `n,,${bare}`,
    answer: async (serverFirst) => {
      const [, joint = '', salt = '', count = ''] =
        /^r=([!-+\--~]+),s=([A-Za-z0-9+/=]+),i=(\d{1,6})$/.exec(serverFirst) ?? []
      const iterations = Number(count)
      if (!joint.startsWith(nonce) || joint === nonce || iterations < 1 || iterations > maxIterations) return null
      const salted = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), iterations, 32, 'sha256')
      const unproved = `c=biws,r=${joint}`
      const signed = `${bare},${serverFirst},${unproved}`
      const clientKey = hmac(salted, 'Client Key')
      const signature = hmac(createHash('sha256').update(clientKey).digest(), signed)
      const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))
      const expected = hmac(hmac(salted, 'Server Key'), signed)
      return {
        final: `${unproved},p=${Buffer.from(proof).toString('base64')}`,
        isProof: (serverFinal) =>
          isEqual(Buffer.from(/^v=([A-Za-z0-9+/=]+)$/.exec(serverFinal)?.[1] ?? '', 'base64'), expected),
      }
    },
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
