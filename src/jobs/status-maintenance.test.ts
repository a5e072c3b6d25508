import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { signingSecretOf } from '#contacts/webhook.ts'
import type { Occurrence } from '#core/maintenance.ts'
import { createPageLanguages } from '#core/status-pages/page-languages.ts'
import { momentText } from '#core/status-pages/page-texts.ts'
import type { Database } from '#store/database/database.ts'
import { endOccurrence, planAnew } from '#store/maintenance/maintenance-plan.ts'
import { deleteMaintenance } from '#store/maintenance/maintenance.ts'
import { fanOut } from '#store/status-pages/page-events.ts'
import { forgetCourses } from '#store/status-pages/page-maintenance.ts'
import { type StatusPage, replaceSections, updateStatusPage } from '#store/status-pages/status-pages.ts'
import { addSubscriber, deleteSubscriber } from '#store/status-pages/subscribers.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { headerOf, textOf } from '../../test/flow/mails.ts'
import { testApi } from '../../test/support/api.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { peopleApi } from '../../test/support/people.ts'
import { onlyTold, startReceiver } from '../../test/support/receiver.ts'
import { addPage } from '../../test/support/status.ts'
import { until } from '../../test/support/until.ts'
import { tellMaintenance } from './status-chores.ts'

const patienceMs = 30_000
const hourMs = 3_600_000
const signal = new AbortController().signal

type Subscribing = {
  id?: string
  page: StatusPage
  kind?: 'email' | 'webhook'
  destination: string
  signingSecret?: Buffer
}

async function subscribe(database: Database, { page, kind = 'email', ...of }: Subscribing): Promise<string> {
  const { id = randomUUID(), destination, signingSecret = null } = of
  const at = new Date()
  await database.transaction((tx) =>
    addSubscriber(
      tx,
      { id, pageId: page.id, kind, destination, signingSecret, confirmedAt: at, expiresAt: null, createdAt: at },
      100,
    ),
  )
  return id
}

describe('planned maintenance, as subscribers of a page are told of it', async () => {
  const api = await testApi({ maxConnections: 5 })
  const { database, workspaceId } = api
  const { pool } = database
  const shop = await createMonitor(api, { name: 'Shop' })
  const page = await addPage(database, { workspaceId, slug: 'acme', monitorIds: [shop.id] })
  const other = await createMonitor(api, { name: 'Other' })
  await subscribe(database, { page, destination: 'reader@example.com' })
  const start = new Date('2026-11-21T10:00:00Z')
  const at = (hours: number): Date => new Date(start.getTime() + hours * hourMs)
  const time = (from: number, to: number): Occurrence => ({ startsAt: at(from), endsAt: at(to) })
  const plan = (occurrences: Occurrence[], monitorIds = [shop.id]) =>
    planMaintenance(database, { workspaceId, monitorIds, occurrences, now: at(-100) })
  const replan = (key: string, occurrences: Occurrence[], hours: number) =>
    database.transaction((tx) => planAnew(tx, { key, occurrences, now: at(hours) }))
  const tellAt = (hours: number) => tellMaintenance({ database, now: () => at(hours) }, signal)
  const hourOf = (of: Date): number => (of.getTime() - start.getTime()) / hourMs
  const takeEvents = async () => {
    const { rows } = await pool.query<{ type: string; starts_at: Date; ends_at: Date }>(
      'delete from status_events returning type, starts_at, ends_at, at, id',
    )
    return rows
      .map(({ type, starts_at: from, ends_at: to }) => [type.replace('maintenance_', ''), hourOf(from), hourOf(to)])
      .toSorted(([one], [another]) => String(one).localeCompare(String(another)))
  }
  const clear = () => pool.query('delete from maintenance_windows; delete from status_maintenance')

  it('is announced a day before, then its beginning and its end are told, each once', async () => {
    await plan([time(30, 32)])
    await tellAt(5.99)
    assert.deepEqual(await takeEvents(), [])
    for (const [hours, expected] of [
      [6, [['planned', 30, 32]]],
      [29.9, []],
      [30, [['begun', 30, 32]]],
      [31.9, []],
      [32, [['ended', 30, 32]]],
      [33, []],
    ] as const) {
      await Promise.all([tellAt(hours), tellAt(hours), tellAt(hours)])
      await tellAt(hours)
      assert.deepEqual(await takeEvents(), expected, `${hours}`)
    }
    assert.equal(await forgetCourses(database, at(55.9), 10), 0)
    assert.equal(await forgetCourses(database, at(56.1), 10), 1)
    await clear()
  })

  it('is announced at once when it is near, and told as begun when it has', async () => {
    await plan([time(1, 2)])
    await plan([time(-1, 3)])
    await tellAt(0)
    assert.deepEqual(await takeEvents(), [
      ['begun', -1, 3],
      ['planned', 1, 2],
    ])
    await clear()
  })

  it('of every hour is announced one by one', async () => {
    await plan(Array.from({ length: 48 }, (_, hour) => time(hour + 1, hour + 1.5)))
    await tellAt(0)
    assert.deepEqual(await takeEvents(), [['planned', 1, 1.5]])
    await tellAt(1)
    assert.deepEqual(await takeEvents(), [
      ['begun', 1, 1.5],
      ['planned', 2, 2.5],
    ])
    await clear()
  })

  it('of which another time is planned is told as changed, whoever looks first', async () => {
    const { key } = await plan([time(10, 12)])
    await tellAt(0)
    await takeEvents()
    await replan(key, [time(40, 42)], 1)
    await Promise.all([tellAt(1), tellAt(1), tellAt(1)])
    assert.deepEqual(await takeEvents(), [['changed', 40, 42]])
    await replan(key, [time(40, 43)], 2)
    await tellAt(2)
    assert.deepEqual(await takeEvents(), [['changed', 40, 43]])
    await tellAt(20)
    assert.deepEqual(await takeEvents(), [], 'it is announced already')
    await replan(key, [time(10, 12)], 3)
    await tellAt(3)
    assert.deepEqual(await takeEvents(), [['changed', 10, 12]], 'back where it was')
    await clear()
  })

  it('that is deleted is told as cancelled, or as over when it had begun', async () => {
    const [coming, current] = [await plan([time(10, 12)]), await plan([time(-1, 4)])]
    await tellAt(0)
    await takeEvents()
    for (const { key } of [coming, current]) await database.transaction((tx) => deleteMaintenance(tx, key))
    await tellAt(1)
    assert.deepEqual(await takeEvents(), [
      ['cancelled', 10, 12],
      ['ended', -1, 1],
    ])
    await tellAt(2)
    assert.deepEqual(await takeEvents(), [])
    await clear()
  })

  it('ends when somebody says so', async () => {
    const { key } = await plan([time(-1, 4), time(50, 51)])
    await tellAt(0)
    await takeEvents()
    await database.transaction((tx) => endOccurrence(tx, { key, now: at(1) }))
    await tellAt(1)
    assert.deepEqual(await takeEvents(), [['ended', -1, 1]])
    await clear()
  })

  it('is nothing of a draft, nor of monitors that the page does not show', async () => {
    await plan([time(1, 2)], [other.id])
    await tellAt(0)
    assert.deepEqual(await takeEvents(), [])
    await plan([time(1, 2)])
    await database.transaction((tx) => updateStatusPage(tx, { ...page, visibility: 'draft' }))
    await tellAt(0)
    assert.deepEqual(await takeEvents(), [])
    await database.transaction((tx) => updateStatusPage(tx, page))
    await tellAt(0)
    assert.deepEqual(await takeEvents(), [['planned', 1, 2]])
    await database.transaction((tx) => replaceSections(tx, { pageId: page.id, sections: [] }))
    await tellAt(0.5)
    assert.deepEqual(await takeEvents(), [['cancelled', 1, 2]])
    const sections = [{ name: '', monitors: [{ monitorId: shop.id, name: null }] }]
    await database.transaction((tx) => replaceSections(tx, { pageId: page.id, sections }))
    await clear()
  })

  it('tells by the time of its turn only what is so then', async () => {
    await plan([time(1, 2)])
    for (const hours of [0, 1, 2]) await tellAt(hours)
    while (await database.transaction((tx) => fanOut(tx, at(2.1))));
    const { rows } = await pool.query(
      `select e.type
      from graphile_worker._private_jobs j
      join status_events e on e.id = (j.payload->>'event_id')::uuid`,
    )
    assert.deepEqual(rows, [{ type: 'maintenance_ended' }])
    await pool.query('delete from graphile_worker._private_jobs; delete from status_events')
    await clear()
  })

  it('holds incidents back that begin in it, for ever when they end in it', async () => {
    const told = async (hours: number) => {
      while (await database.transaction((tx) => fanOut(tx, at(hours))));
      const { rows } = await pool.query<{ type: string }>(
        `select e.type
        from graphile_worker._private_jobs j
        join status_events e on e.id = (j.payload->>'event_id')::uuid
        where e.incident_id is not null`,
      )
      await pool.query('delete from graphile_worker._private_jobs')
      return rows.map(({ type }) => type)
    }
    const end = (incidentId: string, hours: number) =>
      database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: at(hours), message: 'Up.' }]))
    await plan([time(0, 50)])
    const within = await addRunningIncident(database, shop, at(1))
    assert.deepEqual(await told(2), [])
    await end(within, 3)
    assert.deepEqual(await told(3), [])
    const outlasting = await addRunningIncident(database, shop, at(4))
    assert.deepEqual(await told(49), [])
    assert.deepEqual(await told(50.1), ['opened'])
    await end(outlasting, 51)
    assert.deepEqual(await told(51), ['resolved'])
    const known = await addRunningIncident(database, shop, at(52))
    assert.deepEqual(await told(52), ['opened'])
    await plan([time(51.5, 60)])
    await end(known, 53)
    assert.deepEqual(await told(53), ['resolved'], 'who was told that it began is told that it ended')
    await clear()
  })
})

describe('a message about planned maintenance', async () => {
  const { api, server } = await peopleApi()
  const { database, workspaceId, services } = api
  const receiver = await startReceiver()
  const shop = await createMonitor(api, { name: 'Internal shop name' })
  const sections = [{ name: '', monitors: [{ monitorId: shop.id, name: 'Shop' }] }]
  const page = await addPage(database, { workspaceId, slug: 'acme', title: 'Acme', sections })
  const key = Buffer.alloc(32, 9)
  const id = randomUUID()
  const signingSecret = services.secrets.encrypt(signingSecretOf(key), {
    column: 'status_subscribers.signing_secret',
    id,
  })
  const hook = `${receiver.url}/status`
  const reader = await subscribe(database, { page, destination: 'reader@example.com' })
  await subscribe(database, { id, page, kind: 'webhook', destination: hook, signingSecret })
  const hour = Math.floor(Date.now() / hourMs) * hourMs
  const time = { startsAt: new Date(hour + 5 * hourMs), endsAt: new Date(hour + 6 * hourMs) }
  const mailAbout = async (subject: RegExp) => {
    const find = () => server.received.find((mail) => subject.test(headerOf(mail, 'Subject')))
    await until(`a mail: ${subject.source}`, async () => find() !== undefined, patienceMs)
    return find() ?? assert.fail()
  }

  it('says when, in UTC, and what, under the names of the page, by mail and webhook', async () => {
    const window = await planMaintenance(database, { workspaceId, monitorIds: [shop.id], occurrences: [time] })
    await database.pool.query(`update maintenance_windows set description = 'New <disks>.'`)
    const mail = await mailAbout(/^Acme: Maintenance planned: Upgrade$/)
    const text = textOf(mail)
    const i18n = createPageLanguages()('en')
    const [from, to] = [momentText(i18n, time.startsAt), momentText(i18n, time.endsAt)]
    assert.match(from, /^\d{1,2} \w{3,4} \d{4}, \d\d:00 UTC$/)
    for (const part of ['New <disks>.', `From: ${from}`, `To: ${to}`, 'About: Shop'])
      assert.ok(text.includes(part), `${part} in ${text}`)
    assert.doesNotMatch(text, /Internal/)
    assert.equal(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
    const told = await onlyTold(receiver, key.toString('base64'))
    assert.deepEqual(told, {
      type: 'status.maintenance_planned',
      timestamp: told.timestamp,
      data: {
        page: { id: page.id, title: 'Acme', url: 'https://perigee.example/status/acme' },
        incident: null,
        post: null,
        maintenance: {
          id: window.id,
          title: 'Upgrade',
          description: 'New <disks>.',
          starts_at: time.startsAt.toISOString(),
          ends_at: time.endsAt.toISOString(),
          monitors: ['Shop'],
        },
      },
    })
  })

  it('is sent to nobody who unsubscribed before its turn', async () => {
    await deleteSubscriber(database, reader)
    await tellMaintenance({ database, now: () => time.startsAt }, signal)
    await until('the webhook', async () => receiver.received.length === 2, patienceMs)
    await until(
      'no job is left',
      async () => {
        const { rows } = await database.pool.query<{ count: number }>(
          `select count(*)::integer as count from graphile_worker.jobs where task_identifier = 'tell_status'`,
        )
        return rows[0]?.count === 0
      },
      patienceMs,
    )
    assert.equal(server.received.filter((mail) => /Maintenance started/.test(headerOf(mail, 'Subject'))).length, 0)
  })
})
