import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { matrix, matrixMessage } from './matrix.ts'

/**
 * What Matrix takes of what is sent here
 * (https://spec.matrix.org/latest/client-server-api/#mtext, #definition-mmentions; tags by #mroommessage-msgtypes).
 */
const published = z.strictObject({
  msgtype: z.literal('m.text'),
  body: z.string().min(1),
  format: z.literal('org.matrix.custom.html'),
  formatted_body: z.string().min(1),
  'm.mentions': z.strictObject({}),
})

const token = 'syt_hunter2_hunter2hunter2_0hunter'
const room = '!AbCdEfGhIjKlMnOpQr:matrix.example'
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: room,
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options: { homeserver: 'https://matrix.example', access_token: token },
}
const pathOf = (deliveryId: string) =>
  `/_matrix/client/v3/rooms/!AbCdEfGhIjKlMnOpQr%3Amatrix.example/send/m.room.message/${deliveryId}`

function sentOf(alert: Alert, changes: Partial<typeof context> = {}) {
  const { method, url, headers, body } = matrixMessage(alert, { ...context, ...changes })
  return { method, url, headers, size: Buffer.byteLength(body), sent: published.parse(JSON.parse(body)) }
}

describe('matrixMessage', () => {
  it('is put under the id of the delivery, with the token', () => {
    const { method, url, headers } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(method, 'PUT')
    assert.equal(url, `https://matrix.example${pathOf(context.deliveryId)}`)
    assert.equal(headers['authorization'], `Bearer ${token}`)
  })

  it('goes to a homeserver with a path, and to a room without a server', () => {
    const options = { homeserver: 'https://example.com/matrix/', access_token: token }
    const destination = `!${'a-Z_9'.repeat(8)}abc`
    const { url } = sentOf(alertOf('test'), { options, destination })
    assert.match(url, /^https:\/\/example\.com\/matrix\/_matrix\/client\/v3\/rooms\/![\w-]{43}\/send\//)
  })

  it('tells an outage as text and as HTML with a link that opens the incident', () => {
    const { sent } = sentOf(statusAlertOf('monitor.down'))
    assert.match(sent.body, /^🔴 Down: Shop API\nShop API is down\.\nCause: The server answered 503\.\nSince: /)
    assert.match(sent.body, /\nOpen the incident: https:\/\/perigee\.example\/incidents\/[\w-]+$/)
    assert.match(sent.formatted_body, /^🔴 <strong>Down: Shop API<\/strong><br>Shop API is down\.<br>Cause: The /)
    assert.match(sent.formatted_body, /<br>Address: <code>https:\/\/shop\.example\/health<\/code><br>/)
    assert.match(sent.formatted_body, /<a href="https:\/\/perigee\.example\/incidents\/[\w-]+">Open the incident<\/a>$/)
  })

  for (const [type, mark] of [
    ['monitor.up', '🟢'],
    ['certificate.expiring', '🟠'],
    ['test', '🔵'],
  ] as const)
    it(`begins ${type} with ${mark}`, () => assert.ok(sentOf(alertOf(type)).sent.body.startsWith(`${mark} `)))

  for (const type of alertTypes)
    it(`tells ${type}, and takes neither mention nor link nor mark-up from names`, () => {
      const name = '@room @ada:matrix.org #shop:x.org !a:x.org www.x.example https://x.example <img src="x"> &lt; \'"'
      const { sent } = sentOf(alertOf(type, { name }))
      const ours = /\n[\w ]+: https:\/\/perigee\.example\/[\w/-]+$/
      assert.equal(ours.test(sent.body), type !== 'test')
      const html = sent.formatted_body
        .replace(/<a href="[^"<>]+">[\w ]+<\/a>$/, '')
        .replaceAll(/<code>[^<>]*<\/code>/g, '')
      for (const shown of [sent.body.replace(ours, ''), html.replaceAll(/<\/?(?:strong|br)>|&#39;/g, '')])
        assert.doesNotMatch(shown, /[@#!]\w|\w\.[a-z]|:\/\//)
      assert.doesNotMatch(html.replaceAll(/<(?:\/?strong|br)>/g, ''), /[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/)
    })

  it('stays within the size of an event', () => {
    for (const character of ['a', '<', '"', 'ü', '😀']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      const { sent, size } = sentOf(findingAlertOf(findings, 25))
      assert.ok(size <= 56 * 1024, `${character}: ${size}`)
      assert.ok(sent.body.isWellFormed() && sent.formatted_body.isWellFormed())
      assert.match(sent.formatted_body, /<code>https:\/\/shop/, 'no fact is lost')
    }
  })
})

describe('the rooms that matrix takes', () => {
  for (const [destination, isTaken] of [
    [`!${'a'.repeat(245)}:x.org:80`, true],
    [`!${'a'.repeat(246)}:x.org:80`, false],
  ] as const)
    it(`${isTaken ? 'have' : 'have not'} ids of ${destination.length} characters`, () =>
      assert.equal(matrix.destinationProblem(destination, () => false) === null, isTaken))
})

const input = (options: unknown, destination = room) => ({ kind: 'matrix', destination, options })

describe('a contact of matrix', async () => {
  const server = await startReceiver()
  const options = { homeserver: server.url, access_token: token }
  const { api, made, refusedFields, test } = await contactApi()
  /** Refuses what the published schema does not have. */
  const stand = ({ method, body, path, headers }: Received) => {
    assert.ok(published.safeParse(JSON.parse(body)).success, body)
    assert.deepEqual([method, headers['content-type']], ['PUT', 'application/json'])
    assert.ok(path.startsWith(pathOf('')) && /\/[\w-]{36}$/.test(path), path)
    assert.equal(headers.authorization, `Bearer ${token}`)
    return { status: 200, body: '{"event_id":"$YUwRidLecu:matrix.example"}' }
  }
  beforeEach(() => server.react(stand))

  it('is shown without its token, with which it is sent', async () => {
    const contact = await made(input(options))
    assert.deepEqual([contact.destination, contact.options], [room, { homeserver: server.url }])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
    assert.equal(rows[0]?.host, new URL(server.url).host)
  })

  const refused = [
    undefined,
    {},
    { homeserver: 'https://matrix.example' },
    { access_token: token },
    { homeserver: 'https://matrix.example', access_token: 'with space' },
    { homeserver: 'http://matrix.example', access_token: token },
    { homeserver: 'https://10.0.0.8', access_token: token },
    { homeserver: 'https://matrix.example/?a', access_token: token },
    { homeserver: 'matrix.example', access_token: token },
  ]
  for (const given of refused)
    it(`refuses ${JSON.stringify(given)}`, async () =>
      assert.match((await refusedFields(input(given))).join(), /^options\.(?:homeserver|access_token)/))

  const rooms = [
    'On call',
    '#ops:matrix.example',
    'abc:matrix.example',
    '!abc',
    '!a b:x.example',
    `!${'a'.repeat(250)}:x.org`,
  ]
  for (const destination of rooms)
    it(`refuses the room ${destination.slice(0, 20)}`, async () =>
      assert.deepEqual(await refusedFields(input(options, destination)), ['destination']))

  for (const destination of ['!a/b?c#d:[2001:db8::1]:8448', '!31hneApxJ_1o-63DmFrpeqnkFfWppnzWso1JvH3ogLM'])
    it(`takes the room ${destination}`, async () => {
      await made(input(options, destination))
    })

  it('says what the homeserver says, without the token', async () => {
    const { id } = await made(input(options))
    server.react(() => ({
      status: 401,
      body: JSON.stringify({
        errcode: 'M_UNKNOWN_TOKEN',
        error: `Unrecognised access token ${token}`,
        soft_logout: true,
      }),
    }))
    assert.match(await test(id), /The contact answered 401: Unrecognised access token ••••••••$/)
  })
})

/** Errors as https://spec.matrix.org/latest/client-server-api/#standard-error-response lists them. */
describe('judge of matrix', async () => {
  const server = await startReceiver()
  const options = { homeserver: server.url, access_token: token }
  const attempted = () =>
    matrix.attempt(
      alertOf('test'),
      { ...context, options },
      { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) },
    )

  for (const [status, errcode, error, outcome, isGone] of [
    [400, 'M_BAD_JSON', 'Malformed event', 'failed', false],
    [401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token', 'try_again', undefined],
    [401, 'M_USER_LOCKED', 'This account has been locked', 'try_again', undefined],
    [403, 'M_FORBIDDEN', 'User @bot:x.example not in room', 'try_again', undefined],
    [403, 'M_USER_DEACTIVATED', 'This account has been deactivated', 'failed', true],
    [403, 'M_RESOURCE_LIMIT_EXCEEDED', 'Cannot send: monthly limit', 'try_again', undefined],
    [404, 'M_NOT_FOUND', 'Room does not exist', 'failed', true],
    [404, 'M_UNRECOGNIZED', 'Unrecognized request', 'failed', false],
    [413, 'M_TOO_LARGE', 'event too large', 'failed', false],
    [500, 'M_UNKNOWN', 'Internal server error', 'try_again', undefined],
  ] as const)
    it(`takes ${status} ${errcode} for ${outcome}`, async () => {
      server.react(() => ({ status, body: JSON.stringify({ errcode, error }) }))
      const attempt = await attempted()
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
    })

  for (const [headers, seconds] of [
    [{}, 3],
    [{ 'retry-after': '9' }, 9],
  ] as const)
    it(`waits ${seconds} s where the homeserver asks for it`, async () => {
      const body = '{"errcode":"M_LIMIT_EXCEEDED","error":"Too many requests","retry_after_ms":2001}'
      server.react(() => ({ status: 429, headers, body }))
      const attempt = await attempted()
      assert.deepEqual(
        [attempt.outcome, attempt.outcome === 'try_again' && attempt.afterSeconds],
        ['try_again', seconds],
      )
    })

  it('tries again where something before the homeserver answers 404', async () => {
    server.react(() => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<html></html>' }))
    assert.equal((await attempted()).outcome, 'try_again')
  })

  it('repeats a message under the same transaction', async () => {
    server.react(() => ({ status: 502 }))
    await attempted()
    await attempted()
    assert.deepEqual(
      server.received.slice(-2).map(({ path }) => path),
      [pathOf(context.deliveryId), pathOf(context.deliveryId)],
    )
  })
})
