import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../test/support/api.ts'

const origin = 'https://dashboard.example'

describe('a page of another origin', async () => {
  const api = await testApi()

  async function ask(path: string, method: string, headers: Record<string, string>): Promise<Response> {
    return api.app.request(path, { method, headers }, { address: '203.0.113.5' })
  }

  /** As a browser asks before it sends what forms cannot send. */
  function preflight(path: string, method = 'POST'): Promise<Response> {
    const asked = {
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'x-api-key,content-type',
    }
    return ask(path, 'OPTIONS', { Origin: origin, ...asked })
  }

  for (const path of ['/api/v1/monitors', '/api/v1/monitors/quote', '/mcp', '/agent/identity', '/oauth2/token'])
    it(`may ask ${path} with a token`, async () => {
      const { status, headers } = await preflight(path)
      assert.deepEqual(
        [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')],
        [204, '*', null],
      )
      assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/)
      const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase().split(',')
      for (const name of ['x-api-key', 'authorization', 'content-type', 'mcp-protocol-version', 'idempotency-key'])
        assert.ok(allowed.includes(name), name)
      // What the public client of x402 sends with a payment.
      for (const name of ['payment-signature', 'access-control-expose-headers']) assert.ok(allowed.includes(name), name)
      for (const name of ['cookie', 'x-perigee-workspace']) assert.ok(!allowed.includes(name), name)
    })

  it('reads answers and refusals, and the headers that clients go by', async () => {
    for (const token of [api.token, 'garbage']) {
      const { headers } = await ask('/api/v1/monitors', 'GET', { Origin: origin, 'X-API-Key': token })
      assert.equal(headers.get('access-control-allow-origin'), '*')
      const exposed = (headers.get('access-control-expose-headers') ?? '').split(',')
      for (const name of ['ETag', 'Retry-After', 'RateLimit-Remaining', 'Link', 'Location', 'WWW-Authenticate'])
        assert.ok(exposed.includes(name), name)
      for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']) assert.ok(exposed.includes(name), name)
    }
  })

  for (const path of ['/auth/sign-in/email', '/console/settings.json', '/ping/abc', '/healthz', '/apiary', '/'])
    it(`is told nothing of ${path}`, async () => {
      const { status, headers } = await preflight(path)
      assert.notEqual(status, 204)
      assert.equal(headers.get('access-control-allow-origin'), null)
    })

  it('changes nothing for clients that name no origin', async () => {
    const { headers } = await ask('/api/v1/monitors', 'GET', { 'X-API-Key': api.token })
    assert.deepEqual(
      Array.from(headers.keys()).filter((name) => name.startsWith('access-control')),
      [],
    )
    const options = await ask('/api/v1/monitors', 'OPTIONS', {})
    assert.deepEqual([options.status, options.headers.get('allow')], [405, 'GET, HEAD, POST'])
    assert.equal((await ask('/api/v1/monitors', 'OPTIONS', { Origin: origin })).status, 405)
  })
})
