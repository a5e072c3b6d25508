import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { contactKindNames } from '#core/contacts/contact-kinds.ts'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { mask } from '#core/language/mask.ts'
import { createGuard } from '#net/dial/guard.ts'
import { contactLimit } from '#core/contacts/contact-record.ts'
import { takeConfirmationMail } from '#store/contacts/confirmation-mails.ts'
import { addMonitor } from '../../../test/support/alerts.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { createMailer } from '#jobs/contacts/mailer.ts'
import { verifySigned } from '../../../test/support/signed-message.ts'

const created = z.object({ data: contactSchema, signing_secret: z.string().optional() })
const refusal = z.object({
  error: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
})

const idOf = (answer: Answer): string => created.parse(answer.body).data.id

describe('alert channels', async () => {
  const receiver = await startReceiver()
  const mailServer = await startMailServer()
  const mailer = createMailer({ smtpUrl: mailServer.url, from: 'alerts@perigee.example', outboxFolder: '' })
  after(mailer.close)
  const api = await testApi({
    maxConnections: 5,
    services: {
      carriers: testCarriers({ sendMail: mailer.sendMail }),
      isForbiddenAddress: createGuard(['127.0.0.0/8']).isForbiddenAddress,
    },
  })

  beforeEach(async () => {
    await api.database.pool.query('delete from alert_channels')
    await api.database.pool.query('delete from confirmation_mails')
    await api.database.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    receiver.received.length = 0
    receiver.react(() => ({ status: 204 }))
    mailServer.refuse({})
  })

  const create = (kind: string, destination: string, name = 'On call'): Promise<Answer> =>
    api.post('/alert-channels', { name, kind, destination })
  const list = async (): Promise<string[]> => {
    const { body } = await api.get('/alert-channels')
    return z
      .object({ data: z.array(contactSchema) })
      .parse(body)
      .data.map(({ id }) => id)
  }
  const mailJobs = async (): Promise<unknown[]> => {
    const jobs = await api.database.pool.query<{ payload: unknown }>(
      `select job.payload from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
      where task.identifier = 'mail'`,
    )
    return jobs.rows.map(({ payload }) => payload)
  }
  const update = (id: string, change: string) =>
    api.database.pool.query(`update alert_channels set ${change} where id = $1`, [id])

  describe('create', () => {
    it('gives a webhook a secret, shown once, which signs its alerts', async () => {
      const answer = await create('webhook', `${receiver.url}/in`)
      assert.equal(answer.status, 201)
      const { data, signing_secret: secret = '' } = created.parse(answer.body)
      assert.deepEqual(
        { ...data, id: '' },
        { id: '', name: 'On call', kind: 'webhook', destination: `${receiver.url}/in`, enabled: true, confirmed: true },
      )
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.equal((await api.post(`/alert-channels/${data.id}/test`)).status, 200)
      const [one] = receiver.received
      verifySigned(secret, one ?? assert.fail())
      const listed = await api.get('/alert-channels')
      assert.doesNotMatch(listed.text, /secret/)
      const stored = await api.database.pool.query('select signing_secret from alert_channels')
      assert.doesNotMatch(Buffer.from(stored.rows[0].signing_secret).toString('latin1'), /whsec_/)
    })

    it('leaves an address unconfirmed and writes the mail that asks it, in the same transaction', async () => {
      const answer = await create('email', 'ops@example.com')
      const { data, signing_secret: secret } = created.parse(answer.body)
      assert.deepEqual([answer.status, data.confirmed, data.enabled, secret], [201, false, true, undefined])
      assert.deepEqual(await mailJobs(), [{ notice: 'confirm_contact', contact_id: data.id }])
    })

    it('answers a kind without options as if there were none, to the byte', async () => {
      const body = { name: 'On call', kind: 'email', destination: 'ops@example.com', options: {} }
      const answer = await api.post('/alert-channels', body)
      const { id } = created.parse(answer.body).data
      const shown = `{"id":"${id}","name":"On call","kind":"email","destination":"ops@example.com","enabled":true,"confirmed":false}`
      assert.equal(answer.text, `{"data":${shown}}`)
      assert.equal((await api.get('/alert-channels')).text, `{"data":[${shown}]}`)
    })

    it('takes a chat as confirmed and without a secret', async () => {
      const answer = await create('slack', 'https://hooks.chat.example/services/key')
      const { data, signing_secret: secret } = created.parse(answer.body)
      assert.deepEqual([answer.status, data.confirmed, secret], [201, true, undefined])
    })

    it('keeps the address of a chat encrypted, and shows it to those who may change it', async () => {
      const address = 'https://hooks.chat.example/services/hunter2'
      const shown = `https://hooks.chat.example/${mask}`
      const { data } = created.parse((await create('slack', address)).body)
      assert.equal(data.destination, address)
      const { rows } = await api.database.pool.query<{ row: string }>(
        'select alert_channels::text as row from alert_channels',
      )
      assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
      const seenBy = async (token: string) =>
        z.object({ data: z.array(contactSchema) }).parse((await api.get('/alert-channels', { token })).body).data[0]
      assert.equal((await seenBy(api.token))?.destination, address)
      assert.equal((await seenBy(api.readToken))?.destination, shown)
      const sentBack = refusal.parse((await create('slack', shown)).body)
      assert.deepEqual(Object.keys(sentBack.fields ?? {}), ['destination'])
    })

    it('shows no reader the address of a chat that an earlier release left in the clear', async () => {
      const id = idOf(await create('slack', 'https://hooks.chat.example/services/key'))
      await update(id, `sealed_destination = null, destination = 'https://hooks.chat.example/services/hunter2'`)
      assert.doesNotMatch((await api.get('/alert-channels', { token: api.readToken })).text, /hunter2/)
      assert.match((await api.get('/alert-channels')).text, /hunter2/)
    })

    const refused = [
      [
        'an unknown kind',
        { kind: 'pager', destination: 'https://a.example' },
        { kind: [`Must be one of ${contactKindNames.join(', ')}.`] },
      ],
      [
        'a kind named like a member of every object',
        { kind: 'constructor', destination: 'https://a.example' },
        { kind: [`Must be one of ${contactKindNames.join(', ')}.`] },
      ],
      [
        'an address that is none',
        { kind: 'email', destination: 'ops' },
        { destination: ['Must be an email address.'] },
      ],
      [
        'a webhook without https',
        { kind: 'webhook', destination: 'http://a.example' },
        { destination: ['Must be an https:// address.'] },
      ],
      [
        'a private address',
        { kind: 'slack', destination: 'https://10.0.0.8/' },
        {
          destination: [
            'Leads to 10.0.0.8, a private or reserved address, to which nothing is sent unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS.',
          ],
        },
      ],
      [
        'options that its kind does not have',
        { kind: 'email', destination: 'ops', options: { colour: 'red' } },
        { destination: ['Must be an email address.'], 'options.colour': ['Unknown field.'] },
      ],
      [
        'options that are none',
        { kind: 'email', destination: 'ops@example.com', options: 'red' },
        { options: ['Must be an object.'] },
      ],
      ['an empty name', { name: '', kind: 'email', destination: 'ops@example.com' }, { name: ['must not be empty'] }],
      ['a missing destination', { kind: 'email' }, { destination: ['This field is required.'] }],
      [
        'an unknown field',
        { kind: 'email', destination: 'ops@example.com', enabled: false },
        { enabled: ['Unknown field.'] },
      ],
    ] as const
    for (const [what, body, fields] of refused)
      it(`refuses ${what}`, async () => {
        const answer = await api.post('/alert-channels', { name: 'On call', ...body })
        assert.equal(answer.status, 422)
        const { error, fields: said } = refusal.parse(answer.body)
        assert.equal(error, 'validation_failed')
        assert.deepEqual(Object.keys(said ?? {}), Object.keys(fields))
        if (!('name' in fields)) assert.deepEqual(said, fields)
        assert.deepEqual([await list(), await mailJobs()], [[], []])
      })

    it('refuses a kind that the plan does not have', async () => {
      const { token } = await api.addWorkspace('pay_as_you_go')
      const body = { name: 'On call', kind: 'slack', destination: 'https://hooks.chat.example/services/key' }
      const answer = await api.post('/alert-channels', body, { token })
      assert.equal(answer.status, 422)
      assert.deepEqual(refusal.parse(answer.body).fields, {
        kind: ['This plan only allows the kinds email and webhook.'],
      })
      const email = await api.post(
        '/alert-channels',
        { ...body, kind: 'email', destination: 'a@example.com' },
        { token },
      )
      assert.equal(email.status, 201)
    })

    it('stops at the limit, also when many come at once', async () => {
      await api.database.pool.query(
        `insert into alert_channels (id, workspace_id, name, kind, destination, confirmed)
        select gen_random_uuid(), $1, 'Filler', 'webhook', 'https://a.example', true from generate_series(1, $2)`,
        [api.workspaceId, contactLimit - 3],
      )
      const answers = await Promise.all(Array.from({ length: 10 }, () => create('email', 'ops@example.com')))
      assert.equal(answers.filter(({ status }) => status === 201).length, 3)
      for (const answer of answers.filter(({ status }) => status !== 201))
        assert.deepEqual([answer.status, refusal.parse(answer.body).error], [422, 'limit_reached'])
      assert.equal((await list()).length, contactLimit)
      assert.equal((await mailJobs()).length, 3)
    })

    it('sends a stranger three confirmation mails a day, whoever asks and however the address is written', async () => {
      const { token } = await api.addWorkspace()
      const body = { name: 'On call', kind: 'email' }
      const addresses = ['v@example.com', 'V@Example.com', 'v+alerts@example.com', 'v+again@example.com']
      const answers = await Promise.all(
        addresses.map((destination, index) =>
          api.post('/alert-channels', { ...body, destination }, index % 2 === 0 ? {} : { token }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 201).length, 3)
      const [fourth, ...others] = answers.filter(({ status }) => status === 429)
      assert.ok(fourth !== undefined && others.length === 0)
      assert.match(
        refusal.parse(fourth.body).message,
        /^This address was sent 3 confirmation mails within a day\. The next can be sent at 20/,
      )
      const seconds = Number(fourth.headers.get('retry-after'))
      assert.ok(seconds > 86_000 && seconds <= 86_400, `${seconds} s`)
      assert.equal((await mailJobs()).length, 3)
      assert.equal((await create('email', 'w@example.com')).status, 201)
      assert.equal((await create('webhook', 'https://a.example')).status, 201)
    })

    it('sends a hundred of them a day out of a workspace, however many strangers it names', async () => {
      await api.database.transaction(async (tx) => {
        for (let count = 0; count < 100; count += 1)
          await takeConfirmationMail(tx, { subject: { workspaceId: api.workspaceId }, now: new Date() })
      })
      const answer = await create('email', 'x@example.com')
      assert.deepEqual([answer.status, refusal.parse(answer.body).error], [429, 'rate_limited'])
      assert.match(refusal.parse(answer.body).message, /^This workspace had 100 confirmation mails within a day\./)
      const { token } = await api.addWorkspace()
      const body = { name: 'On call', kind: 'email', destination: 'x@example.com' }
      assert.equal((await api.post('/alert-channels', body, { token })).status, 201)
    })

    it('needs the write scope', async () => {
      const body = { name: 'On call', kind: 'email', destination: 'ops@example.com' }
      assert.equal((await api.post('/alert-channels', body, { token: api.readToken })).status, 403)
      assert.equal((await api.get('/alert-channels', { token: api.readToken })).status, 200)
    })
  })

  it('lists the contacts of its own workspace, the oldest first', async () => {
    const { token } = await api.addWorkspace()
    const ids = []
    for (const name of ['one', 'two', 'three']) ids.push(idOf(await create('webhook', 'https://a.example', name)))
    assert.deepEqual(await list(), ids)
    assert.deepEqual((await api.get('/alert-channels', { token })).body, { data: [] })
  })

  describe('delete', () => {
    it('removes the contact, and lets a monitor that alerted only it alert all again', async () => {
      const gone = idOf(await create('webhook', 'https://a.example'))
      const kept = idOf(await create('webhook', 'https://b.example'))
      const { workspaceId } = api
      const monitors = [
        [[gone], null],
        [[gone, kept], [kept]],
        [[kept], [kept]],
        [[], []],
        [null, null],
      ] as const
      const ids = []
      for (const [contacts] of monitors)
        ids.push(await addMonitor(api.database, { workspaceId, contactIds: contacts === null ? null : [...contacts] }))
      const answer = await api.request('DELETE', `/alert-channels/${gone}`)
      assert.equal(answer.status, 204)
      assert.deepEqual(await list(), [kept])
      for (const [index, [, expected]] of monitors.entries()) {
        const row = await api.database.query
          .selectFrom('monitors')
          .select('alert_channel_ids')
          .where('id', '=', ids[index] ?? '')
          .executeTakeFirstOrThrow()
        assert.deepEqual(row.alert_channel_ids, expected)
      }
      assert.equal((await api.request('DELETE', `/alert-channels/${gone}`)).status, 404)
    })

    it('knows no contact of another workspace, and no id that is none', async () => {
      const id = idOf(await create('webhook', 'https://a.example'))
      const { token } = await api.addWorkspace()
      for (const path of [`/alert-channels/${id}`, '/alert-channels/none'])
        assert.equal((await api.request('DELETE', path, { token })).status, 404)
      assert.equal((await api.post(`/alert-channels/${id}/test`, undefined, { token })).status, 404)
      assert.deepEqual(await list(), [id])
    })
  })

  describe('test', () => {
    it('sends one message and says what was answered', async () => {
      const id = idOf(await create('slack', `${receiver.url}/services/key`))
      const answer = await api.post(`/alert-channels/${id}/test`)
      assert.equal(answer.status, 200)
      const { data } = z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.body)
      assert.deepEqual([data['delivered'], data['alert_channel_id'], data['status_code']], [true, id, 204])
      assert.match(receiver.received[0]?.body ?? '', /Test alert from Perigee/)
      assert.equal(receiver.received[0]?.path, '/services/key')
      assert.equal(receiver.received.length, 1)
    })

    it('sends a mail', async () => {
      const id = idOf(await create('email', 'ops@example.com'))
      await update(id, 'confirmed = true')
      const answer = await api.post(`/alert-channels/${id}/test`)
      assert.equal(answer.status, 200)
      assert.deepEqual(mailServer.received.at(-1)?.to, ['ops@example.com'])
    })

    it('says that no mail leaves, where none does', async () => {
      const mute = await testApi({ maxConnections: 5, services: { sendsMail: false } })
      const made = await mute.post('/alert-channels', {
        name: 'On call',
        kind: 'email',
        destination: 'ops@example.com',
      })
      const refused = await mute.post(`/alert-channels/${idOf(made)}/test`)
      const { error, message } = refusal.parse(refused.body)
      assert.deepEqual([refused.status, error], [422, 'delivery_failed'])
      assert.match(message, /sends no mail.*PERIGEE_SMTP_URL/)
    })

    it('forgets that a contact failed, once it works', async () => {
      const id = idOf(await create('webhook', receiver.url))
      await update(id, 'failing_since = now()')
      await api.post(`/alert-channels/${id}/test`)
      const row = await api.database.pool.query('select failing_since from alert_channels where id = $1', [id])
      assert.equal(row.rows[0].failing_since, null)
    })

    const obstacles = [
      ['an unconfirmed contact', 'confirmed = false', 'contact_unconfirmed', /not confirmed/],
      ['a contact that is switched off', 'enabled = false', 'contact_disabled', /switched off/],
      ['a destination that refuses', 'confirmed = true', 'delivery_failed', /answered 500/],
    ] as const
    for (const [what, change, code, reason] of obstacles)
      it(`tells of ${what}`, async () => {
        receiver.react(() => ({ status: 500 }))
        const id = idOf(await create('webhook', receiver.url))
        await update(id, change)
        const answer = await api.post(`/alert-channels/${id}/test`)
        const { error, message } = refusal.parse(answer.body)
        assert.deepEqual([answer.status, error], [422, code])
        assert.match(message, reason)
        assert.equal(receiver.received.length, code === 'delivery_failed' ? 1 : 0)
      })

    it('tells what a chat said, without the address that is its secret', async () => {
      const path = '/services/T000/B000/hunter2hunter2'
      receiver.react(() => ({ status: 404, body: `no_service at\n${path}` }))
      const id = idOf(await create('slack', `${receiver.url}${path}`))
      const { message } = refusal.parse((await api.post(`/alert-channels/${id}/test`)).body)
      assert.equal(message, `The test alert was not accepted. The contact answered 404: no_service at ${mask}`)
    })

    it('tells why a mail server refused', async () => {
      const id = idOf(await create('email', 'ops@example.com'))
      await update(id, 'confirmed = true')
      mailServer.refuse({ recipient: () => ({ code: 550, text: 'No such user' }) })
      const { error, message } = refusal.parse((await api.post(`/alert-channels/${id}/test`)).body)
      assert.equal(error, 'delivery_failed')
      assert.match(message, /550 No such user/)
    })
  })
})
