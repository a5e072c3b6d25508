import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { claimDelivery, endDelivery } from './delivery-attempts.ts'
import { remind } from './reminders.ts'

const hourMs = 3_600_000

describe('reminders of an outage', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  let workspaceId = ''
  let monitorId = ''
  let contactId = ''

  beforeEach(async () => {
    await database.pool.query('delete from alert_steps')
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
    contactId = await addContact(database, { workspaceId })
  })

  const contactRules = (rules: ContactRules | null) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [contactId, rules])
  const monitorRules = (rules: MonitorRules) =>
    database.pool.query('update monitors set alert_rules = $2 where id = $1', [monitorId, rules])
  const steps = async (): Promise<{ minutes: number; contact: string | null }[]> => {
    const { rows } = await database.pool.query<{ minutes: number; contact: string | null }>(
      `select round(extract(epoch from due_at - now()) / 60)::integer as minutes, alert_channel_id as contact
      from alert_steps
      order by due_at`,
    )
    return rows
  }
  const told = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ told: string }>(
      `select (alert ->> 'type') || ' ' || state as told
      from deliveries
      where workspace_id = $1
      order by created_at, id`,
      [workspaceId],
    )
    return rows.map((row) => row.told)
  }
  const pass = () => database.pool.query(`update alert_steps set due_at = now() - interval '1 s'`)
  const remindNow = async () => {
    await pass()
    return database.transaction((tx) => remind(tx, 100))
  }
  const deliverAll = async (): Promise<void> => {
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from deliveries where workspace_id = $1 and state = 'pending' order by created_at`,
      [workspaceId],
    )
    const event = {
      type: 'alert_sent',
      message: 'Sent.',
      details: { alert_channel_id: contactId, attempt: 1 },
    } as const
    for (const { id } of rows) {
      const claim = await claimDelivery(database, id)
      assert.ok(claim !== null)
      const end = { state: 'delivered', statusCode: 200, error: null, event } as const
      assert.equal(await database.transaction((tx) => endDelivery(tx, claim, end)), true)
    }
  }
  const reminded = async (): Promise<string> => {
    await contactRules({ remind_every_minutes: 30 })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await deliverAll()
    return incidentId
  }

  for (const [name, contact, monitor, minutes] of [
    ['are not sent where nothing is chosen', {}, {}, null],
    ['are sent by the rules of the contact', { remind_every_minutes: 30 }, {}, 30],
    ['are sent by the rules of the monitor', {}, { remind_every_minutes: 15 }, 15],
    ['are sent as seldom as both want', { remind_every_minutes: 30 }, { remind_every_minutes: 15 }, 30],
    ['count from the time at which the outage is told', { remind_every_minutes: 30, after_minutes: 10 }, {}, 40],
  ] as const)
    it(name, async () => {
      await contactRules(contact)
      await monitorRules(monitor)
      await addDownAlert(database, { workspaceId, monitorId })
      assert.deepEqual(await steps(), minutes === null ? [] : [{ minutes, contact: contactId }])
    })

  it('come again and again, with the content of the outage and their own time', async () => {
    await reminded()
    assert.deepEqual(await remindNow(), { due: 1, ordered: 1 })
    assert.deepEqual(await steps(), [{ minutes: 30, contact: contactId }])
    await deliverAll()
    assert.deepEqual(await remindNow(), { due: 1, ordered: 1 })
    assert.deepEqual(await told(), ['monitor.down delivered', 'monitor.reminder delivered', 'monitor.reminder pending'])
    const { rows } = await database.pool.query<{ alert: { timestamp: string; data: { incident: { title: string } } } }>(
      `select alert from deliveries where workspace_id = $1 and state = 'pending'`,
      [workspaceId],
    )
    const [alert] = rows.map((row) => row.alert)
    assert.equal(alert?.data.incident.title, 'Shop API is down')
    assert.ok(Math.abs(Date.parse(alert?.timestamp ?? '') - Date.now()) < 60_000)
  })

  it('do not pile up while one is on its way', async () => {
    await reminded()
    await remindNow()
    assert.deepEqual(await remindNow(), { due: 1, ordered: 0 })
    assert.deepEqual(await steps(), [{ minutes: 30, contact: contactId }])
  })

  it('end with the incident, those that wait as well, and its end is told', async () => {
    const incidentId = await reminded()
    await remindNow()
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    assert.deepEqual(await steps(), [])
    assert.deepEqual(await told(), ['monitor.down delivered', 'monitor.reminder dropped', 'monitor.up pending'])
  })

  it('are behind no recovery: one that is under way is waited for', async () => {
    const incidentId = await reminded()
    await remindNow()
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from deliveries where workspace_id = $1 and state = 'pending'`,
      [workspaceId],
    )
    const claim = await claimDelivery(database, rows[0]?.id ?? '')
    assert.ok(claim !== null)
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    const up = await database.pool.query<{ id: string; after_id: string }>(
      `select id, after_id from deliveries where workspace_id = $1 and alert ->> 'type' = 'monitor.up'`,
      [workspaceId],
    )
    assert.equal(up.rows[0]?.after_id, claim.id)
    assert.equal(await claimDelivery(database, up.rows[0]?.id ?? ''), null)
  })

  it('end when a person acknowledges the incident', async () => {
    const incidentId = await reminded()
    await remindNow()
    await database.transaction((tx) =>
      acknowledgeIncident(tx, { workspaceId, incidentId, actor: 'Ann', at: new Date() }),
    )
    assert.deepEqual(await steps(), [])
    assert.deepEqual(await told(), ['monitor.down delivered', 'monitor.reminder dropped'])
  })

  it('end after seven days, and where the rule is gone', async () => {
    const incidentId = await reminded()
    await database.pool.query(`update incidents set started_at = now() - interval '169 h' where id = $1`, [incidentId])
    assert.deepEqual(await remindNow(), { due: 1, ordered: 0 })
    assert.deepEqual(await steps(), [])
    monitorId = await addMonitor(database, { workspaceId })
    await reminded()
    await contactRules(null)
    assert.deepEqual(await remindNow(), { due: 1, ordered: 0 })
    assert.deepEqual(await steps(), [])
  })

  it('pause while the contact is off, and in a maintenance', async () => {
    await reminded()
    await database.pool.query('update alert_channels set enabled = false where id = $1', [contactId])
    assert.deepEqual(await remindNow(), { due: 1, ordered: 0 })
    await database.pool.query('update alert_channels set enabled = true where id = $1', [contactId])
    const now = Date.now()
    const hour = { startsAt: new Date(now - hourMs), endsAt: new Date(now + hourMs) }
    await planMaintenance(database, { workspaceId, occurrences: [hour] })
    assert.deepEqual(await remindNow(), { due: 1, ordered: 0 })
    assert.deepEqual(await steps(), [{ minutes: 30, contact: contactId }])
  })

  it('are ordered once by many who look at the same time', async () => {
    await reminded()
    await pass()
    const looks = await Promise.all([1, 2, 3, 4].map(() => database.transaction((tx) => remind(tx, 100))))
    assert.equal(
      looks.reduce((sum, { ordered }) => sum + ordered, 0),
      1,
    )
  })

  it('leave out an incident that is ending at this moment', async () => {
    const incidentId = await reminded()
    await pass()
    await database.transaction(async (tx) => {
      await resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }])
      assert.deepEqual(await database.transaction((other) => remind(other, 100)), { due: 0, ordered: 0 })
    })
    assert.deepEqual(await told(), ['monitor.down delivered'])
  })
})
