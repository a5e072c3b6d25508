// Tokens of OAuth 2 for clients that sign in as themselves (RFC 6749 4.4), kept in memory until they expire.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { HttpOutcome, HttpRequest, SignIn } from '#net/http/http-request.ts'
import type { Credentials } from './digest.ts'

export type TokenRequest = {
  url: string
  credentials: Credentials
  /** Where the client says who it is (RFC 6749 2.3.1). */
  method: 'basic' | 'post'
  scope: string | null
  audience: string | null
  /** Tells apart whose token it is. */
  shareKey: string
}

/** The outcome of a check that got no token, as the exchange with the token endpoint tells it. */
export type NoToken = Extract<HttpOutcome, { ok: false }>

export type OauthTokens = {
  find: (request: TokenRequest) => string | null
  keep: (request: TokenRequest, granted: Granted) => void
  forget: (request: TokenRequest) => void
}

type Granted = { token: string; lastsSeconds: number }

/** More are not remembered, the oldest first. */
const mostTokens = 1_000
/** A token is not used so shortly before its end, since it has to last until the server looks at it. */
const marginSeconds = 30
const longestSeconds = 86_400

export function createOauthTokens(nowMs: () => number = () => performance.now()): OauthTokens {
  const known = new Map<string, { token: string; untilMs: number }>()
  return {
    find: (request) => {
      const held = known.get(keyOf(request))
      return held === undefined || held.untilMs <= nowMs() ? null : held.token
    },
    keep: (request, { token, lastsSeconds }) => {
      const key = keyOf(request)
      known.delete(key)
      const usedSeconds = Math.min(lastsSeconds, longestSeconds) - marginSeconds
      if (usedSeconds <= 0) return
      const [oldest] = known.keys()
      if (known.size >= mostTokens && oldest !== undefined) known.delete(oldest)
      known.set(key, { token, untilMs: nowMs() + usedSeconds * 1000 })
    },
    forget: (request) => void known.delete(keyOf(request)),
  }
}

/** No secret is a key of what is remembered. */
function keyOf(request: TokenRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64')
}

type Ask = (request: HttpRequest) => Promise<HttpOutcome>
export type Taken = { ok: true; token: string; isNew: boolean } | { ok: false; outcome: NoToken }

/** The remembered token, or a new one. */
export async function takeToken(request: TokenRequest, tokens: OauthTokens, ask: Ask): Promise<Taken> {
  const held = tokens.find(request)
  if (held !== null) return { ok: true, token: held, isNew: false }
  const outcome = await ask(messageOf(request))
  if (!outcome.ok) {
    const { failure } = outcome
    return { ok: false, outcome: { ...outcome, failure: { ...failure, message: `Token: ${failure.message}` } } }
  }
  const granted = grantOf(outcome)
  if (granted === null) return { ok: false, outcome: refused(outcome) }
  tokens.keep(request, granted)
  return { ok: true, token: granted.token, isNew: true }
}

/** A token that was remembered and is refused may have been withdrawn; then a new one is asked for, once. */
export function signInByToken(taken: { token: string; isNew: boolean }, renew: () => Promise<string | null>): SignIn {
  let { isNew } = taken
  let refusal: string | null = null
  return {
    headersFor: () => bearer(taken.token),
    answerTo: () => {
      refusal = 'the server refuses the token'
      if (isNew) return null
      isNew = true
      return async () => {
        const token = await renew()
        return token === null ? null : bearer(token)
      }
    },
    refusal: () => refusal,
  }
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

const maxAnswerBytes = 64 * 1024

function messageOf({ url, credentials, method, scope, audience }: TokenRequest): HttpRequest {
  const { name, secret } = credentials
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
    ...(audience === null ? {} : { audience }),
    ...(method === 'post' ? { client_id: name, client_secret: secret } : {}),
  })
  const pair = [name, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length)).join(':')
  return {
    url: new URL(url),
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(method === 'basic' ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {}),
    },
    body: form.toString(),
    maxRedirects: 0,
    headersOnly: false,
    maxBodyBytes: maxAnswerBytes,
    maxWireBytes: maxAnswerBytes,
  }
}

const grantSchema = z.object({
  // What may stand in a header (RFC 6750 2.1).
  access_token: z.string().regex(/^[\w.~+/-]{1,8000}={0,20}$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().nonnegative().catch(0),
})

function grantOf({ answer }: Extract<HttpOutcome, { ok: true }>): Granted | null {
  const read = answer.status === 200 ? grantSchema.safeParse(jsonOf(answer.body)) : null
  if (read?.success !== true) return null
  return { token: read.data.access_token, lastsSeconds: read.data.expires_in }
}

const errorSchema = z.object({ error: z.string().regex(/^[\x20-\x7e]{1,100}$/) })

function refused({ answer, latencyMs, phases }: Extract<HttpOutcome, { ok: true }>): NoToken {
  const read = errorSchema.safeParse(jsonOf(answer.body))
  const said = read.success ? `: ${read.data.error}` : ''
  const message =
    answer.status === 200
      ? `The token endpoint granted no bearer token${said}`
      : `The token endpoint refused a token with HTTP status ${answer.status}${said}`
  const failure = { code: 'token_refused', phase: 'request', message } as const
  return { ok: false, failure, redirects: [], status: null, latencyMs, phases }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
}
