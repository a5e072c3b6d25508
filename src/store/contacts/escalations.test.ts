import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import type { OnCallLayer } from '#core/contacts/on-call-schedule.ts'
import type { EscalationStep } from '#core/contacts/escalation.ts'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { deleteContact } from './contacts.ts'
import { deletePolicy, insertPolicy, updatePolicy } from './escalation-policies.ts'
import { takeSteps } from './escalations.ts'
import { insertSchedule, setParticipants } from './on-call-schedules.ts'

const hourMs = 3_600_000

describe('escalation', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  let workspaceId = ''
  let monitorId = ''
  let ann = ''
  let bob = ''
  let eve = ''

  beforeEach(async () => {
    await database.pool.query('delete from alert_steps')
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
    ann = await addContact(database, { workspaceId, name: 'Ann' })
    bob = await addContact(database, { workspaceId, name: 'Bob' })
    eve = await addContact(database, { workspaceId, name: 'Eve' })
  })

  const addPolicy = async (
    steps: readonly [minutes: number, ...contacts: string[]][],
    given: { repeats?: number; isDefault?: boolean } = {},
  ): Promise<string> => {
    const { repeats = 0, isDefault = true } = given
    const id = randomUUID()
    const written: EscalationStep[] = steps.map(([minutes, ...ids]) => ({
      after_minutes: minutes,
      contact_ids: ids,
      schedule_ids: [],
    }))
    const policy = { id, workspaceId, name: 'Ops', steps: written, repeats, is_default: isDefault, tags: [] }
    assert.equal(await database.transaction((tx) => insertPolicy(tx, policy)), true)
    return id
  }
  const goDown = async (): Promise<string> => (await addDownAlert(database, { workspaceId, monitorId })).incidentId
  const names = (): Record<string, string> => ({ [ann]: 'Ann', [bob]: 'Bob', [eve]: 'Eve' })
  const told = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ contact: string; told: string }>(
      `select alert_channel_id as contact, (alert ->> 'type') || ' ' || state as told
      from deliveries
      where workspace_id = $1
      order by created_at, id`,
      [workspaceId],
    )
    return rows.map((row) => `${names()[row.contact] ?? ''} ${row.told}`)
  }
  const story = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ message: string }>(
      `select message
      from incident_events
      join incidents on incidents.id = incident_id
      where workspace_id = $1
        and type = 'escalated'
      order by position`,
      [workspaceId],
    )
    return rows.map(({ message }) => message)
  }
  const waits = async (): Promise<(number | null)[]> => {
    const { rows } = await database.pool.query<{ minutes: number }>(
      `select round(extract(epoch from due_at - now()) / 60)::integer as minutes
      from alert_steps
      where type = 'escalation'
      order by due_at`,
    )
    return rows.map(({ minutes }) => minutes)
  }
  const pass = () => database.pool.query(`update alert_steps set due_at = now() - interval '1 s'`)
  const goOn = async (): Promise<number> => {
    await pass()
    return database.transaction((tx) => takeSteps(tx, { limit: 100 }))
  }
  const deliver = () =>
    database.pool.query(
      `update deliveries set state = 'delivered', ended_at = now() where workspace_id = $1 and state = 'pending'`,
      [workspaceId],
    )
  const set = (id: string, change: string) =>
    database.pool.query(`update alert_channels set ${change} where id = $1`, [id])
  const contactRules = (id: string, rules: ContactRules) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [id, rules])
  const monitorRules = (rules: MonitorRules) =>
    database.pool.query('update monitors set alert_rules = $2 where id = $1', [monitorId, rules])

  it('tells one step after the other, the first of them in the transaction of the incident', async () => {
    await addPolicy([
      [0, ann],
      [10, bob, eve],
    ])
    await goDown()
    assert.deepEqual(await told(), ['Ann monitor.down pending'])
    assert.deepEqual(await waits(), [10])
    assert.equal(await goOn(), 1)
    assert.deepEqual((await told()).toSorted(), [
      'Ann monitor.down pending',
      'Bob monitor.down pending',
      'Eve monitor.down pending',
    ])
    assert.deepEqual(await waits(), [])
    assert.deepEqual(await story(), [
      'Step 1 of “Ops”: alerted Ann (webhook).',
      'Step 2 of “Ops”: alerted Bob (webhook) and Eve (webhook).',
    ])
  })

  it('waits before its first step, and for the rule of the monitor', async () => {
    await addPolicy([[5, ann]])
    await monitorRules({ after_minutes: 3 })
    await goDown()
    assert.deepEqual([await told(), await waits()], [[], [8]])
  })

  it('also tells at once whom the monitor names', async () => {
    await addPolicy([[5, ann]])
    monitorId = await addMonitor(database, { workspaceId, contactIds: [eve] })
    await goDown()
    assert.deepEqual(await told(), ['Eve monitor.down pending'])
  })

  it('is the one that the monitor names, where it names one', async () => {
    await addPolicy([[0, ann]])
    const own = await addPolicy([[0, bob]], { isDefault: false })
    await database.pool.query('update monitors set escalation_policy_id = $2 where id = $1', [monitorId, own])
    await goDown()
    assert.deepEqual(await told(), ['Bob monitor.down pending'])
    assert.equal(await database.transaction((tx) => deletePolicy(tx, { workspaceId, id: own })), true)
    const { rows } = await database.pool.query('select escalation_policy_id as id from monitors where id = $1', [
      monitorId,
    ])
    assert.deepEqual(rows, [{ id: null }])
  })

  it('of one policy does nothing to monitors where there is none', async () => {
    await addPolicy([[0, ann]], { isDefault: false })
    await goDown()
    assert.equal((await told()).length, 3)
    assert.deepEqual(await waits(), [])
  })

  it('begins anew as often as it should, and reminds whom it told', async () => {
    await addPolicy([[2, ann]], { repeats: 1 })
    await goDown()
    await goOn()
    await deliver()
    assert.deepEqual(await waits(), [2])
    await goOn()
    assert.deepEqual(await told(), ['Ann monitor.down delivered', 'Ann monitor.reminder pending'])
    assert.deepEqual(await waits(), [])
  })

  for (const [name, prepare] of [
    ['off', () => set(ann, 'enabled = false')],
    ['unconfirmed', () => set(ann, 'confirmed = false')],
    ['quiet', () => contactRules(ann, { quiet_hours: alwaysQuiet() })],
    ['deleted', () => database.transaction((tx) => deleteContact(tx, { workspaceId, id: ann }))],
  ] as const)
    it(`goes on at once where a contact is ${name}`, async () => {
      await addPolicy([
        [0, ann],
        [30, bob],
        [30, eve],
      ])
      await prepare()
      await goDown()
      assert.deepEqual(await told(), ['Bob monitor.down pending'])
      assert.deepEqual(await waits(), [30])
    })

  it('goes on at once where a contact fails, which is tried all the same', async () => {
    await addPolicy([
      [0, ann],
      [30, bob],
    ])
    await set(ann, 'failing_since = now()')
    await goDown()
    assert.deepEqual((await told()).toSorted(), ['Ann monitor.down pending', 'Bob monitor.down pending'])
  })

  it('alerts all contacts that can be reached where the policy reaches none', async () => {
    await addPolicy([[0, ann]], { repeats: 3 })
    await set(ann, 'enabled = false')
    await goDown()
    assert.deepEqual((await told()).toSorted(), ['Bob monitor.down pending', 'Eve monitor.down pending'])
    assert.match(
      (await story()).at(-1) ?? '',
      /^No contact of “Ops” could be alerted, so all contacts of the workspace are alerted\.$/,
    )
    assert.deepEqual(await waits(), [])
  })

  it('alerts all other contacts where those of the policy fail', async () => {
    await addPolicy([[0, ann]])
    await set(ann, 'failing_since = now()')
    await goDown()
    assert.deepEqual((await told()).toSorted(), [
      'Ann monitor.down pending',
      'Bob monitor.down pending',
      'Eve monitor.down pending',
    ])
    assert.match(
      (await story()).at(-1) ?? '',
      /^No contact of “Ops” could be alerted, so all contacts of the workspace are alerted/,
    )
  })

  it('alerts no others where those of the policy fail and one that the monitor names does not', async () => {
    await addPolicy([[0, ann]], { repeats: 1 })
    await set(ann, 'failing_since = now()')
    monitorId = await addMonitor(database, { workspaceId, contactIds: [eve] })
    await goDown()
    assert.deepEqual((await told()).toSorted(), ['Ann monitor.down pending', 'Eve monitor.down pending'])
  })

  it('ends when a person acknowledges the incident, and when it ends; its end is told to those who know', async () => {
    await addPolicy([
      [0, ann],
      [10, bob],
    ])
    const incidentId = await goDown()
    await database.transaction((tx) =>
      acknowledgeIncident(tx, { workspaceId, incidentId, actor: 'Ann', at: new Date() }),
    )
    assert.deepEqual(await waits(), [])
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    assert.deepEqual((await told()).toSorted(), ['Ann monitor.down pending', 'Ann monitor.up pending'])
  })

  it('that is deleted meanwhile tells the end to those who know, and to no others', async () => {
    const id = await addPolicy([
      [0, ann],
      [10, bob],
    ])
    const incidentId = await goDown()
    await database.transaction((tx) => deletePolicy(tx, { workspaceId, id }))
    assert.deepEqual(await waits(), [])
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    assert.deepEqual((await told()).toSorted(), ['Ann monitor.down pending', 'Ann monitor.up pending'])
  })

  it('that is deleted meanwhile says so on the timeline', async () => {
    const id = await addPolicy([
      [0, ann],
      [10, bob],
    ])
    await goDown()
    await database.transaction((tx) => deletePolicy(tx, { workspaceId, id }))
    assert.deepEqual(await told(), ['Ann monitor.down pending'])
    assert.deepEqual(await story(), [
      'Step 1 of “Ops”: alerted Ann (webhook).',
      '“Ops” was deleted, so its remaining steps were skipped.',
    ])
  })

  it('that is deleted before it told anybody alerts all contacts, once', async () => {
    const id = await addPolicy([
      [5, ann],
      [10, bob],
    ])
    await goDown()
    await database.transaction((tx) => deletePolicy(tx, { workspaceId, id }))
    const all = ['Ann monitor.down pending', 'Bob monitor.down pending', 'Eve monitor.down pending']
    assert.deepEqual((await told()).toSorted(), all)
    assert.deepEqual(await story(), [
      '“Ops” was deleted before any contact was told, so all contacts of the workspace are alerted.',
    ])
    assert.deepEqual(await waits(), [])
    assert.equal(await goOn(), 0)
    assert.deepEqual((await told()).toSorted(), all)
  })

  it('that is deleted while its incident is locked is ended by the next look', async () => {
    const id = await addPolicy([[5, ann]])
    const incidentId = await goDown()
    await database.transaction(async ({ client }) => {
      await client.query('select from incidents where id = $1 for no key update', [incidentId])
      await database.transaction((tx) => deletePolicy(tx, { workspaceId, id }))
    })
    assert.deepEqual([await told(), await waits()], [[], [0]])
    assert.equal(await database.transaction((tx) => takeSteps(tx, { limit: 100 })), 1)
    assert.equal((await told()).length, 3)
  })

  it('that is deleted during a maintenance alerts when that is over', async () => {
    const id = await addPolicy([[5, ann]])
    await goDown()
    const now = Date.now()
    const hour = { startsAt: new Date(now - hourMs), endsAt: new Date(now + hourMs) }
    await planMaintenance(database, { workspaceId, occurrences: [hour] })
    await database.transaction((tx) => deletePolicy(tx, { workspaceId, id }))
    assert.deepEqual([await told(), await waits()], [[], [1]])
    await database.pool.query('delete from maintenance_windows where workspace_id = $1', [workspaceId])
    await goOn()
    assert.equal((await told()).length, 3)
  })

  for (const isAcknowledged of [false, true])
    it(`whose first step did not come tells no end, whatever policy there is by then${isAcknowledged ? ', nor once acknowledged' : ''}`, async () => {
      const id = await addPolicy([[5, ann]])
      const incidentId = await goDown()
      const at = new Date()
      if (isAcknowledged)
        await database.transaction((tx) => acknowledgeIncident(tx, { workspaceId, incidentId, actor: 'Ann', at }))
      await database.transaction((tx) => updatePolicy(tx, { workspaceId, id }, { is_default: false }))
      await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at, message: 'It is up.' }]))
      await addRecovery(database, { workspaceId, monitorId, incidentId })
      assert.deepEqual(await told(), [])
      const why = isAcknowledged ? 'A person acknowledged the outage' : 'The outage ended'
      assert.deepEqual(await story(), [`${why} before the first step of “Ops”.`])
    })

  it('that comes during an outage leaves its end to all who would be told without one', async () => {
    await contactRules(bob, { events: ['up'] })
    const incidentId = await goDown()
    await addPolicy([[0, ann]])
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    assert.deepEqual(
      (await told()).filter((each) => each.includes('.up')).toSorted(),
      ['Ann', 'Bob', 'Eve'].map((name) => `${name} monitor.up pending`),
    )
  })

  it('waits for the end of a maintenance', async () => {
    await addPolicy([[5, ann]])
    await goDown()
    const now = Date.now()
    const hour = { startsAt: new Date(now - hourMs), endsAt: new Date(now + hourMs) }
    await planMaintenance(database, { workspaceId, occurrences: [hour] })
    assert.equal(await goOn(), 1)
    assert.deepEqual([await told(), await waits()], [[], [1]])
  })

  it('takes a step once, however many look', async () => {
    await addPolicy([[5, ann]])
    await goDown()
    await pass()
    const looks = await Promise.all([1, 2, 3, 4].map(() => database.transaction((tx) => takeSteps(tx, { limit: 100 }))))
    assert.equal(
      looks.reduce((sum, count) => sum + count),
      1,
    )
    assert.deepEqual(await told(), ['Ann monitor.down pending'])
  })

  it('tells the contact that is on call, and goes on at once where nobody is', async () => {
    const schedule = (name: string, participants: string[]) => ({
      workspaceId,
      settings: { name, timeZone: 'UTC', layers: [layerOf(participants)] },
      now: new Date(),
    })
    const [night, empty] = await database.transaction(async (tx) => {
      const ids: string[] = []
      for (const [name, participants] of [
        ['Night', [bob]],
        ['Empty', []],
      ] as const) {
        const wanted = schedule(name, [...participants])
        const id = await insertSchedule(tx, wanted)
        await setParticipants(tx, { id, workspaceId, layers: wanted.settings.layers })
        ids.push(id)
      }
      return ids
    })
    const steps = [empty ?? '', night ?? ''].map((id) => ({ after_minutes: 30, contact_ids: [], schedule_ids: [id] }))
    const policy = { id: randomUUID(), workspaceId, name: 'Ops', steps, repeats: 0, is_default: true, tags: [] }
    await database.transaction((tx) => insertPolicy(tx, policy))
    await goDown()
    await goOn()
    assert.deepEqual(await told(), ['Bob monitor.down pending'])
    assert.deepEqual(await story(), [
      'Step 1 of “Ops”: no one was alerted (no one is on call in “Empty”).',
      'Step 2 of “Ops”: alerted Bob (webhook).',
    ])
  })

  it('begins reminders where its contacts want them', async () => {
    await contactRules(ann, { remind_every_minutes: 30 })
    await addPolicy([[0, ann]])
    await goDown()
    const { rows } = await database.pool.query('select type, alert_channel_id as contact from alert_steps')
    assert.deepEqual(rows, [{ type: 'reminder', contact: ann }])
  })
})

function layerOf(participants: string[]): OnCallLayer {
  return {
    name: null,
    participants,
    rotation: { every: 1, unit: 'weeks' },
    hand_over: '00:00',
    weekday: null,
    start_date: '2026-01-01',
    restrictions: [],
  }
}

/** From an hour ago to an hour from now. */
function alwaysQuiet(): { time_zone: string; from: string; to: string } {
  const now = Date.now()
  return { time_zone: 'UTC', from: timeOf(now - hourMs), to: timeOf(now + hourMs) }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16)
}
