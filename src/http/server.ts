import { type Context, Hono } from 'hono'
import { routePath } from 'hono/route'
import { AppError, fail } from '#core/language/error.ts'
import { type Within, withinNothing } from '#core/log-lines.ts'
import { errorReply } from '#operations/pipeline/reply.ts'
import { temporaryFailure } from '#operations/pipeline/temporary-failure.ts'
import { addApiRoutes, type ApiRoutesOptions } from './api-routes.ts'
import { addCalendarRoutes } from './calendar-routes.ts'
import { addCallRoutes } from './call-routes.ts'
import { addressGroup, clientAddress, parseProxies } from './client-address.ts'
import { admitOrigins } from './cross-origin.ts'
import type { HttpEnv } from './environment.ts'
import { addMethodRefusals } from './method-refusals.ts'
import { type OpenApiSource, addOpenApiRoutes } from './openapi-routes.ts'
import { admitPages } from './page-admission.ts'
import { asPreferredRefusal } from './problem.ts'
import { requestIdOf } from './request-id.ts'
import { addSecurityHeaders, toResponse } from './response.ts'
import { addSigningKeyRoutes } from './signing-key-routes.ts'
import { type SystemSources, addSystemRoutes } from './system-routes.ts'

export type HttpOptions = ApiRoutesOptions & {
  openApi: OpenApiSource
  system: SystemSources
  /** CIDRs of PERIGEE_TRUSTED_PROXIES. */
  trustedProxies: readonly string[]
  /** Told of what went wrong inside, with the id that the caller was given. `path` is a pattern: some paths are secrets. */
  onError: (error: unknown, request: { requestId: string; method: string; path: string }) => void
  /** Told of what failed for want of the database and was answered 503. */
  onUnavailable?: (error: unknown) => void
  /** Told of every answered request, for metrics. `route` is its pattern, never what the caller wrote. */
  onAnswer?: (answer: { method: string; route: string; status: number; seconds: number }) => void
  /** Lines of the log that a request writes have its id. */
  within?: Within
  /** Adds what other folders serve, such as pages. */
  addRoutes?: (app: Hono<HttpEnv>) => void
}

const unknownRoute = 'unknown'

/** The service's whole surface as one `fetch`. */
export function createHttp(options: HttpOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { publicUrl } = options.frame.services
  const proxies = parseProxies(options.trustedProxies)
  const isSecure = publicUrl.startsWith('https://')
  const { within = withinNothing } = options
  const refuse = (error: AppError, { req }: Context<HttpEnv>): Response =>
    toResponse(asPreferredRefusal(errorReply(error, publicUrl), { accept: req.header('accept'), publicUrl }))

  app.use((context, next) => {
    const requestId = requestIdOf(context)
    context.set('requestId', requestId)
    return within({ request_id: requestId }, async () => {
      const startedAt = performance.now()
      const address = clientAddress(context.env.address, context.req.header('x-forwarded-for'), proxies)
      context.set('address', address)
      context.set('addressGroup', addressGroup(address))
      await next()
      context.res.headers.set('X-Request-Id', requestId)
      addSecurityHeaders(context.res.headers, isSecure)
      const { method } = context.req
      const seconds = (performance.now() - startedAt) / 1000
      options.onAnswer?.({ method, route: patternOf(context), status: context.res.status, seconds })
    })
  })
  app.use(admitOrigins)
  addApiRoutes(app, options)
  addCallRoutes(app, options.frame)
  addSystemRoutes(app, options.system)
  app.use(admitPages(options.frame.admission))
  addOpenApiRoutes(app, options.openApi)
  addCalendarRoutes(app, options.frame)
  addSigningKeyRoutes(app, options.frame)
  options.addRoutes?.(app)
  addMethodRefusals(app, publicUrl)

  app.notFound((context) => {
    const list = `${publicUrl}/llms.txt`
    const response = refuse(
      fail('not_found', `There is nothing at this address. ${list} lists what there is.`),
      context,
    )
    response.headers.set('Link', `<${publicUrl}/>; rel="index", <${list}>; rel="describedby"`)
    return response
  })
  app.onError((error, context) => {
    if (error instanceof AppError) return refuse(error, context)
    const temporary = temporaryFailure(error)
    if (temporary !== null) {
      options.onUnavailable?.(error)
      return refuse(temporary, context)
    }
    const requestId = context.get('requestId')
    options.onError(error, { requestId, method: context.req.method, path: patternOf(context) })
    return refuse(fail('internal', `Something went wrong on the server. The request id is ${requestId}.`), context)
  })
  return app
}

/** Only what is served here names a route: what strangers write would make as many series as they like. */
function patternOf(context: Context<HttpEnv>): string {
  const pattern = routePath(context, -1)
  return pattern.includes('*') ? unknownRoute : pattern
}
