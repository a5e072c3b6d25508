import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { signingSecretOf } from '#contacts/webhook.ts'
import { updateContact } from '#store/contacts/contact-changes.ts'
import { sealOptions } from '#store/contacts/sealed-options.ts'
import { sealSigningSecret } from '#store/contacts/signing-secrets.ts'
import { sealContacts } from '#store/installation/sealing.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { createMailer } from './mailer.ts'
import { verifySigned } from '../../../test/support/signed-message.ts'

/** What these tests bring about, and what is so where nothing but jobs runs for a minute. */
const foreseen = new Set([
  'An alert could not be delivered.',
  'An alert was not sent.',
  'The installation has a problem.',
])

describe('the delivery of alerts', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  const mailServer = await startMailServer()
  const mailer = createMailer({ smtpUrl: mailServer.url, from: 'alerts@perigee.example', outboxFolder: '' })
  const { secrets, logged } = await start({ carriers: mailer })
  let workspaceId = ''
  let monitorId = ''

  beforeEach(async () => {
    receiver.received.length = 0
    receiver.react(() => ({ status: 204 }))
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
  })

  const deliveries = () =>
    database.query
      .selectFrom('deliveries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .execute()
  const states = async (): Promise<string[]> => (await deliveries()).map(({ state }) => state)
  const reach = (expected: string): Promise<void> =>
    until(`the deliveries are ${expected}`, async () => (await states()).join() === expected)
  const firstAnswer = (status: number): Promise<void> =>
    until(`the first delivery was answered ${status}`, async () => (await deliveries())[0]?.status_code === status)
  const events = (incidentId: string) =>
    database.query
      .selectFrom('incident_events')
      .select(['type', 'message', 'details'])
      .where('incident_id', '=', incidentId)
      .orderBy('at')
      .orderBy('position')
      .execute()
  const contactOf = (id: string) =>
    database.query.selectFrom('alert_channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const typesReceived = (): string[] =>
    receiver.received.map(({ body }) => {
      const alert: Alert = JSON.parse(body)
      return alert.type
    })
  /** Time passes for a delivery that waits: its next attempt is due, and its job too. */
  const skipWait = async (): Promise<void> => {
    await database.pool.query('update deliveries set due_at = now() where workspace_id = $1 and state = $2', [
      workspaceId,
      'pending',
    ])
    await database.pool.query(
      `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where run_at > now()), run_at => now())`,
    )
    await database.pool.query(`select pg_notify('jobs:insert', '{"count":1}')`)
  }

  it('signs what it sends, and tells the incident', async () => {
    const secret = signingSecretOf(randomBytes(32))
    const id = randomUUID()
    const signingSecret = sealSigningSecret({ id, secret }, secrets)
    const contact = await addContact(database, { id, workspaceId, destination: receiver.url, signingSecret })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await reach('delivered')
    const [delivery] = await deliveries()
    const [one] = receiver.received
    assert.ok(one !== undefined && delivery !== undefined)
    assert.equal(one.headers['webhook-id'], delivery.id)
    verifySigned(secret, one)
    assert.deepEqual([delivery.status_code, delivery.attempt, delivery.error], [204, 1, null])
    assert.deepEqual(await events(incidentId), [
      {
        type: 'alert_sent',
        message: 'Alert sent to Operations (webhook).',
        details: { alert_channel_id: contact, attempt: 1 },
      },
    ])
  })

  it('reaches a chat whose address is sealed', async () => {
    await addContact(database, { workspaceId, kind: 'slack', destination: `${receiver.url}/services/key` })
    assert.equal(await sealContacts(database, secrets, 10), 1)
    await addDownAlert(database, { workspaceId, monitorId })
    await reach('delivered')
    assert.equal(receiver.received[0]?.path, '/services/key')
  })

  it('answers the message of an outage with that of its recovery, at the same address alone', async () => {
    const sent = z.looseObject({ reply_parameters: z.unknown().optional() })
    const token = '123456789:AAHunter2Hunter2Hunter2Hunter2Hunt-_'
    const id = randomUUID()
    const options = sealOptions({ id, publicOptions: { server: receiver.url }, secretOptions: { token } }, secrets)
    await addContact(database, { id, workspaceId, kind: 'telegram', destination: '42', ...options })
    receiver.react((_received, count) => ({
      status: 200,
      body: JSON.stringify({ result: { message_id: 100 + count } }),
    }))
    const first = await addDownAlert(database, { workspaceId, monitorId })
    await reach('delivered')
    await addRecovery(database, { workspaceId, monitorId, incidentId: first.incidentId })
    await reach('delivered,delivered')
    const second = await addDownAlert(database, { workspaceId, monitorId })
    await reach('delivered,delivered,delivered')
    await database.transaction((tx) =>
      updateContact(tx, { workspaceId, id }, { address: { destination: '43', sealedDestination: null } }),
    )
    await addRecovery(database, { workspaceId, monitorId, incidentId: second.incidentId })
    await reach('delivered,delivered,delivered,delivered')
    const answered = receiver.received.map(({ body }) => sent.parse(JSON.parse(body)).reply_parameters)
    const references = (await deliveries()).map(({ reference }) => Number(reference))
    assert.deepEqual(answered, [
      undefined,
      { message_id: Math.min(...references), allow_sending_without_reply: true },
      undefined,
      undefined,
    ])
    assert.equal(new Set(references).size, 4)
  })

  it('tries again with the same id, and forgets the failure once it succeeded', async () => {
    const contact = await addContact(database, { workspaceId, destination: receiver.url })
    receiver.react((_received, count) => ({ status: count < 3 ? 500 : 200 }))
    await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(500)
    const [delivery] = await deliveries()
    assert.ok(delivery !== undefined && delivery.claimed_at === null)
    assert.ok((await contactOf(contact)).failing_since !== null)
    const waitMs = delivery.due_at.getTime() - Date.now()
    assert.ok(waitMs > 0 && waitMs <= 6000, `due in ${waitMs} ms`)
    await skipWait()
    await until('the second attempt has ended', async () => {
      const [again] = await deliveries()
      return again?.attempt === 2 && again.claimed_at === null
    })
    await skipWait()
    await reach('delivered')
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal((await contactOf(contact)).failing_since, null)
  })

  it('waits as long as it is asked to', async () => {
    await addContact(database, { workspaceId, destination: receiver.url })
    receiver.react(() => ({ status: 429, headers: { 'retry-after': '600' } }))
    await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(429)
    const waitMs = Number((await deliveries())[0]?.due_at) - Date.now()
    assert.ok(waitMs > 590_000 && waitMs <= 720_000, `due in ${waitMs} ms`)
  })

  it('never lets a recovery overtake its down alert, and sends it as soon as that has ended', async () => {
    await addContact(database, { workspaceId, destination: receiver.url })
    receiver.react((_received, count) => ({ status: count === 1 ? 503 : 200 }))
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(503)
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    await until('the recovery has been turned away', async () => (await jobsWaiting(workspaceId)) === 1)
    assert.deepEqual(typesReceived(), ['monitor.down'])
    await skipWait()
    await reach('delivered,delivered')
    assert.deepEqual(typesReceived(), ['monitor.down', 'monitor.down', 'monitor.up'])
  })

  it('sends a recovery also when its down alert was given up', async () => {
    await addContact(database, { workspaceId, destination: receiver.url })
    receiver.react((_received, count) => ({ status: count === 1 ? 500 : 200 }))
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(500)
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    await database.pool.query(`update deliveries set attempt = 6 where workspace_id = $1 and attempt = 1`, [
      workspaceId,
    ])
    receiver.react((received) => ({ status: received.body.includes('monitor.down') ? 500 : 200 }))
    await skipWait()
    await reach('failed,delivered')
    assert.deepEqual(
      (await events(incidentId)).map(({ type, message }) => [type, message]),
      [
        ['alert_failed', 'Alert to Operations (webhook) failed: The contact answered 500.'],
        ['alert_sent', 'Alert sent to Operations (webhook).'],
      ],
    )
  })

  it('switches a contact off that is gone, and tells the other readers by mail', async () => {
    const gone = await addContact(database, { workspaceId, destination: receiver.url })
    await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' })
    await addContact(database, { workspaceId, kind: 'email', destination: 'new@example.com', confirmed: false })
    const only = await addMonitor(database, { workspaceId, contactIds: [gone] })
    receiver.react(() => ({ status: 410 }))
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId: only })
    await reach('failed')
    assert.equal((await contactOf(gone)).enabled, false)
    assert.equal((await events(incidentId))[0]?.type, 'alert_failed')
    await until('the mail has come', async () => mailServer.received.length === 1)
    assert.deepEqual(mailServer.received[0]?.to, ['ops@example.com'])
    assert.match(mailServer.received[0]?.raw ?? '', /Subject: Alerts to Operations were switched off/)
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 100 })
    const told = entries.filter(({ target }) => target.id === gone)
    assert.deepEqual(
      told.map(({ actor, action, details }) => [actor.name, action, details]),
      [['Delivery', 'disable_alert_channel', { reason: 'gone' }]],
    )
  })

  it('switches a contact off when an alert is given up after three days of failures', async () => {
    const contact = await addContact(database, { workspaceId, destination: receiver.url })
    await database.pool.query(`update alert_channels set failing_since = now() - interval '3 days' where id = $1`, [
      contact,
    ])
    receiver.react(() => ({ status: 500 }))
    await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(500)
    assert.equal((await contactOf(contact)).enabled, true)
    await database.pool.query('update deliveries set attempt = 6 where workspace_id = $1', [workspaceId])
    await skipWait()
    await reach('failed')
    assert.equal((await contactOf(contact)).enabled, false)
  })

  it('sends nothing to a contact that was switched off meanwhile, and says so', async () => {
    const contact = await addContact(database, { workspaceId, destination: receiver.url })
    receiver.react(() => ({ status: 500 }))
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(500)
    await database.pool.query('update alert_channels set enabled = false where id = $1', [contact])
    await skipWait()
    await reach('failed')
    assert.equal(receiver.received.length, 1)
    assert.equal(
      (await events(incidentId))[0]?.message,
      'Alert to Operations (webhook) failed: The contact is switched off.',
    )
  })

  it('sends no alert that is older than a day', async () => {
    await addContact(database, { workspaceId, destination: receiver.url })
    receiver.react(() => ({ status: 500 }))
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await firstAnswer(500)
    await database.pool.query(
      `update deliveries set created_at = now() - interval '25 hours' where workspace_id = $1`,
      [workspaceId],
    )
    await skipWait()
    await reach('failed')
    assert.equal(receiver.received.length, 1)
    assert.match((await events(incidentId))[0]?.message ?? '', /could not be sent within 24 hours/)
  })

  it('keeps one attempt under way to a contact that fails, so that it cannot take every worker', async () => {
    const silent = await startReceiver()
    silent.react(() => null)
    const failing = await addContact(database, { workspaceId, destination: silent.url })
    await addContact(database, { workspaceId, destination: receiver.url })
    await database.pool.query('update alert_channels set failing_since = now() where id = $1', [failing])
    for (let count = 0; count < 10; count += 1) {
      const monitor = await addMonitor(database, { workspaceId, name: `Shop ${count}` })
      await addDownAlert(database, { workspaceId, monitorId: monitor })
    }
    await until(
      'the working contact has all',
      async () => (await deliveries()).filter(({ state }) => state === 'delivered').length === 10,
    )
    assert.equal(silent.received.length, 1)
    silent.hangUp()
  })

  it('delivers all of a contact that had more to get than may be under way at once', async () => {
    await addContact(database, { workspaceId, destination: receiver.url })
    for (let count = 0; count < 30; count += 1) {
      const monitor = await addMonitor(database, { workspaceId, name: `Shop ${count}` })
      await addDownAlert(database, { workspaceId, monitorId: monitor })
    }
    await until('all are delivered', async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    const ids = new Set((await deliveries()).map(({ id }) => id))
    assert.equal(ids.size, 30)
    assert.equal(receiver.received.filter(({ headers }) => ids.has(String(headers['webhook-id']))).length, 30)
  })

  it('logged no failure of its own all the while', () =>
    assert.deepEqual(
      logged
        .filter(({ message }) => !foreseen.has(message))
        .filter(({ level }) => level === 'warn' || level === 'error'),
      [],
    ))

  async function jobsWaiting(workspace: string): Promise<number> {
    const waiting = await database.pool.query<{ count: number }>(
      `select count(*)::integer as count
      from graphile_worker.jobs as job
      join deliveries as delivery on job.key = 'deliver:' || delivery.id
      where delivery.workspace_id = $1`,
      [workspace],
    )
    return waiting.rows[0]?.count ?? 0
  }
})

describe('the delivery of alerts where no mail leaves', async () => {
  const { database, start } = await jobsDatabase()
  const outboxFolder = await mkdtemp(join(tmpdir(), 'perigee-outbox-'))
  after(() => rm(outboxFolder, { recursive: true, force: true }))
  await start({ carriers: createMailer({ smtpUrl: null, from: 'alerts@perigee.example', outboxFolder }) })

  it('keeps a mail, and neither says that it was sent nor that the contact works', async () => {
    const workspaceId = await addWorkspace(database)
    const monitorId = await addMonitor(database, { workspaceId })
    const id = await addContact(database, { workspaceId, kind: 'email', destination: 'kept@example.com' })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    const read = () =>
      database.query.selectFrom('deliveries').selectAll().where('incident_id', '=', incidentId).executeTakeFirst()
    await until('the delivery has ended', async () => (await read())?.state === 'delivered')
    assert.equal((await read())?.status_code, null)
    assert.equal((await readdir(outboxFolder)).length, 1)
    const contact = database.query.selectFrom('alert_channels').selectAll().where('id', '=', id)
    assert.equal((await contact.executeTakeFirstOrThrow()).worked_at, null)
    const events = database.query.selectFrom('incident_events').select(['type', 'message'])
    assert.deepEqual(await events.where('incident_id', '=', incidentId).execute(), [
      {
        type: 'alert_failed',
        message: 'Alert to Operations (email) failed: This installation sends no mail. The mail is kept in the outbox.',
      },
    ])
  })
})
