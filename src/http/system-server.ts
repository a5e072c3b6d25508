import { Hono } from 'hono'
import { AppError, fail } from '#core/language/error.ts'
import { errorReply } from '#operations/pipeline/reply.ts'
import type { HttpEnv } from './environment.ts'
import { addSecurityHeaders, toResponse } from './response.ts'
import { addSystemRoutes, type SystemSources } from './system-routes.ts'

/** What a process without the API serves: its health, its metrics and its status. `onError` is told of bugs. */
export function createSystemHttp(
  sources: SystemSources,
  onError: (error: unknown, request: { method: string; path: string }) => void,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.use(async (context, next) => {
    await next()
    addSecurityHeaders(context.res.headers, false)
  })
  addSystemRoutes(app, sources)
  app.notFound(() => refuse(fail('not_found', 'There is nothing at this address.')))
  app.onError((error, { req }) => {
    if (error instanceof AppError) return refuse(error)
    onError(error, { method: req.method, path: req.path })
    return refuse(fail('internal', 'Something went wrong on the server.'))
  })
  return app
}

function refuse(error: AppError): Response {
  return toResponse(errorReply(error, ''))
}
