import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Flapping } from '#core/incidents/flapping.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import { claimDelivery, endDelivery } from '#store/contacts/delivery-attempts.ts'
import { foldUnstable } from '#store/contacts/unstable-alerts.ts'
import { openIncidents, resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addMonitor, addWorkspace, statusAlertOf } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { moveClock } from '../../../test/support/moved-clock.ts'
import { endUnstable } from './unstable-monitors.ts'

const minuteMs = 60_000

/** By minutes: whether the state changes in that minute. The monitor begins up. */
type Course = { rule: Flapping; changes: boolean[] }

const courses: fc.Arbitrary<Course> = fc.record({
  rule: fc.record({ changes: fc.integer({ min: 3, max: 6 }), within_minutes: fc.integer({ min: 5, max: 12 }) }),
  // Spells of many changes and spells of few.
  changes: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })), { minLength: 6, maxLength: 12 })
    .map((spells) => spells.flatMap(([length, every]) => Array.from({ length }, (_, at) => at % every === every - 1))),
})

/** In minutes. An outage never ends at the very moment at which it would be told. */
const lateness = (isDown: boolean): number => (isDown ? 0.5 : 0.25)

/** What a contact is told, minute by minute, by nothing but the sentences of the documentation. */
function expected({ rule, changes }: Course): string[] {
  const told: string[] = []
  const times: number[] = []
  let isDown = false
  let isTold = false
  let isUnstable = false
  let since = 0
  for (const [minute, isChange] of changes.entries()) {
    const tell = (what: string): unknown => told.push(`${minute} monitor.${what}`)
    if (isUnstable && minute - since >= rule.within_minutes) {
      tell(isDown ? 'down' : 'unstable_ended')
      isUnstable = false
      isTold = isDown
    }
    if (isChange) {
      isDown = !isDown
      since = minute + lateness(isDown)
      times.push(since)
      const begins = !isUnstable && times.filter((at) => at > since - rule.within_minutes).length >= rule.changes
      if (begins) {
        tell('unstable')
        isUnstable = true
        isTold = false
      } else if (isDown && !isUnstable) {
        tell('down')
        isTold = true
      } else if (!isDown && isTold) {
        tell('up')
        isTold = false
      }
    }
  }
  return told
}

describe('monitors that keep going down and coming back', async () => {
  const database = await testDatabase()
  const clock = await moveClock(database)
  const { pool } = database

  async function addCourse({ rule }: Course): Promise<{ workspaceId: string; monitorId: string }> {
    const workspaceId = await addWorkspace(database)
    const monitorId = await addMonitor(database, { workspaceId })
    await addContact(database, { workspaceId })
    await pool.query('update monitors set alert_rules = $2 where id = $1', [monitorId, { flapping: rule }])
    await pool.query(
      `insert into monitor_state (monitor_key, version, current_status) select key, version, 'up' from monitors where id = $1`,
      [monitorId],
    )
    return { workspaceId, monitorId }
  }

  /** Sends what may leave. */
  async function deliverDue(workspaceId: string): Promise<string[]> {
    const { rows } = await pool.query<{ id: string }>(
      `select id from deliveries where workspace_id = $1 and state = 'pending' and due_at <= now() order by due_at, created_at`,
      [workspaceId],
    )
    const sent: string[] = []
    for (const { id } of [...rows, ...rows]) {
      const claim = await claimDelivery(database, id)
      if (claim === null) continue
      const details = { alert_channel_id: claim.contact.id, attempt: 1 }
      const event = { type: 'alert_sent', message: 'Sent.', details } as const
      await database.transaction((tx) =>
        endDelivery(tx, claim, { state: 'delivered', statusCode: 200, error: null, event }),
      )
      sent.push(claim.alert.type)
    }
    return sent
  }

  async function played(course: Course): Promise<string[]> {
    const { workspaceId, monitorId } = await addCourse(course)
    const base = Date.now() + minuteMs
    const told: string[] = []
    let incidentId: string | null = null
    for (const [minute, isChange] of course.changes.entries()) {
      const at = new Date(base + minute * minuteMs)
      await clock.set(at)
      await pool.query(
        'update monitor_state set round_at = $2 where monitor_key = (select key from monitors where id = $1)',
        [monitorId, at],
      )
      await database.transaction((tx) => endUnstable(tx, { now: at, limit: 10 }))
      for (const type of await deliverDue(workspaceId)) told.push(`${minute} ${type}`)
      if (!isChange) continue
      const changedAt = new Date(at.getTime() + lateness(incidentId === null) * minuteMs)
      await clock.set(changedAt)
      incidentId = await change({ workspaceId, monitorId, incidentId, at: changedAt })
      for (const type of await deliverDue(workspaceId)) told.push(`${minute} ${type}`)
    }
    return told
  }

  type Turn = { workspaceId: string; monitorId: string; incidentId: string | null; at: Date }

  /** As the engine writes it. */
  async function change({ workspaceId, monitorId, incidentId, at }: Turn): Promise<string | null> {
    const id = incidentId ?? randomUUID()
    const type = incidentId === null ? 'monitor.down' : 'monitor.up'
    await database.transaction(async (tx) => {
      await tx.client.query(
        'update monitor_state set current_status = $2 where monitor_key = (select key from monitors where id = $1)',
        [monitorId, incidentId === null ? 'down' : 'up'],
      )
      const story = { monitorName: 'It', title: 'It is down', cause: null, locationCode: null }
      if (incidentId === null) await openIncidents(tx, [{ incidentId: id, workspaceId, monitorId, ...story, at }])
      else await resolveIncidents(tx, [{ incidentId: id, at, message: 'Checks succeed again.' }])
      const alert = statusAlertOf(type, { monitorId, incidentId: id })
      await enqueueAlerts(tx, await foldUnstable(tx, [{ workspaceId, monitorId, incidentId: id, alert, at }]))
    })
    return incidentId === null ? id : null
  }

  it('are told as the rule says, whatever they do', async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        assert.deepEqual(await played(course), expected(course))
      }),
      { numRuns: 10 },
    )
  })

  it('are told by the model as a person would say it', () => {
    const changes = [1, 2, 3, 4, 20, 21, 22, 23, 50, 51, 52].reduce<boolean[]>((all, minute) => {
      all[minute] = true
      return all
    }, Array<boolean>(80).fill(false))
    assert.deepEqual(expected({ rule: { changes: 3, within_minutes: 10 }, changes }), [
      '1 monitor.down',
      '2 monitor.up',
      '3 monitor.unstable',
      '15 monitor.unstable_ended',
      '20 monitor.down',
      '21 monitor.up',
      '22 monitor.unstable',
      '34 monitor.unstable_ended',
      '50 monitor.down',
      '51 monitor.up',
      '52 monitor.unstable',
      '63 monitor.down',
    ])
  })
})
