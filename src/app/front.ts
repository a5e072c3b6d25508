import type { Hono } from 'hono'
import type { HttpEnv } from '#http/environment.ts'

type Fetch = Hono<HttpEnv>['fetch']

/**
 * Holds the port from the first moment, and answers 503 until what stands behind it runs. It is alive meanwhile: a start
 * that migrates years of results must not be ended by the supervisor of the process.
 */
export type Front = { fetch: Fetch; open: (app: { fetch: Fetch }) => void }

export function createFront(): Front {
  let behind: { fetch: Fetch } | null = null
  return {
    fetch: (request, environment, context) => behind?.fetch(request, environment, context) ?? starting(request),
    open: (app) => {
      behind = app
    },
  }
}

function starting({ url }: Request): Response {
  if (new URL(url).pathname === '/healthz') return Response.json({ status: 'ok' })
  const body = { error: 'unavailable', message: 'Perigee is starting.' }
  return Response.json(body, { status: 503, headers: { 'Retry-After': '2' } })
}
