// A page of another origin uses the API with a token, and can do nothing with the session of the browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { signUp, startConsole } from './support/console.ts'
import { workspaceIdOf } from './support/workspace-calls.ts'

type Init = { method?: string; headers?: Record<string, string>; body?: string; credentials?: 'include' }
type Asked = { url: string; init?: Init; header?: string }
type Told = { status: number; body: string; header: string | null } | { refused: string }

const made = z.object({ token: z.string() })

describe('a page of another origin', async () => {
  const service = await startConsole()
  const { visitor } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const workspace = await workspaceIdOf(page)
  const { origin: own } = new URL(page.url())
  const answer = await page.evaluate(async (id) => {
    const response = await fetch('/api/v1/api-tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Perigee-Workspace': id },
      body: JSON.stringify({ name: 'Dashboard', scope: 'write', expires_at: null }),
    })
    return response.text()
  }, workspace)
  const { token } = made.parse(JSON.parse(answer))
  const { port } = await httpServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>Elsewhere'),
  )
  const other = await page.context().newPage()
  const reasons: string[] = []
  other.on('console', (message) => reasons.push(message.text()))
  // The browser of a test names its own address, which no page may.
  await page.context().setExtraHTTPHeaders({})
  await other.goto(`http://localhost:${port}/`)
  assert.notEqual(new URL(other.url()).origin, own)

  function ask(asked: Asked): Promise<Told> {
    return other.evaluate(async ({ url, init, header }) => {
      try {
        const response = await fetch(url, init)
        return {
          status: response.status,
          body: await response.text(),
          header: header === undefined ? null : response.headers.get(header),
        }
      } catch (error) {
        return { refused: String(error) }
      }
    }, asked)
  }

  it('makes a monitor with a token, and reads where it is', async () => {
    const told = await ask({
      url: `${own}/api/v1/monitors`,
      init: {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': token },
        body: JSON.stringify({ name: 'Job', kind: 'heartbeat' }),
      },
      header: 'Location',
    })
    assert.ok('status' in told, JSON.stringify(told))
    assert.equal(told.status, 201)
    assert.match(told.header ?? '', /\/api\/v1\/monitors\/[\da-f-]{36}$/)
  })

  it('speaks MCP with a token', async () => {
    const told = await ask({
      url: `${own}/mcp`,
      init: {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-06-18',
          Authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      },
    })
    assert.ok('status' in told, JSON.stringify(told))
    assert.equal(told.status, 200)
    assert.match(told.body, /"list_monitors"/)
  })

  it('reads why it was refused', async () => {
    const told = await ask({ url: `${own}/api/v1/monitors`, init: { headers: { 'X-API-Key': 'pgk_wrong' } } })
    assert.ok('status' in told, JSON.stringify(told))
    assert.deepEqual([told.status, /"error":"(\w+)"/.exec(told.body)?.[1]], [401, 'invalid_api_key'])
  })

  const wildcard = /must not be the wildcard '\*' when the request's credentials mode is 'include'/
  const silent = /No 'Access-Control-Allow-Origin' header is present/
  const refused: [what: string, url: string, init: Init, reason: RegExp][] = [
    ['the API with the session', '/api/v1/monitors', { credentials: 'include' }, wildcard],
    [
      'the API with the workspace of the session',
      '/api/v1/monitors',
      { headers: { 'X-Perigee-Workspace': workspace } },
      /header field x-perigee-workspace is not allowed/,
    ],
    ['the session itself', '/auth/get-session', { credentials: 'include' }, silent],
    ['the settings of the console', '/console/settings.json', {}, silent],
  ]
  for (const [what, url, init, reason] of refused)
    it(`is refused by the browser: ${what}`, async () => {
      reasons.length = 0
      assert.deepEqual(await ask({ url: `${own}${url}`, init }), { refused: 'TypeError: Failed to fetch' })
      assert.match(reasons.join(' '), reason)
    })
})
