import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openDatabase } from '#store/database/database.ts'
import { sweepDeliveries } from '#store/contacts/delivery-nudges.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { migrate } from '#store/database/migrate.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../test/support/alerts.ts'
import { startTestJobs } from '../../test/support/jobs.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { until } from '../../test/support/until.ts'

const kills = 3

describe('jobs whose database is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-jobs-'))
  const embedded = await startEmbedded({ folder, settings: { max_connections: '30' } })
  const database = openDatabase({ connection: embedded.connection, maxConnections: 8 })
  await migrate(database)
  const receiver = await startReceiver()
  const jobs = await startTestJobs(database)
  after(async () => {
    await jobs.stop()
    await database.close()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const workspaceId = await addWorkspace(database)

  it('go on by themselves, and lose no alert that was written', { timeout: 100_000 }, async () => {
    for (let kill = 1; kill <= kills; kill += 1) {
      // One attempt is under way when the database dies, and ends while nothing can be written.
      receiver.react(() => null)
      const before = receiver.received.length
      const during = await alertingMonitor()
      await addDownAlert(database, { workspaceId, monitorId: during })
      await until('an attempt is under way', async () => receiver.received.length > before)
      const pid = embedded.pid()
      process.kill(pid, 'SIGKILL')
      receiver.hangUp()
      receiver.react(() => ({ status: 204 }))
      await until('the database is back', async () => embedded.pid() !== pid && (await isBack()))

      const next = await alertingMonitor()
      const { incidentId } = await addDownAlert(database, { workspaceId, monitorId: next })
      await until('the next alert was delivered', () => isDelivered(incidentId), 20_000)
    }
    // A dead attempt's claim lapses after a minute, and a job whose worker died before it heard of it is overdue after
    // some seconds; the sweep finds both.
    await database.pool
      .query(`update deliveries set claimed_at = now() - interval '61 s', due_at = now() - interval '1 min'
      where claimed_at is not null`)
    await until('every alert was delivered', async () => {
      await sweepDeliveries(database)
      return (await pending()) === 0
    })
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 2 * kills)
  })

  /** With a contact of its own: what a dead attempt still holds is another contact's. */
  async function alertingMonitor(): Promise<string> {
    const contactId = await addContact(database, { workspaceId, destination: receiver.url })
    return addMonitor(database, { workspaceId, contactIds: [contactId] })
  }

  async function isBack(): Promise<boolean> {
    return database.pool.query('select 1').then(
      () => true,
      () => false,
    )
  }

  async function isDelivered(incidentId: string): Promise<boolean> {
    const row = await database.query
      .selectFrom('deliveries')
      .select('state')
      .where('incident_id', '=', incidentId)
      .executeTakeFirstOrThrow()
    return row.state === 'delivered'
  }

  async function pending(): Promise<number> {
    const rows = await database.query.selectFrom('deliveries').select('id').where('state', '=', 'pending').execute()
    return rows.length
  }
})
