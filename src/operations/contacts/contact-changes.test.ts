import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { confirmationUrl, unsubscribeUrl } from '#contacts/links.ts'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { contactStateSchema, deliverySchema } from '#core/contacts/delivery.ts'
import { forgetDeliveries } from '#store/contacts/delivery-log.ts'
import { addDownAlert } from '../../../test/support/alerts.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'
import { type Received, startReceiver, verifiers } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { useConfirmation, useUnsubscription } from './contact-links.ts'

const created = z.object({ data: contactSchema, signing_secret: z.string().default('') })
const states = z.object({ data: z.array(contactStateSchema) })
const log = z.object({ data: z.array(deliverySchema), next_cursor: z.string().nullable() })
const made = z.object({ data: z.object({ id: z.string() }) })

describe('contacts in the console', async () => {
  const receiver = await startReceiver()
  const people = await peopleApi({ services: { carriers: testCarriers() } })
  const { api } = people
  const { browser, workspaceId } = await people.newcomer('owner@example.com')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
  const add = async (kind: string, destination: string) => {
    const answer = await call('POST', '/alert-channels', { name: 'On call', kind, destination })
    assert.equal(answer.status, 201, answer.text)
    const { data, signing_secret: secret } = created.parse(answer.body)
    return { id: data.id, secret }
  }
  const stateOf = async (id: string) => {
    const { data } = states.parse((await call('GET', '/contact-states')).body)
    return data.find((state) => state.id === id) ?? assert.fail('not listed')
  }
  const shown = async (id: string) => {
    const answer = z.object({ data: z.array(contactSchema) }).parse((await call('GET', '/alert-channels')).body)
    return answer.data.find((contact) => contact.id === id) ?? assert.fail('not listed')
  }
  const logOf = async (id: string, query = '') =>
    log.parse((await call('GET', `/alert-channels/${id}/deliveries${query}`)).body)
  const monitorOf = async (contacts: string[]) => {
    const body = { name: 'Shop', kind: 'http', url: 'https://shop.example/', alert_channel_ids: contacts }
    return made.parse((await call('POST', '/monitors', body)).body).data.id
  }
  const alertAndWait = async (monitorId: string, contactId: string, state: string) => {
    await addDownAlert(api.database, { workspaceId, monitorId })
    await until(`a delivery is ${state}`, async () => (await logOf(contactId)).data[0]?.state === state)
    return (await logOf(contactId)).data[0] ?? assert.fail('no delivery')
  }
  beforeEach(() => {
    receiver.received.length = 0
    receiver.react(() => ({ status: 204 }))
  })

  it('tell what was sent, fail, are switched off by the service, and begin again', async () => {
    const { id } = await add('webhook', receiver.url)
    const monitorId = await monitorOf([id])
    assert.partialDeepStrictEqual(await stateOf(id), { last_delivery: null, only_contact_of: 1, switched_off_by: null })
    assert.deepEqual((await stateOf(id)).only_contact_of_monitors, [{ id: monitorId, name: 'Shop' }])
    const first = await alertAndWait(monitorId, id, 'delivered')
    assert.partialDeepStrictEqual(first, { type: 'monitor.down', attempts: 1, status_code: 204, error: null })
    assert.deepEqual(first.monitor, { id: monitorId, name: 'Shop API' })
    receiver.react(() => ({ status: 410 }))
    const failed = await alertAndWait(await monitorOf([id]), id, 'failed')
    assert.partialDeepStrictEqual(failed, { attempts: 1, status_code: 410, next_attempt_at: null })
    const off = await stateOf(id)
    assert.deepEqual(
      [off.switched_off_by, off.last_delivery?.state, off.failing_since !== null],
      ['service', 'failed', true],
    )
    assert.equal(codeOf(await call('POST', `/alert-channels/${id}/deliveries/${failed.id}/resend`)), 'contact_disabled')
    assert.equal((await call('PATCH', `/alert-channels/${id}`, { enabled: true })).status, 200)
    assert.partialDeepStrictEqual(await stateOf(id), { switched_off_by: null, failing_since: null })
    receiver.react(() => ({ status: 200 }))
    receiver.received.length = 0
    assert.equal((await call('POST', `/alert-channels/${id}/deliveries/${failed.id}/resend`)).status, 202)
    await until('it came', async () => (await logOf(id)).data[0]?.state === 'delivered')
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [failed.id],
      'the same id, so that a receiver can tell',
    )
    assert.deepEqual([(await logOf(id)).data[0]?.attempts, (await shown(id)).enabled], [2, true])
    const again = await call('POST', `/alert-channels/${id}/deliveries/${failed.id}/resend`)
    assert.equal(again.status, 404, 'what was delivered is not sent again')
    assert.equal((await logOf(id, '?state=failed')).data.length, 0)
  })

  it('are untested until something arrives, and say when it first did', async () => {
    const { id } = await add('webhook', receiver.url)
    const workedAt = async () => (await stateOf(id)).worked_at
    assert.equal(await workedAt(), null)
    receiver.react(() => ({ status: 500 }))
    assert.equal((await call('POST', `/alert-channels/${id}/test`)).status, 422)
    assert.equal(await workedAt(), null, 'what was refused did not arrive')
    receiver.react(() => ({ status: 204 }))
    assert.equal((await call('POST', `/alert-channels/${id}/test`)).status, 200)
    const first = await workedAt()
    assert.ok(Math.abs(Date.parse(first ?? '') - Date.now()) < 60_000, String(first))
    assert.equal((await call('POST', `/alert-channels/${id}/test`)).status, 200)
    assert.equal(await workedAt(), first, 'the first time stays')
    const { id: other } = await add('webhook', `${receiver.url}/other`)
    await alertAndWait(await monitorOf([other]), other, 'delivered')
    assert.partialDeepStrictEqual(await stateOf(other), { last_delivery: { state: 'delivered', status_code: 204 } })
    assert.notEqual((await stateOf(other)).worked_at, null)
  })

  it('are proven by an opened link where it came by mail, and by none that was handed on', async () => {
    for (const sendsMail of [true, false]) {
      const { id } = await add('email', `proof-${sendsMail}@example.com`)
      const { secrets } = api.services
      const token = new URL(confirmationUrl('http://x', id, secrets)).pathname.split('/')[3] ?? ''
      const { state } = await useConfirmation({ ...api.services, sendsMail }, { token, now: new Date() })
      assert.equal(state, 'confirmed')
      assert.equal((await stateOf(id)).worked_at !== null, sendsMail)
    }
  })

  it('sign with the former secret as well for a day', async () => {
    const { id, secret: first } = await add('webhook', receiver.url)
    const rotate = async () =>
      created.parse((await call('POST', `/alert-channels/${id}/signing-secret`)).body).signing_secret
    const second = await rotate()
    assert.notEqual(second, first)
    const send = async (): Promise<Received> => {
      receiver.received.length = 0
      assert.equal((await call('POST', `/alert-channels/${id}/test`)).status, 200)
      return receiver.received[0] ?? assert.fail('nothing came')
    }
    assert.deepEqual(verifiers(await send(), [first, second]), [first, second])
    await alertAndWait(await monitorOf([id]), id, 'delivered')
    assert.deepEqual(verifiers(receiver.received.at(-1), [first, second]), [first, second])
    assert.ok(Date.parse((await stateOf(id)).former_secret_until ?? '') > Date.now() + 23 * 3_600_000)
    const third = await rotate()
    assert.deepEqual(verifiers(await send(), [first, second, third]), [second, third])
    await api.database.pool.query(`update alert_channels set former_secret_until = now() where id = $1`, [id])
    assert.deepEqual(verifiers(await send(), [second, third]), [third])
    await alertAndWait(await monitorOf([id]), id, 'delivered')
    assert.deepEqual(verifiers(receiver.received.at(-1), [second, third]), [third])
    assert.equal((await stateOf(id)).former_secret_until, null)
    const { id: mail } = await add('email', 'unsigned@example.com')
    assert.equal(codeOf(await call('POST', `/alert-channels/${mail}/signing-secret`)), 'validation_failed')
  })

  it('ask a reader who ended the alerts, and only then', async () => {
    const { id } = await add('email', 'reader@example.com')
    const { secrets } = api.services
    const linkOf = (make: typeof confirmationUrl) => new URL(make('http://x', id, secrets)).pathname.split('/')
    const confirm = () => useConfirmation(api.services, { token: linkOf(confirmationUrl)[3] ?? '', now: new Date() })
    await people.mailTo('reader@example.com', /Confirm/)
    assert.equal((await confirm()).state, 'confirmed')
    for (const enabled of [false, true]) await call('PATCH', `/alert-channels/${id}`, { enabled })
    assert.partialDeepStrictEqual(await shown(id), { enabled: true, confirmed: true }, 'people may pause it')
    const [, , , contactId = '', signature = ''] = linkOf(unsubscribeUrl)
    assert.equal((await useUnsubscription(api.services, { contactId, signature }, new Date())).state, 'ended')
    assert.equal((await stateOf(id)).switched_off_by, 'reader')
    const answer = await call('PATCH', `/alert-channels/${id}`, { enabled: true, name: 'Reader' })
    assert.partialDeepStrictEqual(created.parse(answer.body).data, { name: 'Reader', enabled: true, confirmed: false })
    await people.mailTo('reader@example.com', /Confirm/)
    assert.equal((await confirm()).state, 'confirmed')
    assert.partialDeepStrictEqual(await shown(id), { enabled: true, confirmed: true })
    const needless = await call('POST', `/alert-channels/${id}/confirmation`)
    assert.deepEqual([needless.status, codeOf(needless)], [422, 'validation_failed'])
  })

  it('can be asked for again a few times a day', async () => {
    const { id } = await add('email', 'slow@example.com')
    await api.database.pool.query('update alert_channels set confirmation_expires_at = now() where id = $1', [id])
    assert.equal((await call('POST', `/alert-channels/${id}/confirmation`)).status, 200)
    assert.ok(Date.parse((await stateOf(id)).confirmation_expires_at ?? '') > Date.now())
    assert.equal((await call('POST', `/alert-channels/${id}/confirmation`)).status, 200)
    const fourth = await call('POST', `/alert-channels/${id}/confirmation`)
    assert.deepEqual([fourth.status, codeOf(fourth)], [429, 'rate_limited'])
  })

  it('have a log in pages, in which nothing is twice or missing, kept for its time', { timeout: 60_000 }, async () => {
    const { id } = await add('webhook', receiver.url)
    await api.database.pool.query(
      `insert into deliveries (id, workspace_id, alert_channel_id, alert, state, due_at, created_at, ended_at, error)
      select gen_random_uuid(), $1, $2, '{"type":"monitor.down"}', 'failed', now(),
        date_trunc('hour', now()) - (n / 3) * interval '10 h', now() - (n / 3) * interval '10 h', 'No answer.'
      from generate_series(0, 24) as n`,
      [workspaceId, id],
    )
    const found: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const page: z.infer<typeof log> = await logOf(id, `?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`)
      found.push(...page.data.map((delivery) => delivery.id))
      cursor = page.next_cursor
    }
    assert.deepEqual([found.length, new Set(found).size], [25, 25])
    const old = await call('POST', `/alert-channels/${id}/deliveries/${found.at(-1)}/resend`)
    assert.equal(old.status, 404, 'an alert of yesterday is noise')
    for (const query of ['?cursor=x', '?limit=0', '?state=lost', `?cursor=1.${'x'.repeat(36)}`])
      assert.equal((await call('GET', `/alert-channels/${id}/deliveries${query}`)).status, 422, query)
    const before = new Date(Date.now() - 45 * 3_600_000)
    assert.deepEqual(
      [await forgetDeliveries(api.database, before, 4), await forgetDeliveries(api.database, before, 1000)],
      [4, 6],
    )
    assert.equal((await logOf(id)).data.length, 15)
  })

  it('of other workspaces are not found', async () => {
    const { id } = await add('webhook', receiver.url)
    const stranger = await people.newcomer('stranger@example.com')
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'x' }],
      ['POST', '/signing-secret', undefined],
      ['POST', '/confirmation', undefined],
      ['GET', '/deliveries', undefined],
      ['POST', `/deliveries/${randomUUID()}/resend`, undefined],
    ] as const) {
      const request = { workspace: stranger.workspaceId, ...(body === undefined ? {} : { body }) }
      const answer = await stranger.browser.api(method, `/alert-channels/${id}${path}`, request)
      assert.equal(answer.status, 404, `${method} ${path}`)
    }
    for (const body of [{}, { name: '' }, { enabled: 'yes' }, { kind: 'email' }])
      assert.equal((await call('PATCH', `/alert-channels/${id}`, body)).status, 422, JSON.stringify(body))
  })
})
