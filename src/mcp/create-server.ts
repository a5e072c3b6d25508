import { Server } from '@modelcontextprotocol/server'
import { isObject } from '#api-document/openapi-schemas.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { callTool } from './call-tool.ts'
import { consentTo } from './consent.ts'
import { instructionsFor } from './instructions.ts'
import type { OwnTool } from './own-tools.ts'
import { credentialIn } from './payment.ts'
import type { Prompt } from './prompts.ts'
import { unknownName } from './refused.ts'
import { type ReadResource, downResource, isOpenResource, resourceTemplates } from './resources.ts'
import type { Tool } from './tool.ts'
import { type Visit, guarded, isOpenTo } from './visit.ts'

/** What is served; which part of it a visitor sees depends on its credential. */
export type Surface = {
  /** Tools that stand for no operation, which are listed first. */
  ownTools: readonly OwnTool[]
  tools: readonly Tool[]
  /** All operations, whichever of them are tools here. */
  operations: readonly WorkspaceVerb[]
  prompts: readonly Prompt[]
  readResource: ReadResource
  version: string
  paymentMethods: readonly string[]
}

/** A server for one request. `body` is the request's, in which payments are looked for. */
export function createServer(surface: Surface, visit: Visit, body: unknown): Server {
  const { ownTools, tools, readResource, version, paymentMethods } = surface
  const shown = [
    ...ownTools.filter((tool) => tool.isOpenTo(visit)),
    ...tools.filter(({ operation }) => isOpenTo(visit, operation)),
  ].map(({ definition }) => definition)
  const names = new Set(shown.map(({ name }) => name))
  const prompts = surface.prompts.filter((prompt) => prompt.tools.every((name) => names.has(name)))
  const methods = Object.fromEntries(paymentMethods.map((method) => [method, { intents: ['charge'] }]))
  const server = new Server(
    { name: 'perigee', title: 'Perigee', version },
    {
      instructions: instructionsFor(visit, names),
      capabilities: {
        tools: {},
        resources: {},
        prompts: {},
        ...(paymentMethods.length === 0 ? {} : { experimental: { payment: { methods } } }),
      },
    },
  )
  const isStranger = visit.scope === null
  server.setRequestHandler('tools/list', () => ({ tools: shown }))
  addCalls(server, surface, { visit, payments: paymentsIn(body) })
  server.setRequestHandler('resources/list', () => ({ resources: isStranger ? [] : [downResource] }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resourceTemplates.filter(({ uriTemplate }) => !isStranger || isOpenResource(uriTemplate)),
  }))
  server.setRequestHandler('resources/read', ({ method, params }) =>
    guarded(visit, method, async () => ({ contents: [await readResource(params.uri, visit)] })),
  )
  server.setRequestHandler('prompts/list', () => ({
    prompts: isStranger ? [] : prompts.map(({ definition }) => definition),
  }))
  server.setRequestHandler('prompts/get', ({ method, params }) =>
    guarded(visit, method, async () => {
      const prompt = prompts.find(({ definition }) => definition.name === params.name)
      if (prompt === undefined) throw unknownName('prompt')
      const { description } = prompt.definition
      return { description, messages: await prompt.write(visit, readResource, params.arguments ?? {}) }
    }),
  )
  return server
}

type Calling = { visit: Visit; payments: ReadonlyMap<unknown, unknown> }

function addCalls(server: Server, { ownTools, tools, operations }: Surface, { visit, payments }: Calling): void {
  server.setRequestHandler('tools/call', ({ method, params }, { mcpReq }) =>
    guarded(visit, method, async () => {
      const isCalled = ({ definition }: Pick<Tool, 'definition'>): boolean => definition.name === params.name
      const call = { given: params.arguments ?? {}, payment: payments.get(mcpReq.id), telling: mcpReq }
      const own = ownTools.find(isCalled)
      if (own !== undefined) return own.call(call, visit)
      const tool = tools.find(isCalled)
      if (tool === undefined) throw unknownName('tool')
      return (await consentTo(tool, mcpReq, { call, visit, operations })) ?? callTool(tool, call, visit)
    }),
  )
}

/** By the id of the message that carries it: the SDK hands on less than was sent. */
function paymentsIn(body: unknown): Map<unknown, unknown> {
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  return new Map(messages.filter(isObject).map((message) => [message['id'], credentialIn(message)]))
}
