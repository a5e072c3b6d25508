import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../test/support/alerts.ts'
import { jobsDatabase } from '../../test/support/jobs.ts'
import { rawServer } from '../../test/support/raw-server.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { until } from '../../test/support/until.ts'
import { createMailer } from '#jobs/contacts/mailer.ts'

const concurrency = 24
/** A moment, when nothing is held up; an attempt that is not answered takes ten seconds or more. */
const soonMs = 8_000
const told = z.looseObject({ type: z.string(), data: z.looseObject({ monitor: z.looseObject({ id: z.string() }) }) })

describe('jobs of different lanes', async () => {
  const { database, start } = await jobsDatabase({ maxConnections: 12 })
  let workspaceId = ''

  beforeEach(async () => {
    workspaceId = await addWorkspace(database)
  })

  const stateCount = async (contactId: string, state: string): Promise<number> => {
    const rows = await database.query
      .selectFrom('deliveries')
      .select('id')
      .where('alert_channel_id', '=', contactId)
      .where('state', '=', state)
      .execute()
    return rows.length
  }
  const alertTo = async (contactIds: string[], number: number): Promise<void> => {
    for (let count = 0; count < number; count += 1) {
      const monitorId = await addMonitor(database, { workspaceId, contactIds })
      await addDownAlert(database, { workspaceId, monitorId })
    }
  }

  it('are not held up by a mail server that is silent', { timeout: 60_000 }, async () => {
    const silent = await rawServer(() => {})
    const smtpUrl = `smtp://127.0.0.1:${silent.port}`
    const { sendMail, close } = createMailer({ smtpUrl, from: 'alerts@perigee.example', outboxFolder: '' })
    const receiver = await startReceiver()
    const contactId = await addContact(database, { workspaceId, destination: receiver.url })
    const mailbox = { workspaceId, kind: 'email', destination: 'ops@example.com', confirmed: false }
    const asked = await Promise.all(Array.from({ length: 40 }, () => addContact(database, mailbox)))
    await database.transaction((tx) =>
      enqueueNotices(
        tx,
        asked.map((id) => ({ notice: 'confirm_contact', contact_id: id })),
      ),
    )
    const jobs = await start({ concurrency, carriers: { sendMail } })
    await until('mails are under way', async () => silent.connections() > 0)
    await alertTo([contactId], 20)
    await until('every alert is delivered', async () => (await stateCount(contactId, 'delivered')) === 20, soonMs)
    assert.equal(silent.connections(), 4)
    await jobs.stop()
    await close()
  })

  it('are not held up by receivers that are silent, and these get several at once', { timeout: 60_000 }, async () => {
    const [silent, good] = [await startReceiver(), await startReceiver()]
    silent.react(() => null)
    const contactId = await addContact(database, { workspaceId, destination: good.url })
    const destination = silent.url
    const silents = [
      await addContact(database, { workspaceId, destination: `${destination}/one` }),
      await addContact(database, { workspaceId, destination: `${destination}/two` }),
    ]
    const jobs = await start({ concurrency })
    await alertTo(silents, 10)
    await until('attempts are under way', async () => silent.received.length > 1)
    await alertTo([contactId], 20)
    await until('every alert is delivered', async () => (await stateCount(contactId, 'delivered')) === 20, soonMs)
    assert.equal(silent.received.length, 5, 'a fifth of the workers')
    silent.hangUp()
    await jobs.stop()
  })

  it('are told in the order of each monitor by a receiver that is slow', { timeout: 60_000 }, async () => {
    const slow = await startReceiver()
    slow.react(() => ({ status: 204, afterMs: 200 }))
    const contactId = await addContact(database, { workspaceId, destination: slow.url })
    const monitors: string[] = []
    for (let count = 0; count < 8; count += 1) {
      const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
      monitors.push(monitorId)
      for (let turn = 0; turn < 2; turn += 1) {
        const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
        await addRecovery(database, { workspaceId, monitorId, incidentId })
      }
    }
    const jobs = await start({ concurrency })
    await until('every alert is delivered', async () => (await stateCount(contactId, 'delivered')) === 32)
    const order = slow.received.map(({ body }) => told.parse(JSON.parse(body)))
    for (const monitor of monitors)
      assert.deepEqual(
        order.filter(({ data }) => data.monitor.id === monitor).map(({ type }) => type),
        ['monitor.down', 'monitor.up', 'monitor.down', 'monitor.up'],
      )
    await jobs.stop()
  })
})
