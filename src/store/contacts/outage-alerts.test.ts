// Escalation, reminders, quiet hours and on-call schedules together, against a model of them that is as plain as can be.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { heldByQuietHours } from '#core/contacts/quiet-hours.ts'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { openIncidents, resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addMonitor, addWorkspace, statusAlertOf } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { moveClock } from '../../../test/support/moved-clock.ts'
import { type Message, messagesOf, type Outage } from '../../../test/support/outage-model.ts'
import { contactIds, maxMinutes, nightOutage, outages } from '../../../test/support/outages.ts'
import { enqueueAlerts } from './deliveries.ts'
import { claimDelivery, endDelivery } from './delivery-attempts.ts'
import { insertPolicy } from './escalation-policies.ts'
import { takeSteps } from './escalations.ts'
import { holdDelivery } from './held-alerts.ts'
import { insertSchedule, setParticipants } from './on-call-schedules.ts'
import { remind } from './reminders.ts'

const minuteMs = 60_000
/** On a machine that is busy, and for the search of a short example of a failure. */
const mostMs = 30_000

describe('alerts of an outage', async () => {
  const database = await testDatabase()
  const clock = await moveClock(database)
  const { pool } = database

  /** One workspace with what the outage tells of, whose incident opens. */
  const open = async ({ opensAt, contacts, monitor, policy }: Outage) => {
    await pool.query('delete from workspaces')
    await clock.set(opensAt)
    const workspaceId = await addWorkspace(database)
    for (const [id, { isOn: enabled, isConfirmed: confirmed, isFailing, rules }] of contacts) {
      await addContact(database, { workspaceId, id, enabled, confirmed })
      const failingSince = isFailing ? opensAt : null
      await pool.query('update alert_channels set alert_rules = $2, failing_since = $3 where id = $1', [
        id,
        rules,
        failingSince,
      ])
    }
    const named = monitor.named === null ? null : [...monitor.named]
    const monitorId = await addMonitor(database, { workspaceId, contactIds: named })
    await pool.query('update monitors set alert_rules = $2 where id = $1', [monitorId, monitor.rules])
    if (policy !== null) await addPolicy(workspaceId, policy)
    const incidentId = randomUUID()
    const of = { monitorId, incidentId }
    const story = { monitorName: 'Shop API', title: 'Shop API is down', cause: null, locationCode: null }
    await database.transaction(async (tx) => {
      await openIncidents(tx, [{ ...of, ...story, workspaceId, at: opensAt }])
      await enqueueAlerts(tx, [{ ...of, workspaceId, alert: statusAlertOf('monitor.down', of), at: opensAt }])
    })
    return { workspaceId, monitorId, incidentId }
  }

  const addPolicy = async (workspaceId: string, { steps, repeats }: NonNullable<Outage['policy']>): Promise<void> => {
    await database.transaction(async (tx) => {
      const written: { after_minutes: number; contact_ids: string[]; schedule_ids: string[] }[] = []
      for (const { minutes, contacts, schedules } of steps) {
        const ids: string[] = []
        for (const { timeZone, layers } of schedules) {
          const settings = { name: 'Night', timeZone, layers: [...layers] }
          const id = await insertSchedule(tx, { workspaceId, settings, now: new Date() })
          await setParticipants(tx, { workspaceId, id, layers })
          ids.push(id)
        }
        written.push({ after_minutes: minutes, contact_ids: [...contacts], schedule_ids: ids })
      }
      const policy = { id: randomUUID(), workspaceId, name: 'Ops', steps: written, repeats, is_default: true, tags: [] }
      assert.equal(await insertPolicy(tx, policy), true)
    })
  }

  /** What is due leaves, unless quiet hours hold it, as when its job runs. */
  const send = async (now: Date, minute: number): Promise<Message[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from deliveries where state = 'pending' and due_at <= $1 order by created_at, id`,
      [now],
    )
    const sent: Message[] = []
    for (const { id } of rows) {
      const claim = (await claimDelivery(database, id)) ?? assert.fail('a delivery that is due can be claimed')
      const { alert, contact, attempt, rules } = claim
      const until = heldByQuietHours(rules, now)
      const event = {
        type: 'alert_sent',
        message: 'Sent.',
        details: { alert_channel_id: contact.id, attempt },
      } as const
      await database.transaction(async (tx) => {
        if (until !== null) await holdDelivery(tx, claim, until)
        else await endDelivery(tx, claim, { state: 'delivered', statusCode: 200, error: null, event })
      })
      const { type } = alert
      if (until === null && (type === 'monitor.down' || type === 'monitor.up' || type === 'monitor.reminder'))
        sent.push({ minute, contact: contact.id, type })
    }
    return sent
  }

  const nextDue = async (opensAt: Date): Promise<number> => {
    const { rows } = await pool.query<{ at: Date | null }>(
      `select min(due_at) as at
      from (
        select due_at from alert_steps
        union all
        select due_at from deliveries where state = 'pending'
      ) as waiting`,
    )
    const [{ at } = { at: null }] = rows
    return at === null ? Infinity : (at.getTime() - opensAt.getTime()) / minuteMs
  }

  const live = async (outage: Outage): Promise<Message[]> => {
    const { opensAt, acknowledgedAfter, endsAfter } = outage
    const named = await open(outage)
    const { workspaceId, incidentId } = named
    const messages: Message[] = []
    for (let minute = 0; minute <= maxMinutes;) {
      const at = new Date(opensAt.getTime() + minute * minuteMs)
      await clock.set(at)
      await database.transaction((tx) => takeSteps(tx, { limit: 100 }))
      await database.transaction((tx) => remind(tx, 100))
      messages.push(...(await send(at, minute)))
      if (minute === acknowledgedAfter)
        await database.transaction((tx) => acknowledgeIncident(tx, { workspaceId, incidentId, actor: 'Ann', at }))
      if (minute === endsAfter) {
        await database.transaction(async (tx) => {
          await resolveIncidents(tx, [{ incidentId, at, message: 'Checks succeed again.' }])
          await enqueueAlerts(tx, [{ ...named, alert: statusAlertOf('monitor.up', named), at }])
        })
        messages.push(...(await send(at, minute)))
      }
      const ends = [acknowledgedAfter ?? Infinity, endsAfter].filter((end) => end > minute)
      minute = Math.min(await nextDue(opensAt), ...ends)
    }
    const { rows } = await pool.query('select id from alert_steps')
    assert.deepEqual(rows, [], 'nothing waits for its time after the end')
    return messages
  }

  it('leave when a person would say so who looks at the clock every minute', async (t) => {
    const tally = { 'monitor.down': 0, 'monitor.reminder': 0, 'monitor.up': 0 }
    await fc.assert(
      fc.asyncProperty(outages, async (outage) => {
        const expected = messagesOf(outage, maxMinutes)
        for (const { type } of expected) tally[type] += 1
        assert.deepEqual(shown(await live(outage)), shown(expected))
      }),
      { numRuns: 25, examples: [[nightOutage]], interruptAfterTimeLimit: mostMs },
    )
    t.diagnostic(JSON.stringify(tally))
  })
})

function shown(messages: readonly Message[]): string[] {
  return messages
    .map(({ minute, contact, type }) => `${String(minute).padStart(5)} contact ${contactIds.indexOf(contact)} ${type}`)
    .toSorted()
}
