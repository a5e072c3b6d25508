import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Server } from '@modelcontextprotocol/server'
import { answerWith } from './protocol.ts'

const revision = '2026-07-28'
const root = 'io.modelcontextprotocol'

function server(): Server {
  const made = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
  made.setRequestHandler('tools/list', () => ({ tools: [] }))
  return made
}

/** What a message is answered, of the revision of 2026 or of those before it. */
async function answered(method: string, { isModern, ...params }: { isModern: boolean } & Record<string, unknown>) {
  const meta = { [`${root}/protocolVersion`]: revision, [`${root}/clientCapabilities`]: {} }
  const message = { jsonrpc: '2.0', id: 'seven', method, params: isModern ? { ...params, _meta: meta } : params }
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(isModern ? { 'MCP-Protocol-Version': revision, 'Mcp-Method': method } : {}),
  }
  const answer = await answerWith(
    () => server(),
    new Request('http://perigee.test/mcp', { method: 'POST', headers }),
    message,
  )
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

describe('a request', () => {
  for (const isModern of [true, false])
    it(`is answered by a server made for it, ${isModern ? 'of 2026' : 'of earlier revisions'}`, async () => {
      const { status, text, headers } = await answered('tools/list', { isModern })
      assert.equal(status, 200)
      assert.match(text, /"tools":\[\]/)
      assert.equal(headers.get('cache-control'), 'no-store, no-transform')
    })

  it('to listen is one to a method that nobody knows', async () => {
    const notifications = { toolsListChanged: true }
    const modern = await answered('subscriptions/listen', { isModern: true, notifications })
    assert.equal(modern.status, 404)
    assert.deepEqual(JSON.parse(modern.text), {
      jsonrpc: '2.0',
      id: 'seven',
      error: { code: -32_601, message: 'Method not found' },
    })
    const former = await answered('subscriptions/listen', { isModern: false, notifications })
    assert.equal(former.status, 200)
    assert.match(former.text, /"code":-32601/)
  })
})

describe('a server that cannot be made', () => {
  const former = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const meta = { [`${root}/protocolVersion`]: revision, [`${root}/clientCapabilities`]: {} }
  const requests: [what: string, message: object, headers: Record<string, string>][] = [
    ['2025', former, {}],
    [
      '2026',
      { ...former, params: { _meta: meta } },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
    ],
  ]
  for (const [what, message, more] of requests)
    it(`is told to whoever asked for it: ${what}`, async () => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...more }
      const request = new Request('http://perigee.test/mcp', { method: 'POST', headers })
      const bug = new Error('a bug')
      const answer = answerWith(() => Promise.reject(bug), request, message)
      await assert.rejects(answer, bug)
    })
})
