import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'
import { openDatabase } from '#store/database/database.ts'
import { type ApiRequest, testApi } from '../../test/support/api.ts'

const known = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

/** An operation that can be wrong in every way. */
const writeThing = defineOperation({
  name: 'write_thing',
  method: 'POST',
  path: '/things/{id}',
  scope: 'write',
  tag: 'Account',
  summary: 'Write a thing',
  query: { schema: z.object({ limit: integerParameter({ min: 1, max: 5, default: 3 }) }) },
  body: { schema: z.strictObject({ name: z.string() }), isRequired: true, schemaName: 'Thing', maxBytes: 100 },
  takesIdempotencyKey: true,
  errors: [401, 403, 404, 422],
  success: {
    status: 201,
    description: 'Written.',
    schema: z.strictObject({ data: z.record(z.string(), z.unknown()) }),
  },
  find: async (_context, { id = '' }) => {
    if (id !== known) throw fail('not_found', 'There is no such thing.')
    return { id }
  },
  run: async (_context, input) => ({ status: 201, body: { data: input } }),
})

const touchThing = defineOperation({
  name: 'touch_thing',
  method: 'PUT',
  path: '/things',
  scope: 'write',
  tag: 'Account',
  summary: 'Takes no body, {} or nothing',
  body: { schema: z.strictObject({}).optional(), isRequired: false, schemaName: 'Nothing' },
  errors: [401, 403, 422],
  success: { status: 204, description: 'Touched.' },
  run: async () => ({ status: 204, body: undefined }),
})

const readThings = defineOperation({
  name: 'list_things',
  method: 'GET',
  path: '/things',
  scope: 'read',
  tag: 'Account',
  summary: 'Read things',
  query: { schema: z.object({ limit: integerParameter({ min: 1, max: 5, default: 3 }) }), refusal: 400 },
  errors: [401],
  success: { status: 200, description: 'Things.', schema: z.strictObject({ data: z.int() }) },
  run: async (_context, { query }) => ({ status: 200, body: { data: query.limit } }),
})

const breakDown = defineOperation({
  name: 'break_down',
  method: 'DELETE',
  path: '/things',
  scope: 'write',
  tag: 'Account',
  summary: 'Meets a bug',
  errors: [401, 403],
  success: { status: 204, description: 'Never.' },
  run: () => Promise.reject(new Error('secret detail')),
})

const away = openDatabase({
  connection: { socketFolder: '/nonexistent', user: 'nobody', password: '', database: 'none' },
  maxConnections: 1,
})

const loseDatabase = defineOperation({
  name: 'lose_database',
  method: 'POST',
  path: '/losses',
  scope: 'write',
  tag: 'Account',
  summary: 'Meets a database that is away',
  errors: [401, 403],
  success: { status: 204, description: 'Never.' },
  run: async () => ({ status: 200, body: await away.pool.query('select 1') }),
})

const operations = [writeThing, touchThing, readThings, breakDown, loseDatabase]

describe('the pipeline', async () => {
  const api = await testApi({ operations, rates: { writesPerMinute: 1000 } })
  const limited = await testApi({ operations, rates: { writesPerMinute: 1, readsPerMinute: 2 } })
  const useUp = (): Promise<unknown> => limited.request('POST', `/things/${known}`, { body: { name: 'first' } })
  const anything = 'x'.repeat(200)

  // Each request is wrong in every later way too, and answers the first.
  const precedence: [string, typeof api, string, ApiRequest, number, string][] = [
    ['401 before all', limited, 'bad', { token: 'pgk_wrong', rawBody: anything }, 401, 'invalid_api_key'],
    ['429 before 404', limited, 'bad', { rawBody: anything }, 429, 'rate_limited'],
    ['403 before 404', api, 'bad', { token: api.readToken, rawBody: anything }, 403, 'insufficient_scope'],
    ['404 before 413', api, 'bad?limit=x', { rawBody: anything }, 404, 'not_found'],
    ['404 of a foreign id before 413', api, known.replace('3', '4'), { rawBody: anything }, 404, 'not_found'],
    ['413 before 415', api, known, { rawBody: anything, headers: { 'Content-Type': 'text/plain' } }, 413, 'too_large'],
    [
      '415 before 400',
      api,
      known,
      { rawBody: '{', headers: { 'Content-Type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['400 before 422', api, `${known}?limit=x`, { rawBody: '{' }, 400, 'invalid_json'],
    ['422 last', api, `${known}?limit=x`, { body: {} }, 422, 'validation_failed'],
  ]
  for (const [what, asked, path, request, status, code] of precedence)
    it(`answers ${what}`, async () => {
      // Just before, because what is used up comes back within a minute.
      if (asked === limited) await useUp()
      const answer = await asked.request('POST', `/things/${path}`, request)
      assert.deepEqual([answer.status, codeOf(answer.body)], [status, code])
    })

  it('counts a request without the scope before it refuses it', async () => {
    const read = await testApi({ operations, rates: { writesPerMinute: 1 } })
    const refused = await read.request('PUT', '/things', { token: read.readToken })
    assert.equal(refused.status, 403)
    assert.equal((await read.request('PUT', '/things', { token: read.readToken })).status, 429)
  })

  it('reports the problems of query, body and key together', async () => {
    const headers = { 'Idempotency-Key': 'k'.repeat(256) }
    const { body } = await api.post(`/things/${known}?limit=6`, { name: 1, more: 2 }, { headers })
    assert.deepEqual(body, {
      error: 'validation_failed',
      message: 'limit: Must be a whole number from 1 to 5.',
      fields: {
        limit: ['Must be a whole number from 1 to 5.'],
        name: ['Must be text.'],
        more: ['Unknown field.'],
        'Idempotency-Key': ['Must have 1 to 255 characters.'],
      },
    })
  })

  const ignored = async (path: string, method = 'GET'): Promise<unknown[]> => {
    const { status, headers } = await api.request(method, path, method === 'GET' ? {} : { body: { name: 'B' } })
    return [status, headers.get('ignored-parameters')]
  }
  it('names the parameters that an operation does not know, and answers as without them', async () => {
    assert.deepEqual(await ignored('/things?limit=2&status=open&cursor=a&status=down'), [200, 'status, cursor'])
    assert.deepEqual(await ignored(`/things/${known}?dry%20run=1&%C3%A9%2C%0A=`, 'POST'), [
      201,
      'dry%20run, %C3%A9%2C%0A',
    ])
    for (const path of ['/things', '/things?limit=2', '/things?', '/things?=1', '/things?&'])
      assert.deepEqual(await ignored(path), [200, null], path)
    assert.deepEqual(await ignored('/things?limit=x&status=open'), [400, null])
    const many = Array.from({ length: 30 }, (_, at) => `${'x'.repeat(200)}${at}=`).join('&')
    const [, names = ''] = await ignored(`/things?${many}`)
    assert.equal(String(names).length, 20 * 102 - 2)
  })

  it('hands over ids in lower case, the query, the body, the target and the key, and no payment for nothing', async () => {
    const paying = { Authorization: 'Payment e30', 'Accept-Payment': 'card/charge' }
    const headers = { 'Idempotency-Key': 'k'.repeat(255), ...paying }
    const { body } = await api.post(`/things/${known.toUpperCase()}?limit=5`, { name: 'a' }, { headers })
    assert.deepEqual(body, {
      data: {
        path: { id: known },
        query: { limit: 5 },
        body: { name: 'a' },
        file: null,
        target: { id: known },
        idempotencyKey: headers['Idempotency-Key'],
        projectKey: null,
        payment: { preference: null },
      },
    })
  })

  const queries = [
    ['', 200],
    ['?limit=1', 200],
    ['?limit=5', 200],
    ['?limit=0', 400],
    ['?limit=6', 400],
    ['?limit=', 400],
    ['?limit=1e0', 400],
    ['?limit=%31', 200],
    ['?limit=1&limit=2', 400],
    ['?other=1', 200],
  ] as const
  for (const [query, status] of queries)
    it(`answers ${status} to the query "${query}"`, async () =>
      assert.equal((await api.get(`/things${query}`)).status, status))
})

describe('bodies', async () => {
  const api = await testApi({ operations })
  const json = 'application/json'
  const cases: [string, ApiRequest, number][] = [
    ['nothing where nothing is needed', {}, 204],
    ['{}', { body: {} }, 204],
    ['an empty body of any type', { rawBody: '', headers: { 'Content-Type': 'text/plain' } }, 204],
    ['a charset', { rawBody: '{}', headers: { 'Content-Type': `${json}; charset=UTF-8` } }, 204],
    ['a suffix of JSON', { rawBody: '{}', headers: { 'Content-Type': 'application/merge-patch+json' } }, 204],
    ['a member where none is known', { body: { a: 1 } }, 422],
    ['null', { rawBody: 'null' }, 422],
    ['half an object', { rawBody: '{"a":' }, 400],
    ['bytes that are not UTF-8', { rawBody: new Uint8Array([0x22, 0xff, 0x22]) }, 400],
    ['a number too large to be one', { rawBody: `[${'1'.repeat(400)}` }, 400],
    ['a form', { rawBody: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
    ['another charset', { rawBody: '{}', headers: { 'Content-Type': `${json}; charset=latin1` } }, 415],
    ['a compressed body', { rawBody: '{}', headers: { 'Content-Encoding': 'gzip' } }, 415],
    ['a length beyond the limit', { rawBody: '{}', headers: { 'Content-Length': '99999999' } }, 413],
    ['more than 1 MB', { rawBody: ' '.repeat(1024 * 1024 + 1) }, 413],
    ['1 MB', { rawBody: `{}${' '.repeat(1024 * 1024 - 2)}` }, 204],
  ]
  for (const [what, request, status] of cases)
    it(`answers ${status} to ${what}`, async () =>
      assert.equal((await api.request('PUT', '/things', request)).status, status))

  it('answers 400 when a required body is missing', async () => {
    const answer = await api.request('POST', `/things/${known}`)
    assert.deepEqual([answer.status, codeOf(answer.body)], [400, 'invalid_json'])
  })
})

describe('the server', async () => {
  const answers: unknown[] = []
  const api = await testApi({
    operations,
    allowsInternalErrors: true,
    http: { onAnswer: ({ method, route, status }) => answers.push([method, route, status]) },
  })

  it('answers 404 in the shape of every error', async () => {
    const answer = await api.get('/nothing-here', { token: null })
    assert.deepEqual([answer.status, codeOf(answer.body)], [404, 'not_found'])
    assert.match(answer.text, /http:\/\/perigee\.test\/llms\.txt lists what there is\./)
    assert.equal(
      answer.headers.get('link'),
      '<http://perigee.test/>; rel="index", <http://perigee.test/llms.txt>; rel="describedby"',
    )
  })

  it('answers 405 with the methods that are served', async () => {
    const answer = await api.request('PATCH', '/things', { token: null })
    assert.deepEqual([answer.status, codeOf(answer.body)], [405, 'method_not_allowed'])
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, PUT')
    assert.equal((await api.get(`/things/${known}`)).headers.get('allow'), 'POST')
  })

  it('answers HEAD as GET without a body', async () => {
    const answer = await api.request('HEAD', '/things')
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('tells the caller nothing of a bug, and the log everything', async () => {
    const answer = await api.request('DELETE', '/things', { headers: { 'X-Request-Id': 'from-proxy.1' } })
    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body, {
      error: 'internal',
      message: 'Something went wrong on the server. The request id is from-proxy.1.',
    })
    assert.match(String(api.errors[0]), /secret detail/)
  })

  it('names the place of a bug without what stands in the address, which may be a secret', async () => {
    const told: string[] = []
    const other = await testApi({
      operations,
      http: {
        onError: (_error, { path }) => told.push(path),
        addRoutes: (to) =>
          to.get('/calls/:token', () => {
            throw new Error('A bug.')
          }),
      },
    })
    assert.equal((await other.app.request('/calls/a-secret', {}, { address: '192.0.2.1' })).status, 500)
    assert.deepEqual(told, ['/calls/:token'])
  })

  it('answers 503 when the database is away, says when to come back, and reports it as no bug', async () => {
    const lost: unknown[] = []
    const other = await testApi({ operations, http: { onUnavailable: lost.push.bind(lost) } })
    const answer = await other.post('/losses')
    assert.deepEqual(
      [answer.status, answer.headers.get('retry-after'), answer.body],
      [503, '5', { error: 'unavailable', message: 'The service cannot reach its database now. Try again in 5 s.' }],
    )
    assert.deepEqual([other.errors, lost.length], [[], 1])
    assert.match(String(lost[0]), /ENOENT/)
  })

  it('gives every answer an id, and takes none that could not be logged', async () => {
    for (const given of ['', 'a b', 'x'.repeat(65)]) {
      const { headers } = await api.get('/things', { headers: { 'X-Request-Id': given } })
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    }
  })

  it('does everything for a request within its id', async () => {
    const within: unknown[] = []
    let isWithin = false
    const told: boolean[] = []
    const other = await testApi({
      operations,
      http: {
        within: (subject, work) => {
          within.push(subject)
          isWithin = true
          return work()
        },
        onError: () => told.push(isWithin),
        onAnswer: () => told.push(isWithin),
      },
    })
    const { headers } = await other.get('/things')
    await other.request('DELETE', '/things', { headers: { 'X-Request-Id': 'from-proxy.2' } })
    assert.deepEqual(within, [{ request_id: headers.get('x-request-id') }, { request_id: 'from-proxy.2' }])
    assert.deepEqual(told, [true, true, true])
  })

  it('sends headers that keep browsers out of it', async () => {
    const { headers } = await api.get('/nothing-here')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(headers.get('strict-transport-security'), null)
  })

  it('serves one document at both addresses, to anybody', async () => {
    const [root, below] = await Promise.all(
      ['/openapi.json', '/api/v1/openapi.json'].map(async (path) => {
        const response = await api.app.request(path, {}, { address: '203.0.113.5' })
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
        return response.text()
      }),
    )
    assert.equal(root, below)
    assert.match(root ?? '', /"openapi":"3\.1\.0".*"version":"1\.0\.0".*"enum":\["amsterdam","boston","chennai"\]/)
  })

  it('sends the document once to those who keep it', async () => {
    const first = await api.app.request('/openapi.json', {}, { address: '203.0.113.5' })
    const tag = first.headers.get('etag') ?? ''
    const kept = { headers: { 'If-None-Match': `"another", ${tag}` } }
    const again = await api.app.request('/openapi.json', kept, { address: '203.0.113.5' })
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', tag])
    assert.match(tag, /^"[\w-]{22}"$/)
  })

  it('names routes by their pattern only', async () => {
    answers.length = 0
    await api.post(`/things/${known}`, { name: 'a' })
    await api.get('/nothing-here')
    await api.request('PATCH', '/things')
    assert.deepEqual(answers, [
      ['POST', '/api/v1/things/:id', 201],
      ['GET', 'unknown', 404],
      ['PATCH', '/api/v1/things', 405],
    ])
  })
})

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
}
