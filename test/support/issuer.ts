// A provider that vouches for people, on loopback: its keys, and the assertions it makes.
import { randomUUID } from 'node:crypto'
import { type JWK, type JWTPayload, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { assertionHeaderType } from '#core/people/agent.ts'
import { httpServer } from './http-server.ts'

export type TestIssuer = {
  issuer: string
  jwksUri: string
  name: string
  /** How often its key set was asked for. */
  fetches: () => number
  /** Sets the answer to the next requests for the key set; null serves the keys themselves. */
  react: (answer: { status: number; body: string; headers?: Record<string, string> } | null) => void
  /** Changes the key: the set holds only the newest. */
  rotate: () => Promise<void>
  /** An assertion that is good at `now` but for what the claims say; undefined leaves a claim out. */
  assertion: (now: Date, changes?: AssertionChanges) => Promise<string>
}

export type AssertionChanges = {
  claims?: Record<string, unknown>
  header?: { typ?: string; kid?: string }
  /** Signed with a key that is not the provider's, although it says so. */
  isForged?: boolean
}

type Pair = { kid: string; privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; jwk: JWK }

/** `audience` is the service's public address. */
export async function startIssuer(audience: string, alg: 'ES256' | 'RS256' | 'EdDSA' = 'ES256'): Promise<TestIssuer> {
  let pair = await createPair(alg)
  let fetches = 0
  let reaction: { status: number; body: string; headers?: Record<string, string> } | null = null
  const { port } = await httpServer((_request, response) => {
    fetches += 1
    const { status, body, headers = {} } = reaction ?? { status: 200, body: JSON.stringify({ keys: [pair.jwk] }) }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    jwksUri: `${issuer}/jwks.json`,
    name: 'Acme',
    fetches: () => fetches,
    react: (answer) => {
      reaction = answer
    },
    rotate: async () => {
      pair = await createPair(alg)
    },
    assertion: async (now, { claims = {}, header = {}, isForged = false } = {}) => {
      const seconds = Math.floor(now.getTime() / 1000)
      const payload: JWTPayload = {
        iss: issuer,
        sub: 'user-1',
        aud: audience,
        client_id: 'https://agent.example/client.json',
        jti: randomUUID(),
        iat: seconds,
        exp: seconds + 300,
        auth_time: seconds - 60,
        email: 'alice@example.com',
        email_verified: true,
        ...claims,
      }
      const key = isForged ? (await createPair(alg)).privateKey : pair.privateKey
      return new SignJWT(JSON.parse(JSON.stringify(payload)))
        .setProtectedHeader({ alg, typ: header.typ ?? assertionHeaderType, kid: header.kid ?? pair.kid })
        .sign(key)
    },
  }
}

async function createPair(alg: string): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID()
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
