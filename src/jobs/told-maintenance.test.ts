import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import { claimDelivery } from '#store/contacts/delivery-attempts.ts'
import { holdDelivery } from '#store/contacts/held-alerts.ts'
import type { Occurrence } from '#core/maintenance.ts'
import { endOccurrence, planAnew } from '#store/maintenance/maintenance-plan.ts'
import { deleteMaintenance } from '#store/maintenance/maintenance.ts'
import { forgetTold } from '#store/maintenance/told-maintenance.ts'
import { addContact, addMonitor, addWorkspace } from '../../test/support/alerts.ts'
import { testDatabase } from '../../test/support/database.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { tellMaintenance } from './told-maintenance.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const startMs = Math.floor(Date.now() / 1000) * 1000
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const both: ContactRules = { events: ['down', 'maintenance'] }
const stored = z.object({
  type: z.string(),
  data: z.object({
    maintenance: z.object({
      name: z.string(),
      starts_at: z.string(),
      ends_at: z.string(),
      monitors: z.object({ total: z.int(), names: z.array(z.string()) }),
    }),
    episode: z.object({ id: z.string(), started_at: z.string(), ended_at: z.string().nullable() }),
  }),
})

describe('contacts are told of maintenance', async () => {
  const database = await testDatabase({ maxConnections: 12 })
  let workspaceId = ''
  let ann = ''
  let nowMs = startMs

  beforeEach(async () => {
    for (const table of ['workspaces', 'told_maintenance']) await database.pool.query(`delete from ${table}`)
    nowMs = startMs
    workspaceId = await addWorkspace(database)
    ann = await addContact(database, { workspaceId, name: 'Ann' })
    await addMonitor(database, { workspaceId, name: 'Shop' })
    await rules(ann, both)
  })

  const at = (minutes: number): Date => new Date(startMs + minutes * minuteMs)
  const times = (...given: [from: number, to: number][]): Occurrence[] =>
    given.map(([from, to]) => ({ startsAt: at(from), endsAt: at(to) }))
  const plan = (given: [from: number, to: number][], monitorIds?: string[]) =>
    planMaintenance(database, {
      workspaceId,
      occurrences: times(...given),
      // A plan made long before its times keeps all of them.
      now: at(-100 * 24 * 60),
      ...(monitorIds === undefined ? {} : { monitorIds }),
    })
  const rules = (id: string, value: ContactRules | null) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [id, value])
  const monitorRules = (id: string, value: MonitorRules) =>
    database.pool.query('update monitors set alert_rules = $2 where id = $1', [id, value])
  const look = (minutes?: number): Promise<void> => {
    if (minutes !== undefined) nowMs = startMs + minutes * minuteMs
    return tellMaintenance({ database, log, now: () => new Date(nowMs) }, new AbortController().signal)
  }
  const told = async () => {
    const { rows } = await database.pool.query<{
      id: string
      alert: unknown
      contact: string
      after: string | null
      state: string
    }>(
      `select d.id, d.alert, c.name as contact, d.after_id as after, d.state
      from deliveries d
      join alert_channels c on c.id = d.alert_channel_id
      order by d.created_at, d.alert ->> 'type' desc, c.name`,
    )
    return rows.map(({ id, contact, after, state, alert }) => {
      const { type, data } = stored.parse(alert)
      return { id, contact, after, state, type, data }
    })
  }
  const story = async () => (await told()).map(({ type, contact }) => `${contact} ${type.replace('maintenance.', '')}`)
  const minutesOf = (iso: string): number => (Date.parse(iso) - startMs) / minuteMs

  it('once that it begins, and once that it is over', async () => {
    await plan([[10, 70]])
    for (const minutes of [0, 9, 10, 11, 69]) await look(minutes)
    assert.deepEqual(await story(), ['Ann started'])
    for (const minutes of [70, 71, 200]) await look(minutes)
    const [first, second, ...others] = await told()
    assert.ok(first && second)
    assert.deepEqual([first.type, second.type, others], ['maintenance.started', 'maintenance.ended', []])
    assert.equal(second.after, first.id)
    assert.equal(second.data.episode.id, first.data.episode.id)
    const { maintenance, episode } = first.data
    assert.deepEqual(maintenance.monitors, { total: 1, names: ['Shop'] })
    assert.deepEqual([maintenance.name, minutesOf(maintenance.starts_at), minutesOf(maintenance.ends_at)], ['Upgrade', 10, 70]) // prettier-ignore
    assert.equal(episode.ended_at, null)
    assert.deepEqual(second.data, {
      maintenance: { ...maintenance, ends_at: at(70).toISOString() },
      episode: { ...episode, ended_at: at(70).toISOString() },
    })
    const jobs = await database.pool.query(`select from graphile_worker.jobs where task_identifier = 'deliver'`)
    assert.ok((jobs.rowCount ?? 0) >= 2)
  })

  for (const [name, given, expected] of [
    [
      'each time of a window',
      [
        [0, 10],
        [20, 30],
      ],
      [
        [0, 10],
        [20, 30],
      ],
    ],
    [
      'times that touch or overlap as one',
      [
        [0, 20],
        [20, 40],
        [35, 50],
      ],
      [[0, 50]],
    ],
  ] as const)
    // prettier-ignore
    it(`of ${name}`, async () => {
      await plan(given.map(([from, to]) => [from, to]))
      for (let minutes = 0; minutes <= 60; minutes += 5) await look(minutes)
      const spans = (await told())
        .filter(({ type }) => type === 'maintenance.ended')
        .map(({ data: { maintenance: of } }) => [minutesOf(of.starts_at), minutesOf(of.ends_at)])
      assert.deepEqual(spans, expected)
      const begun = (await told()).filter(({ type }) => type === 'maintenance.started')
      assert.deepEqual(begun.map(({ data: { maintenance: of } }) => [minutesOf(of.starts_at), minutesOf(of.ends_at)]), expected) // prettier-ignore
    })

  it('not at all of what began and ended while nothing looked, and late of what goes on or had been told', async () => {
    await plan([[0, 10], [30, 60], [100, 110]]) // prettier-ignore
    await look(20)
    assert.deepEqual(await story(), [])
    await look(45)
    assert.deepEqual(await story(), ['Ann started'])
    await look(105)
    assert.deepEqual(await story(), ['Ann started', 'Ann started', 'Ann ended'])
    const ended = (await told()).find(({ type }) => type === 'maintenance.ended')
    assert.equal(minutesOf(ended?.data.maintenance.ends_at ?? ''), 60)
  })

  it('of a window that is made while it is under way', async () => {
    await plan([[-30, 30]])
    await look(0)
    assert.deepEqual((await told()).map(({ data }) => minutesOf(data.maintenance.starts_at)), [-30]) // prettier-ignore
  })

  it('when it ends early, later than planned, or with its window', async () => {
    const early = await plan([[0, 60]])
    const late = await plan([[0, 60]])
    const gone = await plan([[0, 60]])
    await look(0)
    await database.transaction(async (tx) => {
      await endOccurrence(tx, { key: early.key, now: at(20) })
      await planAnew(tx, { key: late.key, occurrences: times([0, 90]), now: at(20) })
      await planAnew(tx, { key: gone.key, occurrences: times([0, 90]), now: at(20) })
    })
    await look(21)
    await look(70)
    await database.transaction((tx) => deleteMaintenance(tx, gone.key))
    await look(71)
    await look(100)
    const ended = (await told()).filter(({ type }) => type === 'maintenance.ended')
    assert.deepEqual(
      ended.map(({ data }) => minutesOf(data.maintenance.ends_at)),
      [20, 71, 90],
    )
  })

  it('not again when its begin is moved while it is under way, and again when it is taken back', async () => {
    const { key } = await plan([[0, 60]])
    await look(0)
    await database.transaction((tx) => planAnew(tx, { key, occurrences: times([5, 80]), now: at(10) }))
    await look(10)
    assert.deepEqual(await story(), ['Ann started'])
    await database.transaction((tx) => planAnew(tx, { key, occurrences: times([100, 120]), now: at(20) }))
    await look(20)
    assert.deepEqual(await story(), ['Ann started', 'Ann ended'])
    await database.transaction((tx) => planAnew(tx, { key, occurrences: times([5, 80]), now: at(30) }))
    await look(30)
    await look(80)
    assert.deepEqual(await story(), ['Ann started', 'Ann ended', 'Ann started', 'Ann ended'])
  })

  it('where they name it, and by monitors that are theirs and do not leave it out', async () => {
    const bob = await addContact(database, { workspaceId, name: 'Bob' })
    const off = await addContact(database, { workspaceId, name: 'Off', enabled: false })
    const waiting = await addContact(database, { workspaceId, name: 'Waiting', confirmed: false })
    const pager = await addContact(database, { workspaceId, name: 'Pager', kind: 'pagerduty' })
    for (const id of [bob, off, waiting, pager]) await rules(id, both)
    for (const [name, value] of [
      ['Plain', null],
      ['Other', { events: ['down'] }],
    ] as const)
      // prettier-ignore
      await rules(await addContact(database, { workspaceId, name }), value === null ? null : { events: [...value.events] })
    const api = await addMonitor(database, { workspaceId, name: 'API', contactIds: [bob] })
    const left = await addMonitor(database, { workspaceId, name: 'Left out' })
    await monitorRules(left, { events: ['down', 'up'] })
    await plan([[0, 10]])
    await look(0)
    assert.deepEqual(
      (await told()).map(({ contact, data }) => [contact, data.maintenance.monitors]),
      [
        ['Ann', { total: 1, names: ['Shop'] }],
        ['Bob', { total: 2, names: ['API', 'Shop'] }],
      ],
    )
    await database.pool.query('delete from deliveries')
    await plan([[20, 30]], [api, left])
    await look(20)
    assert.deepEqual(await story(), ['Bob started'])
    await database.pool.query('delete from deliveries')
    await plan([[40, 50]], [left])
    await look(40)
    assert.deepEqual(await story(), [])
  })

  it('with the first twenty names of many monitors', async () => {
    await Promise.all(
      Array.from({ length: 24 }, (_, index) => addMonitor(database, { workspaceId, name: `M${index}` })),
    )
    await plan([[0, 10]])
    await look(0)
    const [only] = await told()
    assert.deepEqual([only?.data.maintenance.monitors.total, only?.data.maintenance.monitors.names.length], [25, 20])
  })

  it('of the next one where they choose it during one, and of no end where they take it back', async () => {
    await rules(ann, null)
    await plan([[0, 10], [20, 30]]) // prettier-ignore
    await look(0)
    await rules(ann, both)
    for (const minutes of [5, 10, 20]) await look(minutes)
    assert.deepEqual(await story(), ['Ann started'])
    await rules(ann, null)
    await look(30)
    assert.deepEqual(await story(), ['Ann started'])
  })

  it('of nothing that begins and ends within their quiet hours', async () => {
    await plan([[0, 10]])
    await look(0)
    const [first] = await told()
    const claim = await claimDelivery(database, first?.id ?? '')
    assert.ok(claim)
    await database.transaction((tx) => holdDelivery(tx, claim, new Date(Date.now() + hourMs)))
    await look(10)
    assert.deepEqual((await told()).map(({ type, state }) => [type, state]), [['maintenance.started', 'dropped']]) // prettier-ignore
  })

  it('even though their monitors are in maintenance', async () => {
    await plan([[0, 10]])
    await look(0)
    const [first] = await told()
    assert.equal((await claimDelivery(database, first?.id ?? ''))?.isInMaintenance, false)
  })

  it('once each, however many processes look at the same time, and whatever their clocks say', async () => {
    for (let count = 0; count < 30; count += 1) await plan([[0, 10]])
    nowMs = startMs
    await Promise.all(Array.from({ length: 6 }, () => look()))
    assert.equal((await story()).length, 30)
    nowMs = startMs + 10 * minuteMs
    await Promise.all(Array.from({ length: 6 }, () => look()))
    nowMs -= 1000
    await look()
    assert.equal((await story()).length, 60)
  })

  it('not, once the workspace is gone', async () => {
    await plan([[0, 10]])
    await look(0)
    await database.pool.query('delete from workspaces')
    await look(10)
    assert.deepEqual(await story(), [])
    assert.equal(await forgetTold(database, at(11), 10), 1)
  })
})
