import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { switchContactOff } from '#store/contacts/contact-states.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { passTime } from '../../../test/support/bundled.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const bundle = z.looseObject({ type: z.literal('alerts.bundle'), data: z.looseObject({ total: z.int() }) })
const slackText = z.looseObject({ text: z.string() })
const seconds = 60

describe('the delivery of alerts that leave together', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  await start()
  let workspaceId = ''

  beforeEach(async () => {
    receiver.received.length = 0
    receiver.react(() => ({ status: 204 }))
    workspaceId = await addWorkspace(database)
  })

  const count = async (condition: string): Promise<number> => {
    const found = await database.pool.query<{ count: number }>(
      `select count(*)::integer as count from deliveries where workspace_id = $1 and ${condition}`,
      [workspaceId],
    )
    return found.rows[0]?.count ?? 0
  }
  const reach = (what: string, condition: string, number: number): Promise<void> =>
    until(what, async () => (await count(condition)) === number)
  /** A contact that was told of one outage and has so many others waiting. Returns it, and the incidents. */
  const waiting = async (number: number, kind = 'webhook') => {
    const contactId = await addContact(database, { workspaceId, kind, destination: receiver.url })
    await database.pool.query(`update alert_channels set alert_rules = '{"bundle":true}' where id = $1`, [contactId])
    const incidents: string[] = []
    const fail = async (): Promise<void> => {
      const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
      incidents.push((await addDownAlert(database, { workspaceId, monitorId })).incidentId)
    }
    await fail()
    await reach('the first alert is delivered', `state = 'delivered'`, 1)
    for (let made = 0; made < number; made += 1) await fail()
    await reach('the others wait', 'bundle_id is not null', number)
    return { contactId, incidents }
  }
  const pass = () => passTime(database, workspaceId, seconds)
  const messagesOf = async (incidentId: string): Promise<string[]> => {
    const events = await database.query
      .selectFrom('incident_events')
      .select('message')
      .where('incident_id', '=', incidentId)
      .orderBy('position')
      .execute()
    return events.map(({ message }) => message)
  }

  it('tells each incident with how many others it was told', async () => {
    const { incidents } = await waiting(3)
    await pass()
    await reach('all are delivered', `state = 'delivered'`, 5)
    assert.equal(bundle.parse(JSON.parse(receiver.received[1]?.body ?? '')).data.total, 3)
    assert.deepEqual(await messagesOf(incidents[0] ?? ''), ['Alert sent to Operations (webhook).'])
    for (const incidentId of incidents.slice(1))
      assert.deepEqual(await messagesOf(incidentId), [
        'Alert sent to Operations (webhook) together with 2 other alerts.',
      ])
  })

  it('keeps id and body at every attempt, while later alerts make the next message', async () => {
    const { contactId } = await waiting(2)
    receiver.react(() => ({ status: 503 }))
    await pass()
    await reach('the message was refused', 'status_code = 503', 3)
    receiver.react(() => ({ status: 204 }))
    for (let made = 0; made < 2; made += 1) {
      const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
      await addDownAlert(database, { workspaceId, monitorId })
    }
    await reach('the later ones wait', `bundle_id is not null and attempt = 0`, 2)
    await pass()
    await reach('all are delivered', `state = 'delivered'`, 7)
    const [refused, ...later] = receiver.received.slice(1)
    assert.equal(later.length, 2)
    const again = later.find(({ headers }) => headers['webhook-id'] === refused?.headers['webhook-id'])
    assert.equal(again?.body, refused?.body)
  })

  it('has the built-in words where the contact has templates', async () => {
    const { contactId } = await waiting(2, 'slack')
    await database.pool.query(`update alert_channels set templates = '{"title":"Mine","body":null}' where id = $1`, [
      contactId,
    ])
    await pass()
    await reach('all are delivered', `state = 'delivered'`, 4)
    const { text } = slackText.parse(JSON.parse(receiver.received[1]?.body ?? ''))
    assert.match(text, /^\*2 monitors down: Shop API and Shop API\*\n2 monitors are down\.\n/)
  })

  it('gives up all of them when the contact was switched off meanwhile', async () => {
    const { contactId, incidents } = await waiting(2)
    await switchContactOff(database, contactId, 'people')
    await pass()
    await reach('they are given up', `state = 'failed'`, 3)
    assert.equal(receiver.received.length, 1)
    assert.deepEqual(await messagesOf(incidents[1] ?? ''), [
      'Alert to Operations (webhook) failed: The contact is switched off.',
    ])
  })

  it('sends a single one that waited as what it is', async () => {
    await waiting(1)
    await pass()
    await reach('both are delivered', `state = 'delivered'`, 2)
    assert.equal(JSON.parse(receiver.received[1]?.body ?? '{}').type, 'monitor.down')
    assert.equal(await count('true'), 2)
  })
})
