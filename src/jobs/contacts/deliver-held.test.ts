import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const hourMs = 3_600_000

describe('the delivery of alerts that wait for their time', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  await start()
  let workspaceId = ''
  let monitorId = ''
  let contactId = ''

  beforeEach(async () => {
    receiver.received.length = 0
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
    contactId = await addContact(database, { workspaceId, destination: receiver.url })
  })

  const contactRules = (rules: ContactRules | null) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [contactId, rules])
  const monitorRules = (rules: MonitorRules) =>
    database.pool.query('update monitors set alert_rules = $2 where id = $1', [monitorId, rules])
  const deliveries = () =>
    database.query
      .selectFrom('deliveries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .execute()
  const reach = (expected: string): Promise<void> =>
    until(
      `the deliveries are ${expected}`,
      async () => (await deliveries()).map(({ state }) => state).join() === expected,
    )
  /** What waits may leave now. */
  const skipWait = async (): Promise<void> => {
    await database.pool.query(
      `update deliveries set due_at = now(), held_until = now() where workspace_id = $1 and state = 'pending'`,
      [workspaceId],
    )
    await database.pool.query(
      `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where run_at > now()), run_at => now())`,
    )
    await database.pool.query(`select pg_notify('jobs:insert', '{"count":1}')`)
  }
  const held = async () => {
    await until('the alert is held back', async () => (await deliveries())[0]?.held_until !== null)
    const [row] = await deliveries()
    assert.ok(row !== undefined)
    return row
  }

  it('holds back what comes in quiet hours until they end, and counts no attempt', async () => {
    const { rules, end } = quietNow()
    await contactRules(rules)
    await addDownAlert(database, { workspaceId, monitorId })
    const row = await held()
    assert.deepEqual([row.state, row.attempt, row.claimed_at, row.due_at], ['pending', 0, null, end])
    assert.equal(receiver.received.length, 0)
    await contactRules(null)
    await skipWait()
    await reach('delivered')
    assert.equal((await deliveries())[0]?.attempt, 1)
  })

  it('drops it when the outage ends meanwhile, and tells nothing of its end', async () => {
    await monitorRules(quietNow().rules)
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await held()
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    await reach('dropped')
    assert.equal(receiver.received.length, 0)
  })

  it('lets a critical monitor through', async () => {
    await contactRules(quietNow().rules)
    await monitorRules({ critical: true })
    await addDownAlert(database, { workspaceId, monitorId })
    await reach('delivered')
    assert.equal(receiver.received.length, 1)
  })

  it('sends nothing in a maintenance that began while it waited', async () => {
    await contactRules({ after_minutes: 10 })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    const before = (await held()).due_at
    const now = Date.now()
    const hour = { startsAt: new Date(now - hourMs), endsAt: new Date(now + hourMs) }
    await planMaintenance(database, { workspaceId, occurrences: [hour] })
    await skipWait()
    await until('it is put off', async () => {
      const [row] = await deliveries()
      return row !== undefined && row.due_at > new Date() && row.due_at < before
    })
    assert.equal(receiver.received.length, 0)
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: new Date(), message: 'It is up.' }]))
    await reach('dropped')
  })
})

function hourOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 13)}:00`
}

/** From an hour ago to two hours and less from now. */
function quietNow(): { rules: Required<Pick<ContactRules, 'quiet_hours'>>; end: Date } {
  const now = Date.now()
  const quiet = { time_zone: 'UTC', from: hourOf(now - hourMs), to: hourOf(now + 2 * hourMs) }
  return { rules: { quiet_hours: quiet }, end: new Date(Math.floor(now / hourMs) * hourMs + 2 * hourMs) }
}
