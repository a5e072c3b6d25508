import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { contactOperations } from '#operations/contacts/contacts.ts'
import { escalationPolicyOperations } from '#operations/contacts/escalation-policies.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { endUnstable } from '#jobs/contacts/unstable-monitors.ts'
import { tellReleased } from '#jobs/maintenance.ts'
import { decideWaiting } from '#store/contacts/parent-waits.ts'
import { planAnew } from '#store/maintenance/maintenance-plan.ts'
import { addContact } from '../../test/support/alerts.ts'
import { type EngineBench, engineBench, incidentsOf } from '../../test/support/engine.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { playRounds } from '../../test/support/played-rounds.ts'

const operations = [...monitorOperations, ...contactOperations, ...escalationPolicyOperations]
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const flapping = { changes: 3, within_minutes: 10 }

type Played = {
  bench: EngineBench
  id: string
  contact: string
  play: (rounds: string, of?: string) => Promise<void>
}

/** A monitor of which three changes within ten minutes are told as one alert; the test makes its rounds. */
async function watched(settings: object = {}, { kind = 'webhook', rules }: Contact = {}): Promise<Played> {
  const bench = await engineBench({ operations, online: [] })
  const { database, api } = bench
  const contact = await addContact(database, {
    workspaceId: api.workspaceId,
    kind,
    destination: 'ops',
  })
  if (rules !== undefined)
    await database.query
      .updateTable('alert_channels')
      .set({ alert_rules: JSON.stringify(rules) })
      .where('id', '=', contact)
      .execute()
  const id = await addMonitor(bench, { alert_rules: { flapping }, ...settings })
  return { bench, id, contact, play: (rounds, of = id) => playRounds(bench, of, rounds) }
}

type Contact = { kind?: 'webhook' | 'pagerduty'; rules?: { events: ['down'] | ['up'] } }

async function addMonitor({ api }: EngineBench, settings: object): Promise<string> {
  const plain = { interval_seconds: 3600, locations: ['boston'], failure_threshold: 1, recovery_threshold: 1 }
  return (await createMonitor(api, { ...plain, ...settings })).id
}

const alertSchema = z.object({
  type: z.string(),
  data: z.object({
    monitor: z.object({ id: z.string(), current_status: z.string() }),
    changes: z.number().optional(),
    within_minutes: z.number().optional(),
    closed: z.string().optional(),
    episode: z.object({ id: z.string(), started_at: z.string(), ended_at: z.string().nullable() }).optional(),
  }),
})

async function deliveriesOf({ bench, contact }: Pick<Played, 'bench' | 'contact'>) {
  const rows = await bench.database.query
    .selectFrom('deliveries')
    .select(['id', 'alert', 'state', 'after_id', 'held_until', 'created_at', 'incident_id', 'episode_id'])
    .where('alert_channel_id', '=', contact)
    .orderBy('created_at')
    .orderBy((row) => sql`${row.ref('alert')} ->> 'type'`)
    .execute()
  return rows.map((row) => Object.assign(row, { alert: alertSchema.parse(row.alert) }))
}

/** What was written for the contact; in brackets what was dropped. */
async function toldOf(played: Pick<Played, 'bench' | 'contact'>): Promise<string> {
  const rows = await deliveriesOf(played)
  return rows
    .map(({ alert, state }) => alert.type.replace('monitor.', '').replace(/.*/, state === 'dropped' ? '($&)' : '$&'))
    .join(' ')
}

async function eventsOf({ bench, id }: Played): Promise<string[]> {
  const rows = await bench.database.query
    .selectFrom('monitor_events')
    .select(['type', 'message'])
    .where('monitor_id', '=', id)
    .orderBy('at')
    .execute()
  return rows.map(({ type, message }) => `${type}: ${message}`)
}

/** As if the last change had been so many minutes ago. */
async function waitMinutes({ bench: { database } }: Played, minutes: number): Promise<void> {
  await database.pool.query(
    `update monitor_state
    set recent_changes = (select array_agg(at - $1 * interval '1 minute' order by at) from unnest(recent_changes) as at),
      round_at = round_at - $1 * interval '1 minute'
    where recent_changes is not null`,
    [minutes],
  )
}

async function look({ bench: { database } }: Played): Promise<number> {
  return database.transaction((tx) => endUnstable(tx, { now: new Date(), limit: 100 }))
}

describe('a monitor that keeps going down and coming back', { concurrency: 3 }, () => {
  it('is told as unstable in place of the last change, and as stable once it was up for as long', async () => {
    const played = await watched()
    await played.play('ududududu')
    assert.equal(await toldOf(played), 'down up (down) unstable (down) (down)')
    assert.deepEqual(await eventsOf(played), [
      'unstable: Unstable: outages began or ended 3 times within 10 minutes. No single outage is alerted until the state has stayed the same for 10 minutes.',
    ])
    const rows = await deliveriesOf(played)
    const unstable = rows.find(({ alert }) => alert.type === 'monitor.unstable')
    const up = rows.find(({ alert }) => alert.type === 'monitor.up')
    assert.ok(unstable !== undefined && up !== undefined)
    assert.deepEqual(
      [unstable.after_id, unstable.incident_id, unstable.alert.data.changes, unstable.alert.data.within_minutes],
      [up.id, null, 3, 10],
    )
    assert.deepEqual(unstable.alert.data.episode?.id, unstable.episode_id)
    assert.equal((await incidentsOf(played.bench.database, played.id)).length, 4)

    assert.equal(await look(played), 0)
    await waitMinutes(played, 9)
    assert.equal(await look(played), 0)
    await waitMinutes(played, 1)
    assert.equal(await look(played), 0, 'no round was made since then')
    await played.play('u')
    assert.equal(await look(played), 1)
    assert.equal(await look(played), 0)
    const stable = (await deliveriesOf(played)).find(({ alert }) => alert.type === 'monitor.unstable_ended')
    assert.deepEqual([stable?.after_id, stable?.episode_id], [unstable.id, unstable.episode_id])
    assert.equal(stable?.alert.data.monitor.current_status, 'up')
    assert.equal((await eventsOf(played))[1], 'unstable_ended: Stable again: up for 10 minutes without an outage.')

    await played.play('d')
    const told = (await deliveriesOf(played)).at(-1)
    assert.deepEqual([told?.alert.type, told?.state, told?.held_until], ['monitor.down', 'pending', null])
  })

  it('is told as down once it was down for as long, and its end to contacts that got that', async () => {
    const played = await watched()
    await played.play('udud')
    assert.equal(await toldOf(played), 'down up down unstable')
    const held = (await deliveriesOf(played)).find(
      ({ state, held_until: heldUntil }) => state === 'pending' && heldUntil !== null,
    )
    assert.ok(held?.held_until !== null && held !== undefined)
    assert.equal(held.held_until.getTime() - held.created_at.getTime(), 600_000)
    await waitMinutes(played, 10)
    assert.equal(await look(played), 1)
    assert.equal(
      (await eventsOf(played))[1],
      'unstable_ended: Down for 10 minutes without a change. Contacts are alerted about the outage.',
    )
    await played.bench.database.query
      .updateTable('deliveries')
      .set({ held_until: new Date(), state: 'delivered', ended_at: new Date() })
      .where('id', '=', held.id)
      .execute()
    await played.play('u')
    assert.equal(await toldOf(played), 'down up down unstable up')
  })

  it('tells why contacts were not told, on the timeline of each incident', async () => {
    const played = await watched()
    await played.play('ududu')
    const rows = await played.bench.database.query
      .selectFrom('incident_events')
      .innerJoin('incidents', 'incidents.id', 'incident_id')
      .select(['type', 'message'])
      .where('type', 'in', ['alert_dropped'])
      .where('monitor_id', '=', played.id)
      .execute()
    assert.equal(rows.length, 1)
    assert.match(rows[0]?.message ?? '', /^No alert to .*: the incident ended before the alert was due\.$/)
  })

  it('ends what a contact keeps as an alert of its own', async () => {
    const played = await watched(
      { alert_rules: { flapping: { changes: 4, within_minutes: 10 } } },
      { kind: 'pagerduty' },
    )
    await played.play('ududu')
    assert.equal(await toldOf(played), 'down up down unstable up')
    const closed = (await deliveriesOf(played)).find(({ alert }) => alert.data.closed !== undefined)
    assert.equal(closed?.alert.data.closed, 'The monitor is unstable. One alert says so instead.')
    await played.bench.api.post(`/monitors/${played.id}/pause`)
    const over = (await deliveriesOf(played)).filter(({ alert }) => alert.type === 'monitor.unstable_ended')
    assert.deepEqual(
      over.map(({ alert }) => alert.data.closed),
      ['The monitor was paused.'],
    )
  })

  it('is not told to a contact that wants no outages, nor is its end', async () => {
    const played = await watched({}, { rules: { events: ['up'] } })
    await played.play('ududu')
    await waitMinutes(played, 10)
    await played.play('u')
    assert.equal(await look(played), 1)
    assert.equal(await toldOf(played), 'up')
  })

  it('is told at each change unless it chose otherwise', async () => {
    const played = await watched({ alert_rules: {} })
    await played.play('udududu')
    assert.equal(await toldOf(played), 'down up down up down up')
    assert.deepEqual(await eventsOf(played), [])
  })

  it('begins anew after a pause', async () => {
    const played = await watched()
    const { bench, id } = played
    await played.play('udu')
    await bench.api.post(`/monitors/${id}/pause`)
    await bench.api.post(`/monitors/${id}/resume`)
    await played.play('ud')
    assert.deepEqual(await eventsOf(played), [])
    await played.play('ud')
    assert.equal((await eventsOf(played)).length, 1)
    await bench.api.post(`/monitors/${id}/pause`)
    assert.equal((await eventsOf(played))[1], 'unstable_ended: The monitor was paused.')
  })

  it('is not watched for it any more once its rule is gone', async () => {
    const played = await watched()
    await played.play('udud')
    const body = { name: 'Shop', alert_rules: null }
    assert.equal((await played.bench.api.request('PATCH', `/monitors/${played.id}`, { body })).status, 200)
    assert.equal(await look(played), 1)
    assert.equal(
      (await eventsOf(played))[1],
      'unstable_ended: Every outage is alerted again, whether the monitor is stable or not.',
    )
    await played.play('ud')
    assert.equal(await toldOf(played), 'down up (down) unstable down')
  })
})

describe('a monitor that keeps going down, beside other rules', { concurrency: 3 }, () => {
  it('counts no change in a maintenance, and waits for its end', async () => {
    const played = await watched()
    const { bench, id } = played
    const { database, api } = bench
    await played.play('ud')
    const startsAt = new Date()
    const { key } = await planMaintenance(database, {
      workspaceId: api.workspaceId,
      monitorIds: [id],
      occurrences: [{ startsAt, endsAt: new Date(startsAt.getTime() + 3_600_000) }],
    })
    await played.play('ududu')
    assert.deepEqual(await eventsOf(played), [])
    await played.play('d')
    await database.transaction((tx) =>
      planAnew(tx, { key, occurrences: [{ startsAt, endsAt: new Date() }], now: startsAt }),
    )
    await tellReleased({ database, log, now: () => new Date() })
    assert.equal(await toldOf(played), 'down up down', 'an outage that outlasted it is told as what it is')
    await played.play('u')
    assert.equal(await toldOf(played), 'down up down unstable')
  })

  it('is not said to be down for so long where a maintenance keeps its outage back', async () => {
    const played = await watched()
    const { bench, id } = played
    const { database, api } = bench
    await played.play('ududu')
    const startsAt = new Date()
    const { key } = await planMaintenance(database, {
      workspaceId: api.workspaceId,
      monitorIds: [id],
      occurrences: [{ startsAt, endsAt: new Date(startsAt.getTime() + 3_600_000) }],
    })
    await played.play('d')
    await waitMinutes(played, 10)
    await database.transaction((tx) =>
      planAnew(tx, { key, occurrences: [{ startsAt, endsAt: new Date() }], now: startsAt }),
    )
    assert.equal(await look(played), 0, 'it went down a moment ago')
    await tellReleased({ database, log, now: () => new Date() })
    assert.equal(await look(played), 0)
    const held = (await deliveriesOf(played)).at(-1)
    assert.ok(held?.alert.type === 'monitor.down' && held.held_until !== null)
  })

  it('is told to the first contact of its policy that can be told, and the policy begins once it stays down', async () => {
    const played = await watched()
    const { bench, id, contact } = played
    const { database, api } = bench
    const add = (destination: string, of: object = {}) =>
      addContact(database, { workspaceId: api.workspaceId, kind: 'webhook', destination, ...of })
    const [off, first, second] = [await add('off', { enabled: false }), await add('first'), await add('second')]
    const steps = [[off], [first], [second]].map((ids) => ({ after_minutes: 5, contact_ids: ids }))
    const made = await api.post('/escalation-policies', { name: 'Night', is_default: true, steps })
    assert.equal(made.status, 201)
    await played.play('udud')
    assert.deepEqual(
      [
        await toldOf({ bench, contact }),
        await toldOf({ bench, contact: first }),
        await toldOf({ bench, contact: second }),
      ],
      ['', 'unstable', ''],
    )
    const begun = await database.query
      .selectFrom('alert_steps')
      .innerJoin('incidents', 'incidents.id', 'incident_id')
      .select(['due_at', 'started_at'])
      .where('monitor_id', '=', id)
      .execute()
    assert.deepEqual(
      begun.map(({ due_at: due, started_at: from }) => due.getTime() - from.getTime()),
      [15 * 60_000],
      'ten minutes, and the five of its first step',
    )
  })

  it('is not unstable where a monitor that it depends on was down', async () => {
    const played = await watched()
    const { bench, id: parent } = played
    const child = await addMonitor(bench, { alert_rules: { flapping }, depends_on: [parent] })
    await played.play('ud')
    await played.play('udud', child)
    assert.deepEqual(await eventsOf({ ...played, id: child }), [])
  })

  it('keeps back what depends on it, from contacts that were told that it is unstable', async () => {
    const played = await watched()
    const { bench, id: parent } = played
    const { database } = bench
    const child = await addMonitor(bench, { depends_on: [parent] })
    await played.play('udud')
    await database.query
      .updateTable('deliveries')
      .set({ state: 'delivered', ended_at: new Date() })
      .where('held_until', 'is', null)
      .execute()
    await played.play('ud', child)
    await database.transaction((tx) => decideWaiting(tx, { limit: 10, after: null }))
    const kept = await database.query
      .selectFrom('deliveries')
      .innerJoin('incidents', 'incidents.id', 'incident_id')
      .select(['monitor_id', 'withheld_by'])
      .where('withheld_by', 'is not', null)
      .execute()
    const [outage] = (await incidentsOf(database, parent)).toReversed()
    assert.deepEqual(kept, [{ monitor_id: child, withheld_by: outage?.id }])
  })
})
