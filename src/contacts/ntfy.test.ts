import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { createGuard } from '#net/dial/guard.ts'
import { alertOf, findingAlertOf, findingOf, fullBundleOf, namedIn, statusAlertOf } from '../../test/support/alerts.ts'
import { testApi } from '../../test/support/api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { ntfy, ntfyMessage } from './ntfy.ts'

/** What ntfy takes as JSON, as its documentation lists it (https://docs.ntfy.sh/publish/#publish-as-json). */
const published = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= 4096)
    .optional(),
  priority: z.int().min(1).max(5).optional(),
  tags: z.array(z.string().regex(/^[a-z0-9_+-]+$/)).optional(),
  click: z.url().optional(),
  actions: z
    .array(z.strictObject({ action: z.literal('view'), label: z.string().min(1), url: z.url() }))
    .max(3)
    .optional(),
})

const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'perigee-alerts',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

function sentOf(alert: Alert, options = {}) {
  const { url, headers, body } = ntfyMessage(alert, { ...context, options })
  return { url, headers, sent: published.parse(JSON.parse(body)) }
}

function shownText(alert: Alert): string {
  return sentOf(alert).sent.message ?? ''
}

describe('ntfyMessage', () => {
  it('goes to the root of the public server, and leads to the incident', () => {
    const { url, headers, sent } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(url, 'https://ntfy.sh/')
    assert.equal(headers['authorization'], undefined)
    assert.equal(sent.topic, 'perigee-alerts')
    assert.match(sent.title ?? '', /^Down: /)
    assert.match(sent.message ?? '', /is down\.\nCause: /)
    assert.deepEqual([sent.priority, sent.tags], [4, ['rotating_light']])
    assert.match(sent.click ?? '', /^https:\/\/perigee\.example\/incidents\//)
    assert.deepEqual(sent.actions, [{ action: 'view', label: 'Open the incident', url: sent.click }])
  })

  it('of a recovery has another tag and the usual priority', () => {
    const { sent } = sentOf(statusAlertOf('monitor.up'), { priority: 5 })
    assert.deepEqual([sent.priority, sent.tags], [3, ['white_check_mark']])
  })

  it('has the chosen server, token and priority', () => {
    const token = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'
    const { url, headers, sent } = sentOf(statusAlertOf('monitor.down'), {
      server: 'https://ntfy.example:8443',
      token,
      priority: 5,
    })
    assert.deepEqual(
      [url, headers['authorization'], sent.priority],
      ['https://ntfy.example:8443/', `Bearer ${token}`, 5],
    )
  })

  it('stays within 4,096 bytes', () => {
    const findings = Array.from({ length: 20 }, () => findingOf({ summary: 'ü'.repeat(200) }))
    sentOf(findingAlertOf(findings))
    const long = statusAlertOf('monitor.down')
    const cause = '…'.repeat(5000)
    const { sent } = sentOf({
      ...long,
      data: { ...long.data, incident: { ...long.data.incident, title: cause, cause } },
    })
    assert.doesNotMatch(sent.message ?? '', /\ufffd/)
  })
})

/** By the words of templates alone. */
function told(words: { title: string | null; body: string | null }) {
  const { body } = ntfyMessage(statusAlertOf('monitor.down'), { ...context, words, options: {} })
  return published.parse(JSON.parse(body))
}

describe('the room of a message of ntfy', () => {
  const bodies: [what: string, body: string, shown: string][] = [
    ['is filled to the byte', 'a'.repeat(4096), 'a'.repeat(4096)],
    ['is of bytes', 'é'.repeat(2048), 'é'.repeat(2048)],
    ['has no more than that', 'a'.repeat(4097), `${'a'.repeat(4093)}…`],
    ['ends between two characters', 'é'.repeat(2049), `${'é'.repeat(2046)}…`],
  ]
  for (const [what, body, shown] of bodies) it(what, () => assert.equal(told({ title: null, body }).message, shown))

  it('is of 250 characters for the title', () => {
    assert.equal(told({ title: 'a'.repeat(250), body: null }).title, 'a'.repeat(250))
    assert.equal(told({ title: 'a'.repeat(251), body: null }).title, `${'a'.repeat(249)}…`)
  })

  it('has all of a bundle that has just room in it', () => {
    const { full, tooLong, count } = fullBundleOf(4096, shownText)
    assert.deepEqual([shownText(full).length, namedIn(shownText(full))], [4096, count])
    assert.ok(namedIn(shownText(tooLong)) < count)
  })
})

describe('what ntfy is told of an alert that leads nowhere', () => {
  it('has no link', () => {
    const { sent } = sentOf(alertOf('test'))
    assert.deepEqual([sent.click, sent.actions, sent.tags], [undefined, undefined, ['bell']])
  })
})

describe('what ntfy takes', () => {
  for (const [priority, isTaken] of [
    [0, false],
    [1, true],
    [5, true],
    [6, false],
  ] as const)
    it(`${isTaken ? 'has' : 'has no'} priority ${priority}`, () =>
      assert.equal(ntfy.options.safeParse({ priority }).success, isTaken))

  for (const [server, isTaken] of [
    ['https://ntfy.example', true],
    ['https://ntfy.example/', true],
    ['https://ntfy.example/alerts', false],
    ['https://ntfy.example/?a=1', false],
    ['https://ntfy.example/#a', false],
  ] as const)
    it(`${isTaken ? 'has' : 'has no'} server at ${server}`, () =>
      assert.deepEqual(Object.keys(ntfy.optionProblems({ server }, () => false)), isTaken ? [] : ['server']))
})

const one = z.strictObject({ data: contactSchema })
const refusal = z.looseObject({
  error: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()).optional(),
})
const token = 'tk_hunter2hunter2hunter2hunter2h'

describe('a contact of ntfy', async () => {
  const server = await startReceiver()
  const api = await testApi({
    services: { carriers: testCarriers(), isForbiddenAddress: createGuard(['127.0.0.0/8']).isForbiddenAddress },
  })
  const taken = { status: 200, body: '{"id":"sPs71M8A2T","time":1643935928,"event":"message","topic":"alerts"}' }
  /** Refuses what the published schema does not have, as the server does. */
  const stand = ({ path, headers, body }: Received) => {
    assert.ok(published.safeParse(JSON.parse(body)).success, body)
    assert.deepEqual([path, headers['content-type']], ['/', 'application/json'])
    return taken
  }
  beforeEach(() => {
    server.received.length = 0
    server.react(stand)
  })

  const create = (options: unknown, destination = 'alerts') =>
    api.post('/alert-channels', { name: 'Phone', kind: 'ntfy', destination, options })
  const made = async (options: unknown) => {
    const answer = await create(options)
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const patch = (id: string, body: unknown) => api.request('PATCH', `/alert-channels/${id}`, { body })
  const test = async (id: string) => {
    const answer = await api.post(`/alert-channels/${id}/test`)
    return [answer.status, answer.status === 200 ? '' : refusal.parse(answer.body).message]
  }
  const sentToken = () => server.received.at(-1)?.headers['authorization']

  it('is shown with its options but for the token, which is kept and sent', async () => {
    const contact = await made({ server: server.url, token })
    assert.deepEqual(contact.options, { server: server.url })
    assert.deepEqual([contact.destination, contact.confirmed], ['alerts', true])
    assert.deepEqual(await test(contact.id), [200, ''])
    assert.equal(sentToken(), `Bearer ${token}`)
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
    assert.equal(rows[0]?.host, new URL(server.url).host)
  })

  it('keeps its token through a change that leaves it out, and loses it by null', async () => {
    const { id, name, kind, destination, enabled, options } = await made({ server: server.url, token })
    const sentBack = await patch(id, { name, kind, destination, enabled, options })
    assert.deepEqual([sentBack.status, one.parse(sentBack.body).data.options], [200, options])
    await test(id)
    assert.equal(sentToken(), `Bearer ${token}`)
    const changed = await patch(id, { options: { server: server.url, priority: 5, token: null } })
    assert.deepEqual(one.parse(changed.body).data.options, { server: server.url, priority: 5 })
    await test(id)
    assert.equal(sentToken(), undefined)
  })

  it('has its token sent to no other server, unless it is given again', async () => {
    const { id } = await made({ server: server.url, token })
    const elsewhere = { server: 'https://elsewhere.example' }
    const answer = await patch(id, { options: elsewhere })
    assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields ?? {})], [422, ['options.token']])
    for (const given of [
      { ...elsewhere, token },
      { server: server.url, token: null },
    ])
      assert.equal((await patch(id, { options: given })).status, 200)
  })

  const refused = [
    [{ server: 'https://10.0.0.8' }, 'options.server'],
    [{ server: 'http://ntfy.example' }, 'options.server'],
    [{ server: 'https://user:secret@ntfy.example' }, 'options.server'],
    [{ server: 'https://ntfy.example/alerts' }, 'options.server'],
    [{ token: 'with space' }, 'options.token'],
    [{ priority: 6 }, 'options.priority'],
    [{ colour: 'red' }, 'options.colour'],
  ] as const
  for (const [options, field] of refused)
    it(`refuses ${JSON.stringify(options)}`, async () => {
      const answer = await create(options)
      assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields ?? {})], [422, [field]])
    })

  for (const destination of ['', 'a b', 'https://ntfy.sh/alerts', 'a'.repeat(65)])
    it(`refuses the topic ${destination.slice(0, 30)}`, async () =>
      assert.equal((await create({}, destination)).status, 422))

  it('is not of pay-as-you-go', async () => {
    const { token: payer } = await api.addWorkspace('pay_as_you_go')
    const body = { name: 'Phone', kind: 'ntfy', destination: 'alerts' }
    assert.equal((await api.post('/alert-channels', body, { token: payer })).status, 422)
  })

  /** As ntfy documents its errors. */
  const failures = [
    [400, 40009, 'invalid request: topic invalid'],
    [401, 40101, 'unauthorized'],
    [403, 40301, 'forbidden'],
    [413, 41303, 'JSON body too large'],
    [429, 42901, 'limit reached: too many requests, please be nice'],
    [429, 42908, 'limit reached: too many messages'],
    [500, 50001, 'internal server error'],
  ] as const
  for (const [status, code, error] of failures)
    it(`says what ntfy says: ${code}`, async () => {
      const { id } = await made({ server: server.url, token })
      const body = JSON.stringify({
        code,
        http: status,
        error: `${error} ${token}`,
        link: 'https://ntfy.sh/docs/publish/',
      })
      server.react(() => ({ status, headers: { 'content-type': 'application/json' }, body }))
      const [answered, message] = await test(id)
      assert.equal(answered, 422)
      assert.equal(message, `The test alert was not accepted. The contact answered ${status}: ${error} ••••••••`)
    })
})
