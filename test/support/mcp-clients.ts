import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'

const textSchema = z.object({ type: z.literal('text'), text: z.string() })
const resultSchema = z
  .object({
    content: z.array(textSchema),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional(),
    _meta: z.record(z.string(), z.unknown()).optional(),
  })
  .transform(({ _meta: meta, ...result }) => ({ ...result, meta }))
export type McpResult = z.infer<typeof resultSchema>

/** The calls that tests make of an MCP client, the same for every client library. */
export type McpClient = {
  /** The revision that client and server agreed on. */
  revision: string | undefined
  tools: () => Promise<{ name: string; outputSchema?: unknown }[]>
  /** Fails as the client does: with the error of the protocol, and where a result is not what the tool promises. */
  call: (name: string, given?: Record<string, unknown>, meta?: Record<string, unknown>) => Promise<McpResult>
  read: (uri: string) => Promise<string>
  prompt: (name: string) => Promise<unknown[]>
  close: () => Promise<void>
}

/** To all tools, or to those of a toolset. */
export type Connect = (url: string, headers?: Record<string, string>, toolset?: string) => Promise<McpClient>

const info = { name: 'test', version: '1.0.0' }

/** Version 2 of the SDK, which speaks the revision of 2026-07-28 where the server does. */
export const connect: Connect = (url, headers = {}, toolset) => {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } })
  return connectClient(client, addressOf(url, toolset), headers)
}

/** The same for a person who answers what the service asks; `answer` gets the question. */
export function connectPerson(
  url: string,
  headers: Record<string, string>,
  answer: (question: string) => 'accept' | 'decline',
): Promise<McpClient> {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } })
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const action = answer(params.message)
    return action === 'accept' ? { action, content: {} } : { action }
  })
  return connectClient(client, addressOf(url), headers)
}

function addressOf(url: string, toolset?: string): string {
  return toolset === undefined ? `${url}/mcp` : `${url}/mcp/${toolset}`
}

async function connectClient(client: Client, address: string, headers: Record<string, string>): Promise<McpClient> {
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, meta) =>
      resultSchema.parse(
        await client.callTool({ name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) }),
      ),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    prompt: async (name) => (await client.getPrompt({ name })).messages,
    close: () => client.close(),
  }
}

/** Version 1, which is what most programs have. */
export const connectFormer: Connect = async (url, headers = {}) => {
  const client = new FormerClient(info)
  const transport = new FormerTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  return {
    revision: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, meta) =>
      resultSchema.parse(
        await client.callTool({ name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) }),
      ),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    prompt: async (name) => (await client.getPrompt({ name })).messages,
    close: () => client.close(),
  }
}

const contentsSchema = z.tuple([z.object({ text: z.string() })])

function textOf(contents: unknown): string {
  return contentsSchema.parse(contents)[0].text
}
