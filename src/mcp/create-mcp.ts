import type { Hono } from 'hono'
import type { HttpEnv } from '#http/environment.ts'
import type { ToolsetName } from '#core/toolsets.ts'
import type { Surface } from './create-server.ts'
import { type EndpointOptions, createEndpoint } from './endpoint.ts'
import { createOwnTools, isOpenOwnTool } from './own-tools.ts'
import { withoutMeta } from './payment.ts'
import { createPrompts } from './prompts.ts'
import { type ReadResource, createReadResource, isOpenResource } from './resources.ts'
import { type ToolOptions, createTools } from './tool.ts'
import { createToolset, ownToolsOf } from './toolsets.ts'

export type McpOptions = Pick<EndpointOptions, 'frame' | 'longBodies' | 'onError' | 'onUnavailable'> &
  ToolOptions & {
    /** The release of this program. */
    version: string
  }

/** The whole API for models. What it takes, the SDK of the protocol among it, is made for the first request. */
export function createMcp(options: McpOptions): Hono<HttpEnv> {
  const { frame, longBodies, onError, onUnavailable } = options
  const surfaceOf = surfaceSource(options)
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
      const surface = surfaceOf(visit.toolset)
      return answerWith(() => createServer(surface, visit, body), request, withoutMeta(body))
    },
  })
}

/** A stranger may list what there is; a call that touches a workspace needs a credential. */
function openMessages({ operations }: ToolOptions): EndpointOptions['isOpen'] {
  const openTools = new Set(
    operations.flatMap((operation) =>
      operation.actsFor === 'workspace' && operation.performForStranger !== null ? [operation.name] : [],
    ),
  )
  return ({ method, params }, toolset) => {
    const name = String(params['name'])
    if (method === 'tools/call') return openTools.has(name) || (toolset !== null && isOpenOwnTool(name))
    if (method === 'resources/read') return isOpenResource(String(params['uri']))
    return method !== 'prompts/get'
  }
}

/** Each is made when it is first asked for. Resources are the same everywhere, and read by operations of all toolsets. */
function surfaceSource(options: McpOptions): (toolset: ToolsetName | null) => Surface {
  const { version, paymentOffers } = options
  const paymentMethods = paymentOffers.map(({ method }) => method)
  const operations = options.operations.filter((operation) => operation.actsFor === 'workspace')
  const surfaces = new Map<ToolsetName | null, Surface>()
  let reading: ReadResource | null = null
  return (toolset) => {
    const made = surfaces.get(toolset)
    if (made !== undefined) return made
    const tools = toolset === null ? createTools(options) : createToolset(toolset, options)
    const ownTools = toolset === null ? [] : createOwnTools(ownToolsOf[toolset], options)
    const prompts = createPrompts(operations)
    const readResource = (reading ??= createReadResource(options))
    const surface = { ownTools, tools, operations, prompts, readResource, version, paymentMethods }
    surfaces.set(toolset, surface)
    return surface
  }
}
