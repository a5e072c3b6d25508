import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type ToolsetName, toolsetNames } from '#core/toolsets.ts'
import { operations } from '#operations/index.ts'
import { testApi } from '../../test/support/api.ts'
import { callTool, rpc } from '../../test/support/mcp-call.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { sandbox } from '../../test/support/paying.ts'
import { createPrompts } from './prompts.ts'
import { ownToolsOf, toolsOf } from './toolsets.ts'

/** At most 8,000 tokens of four characters. */
const maxCharacters = 8_000 * 4
const toolsSchema = z.strictObject({
  tools: z.array(z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.looseObject({}) })),
})
const refusalSchema = z.object({ error: z.string(), message: z.string() })
const initialize: [string, Record<string, unknown>] = [
  'initialize',
  { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
]

const ownScopes: Readonly<Record<string, { scope: string }>> = {
  find_monitors: { scope: 'read' },
  get_monitor_kind: { scope: 'read' },
  get_contact_kind: { scope: 'read' },
}

describe('a toolset', async () => {
  // The descriptions of paid tools name the ways to pay.
  const api = await testApi({ payments: sandbox })
  const listed = async (toolset: string, token: string | null = api.token) =>
    toolsSchema.parse((await rpc(api, ['tools/list'], { token, toolset })).result).tools
  const names = async (toolset: string, token?: string | null): Promise<string[]> =>
    (await listed(toolset, token)).map(({ name }) => name)
  const instructions = async (toolset: string, token: string | null): Promise<string> =>
    z.string().parse((await rpc(api, initialize, { token, toolset })).result?.['instructions'])

  for (const toolset of toolsetNames) {
    it(`takes at most 8,000 tokens of a context: ${toolset}`, async () => {
      const { result } = await rpc(api, ['tools/list'], { toolset })
      const { length } = JSON.stringify(result)
      assert.ok(length <= maxCharacters, `${length} characters`)
    })

    it(`shows the tools that it names, and says where what is not described stands: ${toolset}`, async () => {
      const tools = await listed(toolset)
      const shown = tools.map(({ name }) => name)
      assert.deepEqual(shown, [...ownToolsOf[toolset], ...toolsOf[toolset]])
      for (const { name, description, outputSchema } of tools) {
        assert.equal(outputSchema, undefined, name)
        const [, like = ''] = /What is not described here means what it means in (.+?)\./.exec(description) ?? []
        for (const [, other = ''] of like.matchAll(/`(\w+)`/g)) assert.ok(shown.includes(other), `${name}: ${other}`)
      }
    })

    it(`shows a credential what it can call, and introduces that alone: ${toolset}`, async () => {
      const every = [...operations.map(({ name }) => name), ...toolsetNames.flatMap((name) => ownToolsOf[name])]
      for (const token of [null, api.readToken, api.token]) {
        const shown = await names(toolset, token)
        const said = await instructions(toolset, token)
        assert.deepEqual(
          every.filter((name) => new RegExp(`\\b${name}\\b`).test(said) && !shown.includes(name)),
          [],
        )
        assert.equal(said.includes('http://perigee.test/auth.md'), token === null)
        for (const name of shown) {
          const { scope } = operations.find((operation) => operation.name === name) ?? ownScopes[name] ?? {}
          assert.ok(token !== api.readToken || scope === 'read', name)
        }
      }
    })

    it(`names itself, and the metadata that lead to a token: ${toolset}`, async () => {
      const resource = `http://perigee.test/mcp/${toolset}`
      const call: [string, Record<string, unknown>] = ['tools/call', { name: toolsOf[toolset][0] ?? '' }]
      const { status, headers } = await rpc(api, call, { token: null, toolset })
      assert.equal(status, 401)
      const [, address = ''] = /resource_metadata="(.+)"/.exec(headers.get('www-authenticate') ?? '') ?? []
      assert.equal(address, `http://perigee.test/.well-known/oauth-protected-resource/mcp/${toolset}`)
      const document = await api.app.request(address, {}, { address: '192.0.2.1' })
      assert.partialDeepStrictEqual(await document.json(), { resource })
    })
  }

  it('together have every tool', async () => {
    const all = toolsSchema.parse((await rpc(api, ['tools/list'])).result).tools.map(({ name }) => name)
    const parts = new Set(toolsetNames.flatMap((name) => toolsOf[name]))
    assert.deepEqual(
      all.filter((name) => !parts.has(name)),
      [],
    )
  })

  it('shows a stranger what works without a token', async () => {
    assert.deepEqual(await names('monitors', null), ['get_monitor_kind', 'create_monitor', 'quote_monitor'])
    assert.deepEqual(await names('contacts', null), ['get_contact_kind'])
    assert.deepEqual(await names('account', null), [])
    assert.match(await instructions('account', null), /Every tool here needs a token/)
    const { error } = await rpc(api, ['tools/call', { name: 'list_alert_channels' }], {
      token: null,
      toolset: 'contacts',
    })
    assert.match(JSON.stringify(error?.data), /missing_api_key/)
  })

  it('calls its tools, and no others', async () => {
    const { id, name } = await createMonitor(api)
    const { structuredContent } = await callTool(api, ['get_monitor', { id }], { toolset: 'monitors' })
    assert.partialDeepStrictEqual(structuredContent, { data: { name } })
    const other = await rpc(api, ['tools/call', { name: 'get_account' }], { toolset: 'monitors' })
    assert.equal(other.error?.code, -32_602)
  })

  it('has the prompts whose tools it has', async () => {
    const offered = async (toolset: ToolsetName): Promise<unknown> =>
      z
        .object({ prompts: z.array(z.object({ name: z.string() })) })
        .parse((await rpc(api, ['prompts/list'], { toolset })).result)
        .prompts.map(({ name }) => name)
    assert.deepEqual(await offered('incidents'), ['what_is_down', 'weekly_report', 'why_is_it_down'])
    assert.deepEqual(await offered('account'), [])
    const { error } = await rpc(api, ['prompts/get', { name: 'what_is_down' }], { toolset: 'account' })
    assert.equal(error?.code, -32_602)
  })

  it('has the resources of all', async () => {
    const { result } = await rpc(api, ['resources/read', { uri: 'perigee://down' }], { toolset: 'account' })
    assert.match(JSON.stringify(result), /perigee:\/\/down/)
  })

  it('is refused as the whole is: bad tokens, pages of other origins, and what is no JSON', async () => {
    const sent = { toolset: 'monitors', token: null }
    const page = { ...sent, headers: { Origin: 'https://evil.example' } }
    assert.equal((await rpc(api, ['tools/list'], page)).status, 403)
    assert.equal((await rpc(api, ['tools/list'], { ...sent, token: 'pgk_bad' })).status, 401)
    assert.equal((await rpc(api, ['tools/list'], { ...sent, rawBody: '{' })).status, 400)
    const get = await api.app.request('http://perigee.test/mcp/monitors', {}, { address: '192.0.2.1' })
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
  })

  it('that is unknown is not found, whoever asks and however, and those that are there are named', async () => {
    for (const [method, token] of [
      ['GET', null],
      ['POST', null],
      ['POST', 'pgk_bad'],
      ['DELETE', null],
    ] as const) {
      const headers = token === null ? {} : { 'X-API-Key': token }
      const init = { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) }
      const response = await api.app.request('http://perigee.test/mcp/incident', init, { address: '192.0.2.1' })
      assert.equal(response.status, 404)
      const { error } = z.object({ error: z.object({ data: refusalSchema }) }).parse(await response.json())
      assert.equal(error.data.error, 'not_found')
      for (const name of toolsetNames) assert.ok(error.data.message.includes(`/mcp/${name}`), name)
    }
  })

  it('never has the name of another address below the endpoint', () => {
    for (const name of ['connect', 'server-card']) assert.ok(!toolsetNames.some((toolset) => toolset === name))
  })
})

describe('a prompt', async () => {
  const api = await testApi()

  it('needs the tools that it speaks of, and no others', async () => {
    for (const { definition, tools } of createPrompts(operations)) {
      const { result } = await rpc(api, ['prompts/get', { name: definition.name }])
      const text = JSON.stringify(result)
      const named = operations.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
      assert.deepEqual(named.toSorted(), [...tools].toSorted(), definition.name)
    }
  })
})
