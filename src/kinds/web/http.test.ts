import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { api } from './api.ts'
import { http } from './http.ts'
import { kinds } from '#kinds/index.ts'

describe('a check of kind http', async () => {
  let seen: Record<string, unknown> = {}
  const { port } = await httpServer((request, response) => {
    seen = { method: request.method, ...request.headers }
    if (request.url === '/zip')
      return void response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(100_000) + 'needle'))
    if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end()
    if (request.url === '/json')
      return void response.end('{"data":{"items":[{"state":"ok"}]},"big":"' + 'y'.repeat(100_000) + '"}')
    if (request.url === '/slow') return void setTimeout(() => response.end('late'), 150)
    if (request.url === '/broken') return void response.writeHead(500).end('needle')
    if (request.url === '/begins') {
      response.write('head needle')
      return
    }
    response.end('plain needle')
  })
  const origin = `http://127.0.0.1:${port}`

  it('is up, with status, latency and phases, and nothing unusual to tell', async () => {
    const verdict = await checkOnce(http, { url: `${origin}/` })
    assert.deepEqual([verdict.status, verdict.statusCode, verdict.error, verdict.details], ['up', 200, null, {}])
    assert.ok(Number.isInteger(verdict.latencyMs))
    assert.ok(Object.values(verdict.phases).every((ms) => ms === null || Number.isInteger(ms)))
  })

  it('says who it is, unless the customer says otherwise', async () => {
    await checkOnce(http, { url: `${origin}/` })
    assert.deepEqual([seen['user-agent'], seen['accept']], ['Perigee/1 (+uptime check)', '*/*'])
    await checkOnce(http, {
      url: `${origin}/`,
      method: 'POST',
      requestBody: 'a=b',
      requestHeaders: { 'User-Agent': 'mine', Accept: 'text/x', HOST: 'shop.example', 'X-Key': 'k' },
    })
    assert.deepEqual(
      [seen['user-agent'], seen['accept'], seen['host'], seen['x-key'], seen['method']],
      ['mine', 'text/x', 'shop.example', 'k', 'POST'],
    )
  })

  it('finds a keyword in a compressed body', async () => {
    assert.equal((await checkOnce(http, { url: `${origin}/zip`, keyword: 'xneedle' })).status, 'up')
    const missing = await checkOnce(http, { url: `${origin}/zip`, keyword: 'needles' })
    assert.equal(missing.error, 'Keyword "needles" not found in the answer')
  })

  it('does not wait for the end of a body in which the keyword was found', async () => {
    assert.equal((await checkOnce(http, { url: `${origin}/begins`, keyword: 'needle', timeoutMs: 2000 })).status, 'up')
  })

  it('does not wait for the end of a body in which the text was found that must not be there', async () => {
    const options = { absent_keyword: 'needle' }
    const verdict = await checkOnce(http, { url: `${origin}/begins`, options, timeoutMs: 2000 })
    assert.equal(verdict.error, 'Keyword "needle" found in the answer')
  })

  it('ignores an empty keyword', async () => {
    assert.equal((await checkOnce(http, { url: `${origin}/`, keyword: '' })).status, 'up')
  })

  it('reads JSON, with a keyword too', async () => {
    const options = { json_path: 'data.items.0.state', expected_value: 'ok' }
    assert.equal((await checkOnce(http, { url: `${origin}/json`, options })).status, 'up')
    assert.equal((await checkOnce(http, { url: `${origin}/json`, options, keyword: 'items' })).status, 'up')
    const both = await checkOnce(http, {
      url: `${origin}/json`,
      options: { ...options, expected_value: 'bad' },
      keyword: 'items',
    })
    assert.equal(both.error, 'JSON path data.items.0.state is "ok", expected "bad"')
  })

  it('is degraded when it took too long', async () => {
    const verdict = await checkOnce(http, { url: `${origin}/slow`, options: { max_latency_ms: 100 } })
    assert.deepEqual([verdict.status, verdict.error], ['degraded', 'The answer took longer than 100 ms'])
  })

  it('is down at its deadline, whatever it waits for', async () => {
    const verdict = await checkOnce(http, { url: `${origin}/begins`, timeoutMs: 500 })
    assert.deepEqual([verdict.status, verdict.error], ['down', 'Timed out after 500 ms while reading the answer'])
    const headersOnly = await checkOnce(http, {
      url: `${origin}/begins`,
      timeoutMs: 500,
      options: { headers_only: true },
    })
    assert.equal(headersOnly.status, 'up')
  })

  it('ignores headers_only when there is a keyword to find', async () => {
    const verdict = await checkOnce(http, { url: `${origin}/`, keyword: 'nothing', options: { headers_only: true } })
    assert.equal(verdict.status, 'down')
  })

  it('follows redirects, unless redirects are all that is expected', async () => {
    const followed = await checkOnce(http, { url: `${origin}/moved` })
    assert.deepEqual([followed.statusCode, followed.details], [200, { final_url: `${origin}/`, redirects: 1 }])
    const looked = await checkOnce(http, { url: `${origin}/moved`, expectedStatusMin: 301, expectedStatusMax: 302 })
    assert.deepEqual([looked.status, looked.statusCode, looked.details], ['up', 302, {}])
    const widely = await checkOnce(http, { url: `${origin}/moved`, expectedStatusMin: 300, expectedStatusMax: 399 })
    assert.deepEqual([widely.status, widely.statusCode], ['up', 302])
    const beyond = await checkOnce(http, { url: `${origin}/moved`, expectedStatusMin: 302, expectedStatusMax: 400 })
    assert.deepEqual([beyond.status, beyond.statusCode], ['down', 200])
  })

  it('is down with the reason when nobody answers', async () => {
    const free = await freePort()
    const verdict = await checkOnce(http, { url: `http://127.0.0.1:${free}/` })
    assert.deepEqual(
      [verdict.status, verdict.statusCode, verdict.latencyMs, verdict.error],
      ['down', null, null, `Connection refused by 127.0.0.1:${free}`],
    )
  })

  it('is down when a body breaks off that nobody looks at', async () => {
    const raw = await rawServer(answering('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhi'))
    const verdict = await checkOnce(http, { url: `http://127.0.0.1:${raw.port}/` })
    assert.equal(verdict.error, 'The answer was cut short: 8 of 10 bytes are missing')
  })

  it('judges a wrong status before the keyword', async () => {
    assert.equal(
      (await checkOnce(http, { url: `${origin}/broken`, keyword: 'x' })).error,
      'HTTP status 500, expected 200 to 399',
    )
  })

  it('as api asks for JSON', async () => {
    const verdict = await checkOnce(api, { url: `${origin}/`, options: { json_path: 'a' } })
    assert.equal(seen['accept'], 'application/json')
    assert.equal(verdict.error, 'The answer is not JSON')
  })
})

describe('the options of http and api', () => {
  const good = [
    {},
    { json_path: 'a' },
    { json_path: 'a.b.0', expected_value: null },
    { json_path: 'a', expected_value: { b: [1] } },
    { max_latency_ms: 100 },
    { max_latency_ms: 60_000 },
  ]
  const bad = [
    [{ json_path: '' }, 'json_path'],
    [{ json_path: 5 }, 'json_path'],
    [{ expected_value: 1 }, 'expected_value'],
    [{ expected_value: null }, 'expected_value'],
    [{ max_latency_ms: 99 }, 'max_latency_ms'],
    [{ max_latency_ms: 60_001 }, 'max_latency_ms'],
    [{ max_latency_ms: 100.5 }, 'max_latency_ms'],
    [{ max_latency_ms: '100' }, 'max_latency_ms'],
    [{ jsonpath: 'a' }, undefined],
  ] as const
  for (const kind of [http, api]) {
    for (const options of good)
      it(`${kind.name} takes ${JSON.stringify(options)} as it is`, () =>
        assert.deepEqual(kind.options.parse(options), options))
    for (const [options, key] of bad)
      it(`${kind.name} refuses ${JSON.stringify(options)}`, () =>
        assert.equal(kind.options.safeParse(options).error?.issues[0]?.path[0], key))
  }

  const longest: [field: string, most: number, begin: string][] = [
    ['json_path', 500, 'a'],
    ['absent_keyword', 2000, 'a'],
    ['final_url', 2048, 'https://shop.example/'],
  ]
  for (const [field, most, begin] of longest)
    it(`have at most ${most} characters of ${field}`, () => {
      const takes = (length: number): boolean => http.options.safeParse({ [field]: begin.padEnd(length, 'a') }).success
      assert.deepEqual([begin.length, most, most + 1].map(takes), [true, true, false])
    })

  it('are alike but for headers_only', () => {
    assert.equal(http.options.safeParse({ headers_only: true }).success, true)
    assert.equal(http.options.safeParse({ headers_only: 'yes' }).success, false)
    assert.equal(api.options.safeParse({ headers_only: true }).success, false)
  })
})

describe('the registry of kinds', () => {
  it('names every kind as the kind names itself', () => {
    for (const [name, kind] of Object.entries(kinds)) assert.equal(kind.name, name)
  })
})
