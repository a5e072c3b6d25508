// What the operator of an installation is told by mail.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MailMessage } from '#contacts/message.ts'
import { createPageLanguages } from '#core/status-pages/page-languages.ts'
import type { Database } from '#store/database/database.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { endBrokerAway, noteBrokerAway } from '#store/installation/broker-away.ts'
import { noteLocations } from '#store/installation/location-presence.ts'
import { noteMailTrouble } from '#store/installation/own-troubles.ts'
import { testApi } from '../../test/support/api.ts'
import { testDatabase } from '../../test/support/database.ts'
import { noFeeds } from '../../test/support/feeds-off.ts'
import { publicUrl, testCarriers } from '../../test/support/jobs.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { unstoring, unstoringDatabase } from '../../test/support/unstoring-database.ts'
import { notify } from './contacts/notify.ts'
import { tellMissingLocations } from './missing-locations.ts'
import { tellNetworkTurns } from './network-turns.ts'
import { tellTroubles } from './operator-troubles.ts'
import type { JobParts } from './runner/job-parts.ts'
import { storingChore } from './storing.ts'

type Told = { parts: JobParts; mails: MailMessage[]; logged: string[] }

function partsOn(database: Database): Told {
  const mails: MailMessage[] = []
  const logged: string[] = []
  const write = (message: string): void => void logged.push(message)
  const parts: JobParts = {
    database,
    renderTemplates: () => assert.fail('no template is rendered here'),
    privateNet: null,
    carriers: testCarriers({
      sendMail: async (message) => {
        mails.push(message)
        return { ok: true, answer: { isAccepted: true, code: 250 } }
      },
    }),
    secrets: createSecrets(Buffer.alloc(32)),
    resealsSecondFactors: () => assert.fail('no key is changed here'),
    publicUrl,
    operatorEmail: 'operator@example.com',
    confirmVatId: null,
    till: null,
    feeds: noFeeds,
    nvdApiKey: null,
    textsIn: createPageLanguages(),
    log: { debug: write, info: write, warn: write, error: write },
    observer: { attempted: () => {}, ran: () => {} },
    now: () => new Date(),
  }
  return { parts, mails, logged }
}

/** Sends the mails that wait, as the job queue does. */
async function deliver({ parts }: Told): Promise<void> {
  const { rows } = await parts.database.pool.query<{ payload: unknown }>(
    `delete from graphile_worker._private_jobs returning payload`,
  )
  for (const { payload } of rows) await notify(payload, parts, AbortSignal.timeout(60_000))
}

describe('the operator', () => {
  it('gets one mail when a location has lost its own network, and one when it has it again', async () => {
    const api = await testApi({ locations: [{ code: 'ams', name: 'Amsterdam' }] })
    for (let monitors = 0; monitors < 3; monitors += 1) await createMonitor(api, { locations: ['ams'] })
    const told = partsOn(api.database)
    const look = async (lostNetworkMs: number | null): Promise<void> => {
      await noteLocations(api.database, [{ code: 'ams', name: 'Amsterdam', lostNetworkMs }])
      await tellNetworkTurns(told.parts)
      await deliver(told)
    }
    for (const lostMs of [null, 40_000, 60_000, null, null]) await look(lostMs)
    assert.deepEqual(
      told.mails.map(({ to, subject }) => [to, subject]),
      [
        ['operator@example.com', 'Amsterdam has lost its network'],
        ['operator@example.com', 'Amsterdam has its network back'],
      ],
    )
    assert.match(told.mails[0]?.text ?? '', /Monitors using it: 3\n/)
    assert.equal(told.logged.length, 2)
  })

  it('gets one mail for all locations of a machine that lose it together, although not in the same second', async () => {
    const three = ['ams', 'bos', 'che'].map((code) => ({ code, name: code.toUpperCase() }))
    const api = await testApi({ locations: three })
    for (const { code } of three) await createMonitor(api, { locations: [code] })
    const told = partsOn(api.database)
    const look = async (lostMs: (number | null)[]): Promise<void> => {
      const present = three.map((location, index) => ({ ...location, lostNetworkMs: lostMs[index] ?? null }))
      await noteLocations(api.database, present)
      await tellNetworkTurns(told.parts)
      await deliver(told)
    }
    await look([28_000, 26_000, null])
    assert.equal(told.mails.length, 0, 'not for so long yet')
    await api.database.pool.query(`update locations set network_lost_at = network_lost_at - interval '3 s'`)
    await look([31_000, 29_000, 27_000])
    await look([40_000, 38_000, 36_000])
    await look([null, null, 46_000])
    await look([null, null, null])
    await look([null, null, null])
    const [lost, back, ...others] = told.mails
    assert.deepEqual(others, [])
    assert.equal(lost?.subject, '3 locations have lost their network')
    for (const { code, name } of three) assert.match(lost.text, new RegExp(`^Location: ${code} \\(${name}\\)$`, 'm'))
    assert.equal(back?.subject, '3 locations have their network back')
    assert.equal(told.logged.length, 6)
  })

  it('gets one mail of troubles that last, and one when all of them are over', async () => {
    const database = await testDatabase()
    const told = partsOn(database)
    await database.pool.query(`insert into engines (name, seen_at) values ('e', now())`)
    await database.pool.query(`update partitions set owner = 'e', held_until = now() + interval '1 hour'`)
    const look = async (): Promise<void> => {
      await tellTroubles(told.parts)
      await deliver(told)
    }
    await look()
    await noteMailTrouble(database, 'It is silent.')
    await look()
    assert.equal(told.mails.length, 0, 'it may be over soon')
    await database.pool.query(`update operator_troubles set since = since - interval '3 minutes'`)
    for (let looks = 0; looks < 3; looks += 1) await look()
    const [mail, ...others] = told.mails.splice(0)
    assert.deepEqual(others, [])
    assert.equal(mail?.subject, 'Perigee at perigee.example needs attention')
    assert.match(mail?.text ?? '', /No mail could be sent for \d+ s: It is silent\./)
    await database.pool.query('delete from own_troubles')
    for (let looks = 0; looks < 2; looks += 1) await look()
    assert.deepEqual(
      told.mails.map(({ subject }) => subject),
      ['Perigee at perigee.example is healthy again'],
    )
  })

  it('is not told again of monitors whose location is told of already', async () => {
    const api = await testApi({ locations: [{ code: 'ams', name: 'Amsterdam' }] })
    const { database } = api
    const told = partsOn(database)
    await createMonitor(api, { locations: ['ams'] })
    await database.pool.query(`update monitors set created_at = now() - interval '1 hour'`)
    await database.pool.query(`update monitor_state set round_at = now() - interval '1 hour'`)
    await noteLocations(database, [{ code: 'ams', name: 'Amsterdam', lostNetworkMs: 40_000 }])
    await tellTroubles(told.parts)
    const { rows } = await database.pool.query<{ topic: string }>('select topic from operator_troubles order by 1')
    assert.deepEqual(
      rows.map(({ topic }) => topic),
      ['No engine is running, so nothing is checked.', 'n of n partitions are held by no engine.'],
    )
  })

  it('is told that the broker is away, and nothing of the probers that cannot be heard then', async () => {
    const api = await testApi({ locations: [{ code: 'ams', name: 'Amsterdam' }] })
    const { database } = api
    const told = partsOn(database)
    await createMonitor(api, { locations: ['ams'] })
    await noteLocations(database, [{ code: 'ams', name: 'Amsterdam' }])
    const look = async (): Promise<string[]> => {
      await database.pool.query(`update engines set started_at = now() - interval '1 hour', seen_at = now()`)
      await database.pool.query(
        `update partitions set owner = 'one', held_until = now() + interval '1 hour', taken_at = now()`,
      )
      await database.pool.query(`update locations set seen_at = now() - interval '10 minutes'`)
      await database.pool.query(`update operator_troubles set since = since - interval '3 minutes'`)
      await tellMissingLocations(told.parts)
      await tellTroubles(told.parts)
      await deliver(told)
      return told.mails.splice(0).map(({ subject, text }) => `${subject} ${/The broker [^.]*/.exec(text)?.[0] ?? ''}`)
    }
    await database.pool.query(`insert into engines (name, seen_at) values ('one', now()), ('other', now())`)
    await noteBrokerAway(database, 'one')
    await noteBrokerAway(database, 'other')
    await look()
    const [mail, ...others] = await look()
    assert.match(mail ?? '', /needs attention The broker cannot be reached: .* the state of probers is not known$/)
    assert.deepEqual(others, [])
    await endBrokerAway(database, 'other')
    assert.deepEqual(await look(), ['No prober left at Amsterdam ', 'Perigee at perigee.example is healthy again '])
  })

  for (const { what, setting, value, says } of unstoring)
    it(`gets one mail at once when the database ${what}, and one when it stores again`, async () => {
      const { database, begin, end } = unstoringDatabase(await testDatabase(), { setting, value })
      const told = partsOn(database)
      const { run } = storingChore(told.parts)
      const look = (): Promise<void> => run(AbortSignal.timeout(60_000))
      await look()
      await begin()
      await look()
      assert.equal(told.mails.length, 0, 'it may be a restart')
      for (let looks = 0; looks < 3; looks += 1) await look()
      await end()
      for (let looks = 0; looks < 3; looks += 1) await look()
      assert.deepEqual(
        told.mails.map(({ subject }) => subject),
        [
          'The database of Perigee at perigee.example cannot store anything',
          'The database of Perigee at perigee.example stores data again',
        ],
      )
      assert.match(told.mails[0]?.text ?? '', says)
    })
})
