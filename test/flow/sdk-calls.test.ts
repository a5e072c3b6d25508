// How the client of the SDK meets services that fail: what it repeats, when, and for how long.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { ConnectionError, PerigeeError, RateLimitError, ServerError, TimeoutError } from '../../sdk/src/errors.ts'
import { itemsOf } from '../../sdk/src/pages.ts'
import { credentialFor, readChallenges } from '../../sdk/src/payments.ts'
import { createSend, type Order } from '../../sdk/src/request.ts'
import { waitBefore } from '../../sdk/src/retry.ts'
import { verifiedBody, WebhookError } from '../../sdk/src/webhooks.ts'
import { signedMessage } from '../../src/contacts/webhook.ts'
import { httpServer } from '../support/http-server.ts'
import { freePort } from '../support/free-port.ts'

type Answer = (response: ServerResponse, count: number) => void

const get: Order = { method: 'GET', path: '/monitors' }
const create: Order = { method: 'POST', path: '/monitors', body: { name: 'Shop' }, takesKey: true }
const pause: Order = { method: 'POST', path: '/monitors/1/pause' }
const change: Order = { method: 'PATCH', path: '/monitors/1', body: { name: 'Shop' } }

const fine: Answer = (response) => void response.setHeader('content-type', 'application/json').end('{"data":[]}')
const failing =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end('{"error":"unavailable","message":"Not now."}')
const once =
  (first: Answer): Answer =>
  (response, count) =>
    count === 1 ? first(response, count) : fine(response, count)
const broken: Answer = (response) => void response.destroy()

async function serviceOf(answer: Answer): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const { port } = await httpServer((request, response) => {
    requests.push(request)
    answer(response, requests.length)
  })
  return { url: `http://127.0.0.1:${port}`, requests }
}

describe('calls of the SDK', () => {
  const repeated: [what: string, order: Order, first: Answer, payment?: string][] = [
    ['a read that the connection broke off', get, broken],
    ['a read that was answered 503', get, failing(503)],
    ['a read that was answered 502', get, failing(502)],
    ['a creation with its key that broke off', create, broken],
    ['a creation with its key that was answered 500', create, failing(500)],
    ['any change that was one too many', change, failing(429)],
    ['a paid change that broke off', change, broken, 'abc'],
  ]
  for (const [what, order, first, payment] of repeated)
    it(`repeat ${what}`, async () => {
      const { url, requests } = await serviceOf(once(first))
      await createSend({ url, token: 't' })(order, { payment })
      assert.equal(requests.length, 2)
      const [one, two] = requests.map(({ headers }) => headers)
      assert.equal(one?.['idempotency-key'], two?.['idempotency-key'])
      assert.equal(two?.['x-api-key'], 't')
      assert.equal(two?.['authorization'], payment === undefined ? undefined : 'Payment abc')
      assert.equal(typeof one?.['idempotency-key'], order.takesKey === true ? 'string' : 'undefined')
    })

  const kept: [what: string, order: Order, first: Answer, error: typeof ServerError | typeof ConnectionError][] = [
    ['a change that broke off', change, broken, ConnectionError],
    ['a change that was answered 503', change, failing(503), ServerError],
    ['a call without a body that was answered 500', pause, failing(500), ServerError],
  ]
  for (const [what, order, first, kind] of kept)
    it(`do not repeat ${what}`, async () => {
      const { url, requests } = await serviceOf(once(first))
      await assert.rejects(createSend({ url })(order), (error) => error instanceof kind)
      assert.equal(requests.length, 1)
    })

  it('end after their retries, with the last answer', async () => {
    const { url, requests } = await serviceOf(failing(503, { 'x-request-id': 'r1' }))
    await assert.rejects(createSend({ url, maxRetries: 1 })(get), (error) => {
      assert.ok(error instanceof ServerError)
      assert.deepEqual(
        [error.status, error.code, error.message, error.requestId],
        [503, 'unavailable', 'Not now.', 'r1'],
      )
      return true
    })
    assert.equal(requests.length, 2)
    await assert.rejects(createSend({ url })(get, { maxRetries: 0 }))
    assert.equal(requests.length, 3)
  })

  it('do not wait for longer than they may take', async () => {
    const { url, requests } = await serviceOf(failing(429, { 'retry-after': '60' }))
    await assert.rejects(createSend({ url, timeoutMs: 20_000 })(get), (error) => {
      assert.ok(error instanceof RateLimitError)
      assert.equal(error.retryAfterSeconds, 60)
      return true
    })
    assert.equal(requests.length, 1)
  })

  it('end at their deadline, and with the signal of their caller', async () => {
    const { url } = await serviceOf(() => {})
    await assert.rejects(createSend({ url })(get, { timeoutMs: 100 }), (error) => error instanceof TimeoutError)
    const reason = new Error('not wanted any more')
    const caller = new AbortController()
    const call = createSend({ url })(get, { signal: caller.signal })
    caller.abort(reason)
    await assert.rejects(call, (error) => error === reason)
  })

  it('say that a service is not there', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await assert.rejects(createSend({ url, maxRetries: 0 })(get), (error) => {
      assert.ok(error instanceof ConnectionError)
      assert.match(error.message, /ECONNREFUSED/)
      return true
    })
  })

  it('carry the token to no other address', async () => {
    const other = await serviceOf(fine)
    const { url } = await serviceOf((response) => void response.writeHead(307, { location: other.url }).end())
    await assert.rejects(createSend({ url, token: 't', maxRetries: 0 })(get), ConnectionError)
    assert.equal(other.requests.length, 0)
  })

  it('write several values of a parameter with commas, and leave out what is not given', async () => {
    const { url, requests } = await serviceOf(fine)
    const query = { status: ['up', 'down'], name: 'a&b', limit: 5, cursor: undefined }
    await createSend({ url: `${url}/below/` })({ ...get, query })
    assert.equal(requests[0]?.url, '/below/api/v1/monitors?status=up%2Cdown&name=a%26b&limit=5')
  })

  for (const url of ['ftp://a.example', 'https://a.example/?b', 'https://u:p@a.example', 'a.example'])
    it(`refuse the address ${url}`, () => assert.throws(() => createSend({ url }), TypeError))

  it('take answers of something in between for what they are', async () => {
    const { url } = await serviceOf((response) => void response.writeHead(404).end('<html>'))
    await assert.rejects(createSend({ url })(get), (error) => {
      assert.ok(error instanceof PerigeeError)
      assert.deepEqual([error.code, error.body], ['unknown', '<html>'])
      return true
    })
  })
})

describe('waits between attempts', () => {
  it('grow, up to a limit, and are never shorter than the service asks', () => {
    const error = new ConnectionError('broken')
    for (const attempt of [0, 1, 4, 5, 9]) {
      const full = Math.min(8_000, 250 * 2 ** attempt)
      const waitMs = waitBefore(error, { attempt, mayRepeat: true }) ?? assert.fail()
      assert.ok(waitMs >= full / 2 && waitMs <= full, `${waitMs} of ${full}`)
    }
    const asked = new RateLimitError({ status: 429, headers: new Headers({ 'retry-after': '7' }), body: undefined })
    assert.equal(waitBefore(asked, { attempt: 0, mayRepeat: false }), 7_000)
  })

  it('are none where payments are off, since that does not pass', () => {
    const body = { error: 'payments_disabled' }
    const error = new ServerError({ status: 503, headers: new Headers(), body })
    assert.equal(waitBefore(error, { attempt: 0, mayRepeat: true }), null)
  })
})

describe('pages of the SDK', () => {
  it('end where a service answers a page again', async () => {
    const items = itemsOf(async () => ({ data: [1], next_cursor: 'a' }))
    assert.equal((await items.next()).value, 1)
    assert.equal((await items.next()).value, 1)
    await assert.rejects(items.next(), /the same page twice/)
  })

  it('refuse what is no list', async () => {
    await assert.rejects(itemsOf(async () => 'no').next(), /no list/)
  })
})

describe('challenges of the SDK', () => {
  it('are read from a header that has several schemes', () => {
    const request = Buffer.from('{"amount":"50"}').toString('base64url')
    const header = `Bearer realm="a", Payment id="1", method="card", request="${request}", description="a \\"b\\", c", Payment id=2, method="chain"`
    const [card, chain, ...more] = readChallenges(header)
    assert.deepEqual(
      [card?.method, card?.request, card?.parameters['description']],
      ['card', { amount: '50' }, 'a "b", c'],
    )
    assert.deepEqual([chain?.id, chain?.method, chain?.request], ['2', 'chain', null])
    assert.deepEqual(more, [])
    const credential = credentialFor(card ?? assert.fail(), { spt: 'é' })
    assert.match(credential, /^[\w-]+$/)
    const { challenge, payload } = JSON.parse(Buffer.from(credential, 'base64url').toString())
    assert.deepEqual([challenge, payload], [card?.parameters, { spt: 'é' }])
  })
})

describe('messages that the SDK verifies', () => {
  const secrets = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`]
  const now = Date.parse('2026-11-21T10:00:00Z')
  const { body, headers } = signedMessage('{"type":"test"}', {
    deliveryId: 'd1',
    sentAt: new Date(now),
    destination: 'http://127.0.0.1/',
    signingSecrets: [`whsec_${Buffer.alloc(32, 9).toString('base64')}`, ...secrets],
  })

  it('are read while they are new', async () => {
    for (const at of [now, now + 299_000, now - 299_000])
      assert.deepEqual(await verifiedBody(body, headers, { secrets, now: at }), { type: 'test' })
  })

  const refused: [what: string, changed: Record<string, string>, at: number, code: WebhookError['code']][] = [
    ['are old', {}, now + 302_000, 'wrong_time'],
    ['are of the future', {}, now - 302_000, 'wrong_time'],
    ['have no time', { 'webhook-timestamp': '' }, now, 'missing_header'],
    ['have a time that is no number', { 'webhook-timestamp': 'soon' }, now, 'wrong_time'],
    ['have another id', { 'webhook-id': 'd2' }, now, 'wrong_signature'],
    ['have a signature that is no base64', { 'webhook-signature': 'v1,%%%' }, now, 'wrong_signature'],
    [
      'have a signature of another version',
      { 'webhook-signature': headers['webhook-signature']?.replaceAll('v1', 'v2') ?? '' },
      now,
      'wrong_signature',
    ],
  ]
  for (const [what, changed, at, code] of refused)
    it(`are refused where they ${what}`, async () => {
      await assert.rejects(verifiedBody(body, { ...headers, ...changed }, { secrets, now: at }), (error) => {
        assert.ok(error instanceof WebhookError)
        assert.equal(error.code, code)
        return true
      })
    })
})
