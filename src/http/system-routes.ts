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
  /** PERIGEE_METRICS_TOKEN; null lets only this machine in. */
  metricsToken: string | null
  /** Whether what seems to come from this machine may come from elsewhere (`mayBeProxied`): then all need the token. */
  mayBeProxied: boolean
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
    assertOperator(context, sources)
    const { contentType, text } = await sources.metrics()
    return new Response(text, { headers: { 'Content-Type': contentType } })
  })
  app.get('/operator/status', async (context) => {
    assertOperator(context, sources)
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

/** Strangers are told that there is nothing here. */
function assertOperator(context: Context<HttpEnv>, { metricsToken: token, mayBeProxied }: SystemSources): void {
  if (!mayBeProxied && isLocal(context.env.address, context.req.raw.headers)) return
  const given = /^Bearer +(\S+) *$/i.exec(context.req.header('authorization') ?? '')?.[1]
  if (token !== null && given !== undefined && timingSafeEqual(digest(given), digest(token))) return
  throw fail('not_found', 'There is nothing at this address.')
}

/** A hash, because the comparison needs two texts of one length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
