import { type Context, Hono } from 'hono'
import { AppError, fail } from '#core/language/error.ts'
import { inWords } from '#core/language/in-words.ts'
import { mcpResource } from '#core/language/well-known.ts'
import { type ToolsetName, isToolset, toolsetNames } from '#core/toolsets.ts'
import type { HttpEnv } from '#http/environment.ts'
import { temporaryFailure } from '#operations/pipeline/temporary-failure.ts'
import { type Gate, type Message, admit, credentialsOf, refusalResponse } from './gate.ts'
import type { Visit } from './visit.ts'

export type EndpointOptions = Pick<Gate, 'frame' | 'longBodies'> & {
  /** Whether strangers may send it to a toolset, or to the whole (null). */
  isOpen: (message: Message, toolset: ToolsetName | null) => boolean
  /** Answers what was admitted. */
  serve: (request: Request, body: unknown, visit: Visit) => Promise<Response>
  /** Told of what went wrong inside, as `createHttp` tells it. */
  onError: (error: unknown, request: { requestId: string; method: string; path: string }) => void
  /** Told of what failed for want of the database. */
  onUnavailable: (error: unknown) => void
}

const root = '/mcp'
/** All tools, and nothing for strangers: programs that sign their person in begin with its 401. */
const connect = 'connect'
/** Addresses below the root that are no toolsets. */
const others: ReadonlySet<string> = new Set([connect, 'server-card'])

/** An address of the protocol: by its last member, null for the root, and the toolset that it serves, null for all. */
type Address = { name: string | null; toolset: ToolsetName | null }

/** The addresses of the protocol, of all tools and of each toolset: POST alone, nothing is kept between requests. */
export function createEndpoint(options: EndpointOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.post(root, (context) => answer(context, options, { name: null, toolset: null }))
  app.post(`${root}/${connect}`, (context) => answer(context, options, { name: connect, toolset: null }))
  for (const toolset of toolsetNames)
    app.post(`${root}/${toolset}`, (context) => answer(context, options, { name: toolset, toolset }))
  const { publicUrl } = options.frame.services
  app.all(`${root}/:toolset`, (context, next) => {
    const name = context.req.param('toolset')
    return isToolset(name) || others.has(name) ? next() : unknownToolset(publicUrl)
  })
  return app
}

async function answer(
  context: Context<HttpEnv>,
  options: EndpointOptions,
  { name, toolset }: Address,
): Promise<Response> {
  const { frame, isOpen, longBodies, serve } = options
  const { publicUrl } = frame.services
  const resource = mcpResource(publicUrl, name)
  const asked = { publicUrl, resource }
  const onFailure = failureTeller(context, options)
  try {
    const { raw } = context.req
    const sent = credentialsOf(raw, context.get('addressGroup'))
    // What its tools do has places of its own.
    const place = { surface: 'agents', caller: frame.admission.callerOf(sent) } as const
    const needsToken = name === connect
    const gate = { frame, longBodies, needsToken, isOpen: (message: Message) => isOpen(message, toolset) }
    const admitted = await frame.admission.within(place, (taken) => admit(raw, sent, { ...gate, place: taken }))
    if ('refusal' in admitted) return refusalResponse(admitted.refusal, asked, admitted.id)
    const { body, caller, credentials } = admitted
    // Who calls was found out at the gate; the operations need not ask again.
    const known = caller === null ? frame : { ...frame, authenticate: () => Promise.resolve(caller) }
    return await serve(raw, body, { frame: known, credentials, scope: caller?.scope ?? null, toolset, onFailure })
  } catch (error) {
    const refusal = error instanceof AppError ? error : onFailure(error, 'POST')
    return refusalResponse(refusal, asked)
  }
}

function failureTeller(
  context: Context<HttpEnv>,
  { onError, onUnavailable }: Pick<EndpointOptions, 'onError' | 'onUnavailable'>,
): Visit['onFailure'] {
  const requestId = context.get('requestId')
  const { path } = context.req
  return (error, what) => {
    const temporary = temporaryFailure(error)
    if (temporary === null) onError(error, { requestId, method: what, path })
    else onUnavailable(error)
    return temporary ?? fail('internal', `Something went wrong on the server. The request id is ${requestId}.`)
  }
}

function unknownToolset(publicUrl: string): Response {
  const names = inWords(toolsetNames.map((name) => `${root}/${name}`))
  const refusal = fail(
    'not_found',
    `There is no such toolset. ${root} has all tools, and parts of them are at ${names}.`,
  )
  return refusalResponse(refusal, { publicUrl, resource: mcpResource(publicUrl) })
}
