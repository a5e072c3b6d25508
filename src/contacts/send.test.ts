import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { answering, rawServer } from '../../test/support/raw-server.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { judgeHttp } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { type Attempt, type Carriers, attemptTimeoutMs, errorOf, postMessage, sendMessage } from './send.ts'

describe('what an attempt says of itself', () => {
  it('is nothing once it is delivered, and else why it is not', () => {
    assert.equal(errorOf({ outcome: 'delivered', statusCode: 200 }), null)
    assert.equal(errorOf({ outcome: 'failed', error: 'Gone.', isGone: true, statusCode: 410 }), 'Gone.')
    assert.equal(errorOf({ outcome: 'try_again', error: 'Busy.', afterSeconds: null, statusCode: 503 }), 'Busy.')
  })
})

describe('sendMessage over http', async () => {
  const receiver = await startReceiver()
  const carriers: Carriers = {
    net: createNet({ allowPrivate: ['127.0.0.0/8'] }),
    sendMail: () => assert.fail('this is no mail'),
  }
  const send = (url: string, timeoutMs = 5000, through = carriers): Promise<Attempt> =>
    sendMessage(messageTo(url), { carriers: through, signal: AbortSignal.timeout(timeoutMs) })
  const delivered = { outcome: 'delivered' } as const
  const refused = { outcome: 'try_again', afterSeconds: null } as const

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
    [410, {}, { outcome: 'failed', statusCode: 410, error: 'The contact answered 410.', isGone: true }],
    [
      429,
      { 'retry-after': '17' },
      { ...refused, statusCode: 429, error: 'The contact answered 429.', afterSeconds: 17 },
    ],
    [503, { 'retry-after': 'soon' }, { ...refused, statusCode: 503, error: 'The contact answered 503.' }],
  ] as const
  for (const [status, headers, expected] of answers)
    it(`makes of ${status} ${expected.outcome === 'delivered' ? 'a delivery' : 'a failure'}, in one request`, async () => {
      const before = receiver.received.length
      receiver.react(() => ({ status, headers }))
      assert.deepEqual(await send(receiver.url), expected)
      assert.equal(receiver.received.length, before + 1)
    })

  it('shows the judge what was answered: status, headers and the beginning of the body', async () => {
    const seen: HttpAnswer[] = []
    const body = `é${'x'.repeat(100_000)}`
    receiver.react(() => ({ status: 400, headers: { 'x-reason': 'chat' }, body }))
    const way = { carriers, signal: AbortSignal.timeout(5000) }
    const attempt = await postMessage(
      messageTo(receiver.url),
      (answer) => {
        seen.push(answer)
        return { outcome: 'failed', error: 'No such chat.', isGone: true }
      },
      way,
    )
    assert.deepEqual(attempt, { outcome: 'failed', error: 'No such chat.', isGone: true, statusCode: 400 })
    const [answer, ...others] = seen
    assert.equal(others.length, 0)
    assert.equal(answer?.status, 400)
    assert.equal(answer?.headers['x-reason'], 'chat')
    assert.equal(answer?.body, body.slice(0, 16 * 1024 - 1))
  })

  it('takes the word of a receiver that says 2xx and never ends its answer', async () => {
    const unending = await rawServer(
      answering('HTTP/1.1 202 Yes\r\ncontent-length: 9\r\n\r\n{"ok"', { staysOpen: true }),
    )
    const bodies: string[] = []
    const attempt = await postMessage(
      messageTo(`http://127.0.0.1:${unending.port}/`),
      (answer) => {
        bodies.push(answer.body)
        return judgeHttp(answer)
      },
      { carriers, signal: AbortSignal.timeout(attemptTimeoutMs) },
    )
    assert.deepEqual(attempt, { ...delivered, statusCode: 202 })
    assert.deepEqual(bodies, ['{"ok"'])
  })

  it('ends by its signal when no answer comes', async () => {
    receiver.react(() => null)
    const attempt = await send(receiver.url, 200)
    assert.equal(attempt.statusCode, null)
    assert.match(unanswered(attempt), /timed out/i)
  })

  it('fails in words where nobody listens', async () => {
    const closed = await startReceiver()
    await closed.close()
    const attempt = await send(closed.url)
    assert.match(unanswered(attempt), /refused/i)
  })

  it('dials no private address that the installation does not admit', async () => {
    receiver.react(() => ({ status: 204 }))
    const before = receiver.received.length
    const attempt = await send(receiver.url, 5000, { ...carriers, net: createNet({ allowPrivate: 'none' }) })
    assert.match(unanswered(attempt), /private/)
    assert.equal(receiver.received.length, before)
  })
})

function messageTo(url: string): HttpMessage {
  return { via: 'http', url, headers: { 'x-test': 'yes' }, body: '{"a":1}' }
}

/** Why there was no answer; such an attempt is always made again. */
function unanswered(attempt: Attempt): string {
  assert.equal(attempt.statusCode, null)
  return attempt.outcome === 'try_again' ? attempt.error : assert.fail(attempt.outcome)
}
