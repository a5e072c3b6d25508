import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { releaseDeadWorkers } from '#store/database/job-queue.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../test/support/alerts.ts'
import { jobsDatabase } from '../../test/support/jobs.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { until } from '../../test/support/until.ts'
import { createMailer } from '#jobs/contacts/mailer.ts'

describe('the jobs of a process', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  const outboxFolder = await mkdtemp(join(tmpdir(), 'perigee-outbox-'))
  after(() => rm(outboxFolder, { recursive: true, force: true }))
  const mailer = createMailer({ smtpUrl: null, from: 'alerts@perigee.example', outboxFolder })
  const secrets = createSecrets(randomBytes(32))
  const workspaceId = await addWorkspace(database)
  const contactId = await addContact(database, { workspaceId, destination: receiver.url })

  const downAlert = async (): Promise<string> => {
    const monitorId = await addMonitor(database, { workspaceId })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    return incidentId
  }
  const deliveryOf = (incidentId: string) =>
    database.query.selectFrom('deliveries').selectAll().where('incident_id', '=', incidentId).executeTakeFirstOrThrow()
  const untilDelivered = (incidentId: string): Promise<void> =>
    until('the alert was delivered', async () => (await deliveryOf(incidentId)).state === 'delivered')

  it('take over at their start what a dead worker had claimed', async () => {
    const incidentId = await downAlert()
    // A killed process leaves a claim, and a job whose lock belongs to no living worker.
    await database.pool.query(
      `update deliveries set attempt = 1, due_at = now() - interval '2 min', claimed_at = now() - interval '61 s'`,
    )
    await database.pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '61 s', locked_by = 'dead', attempts = 1`,
    )
    const jobs = await start()
    await untilDelivered(incidentId)
    assert.equal((await deliveryOf(incidentId)).attempt, 2)
    await jobs.stop()
  })

  it('forget all that is over, however much it is', async () => {
    await database.pool.query(
      `insert into people.verification (identifier, value, "expiresAt")
      select number::text, 'x', now() - interval '1 s'
      from generate_series(1, 2500) as number`,
    )
    const jobs = await start()
    await until('nothing is left', async () => {
      const { rows } = await database.pool.query('select 1 from people.verification limit 1')
      return rows.length === 0
    })
    await jobs.stop()
  })

  it('hand back what a dead worker held of the mail queue', async () => {
    await database.transaction((tx) => enqueueNotices(tx, [{ notice: 'confirm_contact', contact_id: contactId }]))
    await database.pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '119 s', locked_by = 'dead', attempts = 1
      where key is null`,
    )
    const dead = { tasks: ['mail'], heldMs: 120_000 }
    assert.equal(await releaseDeadWorkers(database, dead), 0)
    await database.pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '121 s' where locked_by = 'dead'`,
    )
    assert.equal(await releaseDeadWorkers(database, dead), 1)
    const held = await database.pool.query('select 1 from graphile_worker.jobs where locked_by is not null')
    assert.equal(held.rows.length, 0)
  })

  it('send the mail that asks for confirmation, once its transaction has committed', async () => {
    const id = await addContact(database, {
      workspaceId,
      kind: 'email',
      destination: 'ops@example.com',
      confirmed: false,
    })
    await database.transaction((tx) => enqueueNotices(tx, [{ notice: 'confirm_contact', contact_id: id }]))
    const jobs = await start({ secrets, carriers: { sendMail: mailer.sendMail } })
    await until('the mail is in the outbox', async () =>
      (await readdir(outboxFolder)).some((name) => name.endsWith('.eml')),
    )
    const [name = ''] = await readdir(outboxFolder)
    const raw = await readFile(join(outboxFolder, name), 'utf8')
    assert.match(raw, /^To: ops@example\.com\r$/m)
    assert.match(raw.replaceAll('=\r\n', ''), new RegExp(`https://perigee.example/contacts/confirm/${id}\\.[\\w-]{43}`))
    await jobs.stop()
  })

  it(
    'hand back the attempt that is under way when they stop, and do not wait for it',
    { timeout: 30_000 },
    async () => {
      receiver.react(() => null)
      const before = receiver.received.length
      const first = await start()
      const incidentId = await downAlert()
      await until('the attempt is under way', async () => receiver.received.length > before)
      const stoppedAt = performance.now()
      await first.stop()
      assert.ok(performance.now() - stoppedAt < 7500)
      const { state, attempt, claimed_at: claimedAt } = await deliveryOf(incidentId)
      assert.deepEqual([state, attempt, claimedAt], ['pending', 0, null])
      receiver.react(() => ({ status: 204 }))
      const second = await start()
      await untilDelivered(incidentId)
      await second.stop()
    },
  )

  it('let an alert leave within a second of its writing', async () => {
    const jobs = await start({ concurrency: 4 })
    const leftAfterMs: number[] = []
    for (let count = 0; count < 100; count += 1) {
      const before = receiver.received.length
      const monitorId = await addMonitor(database, { workspaceId })
      const writtenAt = performance.now()
      await addDownAlert(database, { workspaceId, monitorId })
      await until('the alert has come', async () => receiver.received.length > before)
      leftAfterMs.push((receiver.received.at(-1)?.at ?? Infinity) - writtenAt)
    }
    leftAfterMs.sort((one, other) => one - other)
    const [median, slowest] = [leftAfterMs[49] ?? Infinity, leftAfterMs[98] ?? Infinity]
    assert.ok(slowest < 1000, `p50 ${median.toFixed(1)} ms, p99 ${slowest.toFixed(1)} ms`)
    await jobs.stop()
  })
})
