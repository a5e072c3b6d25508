import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createNet } from '#net/create-net.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import type { Attempt, Carriers } from './contact.ts'
import { readRetryAfter, sendMessage } from './send.ts'

describe('sendMessage over http', async () => {
  const receiver = await startReceiver()
  const carriers: Carriers = {
    net: createNet({ allowPrivate: ['127.0.0.0/8'] }),
    sendMail: () => assert.fail('this is no mail'),
  }
  const send = (url: string, timeoutMs = 5000, through = carriers): Promise<Attempt> =>
    sendMessage(
      { via: 'http', url, headers: { 'x-test': 'yes' }, body: '{"a":1}' },
      through,
      AbortSignal.timeout(timeoutMs),
    )
  const delivered = { isDelivered: true, error: null, retryAfterSeconds: null, isGone: false }
  const refused = { isDelivered: false, retryAfterSeconds: null, isGone: false }

  it('posts the body with its headers', async () => {
    assert.deepEqual(await send(`${receiver.url}/in?key=1`), { ...delivered, statusCode: 204 })
    const [one] = receiver.received
    assert.equal(one?.path, '/in?key=1')
    assert.equal(one?.headers['x-test'], 'yes')
    assert.equal(one?.body, '{"a":1}')
  })

  const answers = [
    [200, {}, { ...delivered, statusCode: 200 }],
    [299, {}, { ...delivered, statusCode: 299 }],
    [
      302,
      { location: '/in' },
      { ...refused, statusCode: 302, error: 'The contact answered 302; redirects are not followed.' },
    ],
    [404, {}, { ...refused, statusCode: 404, error: 'The contact answered 404.' }],
    [410, {}, { ...refused, statusCode: 410, error: 'The contact answered 410.', isGone: true }],
    [
      429,
      { 'retry-after': '17' },
      { ...refused, statusCode: 429, error: 'The contact answered 429.', retryAfterSeconds: 17 },
    ],
    [503, { 'retry-after': 'soon' }, { ...refused, statusCode: 503, error: 'The contact answered 503.' }],
  ] as const
  for (const [status, headers, expected] of answers)
    it(`makes of ${status} ${expected.isDelivered ? 'a delivery' : 'a failure'}, in one request`, async () => {
      const before = receiver.received.length
      receiver.react(() => ({ status, headers }))
      assert.deepEqual(await send(receiver.url), expected)
      assert.equal(receiver.received.length, before + 1)
    })

  it('ends by its signal when no answer comes', async () => {
    receiver.react(() => null)
    const attempt = await send(receiver.url, 200)
    assert.equal(attempt.isDelivered, false)
    assert.equal(attempt.statusCode, null)
    assert.match(attempt.error ?? '', /timed out/i)
  })

  it('fails in words where nobody listens', async () => {
    const closed = await startReceiver()
    await closed.close()
    const attempt = await send(closed.url)
    assert.deepEqual([attempt.isDelivered, attempt.isGone], [false, false])
    assert.match(attempt.error ?? '', /refused/i)
  })

  it('dials no private address that the installation does not admit', async () => {
    receiver.react(() => ({ status: 204 }))
    const before = receiver.received.length
    const attempt = await send(receiver.url, 5000, { ...carriers, net: createNet({ allowPrivate: 'none' }) })
    assert.equal(attempt.isDelivered, false)
    assert.equal(receiver.received.length, before)
  })
})

describe('readRetryAfter', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  const cases = [
    [undefined, null],
    ['', null],
    ['0', 0],
    [' 120 ', 120],
    ['-1', null],
    ['1.5', null],
    ['99999999999', null],
    ['Sat, 21 Nov 2026 10:01:00 GMT', 60],
    ['Saturday, 21-Nov-26 10:01:00 GMT', 60],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['tomorrow morning', null],
  ] as const
  for (const [header, seconds] of cases)
    it(`reads ${JSON.stringify(header)} as ${seconds}`, () => assert.equal(readRetryAfter(header, now), seconds))

  it('reads anything as a number of seconds or nothing', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const seconds = readRetryAfter(header, now)
          assert.ok(seconds === null || (Number.isSafeInteger(seconds) && seconds >= 0))
        },
      ),
    ))
})
