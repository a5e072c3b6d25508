import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerWith } from './protocol.ts'

describe('a server that cannot be made', () => {
  const root = 'io.modelcontextprotocol'
  const former = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const meta = { [`${root}/protocolVersion`]: '2026-07-28', [`${root}/clientCapabilities`]: {} }
  const requests: [revision: string, message: object, headers: Record<string, string>][] = [
    ['2025', former, {}],
    [
      '2026',
      { ...former, params: { _meta: meta } },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
    ],
  ]
  for (const [revision, message, more] of requests)
    it(`is told to whoever asked for it: ${revision}`, async () => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...more }
      const request = new Request('http://perigee.test/mcp', { method: 'POST', headers })
      const bug = new Error('a bug')
      const answer = answerWith(() => Promise.reject(bug), request, message)
      await assert.rejects(answer, bug)
    })
})
