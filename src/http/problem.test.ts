import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorProblemSchema } from '#operations/pipeline/error-schema.ts'
import { testApi } from '../../test/support/api.ts'

const problem = 'application/problem+json'
const json = 'application/json; charset=utf-8'

describe('refusals', async () => {
  const api = await testApi({ payments: { mode: 'sandbox', cardWireName: 'card' }, plan: 'pay_as_you_go' })
  type Sent = Omit<RequestInit, 'headers'> & { accept?: string; headers?: Record<string, string> }
  const ask = async (path: string, { accept, headers: given, ...init }: Sent = {}): Promise<Response> => {
    const headers = new Headers({ 'X-API-Key': api.token, 'Content-Type': 'application/json', ...given })
    if (accept !== undefined) headers.set('Accept', accept)
    return api.app.request(`http://perigee.test${path}`, { ...init, headers }, { address: '192.0.2.1' })
  }

  const choices: [accept: string | undefined, type: string][] = [
    [undefined, json],
    ['*/*', json],
    ['application/json', json],
    ['application/json, application/problem+json', json],
    ['application/problem+json;q=0.5, application/json', json],
    ['application/problem+json;q=0, */*', json],
    ['text/html', json],
    ['application/problem+json', problem],
    ['application/problem+json, application/json', problem],
    ['application/json;q=0.9, Application/Problem+JSON', problem],
    ['application/problem+json, */*;q=0.1', problem],
    ['text/markdown, application/problem+json', problem],
  ]
  for (const [accept, type] of choices)
    it(`are ${type} to ${accept ?? 'clients that prefer nothing'}`, async () => {
      const answer = await ask('/api/v1/monitors/unknown', accept === undefined ? {} : { accept })
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [404, type])
      assert.equal(answer.headers.get('vary')?.includes('Accept,') ?? false, type === problem)
      const plain: unknown = await (await ask('/api/v1/monitors/unknown')).json()
      const body: unknown = await answer.json()
      if (type === json) assert.deepEqual(body, plain)
      else assert.partialDeepStrictEqual(body, plain)
    })

  it('say as problems what they say otherwise, and where the code is explained', async () => {
    const body = JSON.stringify({ url: 'https://example.com' })
    const answer = await ask('/api/v1/monitors', { method: 'POST', body, accept: problem })
    assert.deepEqual(errorProblemSchema.parse(await answer.json()), {
      type: 'http://perigee.test/errors#validation_failed',
      title: 'Validation failed',
      status: 422,
      detail: 'name: This field is required.',
      error: 'validation_failed',
      message: 'name: This field is required.',
      fields: { name: ['This field is required.'] },
    })
  })

  const kinds: [what: string, path: string, init: Sent, status: number, code: string][] = [
    ['a wrong token', '/api/v1/account', { headers: { 'X-API-Key': 'wrong' } }, 401, 'invalid_api_key'],
    ['an unknown address', '/api/v1/nothing', {}, 404, 'not_found'],
    ['a method that is not taken', '/api/v1/account', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a call of no monitor', '/ping/unknown', {}, 404, 'not_found'],
  ]
  for (const [what, path, init, status, code] of kinds)
    it(`of ${what} are problems too, with all of their headers`, async () => {
      const [plain, answer] = [await ask(path, init), await ask(path, { ...init, accept: problem })]
      assert.deepEqual([plain.status, plain.headers.get('content-type')], [status, json])
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, problem])
      assert.equal(errorProblemSchema.parse(await answer.json()).error, code)
      for (const name of ['www-authenticate', 'allow', 'link', 'cache-control'])
        assert.equal(answer.headers.get(name), plain.headers.get(name), name)
    })

  it('leave a demand for payment, OAuth and MCP as they are', async () => {
    const create = JSON.stringify({ name: 'Shop', url: 'https://example.com' })
    const due = await ask('/api/v1/monitors', { method: 'POST', body: create, accept: problem })
    assert.equal(due.status, 402)
    assert.match(await due.text(), /^\{"type":"https:\/\/paymentauth\.org\/problems\/payment-required"/)
    const agent = await ask('/agent/identity', { method: 'POST', body: '{}', accept: problem })
    assert.deepEqual([agent.status, agent.headers.get('content-type')], [400, json])
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_monitors', arguments: {} } }
    const headers = { 'X-API-Key': 'wrong' }
    const model = await ask('/mcp', { method: 'POST', body: JSON.stringify(call), headers, accept: problem })
    assert.doesNotMatch(model.headers.get('content-type') ?? '', /problem/)
  })

  it('leave answers that are no refusals as they are', async () => {
    const answer = await ask('/api/v1/account', { accept: problem })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, json])
  })
})
