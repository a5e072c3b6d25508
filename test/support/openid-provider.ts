// An OpenID provider on loopback that does as told, also what no provider should.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type JWTPayload, SignJWT, UnsecuredJWT, exportJWK, generateKeyPair } from 'jose'
import { httpServer } from './http-server.ts'

/** What it does otherwise than it should; all undefined is a good provider. */
export type Behaviour = {
  metadata?: Record<string, unknown>
  /** In place of the answer at a path. */
  answers?: Record<string, (response: ServerResponse) => void>
  /** Over the claims of the ID token; undefined leaves a claim out. */
  claims?: Record<string, unknown>
  /** Of the user info; null has no such endpoint. */
  userInfo?: Record<string, unknown>
  sign?: 'alg none' | 'HS256 by the client secret' | 'another key'
}

export type TestProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  behave: (behaviour: Behaviour) => void
  /** What the browser comes back with from an address that it was sent to. */
  consent: (url: string) => URLSearchParams
  /** The paths that were asked for. */
  asked: string[]
}

type Granted = { nonce: string; challenge: string; redirectUri: string }

export async function startOpenIdProvider(): Promise<TestProvider> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const codes = new Map<string, Granted>()
  const asked: string[] = []
  let behaviour: Behaviour = {}
  const { port } = await httpServer((request, response) => void answer(request, response))
  const issuer = `http://127.0.0.1:${port}`
  const clientId = 'perigee'
  const clientSecret = 'a secret of 32 letters and some more'

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    asked.push(path)
    const instead = behaviour.answers?.[path]
    if (instead !== undefined) return instead(response)
    const send = (body: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path.startsWith('/authorize?')) {
      const url = new URL(path, issuer)
      const location = `${url.searchParams.get('redirect_uri')}?${consent(url.href).toString()}`
      return void response.writeHead(302, { location }).end()
    }
    switch (path) {
      case '/.well-known/openid-configuration':
        return send({ ...metadataOf(issuer), ...behaviour.metadata })
      case '/jwks':
        return send({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
      case '/userinfo':
        return send({ sub: 'subject-1', ...behaviour.userInfo })
      case '/token': {
        const form = new URLSearchParams(await text(request))
        const given = isByForm(behaviour) ? form.get('client_secret') : basicPassword(request)
        if (given !== clientSecret) return send({ error: 'invalid_client' }, 401)
        const granted = codes.get(form.get('code') ?? '')
        codes.delete(form.get('code') ?? '')
        const isRight = granted !== undefined && granted.redirectUri === form.get('redirect_uri')
        if (!isRight || !(await matches(form.get('code_verifier') ?? '', granted.challenge)))
          return send({ error: 'invalid_grant' }, 400)
        return send({ access_token: randomUUID(), token_type: 'Bearer', id_token: await idToken(granted) })
      }
      default:
        return send({ error: 'not_found' }, 404)
    }
  }

  function idToken({ nonce }: Granted): Promise<string> | string {
    const seconds = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer, aud: clientId, sub: 'subject-1', nonce, iat: seconds, exp: seconds + 300 }
    const payload: JWTPayload = { ...usual, ...behaviour.claims }
    if (behaviour.sign === 'alg none') return new UnsecuredJWT(payload).encode()
    const isSymmetric = behaviour.sign === 'HS256 by the client secret'
    const header = { alg: isSymmetric ? 'HS256' : 'RS256', kid: 'one' }
    const key = behaviour.sign === 'another key' ? other.privateKey : own.privateKey
    return new SignJWT(payload).setProtectedHeader(header).sign(isSymmetric ? Buffer.from(clientSecret) : key)
  }

  function consent(url: string): URLSearchParams {
    const sent = new URL(url).searchParams
    const code = randomUUID()
    codes.set(code, {
      nonce: sent.get('nonce') ?? '',
      challenge: sent.get('code_challenge') ?? '',
      redirectUri: sent.get('redirect_uri') ?? '',
    })
    return new URLSearchParams({ code, state: sent.get('state') ?? '', iss: issuer })
  }

  return {
    issuer,
    clientId,
    clientSecret,
    asked,
    behave: (next) => {
      behaviour = next
    },
    consent,
  }
}

function metadataOf(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** A client shows its secret in the way that the metadata names. */
function isByForm({ metadata }: Behaviour): boolean {
  const { token_endpoint_auth_methods_supported: methods }: Record<string, unknown> = { ...metadataOf(''), ...metadata }
  return Array.isArray(methods) && methods.includes('client_secret_post')
}

/** RFC 6749 2.3.1: both halves are encoded as in a form. */
function basicPassword({ headers }: IncomingMessage): string | null {
  const [, encoded = ''] = headers.authorization?.split('Basic ') ?? []
  const [, password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return new URLSearchParams(`password=${password}`).get('password')
}

async function matches(verifier: string, challenge: string): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier))
  return Buffer.from(digest).toString('base64url') === challenge
}
