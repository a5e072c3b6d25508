import { Hono } from 'hono'
import { AppError, fail } from '#core/language/error.ts'
import { errorReply } from '#operations/pipeline/reply.ts'
import type { HttpEnv } from './environment.ts'
import { requestIdOf } from './request-id.ts'
import { addSecurityHeaders, toResponse } from './response.ts'
import { addSystemRoutes, type SystemSources } from './system-routes.ts'

/** What a process without the API serves: its health, its metrics and its status. `onError` is told of bugs. */
export function createSystemHttp(
  sources: SystemSources,
  onError: (error: unknown, request: { requestId: string; method: string; path: string }) => void,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.use(async (context, next) => {
    const requestId = requestIdOf(context)
    context.set('requestId', requestId)
    await next()
    context.res.headers.set('X-Request-Id', requestId)
    addSecurityHeaders(context.res.headers, false)
  })
  addSystemRoutes(app, sources)
  app.notFound(() => refuse(fail('not_found', 'There is nothing at this address.')))
  app.onError((error, context) => {
    if (error instanceof AppError) return refuse(error)
    const requestId = context.get('requestId')
    onError(error, { requestId, method: context.req.method, path: context.req.path })
    return refuse(fail('internal', `Something went wrong on the server. The request id is ${requestId}.`))
  })
  return app
}

function refuse(error: AppError): Response {
  return toResponse(errorReply(error, ''))
}
