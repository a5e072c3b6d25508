// The fixture tools, resources and prompts that the public conformance suite asks a server to have.
import {
  McpServer,
  type McpServerFactory,
  type Server,
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server'
import { fixtureTools } from './mcp-fixture-tools.ts'
import { askFor, embedded, image, png, said } from './mcp-fixture-contents.ts'

const prompts = [
  { name: 'test_simple_prompt' },
  {
    name: 'test_prompt_with_arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  { name: 'test_prompt_with_embedded_resource', arguments: [{ name: 'resourceUri', required: true }] },
  { name: 'test_prompt_with_image' },
  { name: 'test_input_required_result_prompt' },
]

/** The fixtures announce no changes, which the SDK would promise by default. */
const announcing = { listChanged: false }

/** For one request. Only clients of 2025 are offered what later revisions know no more. */
export const createFixtures: McpServerFactory = ({ era }) => {
  const former = era === 'legacy' ? { logging: {}, resources: { ...announcing, subscribe: true } } : {}
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { tools: announcing, prompts: announcing, resources: announcing, completions: {}, ...former },
      requestState: { verify: (state, ctx) => requestStates.verify(state, ctx) },
    },
  )
  for (const { name, schema, call } of fixtureTools(requestStates))
    server.registerTool(name, { description: `Fixture ${name}`, inputSchema: fromJsonSchema(schema) }, (_given, ctx) =>
      call(ctx),
    )
  addResources(server.server, era === 'legacy')
  addPrompts(server.server)
  return server
}

/** The server believes a state that a client sends back only when the seal shows that the server issued it. */
const requestStates = createRequestStateCodec<string>({ key: 'the fixtures of the conformance suite' })

function addResources(server: Server, isFormer: boolean): void {
  const listed = ['test://static-text', 'test://static-binary', 'test://watched-resource']
  server.setRequestHandler('resources/list', () => ({ resources: listed.map((uri) => ({ uri, name: uri })) }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] }
    const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? []
    if (id === undefined && !listed.includes(uri))
      throw Object.assign(new Error('There is no such resource.'), { code: -32_602, data: { uri } })
    const words = id === undefined ? 'This is the content of the static text resource.' : JSON.stringify({ id })
    return { contents: [{ uri, mimeType: 'text/plain', text: words }] }
  })
  if (!isFormer) return
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map((prompt) => Object.assign({ description: 'A fixture' }, prompt)),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
    const { arg1 = '', arg2 = '', resourceUri = '' } = given
    const { context } = acceptedContent(mcpReq.inputResponses, 'user_context') ?? {}
    if (name === 'test_input_required_result_prompt' && typeof context !== 'string')
      return inputRequired({ inputRequests: { user_context: askFor('context', 'What is the prompt about?') } })
    const contents = {
      test_simple_prompt: [said('This is a simple prompt for testing.')],
      test_prompt_with_arguments: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
      test_prompt_with_embedded_resource: [embedded(resourceUri, 'Embedded.'), said('Look at the resource above.')],
      test_prompt_with_image: [image, said('Look at the image above.')],
      test_input_required_result_prompt: [said(`A prompt about ${String(context)}.`)],
    }[name]
    return { messages: (contents ?? []).map((content) => ({ role: 'user' as const, content })) }
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
}
