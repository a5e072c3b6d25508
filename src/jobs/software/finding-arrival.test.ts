import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { lockSoftware, replaceSoftware } from '#store/software/software.ts'
import { addContact, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { publish } from '../../../test/support/software.ts'
import { until } from '../../../test/support/until.ts'
import { createMailer } from '../contacts/mailer.ts'

describe('a finding, where no mail leaves', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  const outboxFolder = await mkdtemp(join(tmpdir(), 'perigee-outbox-'))
  after(() => rm(outboxFolder, { recursive: true, force: true }))
  await publish(database, { id: 'CVE-2026-5001', product: 'npm:shop', stretches: [{}] })
  await start({ carriers: createMailer({ smtpUrl: null, from: 'alerts@perigee.example', outboxFolder }) })

  /** A workspace with these contacts and a monitor with the finding; when it was told, once an alert has ended at each. */
  async function toldAt(...contacts: { kind: string; destination: string }[]): Promise<(Date | null)[]> {
    const workspaceId = await addWorkspace(database)
    for (const contact of contacts) await addContact(database, { workspaceId, ...contact })
    const monitorId = await addMonitor(database, { workspaceId })
    const { rows } = await database.pool.query<{ key: string }>(
      'update monitors set vulnerability_alerts = true where id = $1 returning key',
      [monitorId],
    )
    const monitorKey = rows[0]?.key ?? ''
    await database.pool.query('insert into monitor_state (monitor_key, version) values ($1, 1)', [monitorKey])
    await database.transaction(async (tx) => {
      await lockSoftware(tx, monitorKey)
      const found = [{ product: 'npm:shop', name: 'shop', version: '1.0.0', evidence: null }]
      await replaceSoftware(tx, { monitorKey, source: 'detected', label: null }, { found, at: new Date() })
    })
    const ended = database.query.selectFrom('deliveries').select('id').where('workspace_id', '=', workspaceId)
    await until('the alerts have ended', async () => {
      const { length } = await ended.where('state', '=', 'delivered').execute()
      return length === contacts.length
    })
    const findings = database.query.selectFrom('findings').select('alerted_at').where('monitor_key', '=', monitorKey)
    return (await findings.execute()).map(({ alerted_at: at }) => at)
  }
  const mail = { kind: 'email', destination: 'kept@example.com' }

  it('is not told by an alert that is kept in the outbox', async () => {
    assert.deepEqual(await toldAt(mail), [null])
  })

  it('is told once an alert arrives at another contact', async () => {
    const [at] = await toldAt(mail, { kind: 'webhook', destination: receiver.url })
    assert.ok(at instanceof Date)
  })
})
