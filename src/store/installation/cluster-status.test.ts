import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { clusterStatusSchema, clusterTroubles } from '#core/operator-status.ts'
import { addContact } from '../../../test/support/engine.ts'
import { testApi, type TestApi } from '../../../test/support/api.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { readClusterStatus, readQueues } from './cluster-status.ts'
import { noteLocations } from './location-presence.ts'
import { endMailTrouble, noteClockJump, noteMailTrouble, noteSetAside } from './own-troubles.ts'
import { addJobs, type Job } from '#store/database/job-queue.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'

async function benchOf(): Promise<TestApi> {
  return testApi({
    locations: [
      { code: 'ams', name: 'Amsterdam' },
      { code: 'nyc', name: 'New York' },
    ],
    database: await testDatabase({ maxConnections: 8 }),
  })
}

async function write(
  { database }: Pick<TestApi, 'database'>,
  statement: string,
  values: unknown[] = [],
): Promise<void> {
  await database.pool.query(statement, values)
}

/** A monitor that was made, and had its last round, so long ago. */
async function addMonitor(api: TestApi, input: Record<string, unknown>, ageSeconds: number): Promise<string> {
  const { id } = await createMonitor(api, { locations: ['ams'], interval_seconds: 60, timeout_ms: 5_000, ...input })
  await write(
    api,
    `with old as (
      update monitors set created_at = now() - make_interval(secs => $2) where id = $1 returning key
    )
    update monitor_state set round_at = now() - make_interval(secs => $2) from old where monitor_key = old.key`,
    [id, ageSeconds],
  )
  return id
}

type NewDelivery = { contact: string; due: string; claimed?: string | null; after?: string | null }

/** An alert that is due, and was claimed, at these distances from now; a recovery where it is behind another. */
async function addDelivery(api: TestApi, { contact, due, claimed = null, after = null }: NewDelivery): Promise<string> {
  const id = randomUUID()
  const type = after === null ? 'monitor.down' : 'monitor.up'
  await write(
    api,
    `insert into deliveries (id, workspace_id, alert_channel_id, alert, due_at, claimed_at, after_id)
    values ($1, $2, $3, json_build_object('type', $7::text), now() + $4::interval, now() + $5::interval, $6)`,
    [id, api.workspaceId, contact, due, claimed, after, type],
  )
  return id
}

function jobIn(lane: string, key: string, priority = 0): Job {
  return { task: 'deliver', payload: {}, maxAttempts: 9, key, lane, priority }
}

describe('the status of an installation', () => {
  it('is what the schema says, and bare at first', async () => {
    const { database } = await benchOf()
    const status = await readClusterStatus(database)
    assert.deepEqual(clusterStatusSchema.parse(status), status)
    assert.match(status.database.version, /^\d+\.\d+/)
    assert.ok(status.database.schema >= 7)
    assert.ok(status.database.size_bytes > 1_000_000)
    assert.equal(status.database.oldest_result_day, null)
    assert.deepEqual(status.engines, [])
    assert.equal(status.partitions.length, 64)
    assert.ok(status.partitions.every(({ owner, held_seconds }) => owner === null && held_seconds === null))
    assert.deepEqual(
      status.locations.map(({ code, online, seen_seconds }) => [code, online, seen_seconds]),
      [
        ['ams', false, null],
        ['nyc', false, null],
      ],
    )
    assert.deepEqual(status.monitors, {
      enabled: 0,
      paused: 0,
      late: 0,
      latest_seconds: 0,
      rounds_behind: 0,
      unchecked: 0,
    })
    assert.deepEqual(status.deliveries, { pending: 0, overdue: 0, oldest_overdue_seconds: 0, held_up: 0 })
    assert.deepEqual(status.jobs, { waiting: 0, running: 0, overdue: 0, failed: 0, oldest_due_seconds: 0 })
    assert.deepEqual(status.merging, { monitors_due: 0, lag_seconds: 0 })
  })

  it('names engines, and who holds which partition and since when', async () => {
    const api = await benchOf()
    await write(
      api,
      `insert into engines (name, started_at, seen_at)
      values ('alive', now() - interval '100 s', now() - interval '3 s'),
        ('silent', now() - interval '500 s', now() - interval '30 s')`,
    )
    await write(
      api,
      `update partitions
      set owner = case when partition < 40 then 'alive' else 'silent' end,
        epoch = 5,
        taken_at = now() - interval '50 s',
        held_until = case when partition < 40 then now() + interval '5 s' else now() - interval '1 s' end
      where partition < 60`,
    )
    const { engines, partitions } = await readClusterStatus(api.database)
    assert.deepEqual(
      engines.map(({ name, is_alive: isAlive }) => [name, isAlive]),
      [
        ['alive', true],
        ['silent', false],
      ],
    )
    assert.ok(engines[0]?.up_seconds !== undefined && Math.abs(engines[0].up_seconds - 100) < 30)
    assert.equal(partitions.filter(({ owner }) => owner === 'alive').length, 40)
    assert.equal(partitions.filter(({ owner }) => owner === null).length, 24, 'whose hold has ended is nobody’s')
    const [first] = partitions
    assert.deepEqual([first?.partition, first?.epoch], [0, 5])
    assert.ok(first?.held_seconds !== null && first !== undefined && first.held_seconds >= 50)
    await write(api, 'update partitions set taken_at = null')
    const [unknown] = (await readClusterStatus(api.database)).partitions
    assert.deepEqual([unknown?.owner, unknown?.held_seconds], ['alive', null], 'as an earlier release takes it')
  })

  it('counts at each location the enabled monitors that are checked from it', async () => {
    const api = await benchOf()
    await write(api, `update locations set seen_at = now() - interval '5 s' where code = 'ams'`)
    await write(api, `update locations set seen_at = now() - interval '20 s' where code = 'nyc'`)
    await createMonitor(api, { locations: ['ams', 'nyc'] })
    await createMonitor(api, { locations: ['ams'] })
    await createMonitor(api, { kind: 'heartbeat', url: undefined, heartbeat_grace_seconds: 60, locations: ['nyc'] })
    const paused = await createMonitor(api, { locations: ['nyc'] })
    await api.post(`/monitors/${paused.id}/pause`)
    const { locations, monitors } = await readClusterStatus(api.database)
    assert.deepEqual(
      locations.map(({ code, online, monitors: count }) => [code, online, count]),
      [
        ['ams', true, 2],
        ['nyc', false, 1],
      ],
    )
    assert.deepEqual([monitors.enabled, monitors.paused], [3, 1])
  })

  it('says where a network is lost, since when no mail leaves, and that the clock jumped', async () => {
    const api = await benchOf()
    const { database } = api
    await noteLocations(database, [
      { code: 'ams', name: 'Amsterdam', lostNetworkMs: 40_000 },
      { code: 'nyc', name: 'New York' },
    ])
    await noteMailTrouble(database, 'It is silent.')
    await noteMailTrouble(database, 'It refuses.')
    await noteClockJump(database, 10_800)
    const { locations, mail, clock } = await readClusterStatus(database)
    const [ams, nyc] = locations.map(({ lost_network_seconds: lost }) => lost)
    assert.ok(ams !== null && ams !== undefined && ams >= 40 && ams < 100)
    assert.equal(nyc, null)
    assert.deepEqual([mail?.error, clock?.by_seconds], ['It refuses.', 10_800])
    assert.ok(mail !== null && mail.failing_seconds < 60 && clock !== null && clock.jumped_seconds_ago < 60)
    await endMailTrouble(database)
    assert.equal((await readQueues(database)).mail, null)
  })

  it('says which monitors probers have set aside, until there is none', async () => {
    const { database } = await benchOf()
    const aside = async () => (await readClusterStatus(database)).set_aside
    assert.equal(await aside(), null)
    await noteSetAside(database, ['a', 'b'])
    await write({ database }, `update own_troubles set since = since - interval '100 s'`)
    await noteSetAside(database, ['b', 'c'])
    const told = await aside()
    assert.deepEqual(told?.monitor_ids, ['b', 'c'])
    assert.ok(told.seconds >= 100, 'it began with the first')
    await noteSetAside(database, [])
    assert.equal(await aside(), null)
  })

  it('takes nothing for late or absent that only looks so since the clock jumped ahead', async () => {
    const api = await benchOf()
    const { database } = api
    await noteLocations(database, [{ code: 'ams', name: 'Amsterdam' }])
    await addMonitor(api, {}, 60)
    await write(api, `insert into engines (name, seen_at) values ('e', now())`)
    await write(api, `update partitions set owner = 'e', held_until = now() + interval '6 s', taken_at = now()`)
    await database.transaction((tx) => addJobs(tx, [{ task: 'late', payload: {}, maxAttempts: 1 }]))
    // What was written by the old time lies three hours back.
    const three = `interval '3 hours'`
    await write(api, `update monitors set created_at = created_at - ${three}`)
    await write(api, `update monitor_state set round_at = round_at - ${three}`)
    await write(api, `update locations set seen_at = seen_at - ${three}`)
    await write(api, `update engines set seen_at = seen_at - ${three}`)
    await write(api, `update partitions set held_until = held_until - ${three}`)
    await write(api, `update graphile_worker._private_jobs set run_at = run_at - ${three}`)
    const troubled = await readClusterStatus(database)
    assert.equal(clusterTroubles(troubled).length, 5, 'without a word of the clock all of it is late')
    await noteClockJump(database, 10_800)
    const status = await readClusterStatus(database)
    assert.deepEqual(
      clusterTroubles(status).filter((trouble) => !trouble.startsWith('The clock')),
      [],
    )
    assert.deepEqual([status.monitors.late, status.jobs.overdue], [0, 0])
  })

  it('says which monitors are late, how far behind they are, and which are not checked at all', async () => {
    const api = await benchOf()
    // 60 s of interval, 5 s of timeout and 15 s of grace.
    await addMonitor(api, {}, 70)
    assert.equal((await readClusterStatus(api.database)).monitors.late, 0)
    await addMonitor(api, {}, 20 + 200)
    await addMonitor(api, {}, 20 + 400)
    await addMonitor(api, { interval_seconds: 3_600 }, 3_000)
    await addMonitor(api, { kind: 'page_speed', url: 'https://example.com', interval_seconds: 3_600 }, 3_600 + 100)
    await addMonitor(api, { kind: 'heartbeat', url: undefined, heartbeat_grace_seconds: 60 }, 9_000)
    const paused = await addMonitor(api, {}, 9_000)
    await api.post(`/monitors/${paused}/pause`)
    const {
      late,
      latest_seconds: latest,
      rounds_behind: behind,
      unchecked,
    } = (await readClusterStatus(api.database)).monitors
    assert.deepEqual([late, behind, unchecked], [2, 3 + 6, 1])
    assert.ok(latest >= 340 && latest < 400, String(latest))
  })

  it('counts what waits to be delivered, and what nobody attempts although it is due, also behind others', async () => {
    const api = await benchOf()
    const contact = await addContact(api.database, api.workspaceId)
    const add = (due: string, claimed: string | null, after: string | null = null): Promise<string> =>
      addDelivery(api, { contact, due, claimed, after })
    const triedAgain = await add('1 h', null)
    await add('-300 s', null, triedAgain)
    await add('-10 s', null)
    await add('-70 s', null)
    const stuck = await add('-300 s', null)
    await add('-300 s', null, stuck)
    await add('-400 s', '-200 s')
    await write(
      api,
      `insert into deliveries (id, workspace_id, alert_channel_id, alert, due_at, state)
      values (gen_random_uuid(), $1, $2, '{}', now() - interval '1 h', 'delivered')`,
      [api.workspaceId, contact],
    )
    const { deliveries } = await readQueues(api.database)
    assert.deepEqual([deliveries.pending, deliveries.overdue, deliveries.held_up], [7, 4, 0])
    assert.ok(deliveries.oldest_overdue_seconds >= 400)
  })

  it('counts apart what waits for a receiver that fails or is slow, but not for our mail server', async () => {
    const api = await benchOf()
    const contactAt = async (kind: string, destination: string, isFailing = false): Promise<string> => {
      const id = await addContact(api.database, api.workspaceId)
      await write(
        api,
        `update alert_channels
        set kind = $2, destination = $3, failing_since = case when $4 then now() end
        where id = $1`,
        [id, kind, destination, isFailing],
      )
      return id
    }
    const failing = await contactAt('webhook', 'https://failing.example/', true)
    const slow = await contactAt('webhook', 'https://Slow.example/a')
    const besideIt = await contactAt('webhook', 'https://slow.example/b')
    const good = await contactAt('webhook', 'https://good.example/')
    const mail = await contactAt('email', 'ops@example.com')
    for (const contact of [slow, mail]) await addDelivery(api, { contact, due: '-200 s', claimed: '-10 s' })
    for (const contact of [failing, slow, besideIt, mail]) await addDelivery(api, { contact, due: '-200 s' })
    const looked = async (): Promise<[overdue: number, heldUp: number]> => {
      const { deliveries } = await readQueues(api.database)
      return [deliveries.overdue, deliveries.held_up]
    }
    assert.deepEqual(await looked(), [1, 3], 'the mail is overdue')
    await addDelivery(api, { contact: good, due: '-200 s' })
    assert.deepEqual(await looked(), [2, 3])
    await write(api, `update deliveries set claimed_at = claimed_at - interval '15 s'`)
    assert.deepEqual(await looked(), [4, 1], 'nobody attempts anything any more')
  })

  it('counts the jobs that wait, run, are overdue, and have failed for good', async () => {
    const api = await benchOf()
    await api.database.transaction((tx) =>
      addJobs(
        tx,
        [0, 1, 2, 3].map((key) => ({ task: 'mail', payload: {}, key: String(key), maxAttempts: 2, runAt: new Date() })),
      ),
    )
    const table = 'graphile_worker._private_jobs'
    await write(api, `update ${table} set run_at = now() - interval '200 s' where key = '0'`)
    await write(api, `update ${table} set locked_at = now(), locked_by = 'w' where key = '1'`)
    await write(api, `update ${table} set attempts = 2 where key = '2'`)
    await write(api, `update ${table} set run_at = now() + interval '1 h' where key = '3'`)
    const { jobs } = await readQueues(api.database)
    assert.deepEqual([jobs.waiting, jobs.running, jobs.overdue, jobs.failed], [2, 1, 1, 1])
    assert.ok(jobs.oldest_due_seconds >= 200)
  })

  it('takes no jobs for overdue that wait for a receiver, and those that wait for the mail server', async () => {
    const api = await benchOf()
    const jobs = [
      ...['running', 'behind'].map((key) => jobIn('to:slow.example', key)),
      jobIn('to:failing.example', 'failing', 1),
      jobIn('to:good.example', 'good'),
      ...['mailing', 'mail'].map((key) => jobIn('mail', key)),
    ]
    await api.database.transaction((tx) => addJobs(tx, jobs))
    const table = 'graphile_worker._private_jobs'
    await write(api, `update ${table} set run_at = now() - interval '200 s'`)
    await write(api, `update ${table} set locked_at = now(), locked_by = 'w' where key in ('running', 'mailing')`)
    const looked = async (): Promise<number> => (await readQueues(api.database)).jobs.overdue
    assert.equal(await looked(), 2, 'the good one and the mail')
    await write(api, `update ${table} set locked_at = now() - interval '30 s' where locked_at is not null`)
    assert.equal(await looked(), 3, 'the worker is dead')
  })

  it('says how late merging is, and since when there are results', async () => {
    const api = await benchOf()
    const monitor = await createMonitor(api, { locations: ['ams'] })
    await write(
      api,
      `insert into result_merges (monitor_key, merged_until, due_at)
      select key, now() - interval '3 h', now() - interval '100 s' from monitors where id = $1`,
      [monitor.id],
    )
    await createResultPartitions(api.database, new Date('2026-05-05T12:00:00Z'))
    const { merging, database } = await readClusterStatus(api.database)
    assert.equal(merging.monitors_due, 1)
    assert.ok(merging.lag_seconds >= 100 && merging.lag_seconds < 200)
    assert.equal(database.oldest_result_day, '2026-05-04')
  })
})
