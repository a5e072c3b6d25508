import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { readAcknowledgeToken } from '#contacts/acknowledge-links.ts'
import type { Alert } from '#core/contacts/alerting.ts'
import type { ContactRules } from '#core/contacts/alert-rules.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import {
  addContact,
  addDownAlert,
  addMonitor,
  addRecovery,
  addWorkspace,
  statusAlertOf,
} from '../../../test/support/alerts.ts'
import { jobsDatabase, publicUrl } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const linkStart = `${publicUrl}/incidents/acknowledge/`

describe('links that acknowledge, in alerts', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  const { secrets } = await start()
  let workspaceId = ''
  let monitorId = ''
  let contactId = ''

  beforeEach(async () => {
    receiver.received.length = 0
    receiver.react(() => ({ status: 204 }))
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
    contactId = await addContact(database, { workspaceId, destination: receiver.url })
  })

  const contactIs = (rules: ContactRules | null, addressNumber = 0) =>
    database.pool.query('update alert_channels set alert_rules = $2, address_number = $3 where id = $1', [
      contactId,
      rules,
      addressNumber,
    ])
  const bodies = async (count: number): Promise<(Alert & { data: { acknowledge_url?: string } })[]> => {
    await until(`${count} came`, async () => receiver.received.length === count)
    return receiver.received.map(({ body }) => JSON.parse(body))
  }
  const remind = async (incidentId: string): Promise<void> => {
    const alert = statusAlertOf('monitor.reminder', { monitorId, incidentId })
    await database.transaction((tx) =>
      enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId, alert, at: new Date() }]),
    )
  }

  it('name incident and contact, at its present address, for seven days from the alert', async () => {
    await contactIs({ acknowledge_link: true }, 3)
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    const [alert] = await bodies(1)
    const url = alert?.data.acknowledge_url ?? ''
    assert.ok(url.startsWith(linkStart), url)
    assert.deepEqual(readAcknowledgeToken(url.slice(linkStart.length), secrets), {
      incidentId,
      contact: { id: contactId, addressNumber: 3 },
      endsAt: new Date(Date.parse(alert?.timestamp ?? '') + 7 * dayMs),
    })
  })

  it('stand in outages and reminders, and not in recoveries', async () => {
    await contactIs({ acknowledge_link: true })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await bodies(1)
    await remind(incidentId)
    await bodies(2)
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    const told = (await bodies(3)).map(({ type, data }) => [type, data.acknowledge_url !== undefined])
    assert.deepEqual(told, [
      ['monitor.down', true],
      ['monitor.reminder', true],
      ['monitor.up', false],
    ])
  })

  for (const rules of [null, {}, { acknowledge_link: false }, { remind_every_minutes: 5 }])
    it(`are nowhere without that choice: ${JSON.stringify(rules)}`, async () => {
      await contactIs(rules)
      await addDownAlert(database, { workspaceId, monitorId })
      const [alert] = await bodies(1)
      assert.deepEqual(Object.keys(alert?.data ?? {}), ['monitor', 'incident', 'result'])
    })

  it('are not told by what the receiver says of them', async () => {
    receiver.react(({ body }) => ({ status: 410, body: `No: ${body.slice(body.indexOf('"acknowledge_url"'))}` }))
    await contactIs({ acknowledge_link: true })
    await addDownAlert(database, { workspaceId, monitorId })
    const error = async (): Promise<string | null> => {
      const { rows } = await database.pool.query<{ error: string | null }>(
        'select error from deliveries where workspace_id = $1',
        [workspaceId],
      )
      return rows[0]?.error ?? null
    }
    await until('it was refused', async () => (await error()) !== null)
    const said = (await error()) ?? ''
    const [{ data } = { data: {} }] = await bodies(1)
    const token = 'acknowledge_url' in data ? String(data.acknowledge_url).slice(linkStart.length) : ''
    assert.ok(token.length > 40)
    assert.match(said, /No: /)
    assert.ok(!said.includes(token), said)
  })
})
