import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checkOnce } from '../../../test/support/check.ts'
import { type Asked, googleApi, netWith, refuse } from '../../../test/support/google-api.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { judgeScore, pageSpeed, readMeasurement } from './page-speed.ts'

function measured(score: unknown, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ lighthouseResult: { categories: { performance: { score } }, ...more } })
}

/** Answers as the page-speed service does, by the path of the page. */
function answer({ query }: Asked, response: ServerResponse): unknown {
  const key = query.get('key')
  if (key === 'bad') {
    const message = 'API key not valid: bad. Please pass a valid API key.'
    return refuse(response, 400, { message, status: 'INVALID_ARGUMENT' })
  }
  switch (new URL(query.get('url') ?? '').pathname) {
    case '/slow':
      return response.end(measured(0.43))
    case '/perfect':
      return response.end(measured(1))
    case '/none':
      return response.end(measured(null))
    case '/gone': {
      const message =
        'Lighthouse returned error: FAILED_DOCUMENT_REQUEST. Lighthouse was unable to reliably load the page you requested.'
      return refuse(response, 400, { message, status: 'INVALID_ARGUMENT' })
    }
    case '/blank':
      return response.end(measured(null, { runtimeError: { code: 'NO_FCP', message: 'Nothing was painted.' } }))
    case '/quota':
      return refuse(response, 429, { message: "Quota exceeded for 'Queries'.", status: 'RESOURCE_EXHAUSTED' })
    case '/unasked':
      return response.writeHead(299).end(measured(0.5))
    case '/choices':
      return response.writeHead(300).end(measured(0.5))
    case '/trouble':
      return response.end(measured(null, { runtimeError: { code: 'PROTOCOL_TIMEOUT' } }))
    case '/forbidden':
      return refuse(response, 403, { message: 'The API is disabled.', status: 'PERMISSION_DENIED' })
    case '/broken':
      return response.writeHead(500).end('<html>oops</html>')
    case '/elsewhere':
      return response.writeHead(302, { location: '/pagespeedonline/v5/runPagespeed?url=http://a.example/slow' }).end()
    case '/garbage':
      return response.end('{"lighthouseResult":')
    case '/huge':
      return response.end(`{"a":"${'x'.repeat(9 * 1024 * 1024)}"}`)
    case '/silent':
      return undefined
    default:
      return response.end(measured(0.875))
  }
}

describe('a check of kind page_speed', async () => {
  const api = await googleApi((asked, response) => void answer(asked, response))
  const check = (path: string, options: Record<string, unknown> = {}, timeoutMs = 3000) =>
    checkOnce(pageSpeed, { url: `https://shop.example${path}`, options, timeoutMs }, api.net)

  it('asks for the score of the page on the chosen device', async () => {
    const verdict = await check('/?a=b&c', { api_key: 'k', strategy: 'desktop' })
    assert.deepEqual([verdict.status, verdict.error, verdict.details], ['up', null, { score: 88, strategy: 'desktop' }])
    assert.equal(api.asked[0]?.path, '/pagespeedonline/v5/runPagespeed')
    const { fields, ...query } = Object.fromEntries(api.asked[0]?.query ?? [])
    assert.deepEqual(query, {
      url: 'https://shop.example/?a=b&c',
      strategy: 'desktop',
      category: 'performance',
      key: 'k',
    })
    assert.match(fields ?? '', /performance\/score/)
  })

  it('measures for a telephone and asks without a key when nothing else is said', async () => {
    api.asked.length = 0
    assert.deepEqual((await check('/plain')).details, { score: 88, strategy: 'mobile' })
    assert.deepEqual([api.asked[0]?.query.get('strategy'), api.asked[0]?.query.has('key')], ['mobile', false])
  })

  it('takes every status of success', async () => assert.equal((await check('/unasked')).status, 'up'))

  it('is down below the minimum', async () => {
    const verdict = await check('/slow', { minimum_score: 44 })
    assert.deepEqual(
      [verdict.status, verdict.error, verdict.details],
      ['down', 'The score is 43 (mobile), below the minimum of 44', { score: 43, strategy: 'mobile' }],
    )
    assert.equal((await check('/slow', { minimum_score: 43 })).status, 'up')
  })

  it('uses a score for an hour, for the same page, device and key', async () => {
    api.asked.length = 0
    for (const options of [
      {},
      { minimum_score: 100 },
      { strategy: 'mobile' },
      { strategy: 'desktop' },
      { api_key: 'k' },
    ])
      await check('/perfect', options)
    assert.equal(api.asked.length, 3)
    await checkOnce(pageSpeed, { url: 'https://shop.example/perfect' }, netWith(api.root))
    assert.equal(api.asked.length, 4, 'another net has a memory of its own')
  })

  const failures: [path: string, status: string, error: RegExp][] = [
    [
      '/gone',
      'down',
      /^The page could not be loaded to be measured: Lighthouse returned error: FAILED_DOCUMENT_REQUEST\./,
    ],
    ['/blank', 'down', /^The page could not be loaded to be measured: NO_FCP$/],
    ['/trouble', 'degraded', /^The page-speed service answered without a score$/],
    ['/choices', 'degraded', /^The page-speed service refused: HTTP status 300$/],
    ['/none', 'degraded', /^The page-speed service answered without a score$/],
    ['/quota', 'degraded', /^The page-speed service refused: HTTP status 429, Quota exceeded for 'Queries'\.$/],
    ['/forbidden', 'degraded', /^The page-speed service refused: HTTP status 403, The API is disabled\.$/],
    ['/broken', 'degraded', /^The page-speed service refused: HTTP status 500$/],
    ['/elsewhere', 'degraded', /^The page-speed service refused: HTTP status 302$/],
    ['/garbage', 'degraded', /^The page-speed service answered with something that is not its JSON$/],
    ['/huge', 'degraded', /^The page-speed service answered with something that is not its JSON$/],
    ['/silent', 'degraded', /^The page-speed service could not be asked: Timed out after 120000 ms while waiting/],
  ]
  for (const [path, status, error] of failures)
    it(`is ${status} for ${path}, and asks again the next time`, async () => {
      api.asked.length = 0
      const verdict = await check(path, { minimum_score: 50 }, 700)
      assert.equal(verdict.status, status)
      assert.match(verdict.error ?? '', error)
      assert.deepEqual(verdict.details, { strategy: 'mobile' })
      await check(path, {}, 700)
      assert.equal(api.asked.length, 2)
    })

  it('does not repeat the key that was refused', async () => {
    const { status, error } = await check('/plain', { api_key: 'bad' })
    assert.deepEqual(
      [status, error],
      [
        'degraded',
        'The page-speed service refused: HTTP status 400, API key not valid: ***. Please pass a valid API key.',
      ],
    )
  })

  it('is degraded when the service cannot be reached or speaks something else', async () => {
    const closed = netWith(`http://127.0.0.1:${await freePort()}`)
    const refused = await checkOnce(pageSpeed, { url: 'https://shop.example/' }, closed)
    assert.match(refused.error ?? '', /^The page-speed service could not be asked: Connection refused by /)
    const server = await rawServer(answering('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"lig'))
    const cut = await checkOnce(pageSpeed, { url: 'https://shop.example/' }, netWith(`http://127.0.0.1:${server.port}`))
    assert.match(cut.error ?? '', /cut short/)
    assert.deepEqual([refused.status, cut.status], ['degraded', 'degraded'])
  })

  it('keeps its key secret', () => assert.deepEqual(pageSpeed.secretOptions, ['api_key']))
})

describe('a measurement', () => {
  const scores: [unknown, number | null][] = [
    [0, 0],
    [1, 100],
    [0.995, 100],
    [0.444, 44],
    [null, null],
    [1.1, null],
    [-0.1, null],
    ['0.5', null],
    [undefined, null],
  ]
  for (const [score, expected] of scores)
    it(`of ${String(score)} is ${expected}`, () => {
      const found = readMeasurement({ type: 'answer', json: JSON.parse(measured(score)) })
      assert.equal(found.type === 'score' ? found.score : null, expected)
    })

  it('is read without a throw, whatever the service sends', () => {
    const node = fc.jsonValue({ maxDepth: 3 })
    const key = fc.constantFrom('lighthouseResult', 'categories', 'performance', 'score', 'runtimeError', 'code')
    fc.assert(
      fc.property(fc.dictionary(key, fc.dictionary(key, fc.dictionary(key, node))), (json) => {
        judgeScore(readMeasurement({ type: 'answer', json }), { options: { strategy: 'mobile', minimum_score: 50 } })
      }),
    )
  })
})

describe('the options of page_speed', () => {
  const good = [{}, { minimum_score: 0 }, { minimum_score: 100, strategy: 'desktop', api_key: 'k' }]
  for (const options of good)
    it(`take ${JSON.stringify(options)}`, () => assert.ok(pageSpeed.options.safeParse(options).success))
  const bad: [unknown, string][] = [
    [{ minimum_score: -1 }, 'minimum_score'],
    [{ minimum_score: 101 }, 'minimum_score'],
    [{ minimum_score: 0.5 }, 'minimum_score'],
    [{ minimum_score: '50' }, 'minimum_score'],
    [{ strategy: 'watch' }, 'strategy'],
    [{ api_key: '' }, 'api_key'],
    [{ key: 'k' }, ''],
  ]
  for (const [options, path] of bad)
    it(`refuse ${JSON.stringify(options)}`, () =>
      assert.equal(pageSpeed.options.safeParse(options).error?.issues[0]?.path.join('.'), path))

  it('take a key of at most 500 characters', () => {
    for (const length of [1, 500]) assert.ok(pageSpeed.options.safeParse({ api_key: 'k'.repeat(length) }).success)
    assert.ok(!pageSpeed.options.safeParse({ api_key: 'k'.repeat(501) }).success)
  })
})
