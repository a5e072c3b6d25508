import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { type Refusals, startMailServer } from '../../../test/support/mail-server.ts'
import { until } from '../../../test/support/until.ts'
import { createMailer } from './mailer.ts'

describe('an alert by mail, with a server that answers errors', async () => {
  const { database, start } = await jobsDatabase()
  const server = await startMailServer()
  let mailer = createMailer({ smtpUrl: server.url, from: 'alerts@perigee.example', outboxFolder: '' })
  after(() => mailer.close())
  await start({ carriers: { sendMail: (message, signal) => mailer.sendMail(message, signal) } })
  let workspaceId = ''
  let contactId = ''

  beforeEach(async () => {
    server.received.length = 0
    server.refuse({})
    // A connection that is kept would not be greeted again.
    await mailer.close()
    mailer = createMailer({ smtpUrl: server.url, from: 'alerts@perigee.example', outboxFolder: '' })
    workspaceId = await addWorkspace(database)
    contactId = await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' })
  })

  const delivery = () =>
    database.query.selectFrom('deliveries').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()
  const failingSince = async (): Promise<Date | null> => {
    const contact = await database.query
      .selectFrom('alert_channels')
      .select('failing_since')
      .where('id', '=', contactId)
      .executeTakeFirstOrThrow()
    return contact.failing_since
  }
  const alert = async (): Promise<void> => {
    const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
    await addDownAlert(database, { workspaceId, monitorId })
  }
  const firstAttempt = async (): Promise<NonNullable<Awaited<ReturnType<typeof delivery>>>> => {
    await until('the first attempt has ended', async () => {
      const one = await delivery()
      return one?.attempt === 1 && one.claimed_at === null
    })
    return (await delivery()) ?? assert.fail('there is a delivery')
  }
  const skipWait = async (): Promise<void> => {
    await database.pool.query('update deliveries set due_at = now() where workspace_id = $1', [workspaceId])
    await database.pool.query(
      `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where run_at > now()), run_at => now())`,
    )
    await database.pool.query(`select pg_notify('jobs:insert', '{"count":1}')`)
  }

  const passing: [string, Refusals, number | null, RegExp][] = [
    ['greets with 421', { greeting: () => ({ code: 421, text: 'Busy' }) }, 421, /: 421 Busy/],
    ['greets with 554', { greeting: () => ({ code: 554, text: 'No' }) }, 554, /: 554 No/],
    ['refuses the sender for good', { sender: () => ({ code: 550, text: 'No' }) }, 550, /: 550 No/],
    ['refuses the sender for now', { sender: () => ({ code: 451, text: 'Later' }) }, 451, /: 451 Later/],
    ['refuses the address for now', { recipient: () => ({ code: 450, text: 'Later' }) }, 450, /address: 450 Later/],
    ['does not relay', { recipient: () => ({ code: 554, text: '5.7.1 No relay' }) }, 554, /: 554 5\.7\.1 No relay/],
    ['refuses the message for now', { message: () => ({ code: 452, text: 'Full' }) }, 452, /message: 452 Full/],
    ['hangs up instead of a greeting', { greeting: () => 'cut' }, null, /could not be used/],
    ['hangs up at the sender', { sender: () => 'cut' }, null, /could not be used/],
    ['hangs up at the address', { recipient: () => 'cut' }, null, /could not be used/],
    ['hangs up at the message', { message: () => 'cut' }, null, /could not be used/],
  ]
  for (const [what, refusals, code, error] of passing)
    it(`is tried again when the server ${what}, and arrives once`, async () => {
      server.refuse(refusals)
      await alert()
      const { state, status_code: statusCode, error: told, due_at: dueAt } = await firstAttempt()
      assert.deepEqual([state, statusCode], ['pending', code])
      assert.match(told ?? '', error)
      const waitMs = dueAt.getTime() - Date.now()
      assert.ok(waitMs > 15_000 && waitMs <= 36_000, `due in ${waitMs} ms`)
      assert.equal(await failingSince(), null, 'the server is to blame, not the contact')
      server.refuse({})
      await skipWait()
      await until('it is delivered', async () => (await delivery())?.state === 'delivered')
      assert.deepEqual(
        server.received.map(({ to }) => to),
        [['ops@example.com']],
      )
    })

  const final: [string, Refusals, RegExp][] = [
    [
      'refuses the address',
      { recipient: () => ({ code: 550, text: '5.1.1 Unknown' }) },
      /address: 550 5\.1\.1 Unknown/,
    ],
    ['refuses the message', { message: () => ({ code: 554, text: 'Spam' }) }, /message: 554 Spam/],
  ]
  for (const [what, refusals, error] of final)
    it(`is given up when the server ${what} for good, and the log says why`, async () => {
      server.refuse(refusals)
      await alert()
      await until('it is given up', async () => (await delivery())?.state === 'failed')
      assert.match((await delivery())?.error ?? '', error)
      assert.notEqual(await failingSince(), null)
      const { rows } = await database.pool.query<{ message: string }>(
        `select message from incident_events where type = 'alert_failed' and incident_id = $1`,
        [(await delivery())?.incident_id],
      )
      assert.match(rows[0]?.message ?? '', error)
    })

  it('is no worse off than a mail of the service itself, which is tried again too', async () => {
    server.refuse({ greeting: () => ({ code: 421, text: 'Busy' }) })
    const mailbox = { workspaceId, kind: 'email', destination: 'new@example.com', confirmed: false }
    const id = await addContact(database, mailbox)
    await database.transaction((tx) => enqueueNotices(tx, [{ notice: 'confirm_contact', contact_id: id }]))
    await until('it was refused', async () => {
      const { rows } = await database.pool.query(
        `select 1 from graphile_worker.jobs where task_identifier = 'mail' and last_error like '%421 Busy%'`,
      )
      return rows.length === 1
    })
    server.refuse({})
    await skipWait()
    await until('it has come', async () => server.received.length === 1)
    assert.deepEqual(server.received[0]?.to, ['new@example.com'])
  })
})
