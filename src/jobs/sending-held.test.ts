import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { holdSending, resumeSending } from '#store/installation/sending.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../test/support/alerts.ts'
import { jobsDatabase } from '../../test/support/jobs.ts'
import { startMailServer } from '../../test/support/mail-server.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { until } from '../../test/support/until.ts'
import { createMailer } from './contacts/mailer.ts'

describe('a restored copy', async () => {
  const { database, start } = await jobsDatabase()
  const server = await startMailServer()
  const receiver = await startReceiver()
  const mailer = createMailer({ smtpUrl: server.url, from: 'alerts@perigee.example', outboxFolder: '' })
  after(() => mailer.close())
  const workspaceId = await addWorkspace(database)
  const pending = async (): Promise<number> => {
    const { rows } = await database.pool.query(`select from deliveries where state = 'pending'`)
    return rows.length
  }
  /** Alerts for a webhook and for a mail address. */
  const alert = async (): Promise<void> => {
    const contactIds = [
      await addContact(database, { workspaceId, destination: receiver.url }),
      await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' }),
    ]
    const monitorId = await addMonitor(database, { workspaceId, contactIds })
    await addDownAlert(database, { workspaceId, monitorId })
  }

  it('sends nothing until it may, then what is younger than a day', async () => {
    await database.transaction(({ client }) =>
      holdSending(client, { since: new Date(), backupAt: new Date().toISOString() }),
    )
    await alert()
    await database.pool.query(`update deliveries set created_at = now() - interval '25 hours'`)
    await alert()
    await database.transaction((tx) =>
      enqueueNotices(tx, [{ notice: 'operator_troubles', troubles: ['An old problem.'] }]),
    )
    await database.pool.query(`update graphile_worker._private_jobs set created_at = now() - interval '25 hours'
      where task_id in (select id from graphile_worker._private_tasks where identifier = 'mail')`)
    const jobs = await start({
      carriers: { sendMail: (message, signal) => mailer.sendMail(message, signal) },
      operatorEmail: 'operator@example.com',
    })
    // This job of its own runs, so that the workers do work.
    await database.pool.query(`select graphile_worker.add_job('forget_monitor', '{"monitor_key": "1"}')`)
    await until('the workers did what stays inside', async () => {
      const { rows } = await database.pool.query(
        `select from graphile_worker.jobs where task_identifier = 'forget_monitor' and attempts = 0`,
      )
      return rows.length === 0
    })
    assert.equal(await pending(), 4)
    assert.deepEqual([receiver.received.length, server.received.length], [0, 0])
    assert.equal(await resumeSending(database), true)
    await until('the alerts of today were sent', async () => (await pending()) === 0)
    assert.deepEqual([receiver.received.length, server.received.length], [1, 1])
    assert.equal(await resumeSending(database), false)
    await jobs.stop()
  })
})
