import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { sealOptions } from '#store/contacts/sealed-options.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import { addContact, addMonitor, addWorkspace, statusAlertOf } from '../../../test/support/alerts.ts'
import { passTime } from '../../../test/support/bundled.ts'
import { netInPlaceOf } from '../../../test/support/contact-api.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { createMailer } from './mailer.ts'

const monitorCount = 500
/** The engine writes what turned in a quarter of a second as one transaction. */
const batchSize = 50
const mailSeconds = 60
const account = `AC${'0123456789abcdef'.repeat(2)}`
const options = { account_sid: account, from: '+15005550006' }
const secretOptions = { auth_token: 'hunter2hunter2hunter2hunter2hunt' }

type Watched = { name: string; monitorId: string; incidentId: string }

describe('500 monitors that fail together and recover together', async () => {
  const { database, start } = await jobsDatabase()
  const mails = await startMailServer()
  const twilio = await startReceiver()
  twilio.react(() => ({ status: 201, body: '{"status":"queued"}' }))
  const { sendMail } = createMailer({ smtpUrl: mails.url, from: 'alerts@perigee.example', outboxFolder: '' })
  const net = netInPlaceOf('https://api.twilio.com', twilio.url)
  const secrets = createSecrets(randomBytes(32))
  await start({ secrets, carriers: { sendMail, net } })
  const workspaceId = await addWorkspace(database)
  const mailbox = await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' })
  const phone = randomUUID()
  const sealed = sealOptions({ id: phone, publicOptions: options, secretOptions }, secrets)
  await addContact(database, { workspaceId, id: phone, kind: 'twilio_sms', destination: '+491701234567', ...sealed })
  await database.pool.query(`update alert_channels set alert_rules = '{"bundle":true}'`)

  const watched: Watched[] = []
  for (let count = 0; count < monitorCount; count += 1) {
    const name = `Shop ${count}`
    watched.push({ name, monitorId: await addMonitor(database, { workspaceId, name }), incidentId: randomUUID() })
  }
  const turn = async (type: 'monitor.down' | 'monitor.up', some: readonly Watched[]): Promise<void> => {
    for (let from = 0; from < some.length; from += batchSize)
      await database.transaction(async (tx) => {
        const batch = some.slice(from, from + batchSize)
        const orders = batch.map((of) => ({ ...of, workspaceId, alert: statusAlertOf(type, of), at: new Date() }))
        if (type === 'monitor.down')
          await tx.query
            .insertInto('incidents')
            .values(
              batch.map(({ name, monitorId, incidentId }) => ({
                id: incidentId,
                workspace_id: workspaceId,
                monitor_id: monitorId,
                monitor_name: name,
                status: 'open',
                title: `${name} is down`,
                cause: 'The server answered 503.',
                started_at: new Date(),
              })),
            )
            .execute()
        await enqueueAlerts(tx, orders)
      })
  }
  const count = async (condition: string): Promise<number> => {
    const found = await database.pool.query<{ count: number }>(
      `select count(*)::integer as count from deliveries where ${condition}`,
    )
    return found.rows[0]?.count ?? 0
  }
  /** All that is due has left, or waits for others. */
  const settled = (): Promise<void> =>
    until(
      'what is due has left or waits',
      async () => (await count(`state = 'pending' and bundle_id is null and due_at <= now()`)) === 0,
      60_000,
    )
  const subjects = (): string[] =>
    mails.received.map(({ raw }) => /^Subject: ((?:.|\r\n )*)/m.exec(raw)?.[1]?.replaceAll('\r\n', '') ?? '')
  const texts = (): string[] => twilio.received.map(({ body }) => new URLSearchParams(body).get('Body') ?? '')

  /** The rounds of all monitors within a minute, some of them a little late. */
  const storm = async (type: 'monitor.down' | 'monitor.up') => {
    mails.received.length = 0
    twilio.received.length = 0
    const began = performance.now()
    await turn(type, watched.slice(0, batchSize))
    await until('the first mail', async () => mails.received.length === 1)
    const firstMs = (mails.received[0]?.at ?? 0) - began
    await turn(type, watched.slice(batchSize, -20))
    await settled()
    await passTime(database, workspaceId, mailSeconds)
    await settled()
    await turn(type, watched.slice(-20))
    await settled()
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await passTime(database, workspaceId, mailSeconds)
      await settled()
    }
    assert.equal(await count(`state <> 'delivered'`), 0)
    return { subjects: subjects(), texts: texts(), firstMs }
  }

  for (const [type, words] of [
    ['monitor.down', { first: 'Down: Shop', many: 'monitors down' }],
    ['monitor.up', { first: 'Up again: Shop', many: 'monitors up again' }],
  ] as const)
    it(`tell a mailbox three times and a phone twice of ${type}`, { timeout: 120_000 }, async (test) => {
      const told = await storm(type)
      test.diagnostic(`the first mail after ${Math.round(told.firstMs)} ms`)
      assert.equal(told.subjects.length, 3)
      assert.ok(told.subjects[0]?.startsWith(words.first), told.subjects[0])
      assert.match(told.subjects[1] ?? '', new RegExp(`^479 ${words.many}: Shop \\d+, Shop \\d+ and 477 more$`))
      assert.match(told.subjects[2] ?? '', new RegExp(`^20 ${words.many}: `))
      assert.equal(told.texts.length, 2)
      assert.match(told.texts[1] ?? '', new RegExp(`^499 ${words.many}: Shop \\d+, Shop \\d+ and 497 more\n`))
      assert.match(told.texts[1] ?? '', /\nhttps:\/\/perigee\.example\/incidents$/)
      assert.equal(await count(`alert ->> 'type' = '${type}' and alert_channel_id = '${mailbox}'`), monitorCount)
      const { rows } = await database.pool.query(
        `select incident_id from incident_events where type = 'alert_sent' group by 1 having count(*) % 2 = 1`,
      )
      assert.deepEqual(rows, [])
    })
})
