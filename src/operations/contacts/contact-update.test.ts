import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { confirmationUrl, unsubscribeUrl } from '#contacts/links.ts'
import { contactChangeSchema, contactSchema } from '#core/contacts/contact-record.ts'
import { mask } from '#core/language/mask.ts'
import { createGuard } from '#net/dial/guard.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { startReceiver, verifiers } from '../../../test/support/receiver.ts'
import { useConfirmation, useUnsubscription } from './contact-links.ts'

const one = z.strictObject({ data: contactSchema })
const made = one.extend({ signing_secret: z.string().optional() })
const refusal = z.looseObject({ error: z.string(), fields: z.record(z.string(), z.array(z.string())).optional() })

describe('a change of a contact', async () => {
  const receiver = await startReceiver()
  const api = await testApi({
    maxConnections: 5,
    services: {
      carriers: testCarriers(),
      isForbiddenAddress: createGuard(['127.0.0.0/8']).isForbiddenAddress,
    },
  })
  const { secrets } = api.services
  beforeEach(async () => {
    await api.database.pool.query('delete from alert_channels')
    await api.database.pool.query('delete from confirmation_mails')
    await api.database.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    receiver.received.length = 0
  })

  const create = async (kind: string, destination: string, token = api.token) => {
    const answer = await api.post('/alert-channels', { name: 'On call', kind, destination }, { token })
    assert.equal(answer.status, 201, answer.text)
    const { data, signing_secret: secret = '' } = made.parse(answer.body)
    return { ...data, secret }
  }
  const patch = (id: string, body: unknown, token = api.token): Promise<Answer> =>
    api.request('PATCH', `/alert-channels/${id}`, { body, token })
  const changed = async (id: string, body: unknown) => {
    const answer = await patch(id, body)
    assert.equal(answer.status, 200, answer.text)
    return one.parse(answer.body).data
  }
  const refused = async (id: string, body: unknown, token = api.token) => {
    const answer = await patch(id, body, token)
    return [answer.status, refusal.parse(answer.body).fields ?? refusal.parse(answer.body).error]
  }
  const set = (id: string, change: string) =>
    api.database.pool.query(`update alert_channels set ${change} where id = $1`, [id])
  const rowOf = async (id: string) =>
    await api.database.query.selectFrom('alert_channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const mailJobs = async (): Promise<unknown[]> => {
    const { rows } = await api.database.pool.query<{ payload: unknown }>(
      `select job.payload from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
      where task.identifier = 'mail'
      order by job.id`,
    )
    return rows.map(({ payload }) => payload)
  }
  const confirm = (link: string) =>
    useConfirmation(
      { ...api.services, sendsMail: true },
      { token: confirmationUrl('', link, secrets).split('/')[3] ?? '', now: new Date() },
    )

  it('takes tags, which are shown where there are some', async () => {
    const { secret: _, ...plain } = await create('slack', 'https://hooks.chat.example/services/one')
    assert.ok(!('tags' in plain))
    const tagged = await changed(plain.id, { tags: ['Team Blue', 'nights'] })
    assert.deepEqual(tagged, { ...plain, tags: ['Team Blue', 'nights'] })
    assert.deepEqual(await changed(plain.id, { name: 'Kitchen' }), { ...tagged, name: 'Kitchen' })
    assert.deepEqual(await changed(plain.id, { name: plain.name, tags: [] }), plain)
    const words = { name: 'On call', kind: 'slack', destination: 'https://hooks.chat.example/services/two' }
    const added = await api.post('/alert-channels', { ...words, tags: ['nights'] })
    assert.deepEqual(made.parse(added.body).data.tags, ['nights'])
    for (const tags of [['a', 'A'], ['a,b'], [' a'], [''], Array.from({ length: 21 }, (_each, index) => `t${index}`)]) {
      const [status, fields = {}] = await refused(plain.id, { tags })
      assert.deepEqual([status, Object.keys(fields)[0]?.split('.')[0]], [422, 'tags'])
    }
  })

  it('takes name, destination and state, and leaves the rest alone', async () => {
    const { id } = await create('slack', 'https://hooks.chat.example/services/one')
    assert.deepEqual(await changed(id, { name: 'Kitchen' }), {
      id,
      name: 'Kitchen',
      kind: 'slack',
      destination: 'https://hooks.chat.example/services/one',
      enabled: true,
      confirmed: true,
    })
    const next = await changed(id, { destination: 'https://hooks.chat.example/services/hunter2', enabled: false })
    assert.deepEqual([next.destination, next.enabled], ['https://hooks.chat.example/services/hunter2', false])
    const row = await rowOf(id)
    assert.deepEqual([row.switched_off_by, row.destination], ['people', `https://hooks.chat.example/${mask}`])
  })

  it('of the address makes a contact untested, and forgets that it failed', async () => {
    const { id } = await create('webhook', receiver.url)
    await set(id, 'worked_at = now(), failing_since = now()')
    await changed(id, { name: 'Other', destination: receiver.url, options: {} })
    assert.notEqual((await rowOf(id)).worked_at, null)
    await changed(id, { destination: `${receiver.url}/other` })
    const row = await rowOf(id)
    assert.deepEqual([row.worked_at, row.failing_since], [null, null])
  })

  it('of a webhook keeps its signing secret', async () => {
    const { id, secret } = await create('webhook', 'https://a.example/in')
    await changed(id, { destination: `${receiver.url}/in` })
    assert.equal((await api.post(`/alert-channels/${id}/test`)).status, 200)
    assert.equal(receiver.received[0]?.path, '/in')
    assert.deepEqual(verifiers(receiver.received[0], [secret]), [secret])
  })

  it('to another mail address asks its reader, in the same transaction', async () => {
    const { id } = await create('email', 'ops@example.com')
    await set(id, 'confirmed = true, confirmation_expires_at = null')
    assert.equal((await changed(id, { destination: 'ops@example.com', name: 'Ops' })).confirmed, true)
    assert.equal((await mailJobs()).length, 1)
    assert.equal((await changed(id, { destination: 'duty@example.com' })).confirmed, false)
    assert.deepEqual((await mailJobs()).slice(1), [{ notice: 'confirm_contact', contact_id: id, address_number: 1 }])
    const { confirmation_expires_at: until } = await rowOf(id)
    assert.ok(until !== null && until.getTime() > Date.now() + 6 * 86_400_000)
  })

  it('leaves links that were mailed to an earlier address worth nothing', async () => {
    const { id } = await create('email', 'mine@example.com')
    await changed(id, { destination: 'theirs@example.com' })
    assert.deepEqual(await confirm(id), { state: 'unknown' })
    const [, , , contactId = '', signature = ''] = unsubscribeUrl('', id, secrets).split('/')
    assert.deepEqual(await useUnsubscription(api.services, { contactId, signature }, new Date()), { state: 'ended' })
    assert.deepEqual([(await rowOf(id)).confirmed, (await rowOf(id)).enabled], [false, true])
    assert.equal((await confirm(`${id}~1`)).state, 'confirmed')
    await changed(id, { destination: 'mine@example.com' })
    assert.deepEqual(await confirm(id), { state: 'unknown' }, 'also where the earlier address is back')
    assert.equal((await confirm(`${id}~2`)).state, 'confirmed')
  })

  it('keeps the limits of mails that ask, and writes nothing beyond them', async () => {
    const { id } = await create('email', 'mine@example.com')
    for (const tag of ['a', 'b', 'c']) await changed(id, { destination: `victim+${tag}@example.com` })
    const answer = await patch(id, { destination: 'victim@example.com', name: 'Never' })
    assert.deepEqual([answer.status, refusal.parse(answer.body).error], [429, 'rate_limited'])
    assert.deepEqual([(await rowOf(id)).destination, (await rowOf(id)).name], ['victim+c@example.com', 'On call'])
    assert.equal((await mailJobs()).length, 4)
  })

  it('of a stranger sends three mails a day', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const { id } = await create('email', 'one@example.com', token)
    for (const name of ['two', 'three'])
      assert.equal((await patch(id, { destination: `${name}@example.com` }, token)).status, 200)
    assert.equal((await patch(id, { destination: 'four@example.com' }, token)).status, 429)
  })

  it('asks a reader once who ended the alerts and whose address changes', async () => {
    const { id } = await create('email', 'ops@example.com')
    await set(id, `confirmed = true, enabled = false, switched_off_by = 'reader'`)
    const { enabled, confirmed } = await changed(id, { destination: 'duty@example.com', enabled: true })
    assert.deepEqual([enabled, confirmed, (await mailJobs()).length], [true, false, 2])
  })

  const cases = [
    ['another kind', { kind: 'slack' }, { kind: ['Cannot change.'] }],
    ['an address that is none', { destination: 'ftp://a.example' }, { destination: ['Must be an https:// address.'] }],
    ['a mask', { destination: `https://a.example/${mask}` }, null],
    ['options that its kind does not have', { options: { colour: 1 } }, { 'options.colour': ['Unknown field.'] }],
    ['an empty name', { name: '' }, { name: ['must not be empty'] }],
    ['nothing', {}, { body: ['Must change something.'] }],
    ['what is only shown', { name: 'On call', confirmed: true }, { confirmed: ['Unknown field.'] }],
  ] as const
  for (const [what, body, fields] of cases)
    it(`refuses ${what}`, async () => {
      const { id, ...before } = await create('webhook', 'https://a.example/in')
      const [status, said] = await refused(id, body)
      assert.equal(status, 422)
      if (fields !== null && !('name' in fields)) assert.deepEqual(said, fields)
      const row = await rowOf(id)
      assert.deepEqual([row.name, row.destination], [before.name, before.destination])
    })

  it('takes rules whole, shows them where there are any, and clears them', async () => {
    const { id } = await create('webhook', 'https://alerts.example/in')
    const quiet = { time_zone: 'Europe/Sofia', from: '22:00', to: '07:00', weekdays: [1, 2] }
    const rules = { events: ['down', 'up'], after_minutes: 5, quiet_hours: quiet }
    assert.deepEqual((await changed(id, { alert_rules: rules })).alert_rules, rules)
    assert.deepEqual((await changed(id, { name: 'Night' })).alert_rules, rules)
    assert.deepEqual((await changed(id, { alert_rules: { after_minutes: 1 } })).alert_rules, { after_minutes: 1 })
    for (const none of [null, {}]) {
      await changed(id, { alert_rules: { after_minutes: 1 } })
      const cleared = await changed(id, { alert_rules: none })
      assert.equal('alert_rules' in cleared, false)
    }
  })

  for (const [rules, field] of [
    [{ events: [] }, 'alert_rules.events'],
    [{ events: ['sunrise'] }, 'alert_rules.events.0'],
    [{ after_minutes: 721 }, 'alert_rules.after_minutes'],
    [{ remind_every_minutes: 4 }, 'alert_rules.remind_every_minutes'],
    [{ quiet_hours: { time_zone: 'Mars', from: '22:00', to: '07:00' } }, 'alert_rules.quiet_hours.time_zone'],
    [{ quiet_hours: { time_zone: 'UTC', from: '22:00', to: '22:00' } }, 'alert_rules.quiet_hours.to'],
    [{ critical: true }, 'alert_rules.critical'],
  ] as const)
    it(`refuses rules such as ${JSON.stringify(rules)}`, async () => {
      const { id } = await create('webhook', 'https://alerts.example/in')
      const [status, fields] = await refused(id, { alert_rules: rules })
      assert.deepEqual([status, Object.keys(fields ?? {})], [422, [field]])
    })

  it('takes the kind that the contact has', async () => {
    const { id } = await create('webhook', 'https://a.example/in')
    assert.equal((await changed(id, { kind: 'webhook', name: 'Same' })).name, 'Same')
  })

  it('of a kind that the plan has no more is refused, but its name and state may change', async () => {
    const { token, workspaceId } = await api.addWorkspace()
    const { id } = await create('slack', 'https://hooks.chat.example/services/one', token)
    await api.database.pool.query(`update workspaces set plan = 'pay_as_you_go' where id = $1`, [workspaceId])
    assert.deepEqual(await refused(id, { destination: 'https://hooks.chat.example/services/two' }, token), [
      422,
      { kind: ['This plan only allows the kinds email and webhook.'] },
    ])
    assert.equal((await patch(id, { name: 'Kept', enabled: false }, token)).status, 200)
  })

  it('needs the write scope, and knows no contact of others', async () => {
    const { id } = await create('webhook', 'https://a.example/in')
    const { token } = await api.addWorkspace()
    assert.equal((await patch(id, { name: 'x' }, api.readToken)).status, 403)
    assert.equal((await patch(id, { name: 'x' }, token)).status, 404)
    assert.equal((await patch(randomUUID(), { name: 'x' })).status, 404)
    assert.equal((await patch('none', { colour: 'red' })).status, 404)
  })

  it('stands in the audit log by its fields, unless it changed nothing', async () => {
    const { id, ...record } = await create('webhook', 'https://a.example/topsecret')
    await changed(id, { name: record.name, destination: record.destination })
    await changed(id, { destination: 'https://a.example/other' })
    const { entries } = await listAuditEntries(api.database, { workspaceId: api.workspaceId, before: null, limit: 100 })
    const own = entries.filter(({ action, target }) => action === 'update_alert_channel' && target.id === id)
    assert.deepEqual(
      own.map(({ details }) => details),
      [{ fields: ['destination'] }],
    )
  })

  it('lets two at once both take effect', async () => {
    const { id } = await create('webhook', 'https://a.example/in')
    await Promise.all([changed(id, { name: 'Both' }), changed(id, { destination: 'https://b.example/in' })])
    const row = await rowOf(id)
    assert.deepEqual([row.name, row.destination], ['Both', 'https://b.example/in'])
  })

  const destinations: Record<string, fc.Arbitrary<string>> = {
    email: fc.stringMatching(/^[a-z0-9]{1,20}$/).map((name) => `${name}@example.com`),
    webhook: fc.stringMatching(/^[\w/-]{0,20}$/).map((path) => `https://a.example/${path}`),
    slack: fc.stringMatching(/^[\w/-]{0,20}$/).map((path) => `https://hooks.chat.example/${path}`),
  }
  for (const [kind, destination] of Object.entries(destinations))
    it(`is none where a contact is sent back as it was read: ${kind}`, async () => {
      const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(fc.record({ name, destination, enabled: fc.boolean() }), async ({ enabled, ...given }) => {
          const answer = await api.post('/alert-channels', { kind, ...given })
          assert.equal(answer.status, 201, answer.text)
          const { id } = made.parse(answer.body).data
          if (!enabled) await changed(id, { enabled })
          const before = await rowOf(id)
          const read = z.object({ data: z.array(contactSchema) }).parse((await api.get('/alert-channels')).body)
          const record = read.data.find((contact) => contact.id === id) ?? assert.fail()
          const input = Object.entries(record).filter(([field]) => field in contactChangeSchema.shape)
          assert.deepEqual(await changed(id, Object.fromEntries(input)), record)
          assert.deepEqual(await rowOf(id), before)
          await api.database.pool.query('delete from alert_channels')
          await api.database.pool.query('delete from confirmation_mails')
        }),
        { numRuns: 16 },
      )
    })
})
