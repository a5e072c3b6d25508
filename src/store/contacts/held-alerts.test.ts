import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import { alertTypes, eventOf } from '#core/contacts/alerting.ts'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import {
  addContact,
  addDownAlert,
  addMonitor,
  addRecovery,
  addWorkspace,
  alertOf,
} from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { enqueueAlerts } from './deliveries.ts'
import { claimDelivery } from './delivery-attempts.ts'
import { dropHeldAlerts, holdDelivery } from './held-alerts.ts'

describe('alerts that people have rules for', async () => {
  const database = await testDatabase()
  let workspaceId = ''
  let monitorId = ''
  let contactId = ''

  beforeEach(async () => {
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
    contactId = await addContact(database, { workspaceId })
  })

  const contactRules = (rules: ContactRules, id = contactId) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [id, rules])
  const monitorRules = (rules: MonitorRules) =>
    database.pool.query('update monitors set alert_rules = $2 where id = $1', [monitorId, rules])
  const rows = () =>
    database.query
      .selectFrom('deliveries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .execute()
  const states = async (): Promise<string[]> => (await rows()).map(({ state }) => state)
  const story = async (incidentId: string): Promise<string[]> => {
    const events = await database.query
      .selectFrom('incident_events')
      .select(['type', 'message'])
      .where('incident_id', '=', incidentId)
      .orderBy('position')
      .execute()
    return events.map(({ type, message }) => `${type}: ${message}`)
  }
  const waitOf = async (): Promise<number | null> => {
    const [row] = await rows()
    assert.ok(row !== undefined)
    assert.equal(row.held_until?.getTime() ?? row.due_at.getTime(), row.due_at.getTime())
    return row.held_until === null ? null : Math.round((row.due_at.getTime() - row.created_at.getTime()) / 60_000)
  }

  const typesTold = async (): Promise<string[]> => {
    const orders = withoutBeginning.map((type) => ({
      workspaceId,
      monitorId,
      incidentId: null,
      alert: alertOf(type, { monitorId }),
      at: new Date(),
    }))
    await database.transaction((tx) => enqueueAlerts(tx, orders))
    return (await rows()).map(({ alert }) => alertTypeOf(alert)).toSorted()
  }
  const held = async (): Promise<string> => {
    await contactRules({ after_minutes: 10 })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    return incidentId
  }

  describe('are told', () => {
    it('of every type but maintenance where nothing is chosen', async () =>
      assert.deepEqual(
        await typesTold(),
        withoutBeginning.filter((type) => eventOf(type) !== 'maintenance').toSorted(),
      ))

    it('of maintenance where the contact names it', async () => {
      await contactRules({ events: ['maintenance'] })
      assert.deepEqual(await typesTold(), typesOf('maintenance'))
    })

    it('of no maintenance where the monitor leaves it out', async () => {
      await contactRules({ events: ['maintenance'] })
      await monitorRules({ events: ['down'] })
      assert.deepEqual(await typesTold(), typesOf())
    })

    it('where the contact chooses them', async () => {
      await contactRules({ events: ['down', 'expiry'] })
      assert.deepEqual(await typesTold(), typesOf('down', 'expiry'))
    })

    it('where the monitor chooses them', async () => {
      await monitorRules({ events: ['findings'] })
      assert.deepEqual(await typesTold(), typesOf('findings'))
    })

    it('where both do', async () => {
      await contactRules({ events: ['down', 'up'] })
      await monitorRules({ events: ['up', 'expiry'] })
      assert.deepEqual(await typesTold(), typesOf('up'))
    })

    it('to each contact by its own rules', async () => {
      await contactRules({ events: ['up'] })
      const other = await addContact(database, { workspaceId })
      await addDownAlert(database, { workspaceId, monitorId })
      assert.deepEqual(
        (await rows()).map((row) => row.alert_channel_id),
        [other],
      )
    })
  })

  describe('of an outage wait', () => {
    for (const [name, contact, monitor, minutes] of [
      ['not, where nothing is chosen', {}, {}, null],
      ['not, for no minutes', { after_minutes: 0 }, { after_minutes: 0 }, null],
      ['as long as the contact chooses', { after_minutes: 10 }, {}, 10],
      ['as long as the monitor chooses', {}, { after_minutes: 3 }, 3],
      ['for the longer of both', { after_minutes: 10 }, { after_minutes: 3 }, 10],
    ] as const)
      it(name, async () => {
        await contactRules(contact)
        await monitorRules(monitor)
        await addDownAlert(database, { workspaceId, monitorId })
        assert.equal(await waitOf(), minutes)
        const [row] = await rows()
        assert.equal((await claimDelivery(database, row?.id ?? '')) === null, minutes !== null)
      })

    it('and are claimed once they are due, as old as if they had just happened', async () => {
      await contactRules({ after_minutes: 10 })
      await addDownAlert(database, { workspaceId, monitorId })
      await database.pool.query(
        `update deliveries
        set created_at = created_at - interval '2 d', due_at = now(), held_until = now()
        where workspace_id = $1`,
        [workspaceId],
      )
      const [row] = await rows()
      const claim = await claimDelivery(database, row?.id ?? '')
      assert.ok(claim !== null && claim.ageMs >= 0 && claim.ageMs < 60_000)
      assert.deepEqual(claim.rules, { contact: { after_minutes: 10 }, monitor: null })
    })

    it('in none but an outage', async () => {
      await contactRules({ after_minutes: 10 })
      const alert = alertOf('certificate.expiring', { monitorId })
      await database.transaction((tx) =>
        enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId: null, alert, at: new Date() }]),
      )
      assert.equal(await waitOf(), null)
    })
  })

  describe('that wait', () => {
    it('are dropped when the incident ends, and their recovery is not told', async () => {
      const atOnce = await addContact(database, { workspaceId, name: 'At once' })
      const incidentId = await held()
      await database.transaction((tx) =>
        resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'Checks succeed again.' }]),
      )
      await addRecovery(database, { workspaceId, monitorId, incidentId })
      const told = (await rows()).map((row) => [row.alert_channel_id, alertTypeOf(row.alert), row.state])
      assert.deepEqual(
        told.filter(([id]) => id === contactId),
        [[contactId, 'monitor.down', 'dropped']],
      )
      assert.deepEqual(
        told.filter(([id]) => id === atOnce),
        [
          [atOnce, 'monitor.down', 'pending'],
          [atOnce, 'monitor.up', 'pending'],
        ],
      )
      assert.deepEqual(await story(incidentId), [
        'resolved: Checks succeed again.',
        'alert_dropped: No alert to Operations (webhook): the incident ended before the alert was due.',
      ])
    })

    it('are dropped when a person acknowledges the incident', async () => {
      const incidentId = await held()
      await database.transaction((tx) =>
        acknowledgeIncident(tx, { workspaceId, incidentId, actor: 'Ann', at: new Date() }),
      )
      assert.deepEqual(await states(), ['dropped'])
      assert.deepEqual(await story(incidentId), [
        'acknowledged: Acknowledged by Ann.',
        'alert_dropped: No alert to Operations (webhook): the incident was acknowledged before the alert was due.',
      ])
    })

    it('are left alone once they are due, or were attempted', async () => {
      const incidentId = await held()
      await database.pool.query('update deliveries set due_at = now(), held_until = now() where workspace_id = $1', [
        workspaceId,
      ])
      await database.transaction((tx) => dropHeldAlerts(tx, [incidentId], 'ended'))
      assert.deepEqual(await states(), ['pending'])
      const [row] = await rows()
      const claim = await claimDelivery(database, row?.id ?? '')
      assert.ok(claim !== null)
      await database.pool.query(
        `update deliveries
        set due_at = now() + interval '1 h', held_until = now() + interval '1 h', claimed_at = null
        where id = $1`,
        [claim.id],
      )
      await database.transaction((tx) => dropHeldAlerts(tx, [incidentId], 'ended'))
      assert.deepEqual(await states(), ['pending'])
    })

    it('may wait once more, as if they had not been claimed', async () => {
      const incidentId = await held()
      await database.pool.query('update deliveries set due_at = now(), held_until = now() where workspace_id = $1', [
        workspaceId,
      ])
      const [row] = await rows()
      const claim = await claimDelivery(database, row?.id ?? '')
      assert.ok(claim !== null)
      const until = new Date(Date.now() + 3_600_000)
      await database.transaction((tx) => holdDelivery(tx, claim, until))
      const [waiting] = await rows()
      assert.deepEqual(
        [waiting?.attempt, waiting?.claimed_at, waiting?.due_at, waiting?.held_until],
        [0, null, until, until],
      )
      await database.transaction((tx) => dropHeldAlerts(tx, [incidentId], 'ended'))
      assert.deepEqual(await states(), ['dropped'])
    })
  })
})

/** All but the end that is only for contacts which were told of the beginning. */
const withoutBeginning = alertTypes.filter((type) => type !== 'monitor.unstable_ended')

function typesOf(...events: string[]): string[] {
  return withoutBeginning.filter((type) => events.includes(eventOf(type) ?? '') || type === 'test').toSorted()
}

function alertTypeOf(alert: unknown): string {
  return typeof alert === 'object' && alert !== null && 'type' in alert ? String(alert.type) : ''
}
