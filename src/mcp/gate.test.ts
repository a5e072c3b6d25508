import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fail } from '#core/language/error.ts'
import { testApi } from '../../test/support/api.ts'
import { callTool, rpc } from '../../test/support/mcp-call.ts'
import { refusalResponse } from './gate.ts'

describe('a refusal at the gate', () => {
  const asked = { publicUrl: 'https://perigee.example', resource: 'https://perigee.example/mcp' }
  const refusals = [
    [fail('invalid_json', 'No JSON.'), 400, -32_700],
    [fail('bad_request', 'Not so.'), 400, -32_000],
    [fail('rate_limited', 'Too many.', { retryAfterSeconds: 7 }), 429, -32_000],
  ] as const
  for (const [error, status, code] of refusals)
    it(`is an answer of JSON-RPC: ${error.code}`, async () => {
      const response = refusalResponse(error, asked, 'seven')
      assert.equal(response.status, status)
      const said = { code, message: error.message, data: { error: error.code } }
      assert.partialDeepStrictEqual(await response.json(), { jsonrpc: '2.0', id: 'seven', error: said })
      assert.equal(response.headers.get('retry-after'), status === 429 ? '7' : null)
    })

  it('has no id where none is known', async () =>
    assert.partialDeepStrictEqual(await refusalResponse(fail('bad_request', 'Not so.'), asked).json(), {
      id: null,
    }))
})

describe('the gate of /mcp', async () => {
  const api = await testApi()
  const list: [string] = ['tools/list']

  const refusals: [what: string, send: () => ReturnType<typeof rpc>, status: number, error: string][] = [
    ['a bad token', () => rpc(api, list, { token: `pgk_${'x'.repeat(40)}` }), 401, 'invalid_api_key'],
    [
      'a bad bearer token',
      () => rpc(api, list, { token: null, headers: { Authorization: `Bearer pgk_${'x'.repeat(40)}` } }),
      401,
      'invalid_api_key',
    ],
    [
      'a call without a token',
      () => rpc(api, ['tools/call', { name: 'list_monitors' }], { token: null }),
      401,
      'missing_api_key',
    ],
    [
      'a resource without a token',
      () => rpc(api, ['resources/read', { uri: 'perigee://down' }], { token: null }),
      401,
      'missing_api_key',
    ],
    [
      'a prompt without a token',
      () => rpc(api, ['prompts/get', { name: 'what_is_down' }], { token: null }),
      401,
      'missing_api_key',
    ],
    [
      'a batch with one such call',
      () =>
        rpc(api, list, {
          token: null,
          rawBody: JSON.stringify([{ method: 'ping' }, { method: 'tools/call', params: { name: 'get_account' } }]),
        }),
      401,
      'missing_api_key',
    ],
    [
      "another page's origin without a token",
      () => rpc(api, list, { token: null, headers: { Origin: 'https://evil.example' } }),
      403,
      'forbidden_origin',
    ],
    [
      "another page's origin with a cookie",
      () =>
        rpc(api, list, { token: null, headers: { Origin: 'https://evil.example', Cookie: 'perigee.session_token=x' } }),
      403,
      'forbidden_origin',
    ],
    [
      'an opaque origin without a token',
      () => rpc(api, list, { token: null, headers: { Origin: 'null' } }),
      403,
      'forbidden_origin',
    ],
    [
      "another page's origin with a bad token",
      () => rpc(api, list, { token: 'pgk_bad', headers: { Origin: 'https://evil.example' } }),
      401,
      'invalid_api_key',
    ],
    [
      'a page that has led its own name here, with a token',
      () => rpc(api, list, { at: 'http://evil.example', headers: { Origin: 'http://evil.example' } }),
      403,
      'forbidden_origin',
    ],
    ['too large a body', () => rpc(api, list, { rawBody: ' '.repeat(6_000_001) }), 413, 'too_large'],
    [
      'too large a body without a token',
      () => rpc(api, list, { token: null, rawBody: ' '.repeat(1024 * 1024 + 1) }),
      413,
      'too_large',
    ],
    ['no JSON', () => rpc(api, list, { rawBody: '{' }), 400, 'invalid_json'],
    ['nothing', () => rpc(api, list, { rawBody: '' }), 400, 'invalid_json'],
    [
      'no JSON type',
      () => rpc(api, list, { headers: { 'Content-Type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    ],
    [
      'too many messages',
      () => rpc(api, list, { rawBody: JSON.stringify(Array.from({ length: 21 }, () => ({ method: 'ping' }))) }),
      400,
      'bad_request',
    ],
  ]
  for (const [what, send, status, code] of refusals)
    it(`refuses ${what}`, async () => {
      const { error, ...answer } = await send()
      assert.equal(answer.status, status)
      assert.equal(JSON.stringify(error?.data).includes(`"error":"${code}"`), true, JSON.stringify(error))
    })

  it('names its own metadata in a 401, and an error only where a token was sent', async () => {
    const metadata = 'resource_metadata="http://perigee.test/.well-known/oauth-protected-resource/mcp"'
    const missing = await rpc(api, ['tools/call', { name: 'get_account' }], { token: null })
    assert.equal(missing.headers.get('www-authenticate'), `Bearer realm="perigee", ${metadata}`)
    const bad = await rpc(api, list, { token: 'pgk_bad' })
    assert.equal(bad.headers.get('www-authenticate'), `Bearer realm="perigee", error="invalid_token", ${metadata}`)
  })

  const nameless: [what: string, sent: Parameters<typeof rpc>[2]][] = [
    ['no token', { token: null }],
    ['a bad token', { token: 'pgk_bad' }],
    ['a bad Bearer token', { token: null, headers: { Authorization: 'Bearer pgk_bad' } }],
  ]
  for (const [what, sent] of nameless)
    it(`answers a call with ${what} under the id of the call`, async () => {
      for (const id of [7, 'seven']) {
        const rawBody = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_account' } })
        const answer = await rpc(api, list, { ...sent, rawBody })
        assert.deepEqual([answer.status, answer.id], [401, id])
      }
    })

  it('refuses a bad token first, whatever is wrong with the call', async () => {
    for (const rawBody of ['', '{', ' '.repeat(1024 * 1024 + 1), '[{"id":1}]', '{"id":{}}', '7']) {
      const { status, id } = await rpc(api, list, { token: 'pgk_bad', rawBody })
      assert.deepEqual([status, id], [401, null])
    }
  })

  it('takes its own origin, an import of 5,000,000 characters, and initialize without a token', async () => {
    const own = await rpc(api, list, { headers: { Origin: 'http://perigee.test' } })
    assert.equal(own.status, 200)
    const content = 'left-pad 1.3.0\n'.repeat(333_333)
    const imported = await callTool(api, ['import_software', { id: crypto.randomUUID(), content }])
    assert.equal(imported.structuredContent?.['error'], 'not_found')
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { result } = await rpc(api, ['initialize', params], { token: null })
    assert.equal(result?.['protocolVersion'], '2025-06-18')
  })

  it('takes a token from a page of another origin, and from a program by any name', async () => {
    assert.equal((await rpc(api, list, { headers: { Origin: 'https://app.example' } })).status, 200)
    assert.equal((await rpc(api, list, { at: 'http://10.0.0.7:3000' })).status, 200)
  })

  it('takes 20 messages at a time', async () => {
    const pings = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    assert.equal((await rpc(api, list, { rawBody: JSON.stringify(pings) })).status, 200)
  })

  for (const rawBody of ['7', '{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":1,"method":7}'])
    it(`asks for no token where ${rawBody} is no message`, async () =>
      assert.equal((await rpc(api, list, { token: null, rawBody })).status, 400))

  it('refuses what is nested too deep, however deep', async () => {
    for (const depth of [65, 1000, 100_000]) {
      const { status, error } = await rpc(api, list, { rawBody: '['.repeat(depth) + ']'.repeat(depth) })
      assert.deepEqual([status, error?.message], [400, 'The body is nested deeper than 64 levels.'])
    }
    const params = JSON.stringify({ name: 'create_monitor', arguments: { check_options: {} } })
    const deep = params.replace('{}', `{"a":${'['.repeat(59)}${']'.repeat(59)}}`)
    const rawBody = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`
    assert.equal((await rpc(api, list, { rawBody })).status, 200)
    assert.deepEqual(api.errors, [])
  })

  it('counts bad tokens as the API does', async () => {
    const strict = await testApi({ rates: { failuresPerMinute: 1 } })
    await rpc(strict, list, { token: 'pgk_bad' })
    const { status, headers } = await rpc(strict, list, { token: 'pgk_bad' })
    assert.equal(status, 429)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  })

  it('counts calls without a token as failures of their address, and goes on showing what is open', async () => {
    const strict = await testApi({ rates: { failuresPerMinute: 2 } })
    const call = (id: number) => {
      const rawBody = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_account' } })
      return rpc(strict, list, { token: null, rawBody })
    }
    assert.deepEqual([(await call(1)).status, (await call(2)).status], [401, 401])
    const third = await call(3)
    assert.deepEqual([third.status, third.id], [429, 3])
    assert.match(third.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await rpc(strict, list, { token: null })).status, 200)
    assert.equal((await rpc(strict, ['tools/call', { name: 'get_account' }])).status, 200)
    assert.equal((await strict.get('/account', { token: null, address: '192.0.2.1' })).status, 429)
  })

  it('holds the headers of the revision of 2026 against its messages', async () => {
    const revision = '2026-07-28'
    const root = 'io.modelcontextprotocol'
    const meta = {
      [`${root}/protocolVersion`]: revision,
      [`${root}/clientInfo`]: { name: 'test', version: '1' },
      [`${root}/clientCapabilities`]: {},
    }
    const said = async (method: string, version = revision) => {
      const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': method }
      const { status, error } = await rpc(api, ['tools/list', { _meta: meta }], { headers })
      return [status, error?.code]
    }
    assert.deepEqual(await said('tools/list'), [200, undefined])
    assert.deepEqual(await said('tools/call'), [400, -32_020])
    assert.deepEqual(await said('tools/list', '2025-11-25'), [400, -32_020])
  })

  it('lets strangers look around 600 times a minute, and no oftener', async () => {
    const other = await testApi()
    const look = () => rpc(other, list, { token: null, rawBody: '{' })
    for (let times = 0; times < 600; times += 1) assert.equal((await look()).status, 400)
    assert.equal((await look()).status, 429)
    assert.equal((await rpc(other, list)).status, 200)
  })
})
