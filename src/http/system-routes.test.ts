import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { AppError } from '#core/language/error.ts'
import type { HttpEnv } from './environment.ts'
import { type SystemSources, addSystemRoutes } from './system-routes.ts'
import { createSystemHttp } from './system-server.ts'

const wellSources: SystemSources = {
  readiness: async () => ({ database: true, bus: true }),
  status: async () => ({ troubles: [] }),
  metrics: async () => ({ contentType: 'text/plain; version=0.0.4', text: 'perigee_up 1\n' }),
  operator: { readTokens: () => ['letmein', 'ofthefile'], needsToken: false },
}
/** A process before which a proxy may stand. */
const guarded = { operator: { ...wellSources.operator, needsToken: true } }

async function ask(
  path: string,
  sent: { sources?: Partial<SystemSources>; headers?: Record<string, string>; address?: string },
) {
  const app = new Hono<HttpEnv>()
  app.onError((error) => new Response(null, { status: error instanceof AppError ? error.status : 500 }))
  addSystemRoutes(app, { ...wellSources, ...sent.sources })
  const response = await app.request(path, { headers: sent.headers ?? {} }, { address: sent.address ?? '203.0.113.5' })
  return { status: response.status, text: await response.text() }
}

describe('health', () => {
  it('is alive whatever it depends on', async () => {
    const answer = await ask('/healthz', { sources: { readiness: () => Promise.reject(new Error('no database')) } })
    assert.deepEqual(answer, { status: 200, text: '{"status":"ok"}' })
  })

  it('is ready when all is well', async () => {
    const answer = await ask('/readyz', {})
    assert.deepEqual(answer, { status: 200, text: '{"status":"ok","checks":{"database":true,"bus":true}}' })
  })

  it('is not ready when one thing is not', async () => {
    const answer = await ask('/readyz', { sources: { readiness: async () => ({ database: true, bus: false }) } })
    assert.deepEqual(answer, { status: 503, text: '{"status":"unavailable","checks":{"database":true,"bus":false}}' })
  })

  it('is not ready when nobody can say', async () => {
    const answer = await ask('/readyz', { sources: { readiness: () => Promise.reject(new Error('broken')) } })
    assert.equal(answer.status, 503)
  })

  it('is not ready when the answer does not come within 2 s', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const asked = ask('/readyz', { sources: { readiness: () => new Promise(() => {}) } })
    test.mock.timers.tick(2000)
    assert.deepEqual(await asked, { status: 503, text: '{"status":"unavailable","checks":{"answered_in_time":false}}' })
  })
})

describe('metrics and status', () => {
  const addresses = [
    ['/metrics', 'perigee_up 1\n'],
    ['/operator/status', '{"troubles":[]}'],
  ] as const
  const cases = [
    ['this machine', { address: '127.0.0.1' }, 200],
    ['this machine over IPv6', { address: '::1' }, 200],
    ['a stranger', {}, 404],
    ['a stranger behind a proxy here', { address: '127.0.0.1', headers: { 'X-Forwarded-For': '203.0.113.5' } }, 404],
    ['this machine by its name', { address: '127.0.0.1', headers: { Host: 'localhost:3000' } }, 200],
    ['this machine by its address', { address: '::1', headers: { Host: '[::1]:3000' } }, 200],
    ['this machine, where it listens everywhere', { address: '127.0.0.1', headers: { Host: '0.0.0.0:3000' } }, 200],
    ['a proxy here that names who was asked', { address: '127.0.0.1', headers: { Host: 'up.example.com' } }, 404],
    ['a page whose name was bound to this machine', { address: '::1', headers: { Host: 'evil.example:3000' } }, 404],
    ['a proxy here that names the protocol', { address: '127.0.0.1', headers: { 'X-Forwarded-Proto': 'https' } }, 404],
    ['a request that seems made here, behind a proxy', { address: '127.0.0.1', sources: guarded }, 401],
    [
      'a request that seems made here and has another token, behind a proxy',
      { address: '127.0.0.1', headers: { Authorization: 'Bearer letmeout' }, sources: guarded },
      401,
    ],
    [
      'a stranger behind a proxy that tells of itself',
      { address: '127.0.0.1', headers: { 'X-Forwarded-For': '203.0.113.5' }, sources: guarded },
      404,
    ],
    [
      'a request with the token, behind a proxy',
      { address: '127.0.0.1', headers: { Authorization: 'Bearer letmein' }, sources: guarded },
      200,
    ],
    [
      'a request with the token of the data folder',
      { address: '127.0.0.1', headers: { Authorization: 'Bearer ofthefile' }, sources: guarded },
      200,
    ],
    ['a stranger with the token', { headers: { Authorization: 'Bearer letmein' } }, 200],
    ['a stranger with another token', { headers: { Authorization: 'Bearer letmeout' } }, 404],
    [
      'a stranger where there is no token',
      {
        headers: { Authorization: 'Bearer letmein' },
        sources: { operator: { readTokens: () => [], needsToken: true } },
      },
      404,
    ],
  ] as const
  for (const [path, text] of addresses)
    for (const [who, sent, status] of cases)
      it(`answer ${status} to ${who} at ${path}`, async () => {
        const answer = await ask(path, sent)
        assert.equal(answer.status, status)
        if (status === 401) assert.match(answer.text, /PERIGEE_METRICS_TOKEN.*operator\.token in the data folder/)
        else assert.equal(answer.text, status === 200 ? text : '')
      })
})

describe('a process without the API', () => {
  it('gives every answer the id that the log of a failure has', async () => {
    const told: unknown[] = []
    const sources = { ...wellSources, metrics: () => Promise.reject(new Error('a bug')) }
    const app = createSystemHttp(sources, (error, request) => told.push([String(error), request]))
    const get = async (path: string, headers: Record<string, string> = {}) =>
      app.request(path, { headers }, { address: '127.0.0.1' })
    const well = await get('/healthz')
    assert.match(well.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    const failed = await get('/metrics', { Authorization: 'Bearer letmein', 'X-Request-Id': 'mine' })
    assert.deepEqual([failed.status, failed.headers.get('x-request-id')], [500, 'mine'])
    assert.match(await failed.text(), /The request id is mine\./)
    assert.deepEqual(told, [['Error: a bug', { requestId: 'mine', method: 'GET', path: '/metrics' }]])
  })
})
