// What the public conformance suite asks a server to have: its fixture tools, resources and prompts.
import { Server, type ServerContext } from '@modelcontextprotocol/server'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='
const text = (words: string) => ({ type: 'text', text: words }) as const
const image = { type: 'image', data: png, mimeType: 'image/png' } as const
const embedded = (uri: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: words } }) as const

type Answer = {
  content: (
    | ReturnType<typeof text>
    | typeof image
    | ReturnType<typeof embedded>
    | { type: 'audio'; data: string; mimeType: string }
  )[]
  isError?: boolean
}
type Call = (ctx: ServerContext) => Promise<Answer> | Answer

const tools: Readonly<Record<string, Call>> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [text('Several kinds:'), image, embedded('test://mixed-content-resource', '{"test":"data"}')],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const step of ['started', 'processing', 'completed'])
      await mcpReq.notify({
        method: 'notifications/message',
        params: { level: 'info', data: `Tool execution ${step}` },
      })
    return { content: [text('It has said what it did.')] }
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const { _meta: { progressToken } = {} } = mcpReq
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? 0, progress, total: 100 },
      })
    return { content: [text('It has said how far it was.')] }
  },
  json_schema_2020_12_tool: () => ({ content: [text('Its schema is what is looked at.')] }),
}

/** Keywords of JSON Schema 2020-12, which have to arrive as they are. */
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
} as const
const noArguments = { type: 'object', properties: {} } as const

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
]

export function createFixtures(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} } },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema: name.startsWith('json_schema') ? schema2020 : noArguments,
    })),
  }))
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const call = tools[params.name]
    if (call === undefined) throw Object.assign(new Error('There is no such tool.'), { code: -32_602 })
    return call(ctx)
  })
  addResources(server)
  addPrompts(server)
  return server
}

function addResources(server: Server): void {
  const listed = ['test://static-text', 'test://static-binary', 'test://watched-resource']
  server.setRequestHandler('resources/list', () => ({ resources: listed.map((uri) => ({ uri, name: uri })) }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] }
    const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? []
    const words = id === undefined ? 'This is the content of the static text resource.' : JSON.stringify({ id })
    return { contents: [{ uri, mimeType: 'text/plain', text: words }] }
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map((prompt) => Object.assign({ description: 'A fixture' }, prompt)),
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
    const { arg1 = '', arg2 = '', resourceUri = '' } = given
    const contents = {
      test_simple_prompt: [text('This is a simple prompt for testing.')],
      test_prompt_with_arguments: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
      test_prompt_with_embedded_resource: [embedded(resourceUri, 'Embedded.'), text('Look at the resource above.')],
      test_prompt_with_image: [image, text('Look at the image above.')],
    }[name]
    return { messages: (contents ?? []).map((content) => ({ role: 'user' as const, content })) }
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
}
