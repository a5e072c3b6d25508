import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { type AdmissionOptions, createAdmission, type Surface } from '#operations/admission/admission.ts'
import { operations as allOperations } from '#operations/index.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { testApi } from '../../test/support/api.ts'
import { until } from '../../test/support/until.ts'
import { listen } from './listen.ts'

const host = '127.0.0.1'
const one = { atOnce: 1, atOnceEach: 1 }
const none = { atOnce: 0, atOnceEach: 0 }
const many = { atOnce: 9, atOnceEach: 9 }
const full = { reads: none, writes: none, long: none, agents: none, sign_in: none, pages: none, calls: none }
const common = { tag: 'Account', errors: [401, 403, 422] } as const
const done = { status: 200, description: 'Done.', schema: z.strictObject({ data: z.string() }) } as const

/** A service on a port, with a read that ends when it is told to, a write of its body, a long one, and a bug. */
async function service(bounds: Partial<Record<Surface, typeof one>>, options: Partial<AdmissionOptions> = {}) {
  const held: (() => void)[] = []
  const hold = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push(resolve)
    await promise
  }
  const operations = [
    defineOperation({
      ...common,
      name: 'hold',
      method: 'GET',
      path: '/holds',
      scope: 'read',
      summary: 'Hold',
      success: done,
      run: async () => {
        await hold()
        return { status: 200, body: { data: 'held' } }
      },
    }),
    defineOperation({
      ...common,
      name: 'write',
      method: 'POST',
      path: '/writes',
      scope: 'write',
      summary: 'Write',
      body: { schema: z.strictObject({ name: z.string() }), isRequired: true, schemaName: 'Written' },
      changesNothing: true,
      success: done,
      run: async (_context, { body }) => ({ status: 200, body: { data: body.name } }),
    }),
    defineOperation({
      ...common,
      name: 'take_long',
      method: 'POST',
      path: '/long',
      scope: 'write',
      summary: 'Take long',
      changesNothing: true,
      takesLong: true,
      success: done,
      run: async () => ({ status: 200, body: { data: 'long' } }),
    }),
    defineOperation({
      ...common,
      name: 'break_down',
      method: 'GET',
      path: '/bugs',
      scope: 'read',
      summary: 'Break down',
      success: done,
      run: () => Promise.reject(new Error('a bug')),
    }),
  ]
  const all = {
    reads: many,
    writes: many,
    long: many,
    agents: many,
    sign_in: many,
    pages: many,
    calls: many,
    ...bounds,
  }
  const refused: Surface[] = []
  const admission = createAdmission({
    bounds: all,
    patienceMs: 60_000,
    loop: { isLate: () => false },
    onRefused: (surface) => refused.push(surface),
    ...options,
  })
  const api = await testApi({
    maxConnections: 5,
    operations: [...allOperations, ...operations],
    admission,
    allowsInternalErrors: true,
  })
  const server = await listen(api.app, { host, port: 0 })
  after(() => server.close(1000))
  const ask = (path: string, init: Sending = {}): Promise<Response> => {
    const { token = api.token, headers = {}, ...rest } = init
    return fetch(`http://${host}:${server.port}${path}`, { ...rest, headers: { 'X-API-Key': token, ...headers } })
  }
  return { api, port: server.port, admission, held, refused, ask }
}

type Sending = Omit<RequestInit, 'headers'> & { token?: string; headers?: Record<string, string> }

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer
  await response.text()
  return response.status
}

describe('admission', () => {
  it('works on as many requests as there are places, and answers 503 to those that have waited enough', async () => {
    const { admission, held, refused, ask } = await service({ reads: { atOnce: 2, atOnceEach: 2 } }, { patienceMs: 50 })
    const first = [ask('/api/v1/holds'), ask('/api/v1/holds')]
    await until('both to be worked on', () => held.length === 2)
    const third = await ask('/api/v1/holds')
    assert.equal(third.status, 503)
    assert.match(third.headers.get('retry-after') ?? '', /^[123]$/)
    assert.partialDeepStrictEqual(await third.json(), { error: 'unavailable' })
    assert.deepEqual(refused, ['reads'])
    assert.equal(held.length, 2, 'the third was worked on')
    for (const end of held) end()
    assert.deepEqual(await Promise.all(first.map(statusOf)), [200, 200])
    assert.deepEqual(admission.counts().reads, { running: 0, waiting: 0 })
  })

  it('lets a request go on as soon as there is a place', async () => {
    const { admission, held, ask } = await service({ reads: one })
    const asked = [ask('/api/v1/holds'), ask('/api/v1/holds')]
    await until('the second to wait', () => held.length === 1 && admission.counts().reads.waiting === 1)
    held[0]?.()
    await until('the second to be worked on', () => held.length === 2)
    held[1]?.()
    assert.deepEqual(await Promise.all(asked.map(statusOf)), [200, 200])
  })

  it('keeps a place for another workspace, however much one of them asks', async () => {
    const { api, admission, held, ask } = await service({ reads: { atOnce: 2, atOnceEach: 1 } })
    const other = await api.addWorkspace()
    // A workspace is known once a token of it was good.
    const greeting = { method: 'POST', body: '{"name":"a"}', headers: { 'Content-Type': 'application/json' } }
    for (const token of [api.token, other.token])
      assert.equal(await statusOf(ask('/api/v1/writes', { ...greeting, token })), 200)
    const flood = Array.from({ length: 5 }, () => ask('/api/v1/holds'))
    await until('the flood to wait', () => held.length === 1 && admission.counts().reads.waiting === 4)
    const quiet = ask('/api/v1/holds', { token: other.token })
    await until('the quiet one to be worked on', () => held.length === 2)
    held[1]?.()
    assert.equal(await statusOf(quiet), 200)
    assert.equal(admission.counts().reads.waiting, 4)
    await until('the flood to end', () => {
      for (const end of held) end()
      return held.length === 6
    })
    assert.deepEqual(await Promise.all(flood.map(statusOf)), [200, 200, 200, 200, 200])
  })

  it('has places for writes, and for what takes long, beside those of reads', async () => {
    const { held, ask } = await service({ reads: one, writes: one, long: one })
    const read = ask('/api/v1/holds')
    await until('the read to be worked on', () => held.length === 1)
    const write = { method: 'POST', body: '{"name":"a"}', headers: { 'Content-Type': 'application/json' } }
    assert.equal(await statusOf(ask('/api/v1/writes', write)), 200)
    assert.equal(await statusOf(ask('/api/v1/long', { method: 'POST' })), 200)
    held[0]?.()
    assert.equal(await statusOf(read), 200)
  })

  it('counts what comes with a payment among what takes long, by either protocol', async () => {
    const { refused, ask } = await service({ long: none }, { patienceMs: 10 })
    const body = { method: 'POST', body: '{"amount_cents":500}' }
    for (const payment of [{}, { Authorization: 'Payment a' }, { 'PAYMENT-SIGNATURE': 'a' }]) {
      const headers = { 'Content-Type': 'application/json', ...payment }
      assert.equal(await statusOf(ask('/api/v1/credits', { ...body, headers })), 503)
    }
    assert.deepEqual(refused, ['long', 'long'])
  })

  it('has its places back after refusals, bugs and callers who went away', async () => {
    const { admission, held, ask } = await service({ reads: one })
    assert.equal(await statusOf(ask('/api/v1/bugs')), 500)
    assert.equal(await statusOf(ask('/api/v1/holds', { token: 'pgk_wrong' })), 401)
    const leaving = new AbortController()
    const left = ask('/api/v1/holds', { signal: leaving.signal })
    await until('it to be worked on', () => held.length === 1)
    leaving.abort()
    await assert.rejects(left)
    held[0]?.()
    await until('its place to be free', () => admission.counts().reads.running === 0)
  })

  it('gives no place to a body that is slow in coming', async () => {
    const { api, admission, port, ask } = await service({ writes: one })
    const body = '{"name":"slow"}'
    const slow = connect(port, host)
    const answer = text(slow)
    slow.write(
      `POST /api/v1/writes HTTP/1.1\r\nHost: a\r\nX-API-Key: ${api.token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n{`,
    )
    await until('it to be worked on', () => admission.counts().writes.running === 1)
    const quick = { method: 'POST', body: '{"name":"quick"}', headers: { 'Content-Type': 'application/json' } }
    assert.equal(await statusOf(ask('/api/v1/writes', quick)), 200)
    assert.equal(admission.counts().writes.running, 0)
    slow.write(body.slice(1))
    assert.match(await answer, /^HTTP\/1\.1 200 [\s\S]*"slow"/)
  })

  it('takes a form before it has a place', async () => {
    const { admission, port, ask } = await service({ pages: one })
    const slow = connect(port, host)
    const answer = text(slow)
    slow.write('POST /status/no/password HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nConnection: close\r\n\r\npass')
    assert.equal(await statusOf(ask('/status/no')), 404)
    assert.equal(admission.counts().pages.running, 0)
    slow.write('word=a')
    assert.match(await answer, /^HTTP\/1\.1 404 /)
  })

  it('leaves alone what an operator asks', async () => {
    const { ask } = await service(full, { patienceMs: 1 })
    assert.deepEqual([await statusOf(ask('/healthz')), await statusOf(ask('/readyz'))], [200, 200])
  })
})

describe('a request that finds no place', async () => {
  const { api, ask, refused } = await service(full, { patienceMs: 1 })
  const json = { 'Content-Type': 'application/json' }
  const answerOf = async (path: string, init: Sending = {}): Promise<{ response: Response; body: string }> => {
    refused.length = 0
    const response = await ask(path, init)
    assert.equal(response.status, 503)
    assert.match(response.headers.get('retry-after') ?? '', /^[123]$/)
    return { response, body: await response.text() }
  }

  it('is refused by the API with the code for that', async () => {
    const { body } = await answerOf('/api/v1/monitors')
    assert.match(
      body,
      /^\{"error":"unavailable","message":"More requests came than can be answered now\. Try again in [123] s\."\}$/,
    )
    assert.deepEqual(refused, ['reads'])
    // The answer is one of its operation.
    assert.equal((await api.get('/monitors')).status, 503)
  })

  it('is refused as a write, or as what takes long', async () => {
    await answerOf('/api/v1/monitors', { method: 'POST', body: '{}', headers: json })
    assert.deepEqual(refused, ['writes'])
    await answerOf('/api/v1/monitors/try', { method: 'POST', body: '{}', headers: json })
    assert.deepEqual(refused, ['long'])
    await answerOf('/api/v1/monitors', {
      method: 'POST',
      headers: { ...json, Authorization: 'Payment e30' },
      body: '{}',
    })
    assert.deepEqual(refused, ['long'])
  })

  it('is refused by MCP as an error of JSON-RPC', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const accept = { Accept: 'application/json, text/event-stream' }
    const { body } = await answerOf('/mcp', { method: 'POST', body: message, headers: { ...json, ...accept } })
    assert.partialDeepStrictEqual(JSON.parse(body), { jsonrpc: '2.0', error: { data: { error: 'unavailable' } } })
    assert.deepEqual(refused, ['agents'])
  })

  it('is refused to agents as the errors of theirs are', async () => {
    const { body } = await answerOf('/agent/identity', { method: 'POST', body: '{}', headers: json })
    assert.partialDeepStrictEqual(Object.keys(JSON.parse(body)), ['error', 'error_description', 'message'])
    assert.deepEqual(refused, ['agents'])
  })

  it('is refused to people who sign in as the errors of that are', async () => {
    const { body } = await answerOf('/auth/get-session', { headers: { Origin: api.services.publicUrl } })
    assert.partialDeepStrictEqual(JSON.parse(body), { code: 'UNAVAILABLE' })
    assert.deepEqual(refused, ['sign_in'])
  })

  it('is refused to readers of a page with a page in their language, and to programs with JSON', async () => {
    const german = { Accept: 'text/html', 'Accept-Language': 'de' }
    const page = await answerOf('/status/acme', { headers: german })
    assert.match(page.response.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.body, /<html lang="de">[\s\S]*Laden Sie sie in einigen Sekunden neu\./)
    assert.deepEqual(refused, ['pages'])
    assert.match((await answerOf('/status/acme/badge.svg')).body, /"error":"unavailable"/)
    assert.match((await answerOf('/openapi.json')).body, /"error":"unavailable"/)
  })

  it('is refused to a job as other calls are, and no deadline counts meanwhile', async () => {
    assert.match((await answerOf('/ping/unknown')).body, /"error":"unavailable"/)
    assert.deepEqual(refused, ['calls'])
    assert.match((await answerOf('/api/push/unknown')).body, /"ok":false/)
  })
})
