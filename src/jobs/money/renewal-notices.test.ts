import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { MailMessage } from '#contacts/message.ts'
import { unsubscribeUrl } from '#contacts/links.ts'
import { addCredit } from '#store/money/credit.ts'
import { addMember, changeRole } from '#store/people/members.ts'
import { insertPerson } from '#store/people/people.ts'
import { publicUrl, startTestJobs } from '../../../test/support/jobs.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { ledgerOf, type Market, market } from '../../../test/support/paying.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { until } from '../../../test/support/until.ts'
import { renewMonitors } from './renewals.ts'

const start = Date.UTC(2026, 10, 21, 12)
const hour = 3_600_000
const day = 24 * hour

type Shop = Market & {
  at: () => Date
  /** One hourly run, and the mails that came of it, which are sent. */
  mails: () => Promise<MailMessage[]>
  /** One hourly run, whose mails wait. */
  run: () => Promise<number>
  credit: (cents: number) => Promise<void>
}

async function shop(): Promise<Shop> {
  let at = start
  const now = (): Date => new Date(at)
  const api = await market({ now, maxConnections: 12 })
  const { database, workspaceId, services } = api
  const log = { debug: nothing, info: nothing, warn: assert.fail, error: assert.fail }
  const run = async (): Promise<number> =>
    (await renewMonitors({ database, log, now }, new AbortController().signal)).told
  return {
    ...api,
    at: now,
    pass: (ms) => {
      at += ms
    },
    run,
    mails: async () => {
      await run()
      if ((await waitingMails(api)) === 0) return []
      const sent: MailMessage[] = []
      const sendMail = async (message: MailMessage) => {
        sent.push(message)
        return { ok: true, answer: { isAccepted: true, code: null } } as const
      }
      const jobs = await startTestJobs(database, { now, carriers: { sendMail }, secrets: services.secrets })
      await until('all mails', async () => (await waitingMails(api)) === 0, 20_000)
      await jobs.stop()
      return sent.toSorted((one, other) => one.to.localeCompare(other.to))
    },
    credit: async (cents) => {
      const { creditCents } = await ledgerOf(api, workspaceId)
      const more = cents - creditCents
      if (more > 0) await addPayment(database, { workspaceId, amountCents: more, at: now() })
      const spending = { workspaceId, amountCents: more, reason: 'monitor', description: 'Spent', at: now() } as const
      if (more < 0) await database.transaction((tx) => addCredit(tx, spending))
    },
  }
}

function nothing(): void {}

async function waitingMails({ database }: Market): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::integer as count from graphile_worker.jobs where task_identifier = 'mail'`,
  )
  return rows[0]?.count ?? 0
}

async function addOwner({ database, workspaceId, at }: Shop, email: string): Promise<string> {
  return database.transaction(async (tx) => {
    const personId = await insertPerson(tx, { email, name: 'Somebody', passwordHash: 'x', at: at() })
    assert.ok(personId !== null)
    await addMember(tx, { workspaceId, personId, role: 'owner', at: at() })
    return personId
  })
}

async function addContact(
  { database, workspaceId, at }: Shop,
  destination: string,
  { confirmed = true, enabled = true, kind = 'email' } = {},
): Promise<string> {
  const id = randomUUID()
  await database.query
    .insertInto('alert_channels')
    .values({ id, workspace_id: workspaceId, name: 'Ops', kind, destination, enabled, confirmed, created_at: at() })
    .execute()
  return id
}

describe('an owner whose credit does not cover what ends', async () => {
  const api = await shop()
  await addOwner(api, 'owner@example.com')
  await addContact(api, 'contact@example.com')
  await api.credit(3)
  await createMonitor(api, { name: 'Shop', locations: ['amsterdam', 'boston'] })
  await createMonitor(api, { name: 'Blog' })
  await api.credit(1)

  it('is told 7, 3, 1 and 0 days before, once each, and when what is unpaid was paused', async () => {
    const told: [daysPassed: number, subject: string][] = []
    for (let hours = 0; hours <= 38 * 24; hours += 6) {
      const mails = await api.mails()
      for (const { to, subject } of mails) {
        assert.equal(to, 'owner@example.com')
        told.push([Math.floor((api.at().getTime() - start) / day), subject])
      }
      api.pass(6 * hour)
    }
    // The month ends at noon, and the first look at a day is at midnight. One of the two was renewed.
    assert.deepEqual(told, [
      [22, 'Not enough credit to renew 1 monitor'],
      [26, 'Not enough credit to renew 1 monitor'],
      [28, 'Not enough credit to renew 1 monitor'],
      [29, 'Not enough credit to renew 1 monitor'],
      [37, 'Paused for non-payment: 1 monitor'],
    ])
  })
})

describe('a notice', async () => {
  const api = await shop()
  const owner = await addOwner(api, 'owner@example.com')
  await addOwner(api, 'second@example.com')
  await api.credit(20)
  for (let index = 0; index < 12; index += 1) await createMonitor(api, { name: `Monitor ${index}\r\nBcc: x` })

  it('is not sent while credit covers all that ends', async () => {
    await api.credit(12)
    api.pass(24 * day)
    assert.deepEqual(await api.mails(), [])
    assert.equal(await api.run(), 0)
  })

  it('is sent to all owners when it no longer does, names what is missing and what ends, and is not repeated', async () => {
    await api.credit(1)
    const mails = await api.mails()
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['owner@example.com', 'second@example.com'],
    )
    const [mail] = mails
    assert.ok(mail !== undefined)
    assert.equal(mail.subject, 'Not enough credit to renew 11 monitors')
    assert.match(mail.text, /\nCredit: \$0\.01\nMissing: \$0\.11\n/)
    assert.match(mail.text, /\nMonitor \d+ {1,2}Bcc: x: paid until 2026-12-21 12:00:00 UTC\n/)
    assert.match(mail.text, /\nOthers: 1\n/)
    assert.ok(mail.text.includes(publicUrl))
    assert.equal(mail.headers['List-Unsubscribe'], undefined)
    api.pass(6 * hour)
    assert.deepEqual(await api.mails(), [])
  })

  it('is not sent when credit came, or its reader left, before it could leave', async () => {
    api.pass(4 * day)
    assert.equal(await api.run(), 1)
    await api.credit(20)
    assert.deepEqual(await api.mails(), [])
    await api.credit(0)
    api.pass(day)
    assert.equal(await api.run(), 1)
    const { database, workspaceId } = api
    await database.transaction((tx) => changeRole(tx, { workspaceId, personId: owner, role: 'member' }))
    assert.deepEqual(
      (await api.mails()).map(({ to }) => to),
      ['second@example.com'],
    )
  })

  it('says of what is overdue when it will pause', async () => {
    api.pass(day)
    assert.equal(await api.run(), 1)
    api.pass(12 * hour)
    const [mail] = await api.mails()
    assert.equal(mail?.subject, 'Overdue: 12 monitors')
    assert.match(mail.text, /: overdue, will be paused at 2026-12-28 12:00:00 UTC\n/)
  })

  it('begins anew with the period that follows', async () => {
    await api.credit(12)
    await api.mails()
    api.pass(24 * day)
    assert.equal((await api.mails()).length, 1)
  })
})

describe('a workspace with more unpaid monitors than are paused at a time', async () => {
  const api = await shop()
  await addOwner(api, 'owner@example.com')
  const count = 205
  await api.credit(count)
  for (let index = 0; index < count; index += 1) await createMonitor(api, { name: `Monitor ${index}` })

  it('is told once', async () => {
    api.pass(37 * day)
    const mails = await api.mails()
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      [`Paused for non-payment: ${count} monitors`],
    )
    const { rows } = await api.database.pool.query(
      `select count(*)::integer as paused from monitors where status = 'paused'`,
    )
    assert.deepEqual(rows, [{ paused: count }])
  })
})

describe('a workspace without people', async () => {
  const api = await shop()
  const contact = await addContact(api, 'ops@example.com')
  await addContact(api, 'unconfirmed@example.com', { confirmed: false })
  await addContact(api, 'off@example.com', { enabled: false })
  await addContact(api, 'https://example.com/hook', { kind: 'webhook' })
  await api.credit(1)
  await createMonitor(api)

  it('is told through its confirmed email contacts, which can unsubscribe', async () => {
    api.pass(23 * day)
    const [mail, ...others] = await api.mails()
    assert.deepEqual(others, [])
    assert.equal(mail?.to, 'ops@example.com')
    assert.equal(mail.headers['List-Unsubscribe'], `<${unsubscribeUrl(publicUrl, contact, api.services.secrets)}>`)
  })

  it('is not told where there is nobody left, and goes on as it would', async () => {
    await api.database.pool.query('update alert_channels set enabled = false')
    api.pass(4 * day)
    assert.deepEqual(await api.mails(), [])
    api.pass(20 * day)
    assert.deepEqual(await api.mails(), [])
    const { rows } = await api.database.pool.query('select status from monitors')
    assert.deepEqual(rows, [{ status: 'paused' }])
  })
})
