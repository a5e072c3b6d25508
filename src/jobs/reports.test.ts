import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { linkIdOf } from '#contacts/links.ts'
import { endReportUrl } from '#contacts/report-links.ts'
import { createPages } from '#http/contact-pages.ts'
import { createReportPages } from '#http/report-pages.ts'
import { createMailer } from '#jobs/contacts/mailer.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { headerOf, textOf } from '../../test/flow/mails.ts'
import { addContact, addWorkspace } from '../../test/support/alerts.ts'
import { jobsDatabase, publicUrl } from '../../test/support/jobs.ts'
import { type ReceivedMail, startMailServer } from '../../test/support/mail-server.ts'
import { until } from '../../test/support/until.ts'
import { sendReports } from './reports.ts'

const secrets = createSecrets(randomBytes(32))
const silent = { debug: () => {}, info: () => {}, warn: assert.fail, error: assert.fail }
const day = 86_400_000

const { database, start } = await jobsDatabase({ maxConnections: 12 })
const mail = await startMailServer()
after(() => mail.close())
const mailer = createMailer({ smtpUrl: mail.url, from: 'Perigee <perigee@perigee.example>', outboxFolder: '/nowhere' })
after(() => mailer.close())

let now = new Date('2026-11-23T08:00:00Z')
let workspaceId = ''
let reader = ''
let reportId = ''

async function addReport(recipients: readonly string[]): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into reports (
      id, workspace_id, name, period, time_zone, weekday, hour, names_monitors, tags, objective, due_at, created_at
    )
    values (gen_random_uuid(), $1, 'Every week', 'weekly', 'UTC', 1, 8, false, '{}', 99.9, $2, $2)
    returning id`,
    [workspaceId, new Date('2026-11-23T08:00:00Z')],
  )
  const id = rows[0]?.id ?? assert.fail()
  for (const contactId of recipients)
    await database.query
      .insertInto('report_recipients')
      .values({ report_id: id, alert_channel_id: contactId })
      .execute()
  return id
}

const send = (): Promise<number> => sendReports({ database, log: silent, now: () => now }, new AbortController().signal)

async function waiting(): Promise<{ contact_id: string; period: string }[]> {
  const { rows } = await database.pool.query<{ payload: { contact_id: string; period: string } }>(
    `select payload from graphile_worker._private_jobs order by id`,
  )
  return rows.map(({ payload: { contact_id, period } }) => ({ contact_id, period }))
}

/** Works the queue until it is empty; what came of it. */
async function mailsOf(): Promise<ReceivedMail[]> {
  const jobs = await start({ now: () => now, secrets, carriers: { sendMail: mailer.sendMail } })
  await until('all mails', async () => (await waiting()).length === 0, 20_000)
  await jobs.stop()
  return mail.received.splice(0)
}

/** The id of the mail that a job of the queue sends. */
async function messageIdOf(change: object = {}): Promise<string> {
  const payload = { notice: 'report', report_id: reportId, contact_id: reader, period: '2026-W47', ...change }
  await database.pool.query(`select graphile_worker.add_job('mail', $1::json)`, [JSON.stringify(payload)])
  const [received = assert.fail()] = await mailsOf()
  return headerOf(received, 'Message-ID')
}

/** Of each suite: files of this folder share a process, and a hook of the file would be one of all their tests. */
async function begin(): Promise<void> {
  now = new Date('2026-11-23T08:00:00Z')
  await database.pool.query(
    'delete from reports; delete from alert_channels; delete from graphile_worker._private_jobs',
  )
  mail.received.length = 0
  workspaceId = await addWorkspace(database)
  reader = await addContact(database, { workspaceId, kind: 'email', destination: 'reader@example.com' })
  reportId = await addReport([reader])
}

describe('a report whose time has come', () => {
  beforeEach(begin)

  it('is sent once, however many processes look at once', async () => {
    const second = await addContact(database, { workspaceId, kind: 'email', destination: 'second@example.com' })
    await addReport([reader, second])
    const sent = await Promise.all(Array.from({ length: 6 }, send))
    assert.equal(
      sent.reduce((sum, count) => sum + count, 0),
      2,
    )
    assert.equal(await send(), 0)
    assert.equal((await waiting()).length, 3)
    assert.deepEqual(new Set((await waiting()).map(({ period }) => period)), new Set(['2026-W47']))
  })

  it('is sent once by the jobs of two processes that work at the same time', async () => {
    const options = { now: () => now, secrets, carriers: { sendMail: mailer.sendMail } }
    const both = await Promise.all([start(options), start(options)])
    await until('the mail', () => mail.received.length > 0, 20_000)
    await until('an empty queue', async () => (await waiting()).length === 0, 20_000)
    await Promise.all(both.map((jobs) => jobs.stop()))
    assert.equal(mail.received.length, 1)
  })

  it('is not sent before, and next a week later', async () => {
    now = new Date('2026-11-23T07:59:59Z')
    assert.equal(await send(), 0)
    now = new Date('2026-11-23T08:00:00Z')
    assert.equal(await send(), 1)
    now = new Date(now.getTime() + 7 * day - 1000)
    assert.equal(await send(), 0)
    now = new Date(now.getTime() + 1000)
    assert.equal(await send(), 1)
    assert.deepEqual(
      (await waiting()).map(({ period }) => period),
      ['2026-W47', '2026-W48'],
    )
  })

  it('tells once of the last period after the service was down over several', async () => {
    now = new Date('2026-12-16T13:00:00Z')
    assert.equal(await send(), 1)
    assert.equal(await send(), 0)
    assert.deepEqual(await waiting(), [{ contact_id: reader, period: '2026-W50' }])
    const { rows } = await database.pool.query('select due_at from reports')
    assert.deepEqual(rows, [{ due_at: new Date('2026-12-21T08:00:00Z') }])
  })

  it('is not sent while it is off, or its workspace closed', async () => {
    await database.pool.query('update reports set due_at = null')
    assert.equal(await send(), 0)
    await database.pool.query('update reports set due_at = now() - interval $$1 year$$')
    await database.pool.query('update workspaces set closed_at = now(), closed_reason = $$claimed$$')
    assert.equal(await send(), 0)
  })
})

describe('the mail of a report', () => {
  beforeEach(begin)

  it('reaches its reader as text and HTML, with one click to end it', async () => {
    await send()
    const [received, ...others] = await mailsOf()
    assert.ok(received !== undefined && others.length === 0)
    assert.deepEqual(received.to, ['reader@example.com'])
    assert.match(headerOf(received, 'Subject'), /Every week: Week 47 of 2026, 16 to 22 November, nothing measured/)
    assert.equal(headerOf(received, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
    assert.equal(headerOf(received, 'Auto-Submitted'), 'auto-generated')
    assert.match(headerOf(received, 'Content-Type'), /^multipart\/alternative/)
    const url = endReportUrl(publicUrl, { reportId, contactId: reader }, secrets)
    assert.equal(headerOf(received, 'List-Unsubscribe'), `<${url}>`)
    const text = textOf(received)
    assert.ok(text.includes(`${publicUrl}/reports/${reportId}/print?period=2026-W47`))
    assert.ok(text.includes('This report has no monitors.') && text.includes('<html lang="en">'))
  })

  it('has one id for a period and a reader, and another as a test', async () => {
    const test = '00000000-0000-4000-8000-000000000001'
    const ids = [
      await messageIdOf(),
      await messageIdOf(),
      await messageIdOf({ test }),
      await messageIdOf({ period: '2026-W46' }),
    ]
    assert.equal(ids[0], ids[1])
    assert.equal(new Set(ids).size, 3)
  })

  it('is not sent to who wants it no more when its turn comes', async () => {
    const ends = [
      'delete from report_recipients',
      'update alert_channels set enabled = false',
      'update alert_channels set confirmed = false',
      'delete from alert_channels',
      'delete from reports',
    ]
    for (const end of ends) {
      await database.pool.query('delete from reports; delete from alert_channels')
      reader = await addContact(database, { workspaceId, kind: 'email', destination: 'reader@example.com' })
      reportId = await addReport([reader])
      assert.equal(await send(), 1)
      await database.pool.query(end)
      assert.deepEqual(await mailsOf(), [], end)
    }
  })
})

describe('the link that ends a report', () => {
  beforeEach(begin)

  const services = { database, secrets, sendsMail: true }
  const pages = createPages({ services }).route('/', createReportPages({ services }))
  const ask = (url: string, method = 'GET') => pages.request(url, { method })
  const recipients = async (): Promise<number> =>
    (await database.query.selectFrom('report_recipients').selectAll().execute()).length
  let url = ''

  before(() => assert.ok(services.sendsMail))
  beforeEach(() => {
    url = endReportUrl(publicUrl, { reportId, contactId: reader }, secrets)
  })

  it('changes nothing when it is opened, and ends the one report when it is pressed', async () => {
    const other = await addReport([reader])
    for (const method of ['GET', 'HEAD']) {
      const opened = await ask(url, method)
      assert.equal(opened.status, 200)
      assert.equal(opened.headers.get('cache-control'), 'no-store')
    }
    assert.match(await (await ask(url)).text(), /Stop sending the report “Every week” to reader@example\.com\?/)
    assert.equal(await recipients(), 2)
    for (let count = 0; count < 2; count += 1) {
      const ended = await ask(url, 'POST')
      assert.equal(ended.status, 200)
      assert.match(await ended.text(), /You are unsubscribed/)
    }
    const left = await database.query.selectFrom('report_recipients').select('report_id').execute()
    assert.deepEqual(left, [{ report_id: other }])
    const noted = await database.query.selectFrom('audit_entries').select('action').execute()
    assert.deepEqual(noted, [{ action: 'unsubscribe_report' }])
  })

  it('counts only as it was made', async () => {
    const forged = [
      url.replace(reportId, '00000000-0000-4000-8000-000000000000'),
      url.replace(reader, '00000000-0000-4000-8000-000000000000'),
      url.replace(/[^/](?=[^/]*$)/, (first) => (first === 'A' ? 'B' : 'A')),
      `${publicUrl}/report-mail/unsubscribe/x/y/z`,
    ]
    for (const each of forged)
      for (const method of ['GET', 'POST']) assert.equal((await ask(each, method)).status, 404, each)
    assert.equal(await recipients(), 1)
  })

  it('does not end what goes to another address by now', async () => {
    await database.pool.query('update alert_channels set address_number = 1')
    assert.match(await (await ask(url, 'POST')).text(), /You are unsubscribed/)
    assert.equal(await recipients(), 1)
    const contactId = linkIdOf({ id: reader, addressNumber: 1 })
    await ask(endReportUrl(publicUrl, { reportId, contactId }, secrets), 'POST')
    assert.equal(await recipients(), 0)
  })
})
