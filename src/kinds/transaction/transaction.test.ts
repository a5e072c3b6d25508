import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { checkOnce, configurationOf } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { stepLimits } from '../../../test/support/steps.ts'
import { decideStatuses, statusesToCheck } from '#core/monitors/expected-statuses.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { Check } from '#kinds/kind.ts'
import { transaction } from './transaction.ts'
import { checkOf, judgeRun } from './transaction-kind.ts'
import type { Step, TransactionOptions } from './transaction-options.ts'

type Seen = { request: string; headers: IncomingMessage['headers']; body: string }

/** A shop: who signs in gets a session, who has one a cart; /again sends itself on until its cookie has come. */
async function shop() {
  const seen: Seen[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    await once(request, 'end')
    const { url = '', method, headers } = request
    seen.push({ request: `${method} ${url}`, headers, body: Buffer.concat(pieces).toString() })
    const isKnown = headers.cookie?.includes('session=1') === true
    if (url === '/login' && method === 'POST')
      return void response.writeHead(303, { location: '/welcome', 'set-cookie': ['session=1; HttpOnly', 'a=b'] }).end()
    if (url === '/welcome') return void response.end(isKnown ? 'Hello Ada' : 'Who are you?')
    if (url.startsWith('/cart')) return void response.writeHead(isKnown ? 200 : 401).end('{"items":[{"id":7}]}')
    if (url === '/again' && headers.cookie === undefined)
      return void response.writeHead(302, { location: '/again', 'set-cookie': 'seen=1' }).end()
    if (url === '/for-ever') return void response.writeHead(302, { location: '/for-ever' }).end()
    if (url === '/slow') return void setTimeout(() => response.end('late'), 150)
    if (url === '/silent') return
    if (url === '/endless') return drip(response)
    response.end('plain')
  }
  const { port } = await httpServer((request, response) => void answer(request, response))
  return { origin: `http://127.0.0.1:${port}`, port, seen }
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 20)
  response.once('close', () => clearInterval(timer))
}

function steps(verdict: Verdict): unknown {
  return verdict.details['steps']
}

describe('a check of kind transaction', async () => {
  const { origin, port, seen } = await shop()
  function run(given: Step[], wishes: Partial<Parameters<typeof checkOnce>[1]> = {}): Promise<Verdict> {
    seen.length = 0
    return checkOnce(transaction, { url: `${origin}/`, options: { steps: given }, ...wishes })
  }

  it('signs in, is led on and stays known, as in a browser', async () => {
    const verdict = await run([
      { url: '/login', method: 'POST', body: 'name=ada', keyword: 'Hello Ada' },
      { url: `${origin}/cart`, json_path: 'items.0.id', expected_value: 7 },
    ])
    assert.deepEqual([verdict.status, verdict.error, verdict.statusCode], ['up', null, 200])
    assert.deepEqual(
      seen.map(({ request, headers, body }) => [request, headers.cookie, body]),
      [
        ['POST /login', undefined, 'name=ada'],
        ['GET /welcome', 'session=1; a=b', ''],
        ['GET /cart', 'session=1; a=b', ''],
      ],
    )
    assert.ok(Number.isInteger(verdict.latencyMs) && Number.isInteger(verdict.phases.ttfbMs))
  })

  it('begins every run without cookies', async () => {
    await run([{ url: '/login', method: 'POST' }])
    const verdict = await run([{ url: '/cart' }])
    assert.equal(verdict.error, 'Step 1 (GET /cart): HTTP status 401, expected 200 to 399')
  })

  it('stops at the first step that fails and says which', async () => {
    const verdict = await run([{ url: '/' }, { url: '/cart?id=secret' }, { url: '/welcome' }])
    assert.deepEqual(
      [verdict.status, verdict.statusCode, verdict.error],
      ['down', 401, 'Step 2 (GET /cart): HTTP status 401, expected 200 to 399'],
    )
    assert.deepEqual(
      seen.map(({ request }) => request),
      ['GET /', 'GET /cart?id=secret'],
    )
    const list = steps(verdict)
    assert.ok(Array.isArray(list))
    assert.deepEqual(
      list.map(({ latency_ms: latencyMs, ...rest }: Record<string, unknown>) => {
        assert.ok(Number.isInteger(latencyMs))
        return rest
      }),
      [
        { index: 1, status: 'up', status_code: 200, error: null },
        { index: 2, status: 'down', status_code: 401, error: 'HTTP status 401, expected 200 to 399' },
      ],
    )
  })

  it('goes on after a slow step and is degraded', async () => {
    const verdict = await run([{ url: '/slow', max_latency_ms: 100 }, { url: '/' }])
    assert.deepEqual(
      [verdict.status, verdict.error],
      ['degraded', 'Step 1 (GET /slow): The answer took longer than 100 ms'],
    )
    assert.equal(seen.length, 2)
  })

  it('calls a step by its name, where it has one', async () => {
    const verdict = await run([
      { name: 'Look around', url: '/' },
      { name: 'Order', url: '/slow', max_latency_ms: 100 },
    ])
    assert.equal(verdict.error, 'Step 2 (Order, GET /slow): The answer took longer than 100 ms')
    const list = steps(verdict)
    assert.ok(Array.isArray(list))
    assert.deepEqual(
      list.map(({ index, name, status }: Record<string, unknown>) => [index, name, status]),
      [
        [1, 'Look around', 'up'],
        [2, 'Order', 'degraded'],
      ],
    )
  })

  it('does what the monitor says where a step says nothing', async () => {
    const verdict = await run([{}, { url: '/other', headers: { 'X-Own': '1' }, body: null, keyword: null }], {
      method: 'PUT',
      keyword: 'plain',
      requestBody: 'body',
      requestHeaders: { 'X-Key': 'k' },
    })
    assert.equal(verdict.status, 'up')
    assert.deepEqual(
      seen.map(({ request, headers, body }) => [request, headers['x-key'], headers['x-own'], body]),
      [
        ['PUT /', 'k', undefined, 'body'],
        ['PUT /other', undefined, '1', ''],
      ],
    )
  })

  it("keeps the monitor's headers from other origins", async () => {
    const other = await shop()
    await run([{ url: `${other.origin}/` }, { url: `${other.origin}/`, headers: { 'x-key': 'own' } }], {
      requestHeaders: { 'X-Key': 'k' },
    })
    assert.deepEqual(
      other.seen.map(({ headers }) => headers['x-key']),
      [undefined, 'own'],
    )
  })

  it("sends the customer's cookies beside those of the run", async () => {
    await run([{ url: '/login', method: 'POST', headers: { cookie: 'own=1' } }])
    assert.deepEqual(
      seen.map(({ headers }) => headers.cookie),
      ['own=1', 'own=1; session=1; a=b'],
    )
  })

  it('may be sent to the same address again to try its cookies, but not for ever', async () => {
    assert.equal((await run([{ url: '/again', keyword: 'plain' }])).error, null)
    const { error } = await run([{ url: '/for-ever' }])
    assert.equal(error, `Step 1 (GET /for-ever): Redirect loop: it leads back to ${origin}/for-ever`)
    assert.equal(seen.length, 11)
  })

  it('keeps the cookies of a redirect that is not followed', async () => {
    const verdict = await run([
      { url: '/login', method: 'POST', expected_status_min: 303, expected_status_max: 303 },
      { url: '/cart' },
    ])
    assert.equal(verdict.error, null)
    assert.equal(seen.length, 2)
  })

  const broken: [what: string, url: (port: number) => Promise<string>, error: RegExp][] = [
    [
      'a refused connection',
      async () => `http://127.0.0.1:${await freePort()}/`,
      /^Step 2 \(GET \/\): Connection refused by 127\.0\.0\.1:\d+$/,
    ],
    ['a silent server', async () => '/silent', /^Step 2 \(GET \/silent\): Timed out after 600 ms while waiting for/],
    ['a dripping server', async () => '/endless', /^Step 2 \(GET \/endless\): Timed out after 600 ms while reading/],
    [
      'a server that speaks something else',
      async () => `http://127.0.0.1:${(await rawServer((socket) => socket.end('220 mail\r\n'))).port}/`,
      /^Step 2 \(GET \/\): .*HTTP/,
    ],
    [
      'an answer cut short',
      async () =>
        `http://127.0.0.1:${(await rawServer(answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi'))).port}/`,
      /^Step 2 \(GET \/\): The answer was cut short: 7 of 9 bytes are missing$/,
    ],
    ['TLS where there is none', async () => `https://127.0.0.1:${port}/`, /^Step 2 \(GET \/\): .*TLS/],
  ]
  for (const [what, url, error] of broken)
    it(`ends at its deadline with the step to blame for ${what}`, async () => {
      const startedAt = performance.now()
      const verdict = await run([{ url: '/' }, { url: await url(port) }, { url: '/' }], { timeoutMs: 600 })
      assert.ok(performance.now() - startedAt < 5_000)
      assert.deepEqual([verdict.status, verdict.latencyMs], ['down', null])
      assert.match(verdict.error ?? '', error)
    })

  it('has one deadline for the whole run', async () => {
    const slow = { url: '/slow' }
    const verdict = await run([slow, slow, slow, slow, slow], { timeoutMs: 500 })
    assert.match(verdict.error ?? '', /^Step [2-4] \(GET \/slow\): Timed out after 500 ms while /)
  })
})

describe('a step', () => {
  const check: Check<TransactionOptions> = {
    ...configurationOf(transaction, { url: 'https://shop.example/start', requestHeaders: { key: 'k' }, keyword: 'x' }),
    options: { steps: [] },
  }
  const bounds: [Step, [number, number]][] = [
    [{}, [200, 399]],
    [{ expected_status_min: 404 }, [404, 404]],
    [{ expected_status_max: 150 }, [150, 150]],
    [{ expected_status_min: 301 }, [301, 399]],
    [{ expected_status_max: 204 }, [200, 204]],
    [{ expected_status_min: 500, expected_status_max: 599 }, [500, 599]],
  ]
  for (const [step, expected] of bounds)
    it(`${JSON.stringify(step)} expects ${expected.join(' to ')}`, () => {
      const { expectedStatusMin, expectedStatusMax } = checkOf(step, check)
      assert.deepEqual([expectedStatusMin, expectedStatusMax], expected)
    })

  it('expects the statuses of its own list, else those of its bounds, else those of the monitor', () => {
    const listed = { ...check, ...statusesToCheck(decideStatuses({ expected_statuses: ['200-299', '401'] }, null)) }
    const statusesOf = (step: Step): unknown => {
      const { expectedStatusMin, expectedStatusMax, expectedStatuses } = checkOf(step, listed)
      return [expectedStatusMin, expectedStatusMax, expectedStatuses]
    }
    assert.deepEqual(statusesOf({}), [200, 401, listed.expectedStatuses])
    assert.deepEqual(statusesOf({ expected_statuses: null }), [200, 401, listed.expectedStatuses])
    assert.deepEqual(statusesOf({ expected_status_min: 300 }), [300, 401, undefined])
    assert.deepEqual(statusesOf({ expected_statuses: ['404', '410'] }), [
      404,
      410,
      [
        [404, 404],
        [410, 410],
      ],
    ])
  })

  it('of a path is on the target', () => {
    assert.equal(checkOf({ url: '/a?b=1' }, check).url, 'https://shop.example/a?b=1')
    assert.equal(checkOf({}, check).url, 'https://shop.example/start')
  })

  it('of the same host over plain HTTP does not get the headers of the secure one', () => {
    assert.deepEqual(checkOf({ url: 'http://shop.example/' }, check).requestHeaders, {})
    assert.deepEqual(checkOf({ url: 'https://shop.example:443/' }, check).requestHeaders, { key: 'k' })
  })
})

describe('the verdict about a run', () => {
  const phases = { ...noPhases, ttfbMs: 2 }
  const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 5, error: null, phases, details: {} }
  const slow: Verdict = { ...up, status: 'degraded', latencyMs: 900, error: 'slow' }
  const wrong: Verdict = { ...up, status: 'down', statusCode: 500, error: 'wrong' }
  const gone: Verdict = { ...up, status: 'down', statusCode: null, latencyMs: null, error: 'gone' }
  const cases: [Verdict[], Partial<Verdict>][] = [
    [[up, up], { status: 'up', statusCode: 200, latencyMs: 10, error: null, phases: { ...noPhases, ttfbMs: 4 } }],
    [[up, slow, slow], { status: 'degraded', latencyMs: 1805, error: 'Step 2 (GET /): slow' }],
    [[slow, wrong], { status: 'down', statusCode: 500, latencyMs: 905, error: 'Step 2 (GET /): wrong' }],
    [[up, gone], { status: 'down', statusCode: null, latencyMs: null, error: 'Step 2 (GET /): gone' }],
  ]
  for (const [verdicts, expected] of cases)
    it(`of ${verdicts.map(({ error }) => error ?? 'up').join(', ')} is ${expected.status}`, () => {
      const verdict = judgeRun(verdicts.map((each) => ({ request: 'GET /', verdict: each })))
      assert.deepEqual({ ...verdict, ...expected }, verdict)
    })
})

describe('the options of transactions', () => {
  it('are at most five steps, and at least one', () => {
    assert.deepEqual(stepLimits(transaction, 5), [false, true, true, false])
  })

  it('keep the headers of steps, the secret of codes, the client certificate and the secret of signing in', () => {
    const headers = { list: 'steps', member: 'headers', sameBy: ['method', 'url'] }
    const values = { list: 'secrets', member: 'value', sameBy: ['name'] }
    assert.deepEqual(transaction.secretOptions, [
      headers,
      values,
      'totp_secret',
      'client_certificate',
      'sign_in_secret',
      'proxy_secret',
    ])
  })

  it('tell the hosts that steps lead to', () => {
    const given = { steps: [{}, { url: '/a' }, { url: 'http://127.0.0.1/' }, { url: 'http://[::1]:80/' }] }
    assert.deepEqual(transaction.optionHosts(given), [
      { path: ['steps', 2, 'url'], host: '127.0.0.1' },
      { path: ['steps', 3, 'url'], host: '[::1]' },
    ])
  })

  const good = [
    { url: '/' },
    { url: '/a/../b?c#d' },
    { url: 'https://example.com/login', method: 'POST', headers: { a: 'b' }, body: 'c', keyword: 'd' },
    { headers: null, body: null, keyword: null },
    { name: 'Sign in' },
    { expected_status_min: 200, expected_status_max: 200, max_latency_ms: 100 },
    { json_path: 'a', expected_value: null },
    { expected_statuses: ['200-299', '401'], expected_status_min: 200, expected_status_max: 401 },
    { expected_statuses: null },
  ]
  for (const step of good)
    it(`take ${JSON.stringify(step)}`, () => {
      assert.deepEqual(transaction.options.safeParse({ steps: [step] }).error?.issues, undefined)
    })

  const bad: [unknown, string][] = [
    [{ name: '' }, 'steps.0.name'],
    [{ name: 'a\nb' }, 'steps.0.name'],
    [{ name: 'x'.repeat(61) }, 'steps.0.name'],
    [{ url: '' }, 'steps.0.url'],
    [{ url: 'login' }, 'steps.0.url'],
    [{ url: '//example.com/' }, 'steps.0.url'],
    [{ url: '/\\example.com/' }, 'steps.0.url'],
    [{ url: '/\t/example.com/' }, 'steps.0.url'],
    [{ url: 'ftp://example.com/' }, 'steps.0.url'],
    [{ url: 'https://u:p@example.com/' }, 'steps.0.url'],
    [{ url: `/${'x'.repeat(2048)}` }, 'steps.0.url'],
    [{ method: 'BREW' }, 'steps.0.method'],
    [{ headers: { 'a b': 'c' } }, 'steps.0.headers.a b'],
    [{ headers: { a: 'b\n' } }, 'steps.0.headers.a'],
    [{ expected_status_min: 99 }, 'steps.0.expected_status_min'],
    [{ expected_status_min: 300, expected_status_max: 200 }, 'steps.0.expected_status_min'],
    [{ expected_statuses: ['2xx'] }, 'steps.0.expected_statuses.0'],
    [{ expected_statuses: ['401'], expected_status_max: 400 }, 'steps.0.expected_status_max'],
    [{ expected_value: 1 }, 'steps.0.expected_value'],
    [{ max_latency_ms: 99 }, 'steps.0.max_latency_ms'],
    [{ colour: 'red' }, 'steps.0'],
    ['step', 'steps.0'],
  ]
  for (const [step, path] of bad)
    it(`refuse ${JSON.stringify(step).slice(0, 60)} at ${path}`, () => {
      const parsed = transaction.options.safeParse({ steps: [step] })
      assert.deepEqual(
        parsed.error?.issues.map((issue) => issue.path.join('.')),
        [path],
      )
    })

  it('refuse what is missing or unknown', () => {
    for (const [options, path] of [
      [{}, 'steps'],
      [{ steps: null }, 'steps'],
      [{ steps: [{}], colour: 'red' }, ''],
    ] as const)
      assert.equal(transaction.options.safeParse(options).error?.issues[0]?.path.join('.'), path)
  })
})
