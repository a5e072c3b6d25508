import type { Hono } from 'hono'
import type { HttpEnv } from '#http/environment.ts'
import type { Surface } from './create-server.ts'
import { type EndpointOptions, createEndpoint } from './endpoint.ts'
import type { Gate } from './gate.ts'
import { withoutMeta } from './payment.ts'
import { createReadResource, isOpenResource } from './resources.ts'
import { type ToolOptions, createTools } from './tool.ts'

export type McpOptions = Pick<EndpointOptions, 'frame' | 'longBodies' | 'onError' | 'onUnavailable'> &
  ToolOptions & {
    /** The release of this program. */
    version: string
  }

/** The whole API for models. What it takes, the SDK of the protocol among it, is made for the first request. */
export function createMcp(options: McpOptions): Hono<HttpEnv> {
  const { frame, longBodies, onError, onUnavailable } = options
  let surface: Surface | null = null
  return createEndpoint({
    frame,
    longBodies,
    onError,
    onUnavailable,
    isOpen: openMessages(options),
    serve: async (request, body, visit) => {
      const [{ answerWith }, { createServer }] = await Promise.all([
        import('./protocol.ts'),
        import('./create-server.ts'),
      ])
      const served = (surface ??= surfaceOf(options))
      return answerWith(() => createServer(served, visit, body), request, withoutMeta(body))
    },
  })
}

/** A stranger may list what there is; a call that touches a workspace needs a credential. */
function openMessages({ operations }: ToolOptions): Gate['isOpen'] {
  const openTools = new Set(
    operations.flatMap((operation) =>
      operation.actsFor === 'workspace' && operation.performForStranger !== null ? [operation.name] : [],
    ),
  )
  return ({ method, params }) => {
    if (method === 'tools/call') return openTools.has(String(params['name']))
    if (method === 'resources/read') return isOpenResource(String(params['uri']))
    return method !== 'prompts/get'
  }
}

function surfaceOf({ version, ...options }: McpOptions): Surface {
  const tools = createTools(options)
  const paymentMethods = options.paymentOffers.map(({ method }) => method)
  return { tools, readResource: createReadResource(tools, options), version, paymentMethods }
}
