// Programs that connect with an address alone: what they know of OAuth is their own.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { UnauthorizedError as FormerUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js'
import { portOf } from '../../support/raw-server.ts'
import { until } from '../../support/until.ts'

export type ProgramOptions = {
  /** The one thing that the program is told. */
  address: string
  /** Does what its person does at the address to which the program sends. */
  visit: (url: string) => Promise<void>
  /** Told of the secrets that it meets, as JSON. */
  note: (secrets: string) => void
}

/** Names the tools that it finds once it was let in. */
export type ConnectedProgram = (options: ProgramOptions) => Promise<string[]>

const info = { name: 'test', version: '1.0.0' }

/** Where a program on the person's machine waits for its code. */
async function openCallback(): Promise<{ url: string; answer: () => Promise<URLSearchParams> }> {
  const answers: URLSearchParams[] = []
  const server = createServer(({ url = '' }, response) => {
    answers.push(new URL(url, 'http://127.0.0.1').searchParams)
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>You may close this page</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const answer = async (): Promise<URLSearchParams> => {
    await until('the code', async () => answers.some((each) => each.has('code')))
    return answers.find((each) => each.has('code')) ?? assert.fail()
  }
  return { url: `http://127.0.0.1:${portOf(server)}/callback`, answer }
}

/** What both versions of the SDK ask of the program that uses them. */
function memory(redirectUrl: string, note: ProgramOptions['note']): OAuthClientProvider & { sentTo: () => string } {
  let client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  let verifier = ''
  let sentTo = ''
  return {
    redirectUrl,
    clientMetadata: { client_name: 'Editor', redirect_uris: [redirectUrl] },
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given
      note(JSON.stringify(given))
    },
    redirectToAuthorization: (url) => {
      sentTo = url.href
    },
    saveCodeVerifier: (given) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    sentTo: () => sentTo,
  }
}

/** Version 2 of the SDK. */
export const withClient: ConnectedProgram = async ({ address, visit, note }) => {
  const callback = await openCallback()
  const provider = memory(callback.url, note)
  const open = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(address), { authProvider: provider })
  const first = open()
  await assert.rejects(() => new Client(info).connect(first), UnauthorizedError)
  await visit(provider.sentTo())
  await first.finishAuth(await callback.answer())
  const client = new Client(info)
  await client.connect(open())
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

/** Version 1 of the SDK, on which most programs of today stand. */
export const withFormerClient: ConnectedProgram = async ({ address, visit, note }) => {
  const callback = await openCallback()
  const provider = memory(callback.url, note)
  const open = (): FormerTransport => new FormerTransport(new URL(address), { authProvider: provider })
  const first = open()
  await assert.rejects(() => new FormerClient(info).connect(first), FormerUnauthorized)
  await visit(provider.sentTo())
  await first.finishAuth((await callback.answer()).get('code') ?? '')
  const client = new FormerClient(info)
  await client.connect(open())
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}
