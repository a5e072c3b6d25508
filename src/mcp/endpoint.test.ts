import assert from 'node:assert/strict'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { after, describe, it } from 'node:test'
import { listen } from '#http/listen.ts'
import { testApi } from '../../test/support/api.ts'
import { rpc } from '../../test/support/mcp-call.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

const root = 'io.modelcontextprotocol'
const modern = '2026-07-28'

/** Parameters and headers as a client of the revision of 2026 has them. */
function modernly(method: string, params: Record<string, unknown> = {}) {
  const meta = { [`${root}/protocolVersion`]: modern, [`${root}/clientCapabilities`]: {} }
  const headers: Record<string, string> = { 'MCP-Protocol-Version': modern, 'Mcp-Method': method }
  if (typeof params['name'] === 'string') headers['Mcp-Name'] = params['name']
  return { message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, headers }
}

describe('the endpoint', async () => {
  const api = await testApi({ maxConnections: 5 })

  const agreed: [asked: string, answered: string][] = [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    // Has no initialize, and what is not known is answered with the newest that has.
    [modern, '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ]
  for (const [asked, answered] of agreed)
    it(`agrees on a revision with a client that asks for ${asked}, and opens no session`, async () => {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const { result, headers } = await rpc(api, ['initialize', params])
      assert.equal(result?.['protocolVersion'], answered)
      assert.equal(headers.get('mcp-session-id'), null)
    })

  it('refuses a revision that it does not know, and says which it knows', async () => {
    const former = await rpc(api, ['tools/list'], { headers: { 'MCP-Protocol-Version': '1999-01-01' } })
    assert.equal(former.status, 400)
    assert.match(former.error?.message ?? '', /2025-11-25, 2025-06-18, 2025-03-26/)
    const meta = { [`${root}/protocolVersion`]: '2099-01-01', [`${root}/clientCapabilities`]: {} }
    const headers = { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' }
    const later = await rpc(api, ['tools/list', { _meta: meta }], { headers })
    assert.deepEqual([later.status, later.error?.code], [400, -32_022])
    assert.deepEqual(later.error?.data, { supported: [modern], requested: '2099-01-01' })
  })

  it('asks for a token, whatever is sent, where programs sign their person in', async () => {
    const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const sent: [string, Record<string, unknown>?][] = [['initialize', init], ['tools/list'], ['ping']]
    for (const message of sent) {
      const { status, id, headers } = await rpc(api, message, { token: null, toolset: 'connect' })
      assert.deepEqual([status, id], [401, 1])
      const metadata = 'http://perigee.test/.well-known/oauth-protected-resource/mcp/connect'
      assert.equal(headers.get('www-authenticate'), `Bearer realm="perigee", resource_metadata="${metadata}"`)
    }
    for (const rawBody of ['', '7', '[]', '{'])
      assert.equal((await rpc(api, ['x'], { token: null, toolset: 'connect', rawBody })).status, 401)
    const whole = await rpc(api, ['tools/list'])
    assert.deepEqual((await rpc(api, ['tools/list'], { toolset: 'connect' })).result, whole.result)
  })

  it('takes several messages at once of revisions that know that, and of no others', async () => {
    const rawBody = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    for (const headers of [{}, { 'MCP-Protocol-Version': '2025-03-26' }])
      assert.equal((await rpc(api, ['x'], { rawBody, headers })).status, 200)
    for (const revision of ['2025-06-18', '2025-11-25', modern]) {
      const { status, error } = await rpc(api, ['x'], { rawBody, headers: { 'MCP-Protocol-Version': revision } })
      assert.deepEqual([status, error?.message], [400, `The revision ${revision} sends one message at a time.`])
    }
    assert.equal((await rpc(api, ['x'], { rawBody: '[]' })).status, 400)
  })

  it('knows nothing to listen to', async () => {
    const { message, headers } = modernly('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const { status, error } = await rpc(api, ['x'], { headers, rawBody: JSON.stringify(message) })
    assert.deepEqual([status, error?.code], [404, -32_601])
    const wrong = { ...headers, 'Mcp-Method': 'tools/list' }
    assert.equal((await rpc(api, ['x'], { headers: wrong, rawBody: JSON.stringify(message) })).error?.code, -32_020)
    const former = await rpc(api, ['subscriptions/listen'])
    assert.deepEqual([former.status, former.error?.code], [200, -32_601])
  })

  it('takes notifications, also of what was cancelled, without an answer', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled']) {
      const response = await post(JSON.stringify({ jsonrpc: '2.0', method, params: { requestId: 1 } }))
      assert.deepEqual([response.status, await response.text()], [202, ''])
    }
  })

  it('takes POST alone', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await api.app.request('http://perigee.test/mcp', { method }, { address: '192.0.2.1' })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
    }
  })

  it('ends a stream with its only answer, which nobody may keep', async () => {
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    assert.match(response.headers.get('cache-control') ?? '', /no-store/)
    assert.equal((await response.text()).match(/^data: /gm)?.length, 1)
  })

  const leavers: [what: string, tool: string, status: string, modernly: boolean][] = [
    ['2026', 'pause_monitor', 'paused', true],
    ['2025', 'delete_monitor', 'gone', false],
  ]
  for (const [what, name, status, isModern] of leavers)
    it(`does whole what a client of ${what} asked for that went away meanwhile, and calls it no failure`, async () => {
      const { port, close } = await listen(api.app, { host: '127.0.0.1', port: 0 })
      after(() => close(0))
      const { id } = await createMonitor(api)
      const params = { name, arguments: { id } }
      const former = { message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers: {} }
      const { message, headers } = isModern ? modernly('tools/call', params) : former
      await api.database.transaction(async ({ client }) => {
        await client.query('select from monitors where id = $1 for update', [id])
        const sending = send(port, message, { 'X-API-Key': api.token, ...headers })
        await until('a call that waits for the monitor', async () => (await waiting()) === 1)
        const closed = new Promise((resolve) => sending.once('close', resolve))
        sending.destroy()
        await closed
      })
      await until(`a monitor that is ${status}`, async () => statusIn(await api.get(`/monitors/${id}`)) === status)
      assert.deepEqual(api.errors, [])
    })

  async function waiting(): Promise<number> {
    const { rows } = await api.database.pool.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count ?? 0
  }

  function post(body: string): Promise<Response> {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-API-Key': api.token,
    }
    const sent = api.app.request('http://perigee.test/mcp', { method: 'POST', headers, body }, { address: '192.0.2.1' })
    return Promise.resolve(sent)
  }
})

function send(port: number, message: unknown, headers: Record<string, string>): ClientRequest {
  const accept = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const options = { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: { ...accept, ...headers } }
  const sending = httpRequest(options)
  sending.on('error', () => {})
  return sending.end(JSON.stringify(message))
}

function statusIn({ status, text }: { status: number; text: string }): string | undefined {
  return status === 404 ? 'gone' : /"status":"(\w+)"/.exec(text)?.[1]
}
