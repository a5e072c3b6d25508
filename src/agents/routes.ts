import { type Context, Hono } from 'hono'
import { AppError, fail } from '#core/language/error.ts'
import { mcpResource, wellKnown } from '#core/language/well-known.ts'
import { toolsetNames } from '#core/toolsets.ts'
import { readBytes, readJson } from '#http/body.ts'
import type { HttpEnv } from '#http/environment.ts'
import { toResponse } from '#http/response.ts'
import type { AgentCall } from '#operations/people/agent-registration.ts'
import { revoke } from '#operations/people/agent-tokens.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { addressesOf } from './addresses.ts'
import { invalidRequest, refusalReply, unstored } from './answers.ts'
import { answerClaim } from './claim-start.ts'
import { authorizationServer, protectedResource } from './discovery.ts'
import { answerDevice, answerIntrospection, answerOauthClient, askingOf, toConsent } from './oauth.ts'
import { isForm, parseForm } from './form.ts'
import { answerIdentity } from './identity.ts'
import type { AgentParts } from './agent-parts.ts'
import { recipe } from './recipe.ts'
import { answerToken } from './token.ts'

export type AgentRoutesOptions = { parts: AgentParts; now: () => Date }

const maxBodyBytes = 64 * 1024
/** Documents that are the same for every reader; pages of other origins may read them too. */
const shared = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' } as const

type Answer = <Sent>(
  context: Context<HttpEnv>,
  read: (request: Request) => Promise<Sent>,
  work: (sent: Sent, call: AgentCall) => Promise<Reply>,
) => Promise<Response>

/** Discovery, registration, claims and tokens of agents. */
export function createAgentRoutes({ parts, now }: AgentRoutesOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  addDocuments(app, parts)
  const answer: Answer = async (context, read, work) => {
    const address = context.get('addressGroup')
    try {
      await assertCalm(parts, address)
      // Who sends slowly holds no place.
      const sent = await read(context.req.raw)
      const asked = { surface: 'agents', caller: address } as const
      return toResponse(await parts.admission.within(asked, () => work(sent, { now: now(), address })))
    } catch (error) {
      if (error instanceof AppError) return toResponse(refusalReply(error))
      throw error
    }
  }
  app.post('/agent/identity', (context) =>
    answer(context, readObject, (body, call) => answerIdentity(parts, body, call)),
  )
  app.post('/agent/identity/claim', (context) =>
    answer(context, readObject, (body, call) => answerClaim(parts, body, call.now)),
  )
  addOauthRoutes(app, parts, answer)
  app.post('/oauth2/token', (context) => answer(context, readForm, (form, call) => answerToken(parts, form, call.now)))
  app.get('/.well-known/jwks.json', (context) =>
    answer(context, readNothing, async (_nothing, call) => ({
      status: 200,
      body: await parts.assertions.keySet(call.now),
      headers: shared,
    })),
  )
  app.post('/oauth2/revoke', (context) =>
    answer(context, tokensIn, async (tokens, call) => {
      await revokeAll(parts, tokens, call.now)
      return { status: 200, body: undefined, headers: unstored }
    }),
  )
  return app
}

/** The addresses for programs that sign their person in, or that wait for a code which the person types. */
function addOauthRoutes(app: Hono<HttpEnv>, parts: AgentParts, answer: Answer): void {
  app.post('/oauth2/register', (context) =>
    answer(context, readObject, (body, call) => answerOauthClient(parts, body, call)),
  )
  app.post('/oauth2/device_authorization', (context) =>
    answer(context, readForm, (form, call) => answerDevice(parts, form, call)),
  )
  app.get('/oauth2/authorize', (context) => {
    try {
      return toConsent(context.req.raw, parts.publicUrl)
    } catch (error) {
      if (error instanceof AppError) return toResponse(refusalReply(error))
      throw error
    }
  })
  app.post('/oauth2/introspect', (context) =>
    answer(
      context,
      async (request) => askingOf(request, await readForm(request)),
      (asked, call) => answerIntrospection(parts, asked, call.now),
    ),
  )
}

function addDocuments(app: Hono<HttpEnv>, parts: AgentParts): void {
  const { publicUrl, takesClientDocuments } = parts
  const { takesAnonymous } = parts.limits
  const { api, mcp } = addressesOf(publicUrl)
  const below = ['connect', ...toolsetNames].map((name) => mcpResource(publicUrl, name))
  for (const resource of [publicUrl, api, mcp, ...below])
    app.get(new URL(wellKnown(resource, 'oauth-protected-resource')).pathname, () =>
      document(protectedResource(publicUrl, resource)),
    )
  app.get(new URL(wellKnown(publicUrl, 'oauth-authorization-server')).pathname, () =>
    document(authorizationServer(publicUrl, { takesAnonymous, takesClientDocuments })),
  )
  const text = recipe(publicUrl, takesAnonymous)
  app.get(
    '/auth.md',
    () => new Response(text, { headers: { ...shared, 'Content-Type': 'text/markdown; charset=utf-8' } }),
  )
}

function document(body: unknown): Response {
  return toResponse({ status: 200, body, headers: shared })
}

async function assertCalm({ limits }: AgentParts, address: string): Promise<void> {
  const { isExceeded, limit, resetSeconds } = await limits.countAgentCall(address)
  if (!isExceeded) return
  const message = `More than ${limit} calls within a minute. Try again in ${resetSeconds} s.`
  throw fail('rate_limited', message, { retryAfterSeconds: resetSeconds })
}

function readObject(request: Request): Promise<unknown> {
  return readJson(request, maxBodyBytes)
}

async function readNothing(): Promise<null> {
  return null
}

async function readForm(request: Request): Promise<Map<string, string>> {
  if (!isForm(request.headers.get('content-type')))
    throw invalidRequest('Send the parameters as application/x-www-form-urlencoded.')
  return parseForm(new TextDecoder().decode(await readBytes(request, maxBodyBytes)))
}

const maxRevoked = 10

/**
 * A client that is answered 200 believes that its token has ended (RFC 7009 2.2), so a token is taken wherever the
 * body names one, in JSON too.
 */
async function tokensIn(request: Request): Promise<string[]> {
  try {
    if (isForm(request.headers.get('content-type'))) {
      const body = new TextDecoder().decode(await readBytes(request, maxBodyBytes))
      return new URLSearchParams(body).getAll('token').slice(0, maxRevoked)
    }
    const body = await readJson(request, maxBodyBytes)
    const isNamed = typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string'
    return isNamed ? [String(body.token)] : []
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function revokeAll(parts: AgentParts, tokens: readonly string[], now: Date): Promise<void> {
  for (const token of tokens) await revoke(parts, token, now)
}
