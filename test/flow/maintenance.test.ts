// Planned maintenance, told by mail by the real service, which is killed while it tells that it begins and is over.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { endOccurrence } from '#store/maintenance/maintenance-plan.ts'
import { holdingWay } from '../money/holding-way.ts'
import { addContact, addMonitor, addWorkspace } from '../support/alerts.ts'
import { testDatabase } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { planMaintenance } from '../support/maintenance.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'
import { headerOf, textOf } from './mails.ts'

const waitMs = 110_000
const timeout = 300_000
const hourMs = 3_600_000

describe('a service that is killed while it tells of maintenance', () => {
  it('mails once that it has begun, and once that it is over', { timeout }, async () => {
    const mail = await startMailServer()
    const { folder, way, database, environment } = await install(mail.url)
    const workspaceId = await addWorkspace(database)
    await addMonitor(database, { workspaceId, name: 'Shop' })
    await database.pool.query(`update monitors set url = 'http://127.0.0.1:9/'`)
    await addContact(database, { workspaceId, kind: 'email', destination: 'reader@example.com' })
    await database.pool.query(`update alert_channels set alert_rules = '{"events":["maintenance"]}'`)
    const plan = () => {
      const now = Date.now()
      const time = { startsAt: new Date(now - hourMs), endsAt: new Date(now + hourMs) }
      return planMaintenance(database, { workspaceId, occurrences: [time] })
    }
    const told = async () =>
      (await database.pool.query(`select from deliveries where alert ->> 'type' like 'maintenance.%'`)).rowCount
    const pending = async () => (await database.pool.query(`select from deliveries where state = 'pending'`)).rowCount
    const killAt = async (transactionWith: RegExp, whatIsThere: readonly [unheard: number, unanswered: number]) => {
      for (const [index, commitIs] of (['unheard', 'unanswered'] as const).entries()) {
        const held = way.held()
        way.holdNext({ transactionWith, commitIs })
        const perigee = folder.start(environment)
        await until(`a commit that is ${commitIs}`, async () => way.held() === held + 1, waitMs)
        // What is under way when a process dies would be sent again.
        await until('nothing is on its way', async () => (await pending()) === 0, waitMs)
        perigee.child.kill('SIGKILL')
        await perigee.ended()
        assert.equal(await told(), whatIsThere[index])
      }
    }
    const subjects = () => mail.received.map((each) => headerOf(each, 'Subject'))

    const { key } = await plan()
    await killAt(/tell_begun_maintenance/, [0, 1])
    await database.transaction((tx) => endOccurrence(tx, { key, now: new Date() }))
    await killAt(/tell_ended_maintenance/, [1, 2])
    const last = folder.start(environment)
    await until('both mails', async () => mail.received.length >= 2, waitMs)
    // The next one is told by a look after which nothing of the first is left.
    await plan()
    await until('another mail', async () => mail.received.length >= 3, waitMs)
    assert.deepEqual(subjects(), ['started', 'ended', 'started'].map((what) => `Maintenance ${what}: Upgrade`)) // prettier-ignore
    const [begun] = mail.received
    assert.match(begun === undefined ? '' : textOf(begun), /^Maintenance of Shop has started\./m)
    last.child.kill('SIGTERM')
    assert.equal(await last.ended(), 0, last.stderr())
  })
})

async function install(smtpUrl: string) {
  const {
    PERIGEE_TEST_SOCKET: socket = '',
    PERIGEE_TEST_USER: user = '',
    PERIGEE_TEST_PASSWORD: password = '',
  } = process.env
  const folder = serviceFolder()
  const way = await holdingWay(join(socket, '.s.PGSQL.5432'))
  const database = await testDatabase()
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(`postgres://127.0.0.1:${way.port}/${rows[0]?.name ?? ''}`)
  url.username = user
  url.password = password
  const environment = {
    PERIGEE_DATABASE_URL: url.href,
    PERIGEE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
    PERIGEE_SMTP_URL: smtpUrl,
  }
  return { folder, way, database, environment }
}
