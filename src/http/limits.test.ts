import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import { addressBucket, rateClass } from '#core/language/rate-limit.ts'
import { createLimits } from '#operations/pipeline/limits.ts'
import { defaultRates, testApi } from '../../test/support/api.ts'

const start = Date.parse('2026-03-01T12:00:00Z')

describe('rate limits', async () => {
  const api = await testApi({ rates: { readsPerMinute: 3, writesPerMinute: 2, failuresPerMinute: 2 } })
  const other = await api.addWorkspace()
  // Only the limiter's clock: the database needs the timers. Other files of this process have the real one.
  before(() => mock.timers.enable({ apis: ['Date'], now: start }))
  after(() => mock.timers.reset())
  const write = (token: string) => api.request('PUT', '/account/billing', { token, body: {} })

  it('counts reads and writes apart, and each token by itself', async () => {
    assert.deepEqual(rateOf((await api.get('/account')).headers), ['3', '2', '60'])
    mock.timers.setTime(start + 10_500)
    assert.deepEqual(rateOf((await api.get('/account')).headers), ['3', '1', '50'])
    assert.deepEqual(rateOf((await write(api.token)).headers), ['2', '1', '60'])
    assert.deepEqual(rateOf((await api.get('/account', { token: other.token })).headers), ['3', '2', '60'])
  })

  it('takes HEAD for a read', async () => {
    assert.deepEqual(rateOf((await api.request('HEAD', '/account')).headers), ['3', '0', '50'])
  })

  it('answers 429 with Retry-After beyond the limit, and again normally in the next window', async () => {
    const refused = await api.get('/account')
    assert.equal(refused.status, 429)
    assert.match(refused.text, /"error":"rate_limited"/)
    assert.equal(refused.headers.get('retry-after'), '50')
    assert.deepEqual(rateOf(refused.headers), ['3', '0', '50'])
    mock.timers.setTime(start + 59_999)
    assert.equal((await api.get('/account')).headers.get('retry-after'), '1')
    mock.timers.setTime(start + 60_000)
    assert.deepEqual(rateOf((await api.get('/account')).headers), ['3', '2', '60'])
  })

  it('counts requests that are refused for what they say', async () => {
    mock.timers.setTime(start + 120_000)
    const refused = await api.request('PUT', '/account/billing', { body: { billing_name: 1 } })
    assert.deepEqual([refused.status, ...rateOf(refused.headers)], [422, '2', '1', '60'])
  })

  it('refuses bad credentials of an address beyond the limit, and no good ones', async () => {
    const bad = { token: `pgk_${'b'.repeat(40)}`, address: '198.51.100.9' }
    const codes = []
    for (let count = 0; count < 3; count += 1) codes.push((await api.get('/account', bad)).status)
    assert.deepEqual(codes, [401, 401, 429])
    assert.equal((await api.get('/account', { ...bad, token: other.token })).status, 200)
    assert.equal((await api.get('/account', { ...bad, address: '198.51.100.10' })).status, 401)
    assert.equal((await api.get('/account', { ...bad, token: null })).status, 429)
    mock.timers.setTime(start + 180_000)
    assert.equal((await api.get('/account', bad)).status, 401)
  })

  it('counts requests without a token as failures of their address', async () => {
    const without = { token: null, address: '198.51.100.11' }
    const answers = []
    for (let count = 0; count < 3; count += 1) answers.push(await api.get('/account', without))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 429],
    )
    assert.match(answers[2]?.text ?? '', /"error":"rate_limited"/)
    assert.notEqual(answers[2]?.headers.get('retry-after'), null)
    assert.equal((await api.get('/account', { ...without, token: other.token })).status, 200)
  })
})

describe('the limits of the API', () => {
  it('are 300 reads, 60 writes and 60 failures a minute', async () => {
    const limits = createLimits(defaultRates)
    const counted = [
      await limits.countRequest('reads', 'a'),
      await limits.countRequest('writes', 'a'),
      await limits.countFailure('203.0.113.1'),
    ]
    assert.deepEqual(
      counted.map(({ limit, remaining }) => [limit, remaining]),
      [
        [300, 299],
        [60, 59],
        [60, 59],
      ],
    )
  })

  it('take GET and HEAD for reads and everything else for writes', () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
    assert.deepEqual(methods.map(rateClass), ['reads', 'reads', 'writes', 'writes', 'writes', 'writes'])
  })

  it('keep a bounded number of counters for any number of addresses', () => {
    const buckets = new Set<number>()
    for (let index = 0; index < 200_000; index += 1)
      buckets.add(addressBucket(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`))
    assert.ok(buckets.size <= 65_536 && buckets.size > 50_000, `${buckets.size} counters`)
    assert.ok([...buckets].every((bucket) => bucket >= 0 && bucket < 65_536))
  })
})

function rateOf(headers: Headers): (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
}
