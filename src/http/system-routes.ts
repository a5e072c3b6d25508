import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { fail } from '#core/language/error.ts'
import { isLocal } from './client-address.ts'
import type { HttpEnv } from './environment.ts'
import { toResponse } from './response.ts'

/** What an operator asks of a running process. */
export type SystemSources = {
  /** What the service depends on, by name, and whether it is well. */
  readiness: () => Promise<Record<string, boolean>>
  metrics: () => Promise<{ contentType: string; text: string }>
  /** How this process and the installation are, as far as it knows: an OperatorStatus. */
  status: () => Promise<object>
  /** Who may read metrics and status. */
  operator: OperatorAccess
}

export type OperatorAccess = {
  /** The tokens that open them from anywhere. */
  readTokens: () => readonly string[]
  /** Whether requests that seem to be made by a person at this machine may be made by others: then all need a token. */
  needsToken: boolean
}

const readinessDeadlineMs = 2000

export function addSystemRoutes(app: Hono<HttpEnv>, sources: SystemSources): void {
  app.get('/healthz', () => toResponse({ status: 200, body: { status: 'ok' } }))
  app.get('/readyz', async () => {
    const checks = await withinDeadline(sources.readiness)
    const isReady = Object.values(checks).every(Boolean)
    return toResponse({ status: isReady ? 200 : 503, body: { status: isReady ? 'ok' : 'unavailable', checks } })
  })
  app.get('/metrics', async (context) => {
    const refusal = refusalOf(context, sources.operator)
    if (refusal !== null) return refusal
    const { contentType, text } = await sources.metrics()
    return new Response(text, { headers: { 'Content-Type': contentType } })
  })
  app.get('/operator/status', async (context) => {
    const refusal = refusalOf(context, sources.operator)
    if (refusal !== null) return refusal
    return Response.json(await sources.status(), { headers: { 'Cache-Control': 'no-store' } })
  })
}

/** A check that does not answer in time, or fails, means not ready. */
async function withinDeadline(readiness: SystemSources['readiness']): Promise<Record<string, boolean>> {
  const { promise, resolve } = Promise.withResolvers<Record<string, boolean>>()
  const timer = setTimeout(() => resolve({ answered_in_time: false }), readinessDeadlineMs)
  try {
    return await Promise.race([readiness(), promise])
  } catch {
    return { answered: false }
  } finally {
    clearTimeout(timer)
  }
}

/** Null for the operator. Strangers are told that there is nothing here, people at this machine where the token is. */
function refusalOf(context: Context<HttpEnv>, { readTokens, needsToken }: OperatorAccess): Response | null {
  const isHere = isLocal(context.env.address, context.req.raw.headers)
  if (isHere && !needsToken) return null
  const given = /^Bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
  if (given !== undefined && readTokens().some((token) => timingSafeEqual(digest(given), digest(token)))) return null
  if (!isHere) throw fail('not_found', 'There is nothing at this address.')
  return toResponse({ status: 401, body: noToken, headers: { 'WWW-Authenticate': 'Bearer realm="perigee operator"' } })
}

const noToken = {
  error: 'missing_api_key',
  message:
    'Send PERIGEE_METRICS_TOKEN as a Bearer token, or what the file operator.token in the data folder holds: a proxy, ' +
    'or a check of a private address, would ask as this request does.',
}

/** A hash, because the comparison needs two texts of one length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
