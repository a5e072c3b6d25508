import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MailMessage } from '#contacts/message.ts'
import { noteLocations } from '#store/installation/location-presence.ts'
import { testApi, type TestApi } from '../../test/support/api.ts'
import { publicUrl, startTestJobs } from '../../test/support/jobs.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

const locations = [
  { code: 'ams', name: 'Amsterdam' },
  { code: 'nyc', name: 'New York' },
]

/** One location has been without a prober for three minutes while an engine looked. */
async function lostLocation(): Promise<TestApi> {
  const api = await testApi({ locations, maxConnections: 8 })
  const { database } = api
  await noteLocations(database, locations)
  await createMonitor(api, { locations: ['ams'] })
  await database.pool.query(
    `insert into engines (name, started_at, seen_at) values ('e', now() - interval '1 h', now())`,
  )
  await database.pool.query(`update locations set seen_at = now() - interval '180 s' where code = 'ams'`)
  return api
}

describe('a location that has lost its last prober', () => {
  it('is told to the operator, in one mail', async () => {
    const { database } = await lostLocation()
    const mails: MailMessage[] = []
    const sendMail = async (message: MailMessage) => {
      mails.push(message)
      return { ok: true, answer: { isAccepted: true, code: null } } as const
    }
    const options = { carriers: { sendMail }, operatorEmail: 'operator@example.com' }
    const both = [await startTestJobs(database, options), await startTestJobs(database, options)]
    await until('the mail', async () => mails.length > 0, 20_000)
    for (const { stop } of both) await stop()
    const [mail, ...others] = mails
    assert.deepEqual(others, [])
    assert.equal(mail?.to, 'operator@example.com')
    assert.equal(mail?.subject, 'No prober left at Amsterdam')
    assert.match(mail?.text ?? '', /Location: ams\n/)
    assert.match(mail?.text ?? '', /Last seen: \d{4}-\d\d-\d\dT[\d:.]+Z\n/)
    assert.match(mail?.text ?? '', /Monitors using it: 1\n/)
    assert.ok(mail?.text.includes(publicUrl))
    const logged = both
      .flatMap((jobs) => jobs.logged)
      .filter(({ message }) => message.startsWith('A location has no prober'))
    assert.deepEqual(
      logged.map(({ level, details }) => [level, details['location'], details['monitors']]),
      [['warn', 'ams', 1]],
    )
  })

  it('is logged, and nobody is written to, where no operator is named', async () => {
    const { database } = await lostLocation()
    const jobs = await startTestJobs(database)
    await until(
      'the log line',
      async () => jobs.logged.some(({ message }) => message.startsWith('A location has no prober')),
      20_000,
    )
    const waiting = await database.pool.query(`select from graphile_worker.jobs where task_identifier = 'mail'`)
    assert.equal(waiting.rowCount, 0)
    await jobs.stop()
  })
})
