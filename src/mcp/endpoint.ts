import { Hono } from 'hono'
import { AppError, fail } from '#core/language/error.ts'
import type { HttpEnv } from '#http/environment.ts'
import { temporaryFailure } from '#operations/pipeline/temporary-failure.ts'
import { type Gate, admit, credentialsOf, refusalResponse } from './gate.ts'
import type { Visit } from './visit.ts'

export type EndpointOptions = Gate & {
  /** Answers what was admitted. */
  serve: (request: Request, body: unknown, visit: Visit) => Promise<Response>
  /** Told of what went wrong inside, as `createHttp` tells it. */
  onError: (error: unknown, request: { requestId: string; method: string; path: string }) => void
  /** Told of what failed for want of the database. */
  onUnavailable: (error: unknown) => void
}

const path = '/mcp'

/** The address of the protocol: POST alone, nothing is kept between requests. */
export function createEndpoint(options: EndpointOptions): Hono<HttpEnv> {
  const { frame, onError, onUnavailable, serve } = options
  const app = new Hono<HttpEnv>()
  app.post(path, async (context) => {
    const requestId = context.get('requestId')
    const onFailure: Visit['onFailure'] = (error, what) => {
      const temporary = temporaryFailure(error)
      if (temporary === null) onError(error, { requestId, method: what, path })
      else onUnavailable(error)
      return temporary ?? fail('internal', `Something went wrong on the server. The request id is ${requestId}.`)
    }
    try {
      const { raw } = context.req
      const sent = credentialsOf(raw, context.get('addressGroup'))
      // What its tools do has places of its own.
      const asked = { surface: 'agents', caller: frame.admission.callerOf(sent) } as const
      const admitted = await frame.admission.within(asked, (place) => admit(raw, sent, { ...options, place }))
      if ('refusal' in admitted) return refusalResponse(admitted.refusal, frame.services.publicUrl, admitted.id)
      const { body, caller, credentials } = admitted
      // Who calls was found out at the gate; the operations need not ask again.
      const known = caller === null ? frame : { ...frame, authenticate: () => Promise.resolve(caller) }
      const visit = { frame: known, credentials, scope: caller?.scope ?? null, onFailure }
      return await serve(raw, body, visit)
    } catch (error) {
      const refusal = error instanceof AppError ? error : onFailure(error, 'POST')
      return refusalResponse(refusal, frame.services.publicUrl)
    }
  })
  return app
}
