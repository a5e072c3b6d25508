import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import type { Database } from '#store/database/database.ts'
import {
  type MissingLocation,
  type NetworkTurn,
  noteLocations,
  takeMissingLocations,
  takeNetworkTurns,
} from './location-presence.ts'
import { noteClockJump } from './own-troubles.ts'
import { listLocations } from './locations.ts'

const silentSeconds = 120

function take(database: Database): Promise<MissingLocation[]> {
  return database.transaction((tx) => takeMissingLocations(tx, silentSeconds))
}

/** When a prober was last seen, and whether the operator was told that there is none. */
async function presenceOf(database: Database, code: string): Promise<{ ageSeconds: number | null; isTold: boolean }> {
  const found = await database.pool.query<{ age: number | null; told: boolean }>(
    `select extract(epoch from now() - seen_at)::float8 as age, told_at is not null as told
    from locations where code = $1`,
    [code],
  )
  const [row] = found.rows
  assert.ok(row !== undefined, code)
  return { ageSeconds: row.age, isTold: row.told }
}

async function letPass(database: Database, code: string, seconds: number): Promise<void> {
  await database.pool.query('update locations set seen_at = seen_at - make_interval(secs => $2) where code = $1', [
    code,
    seconds,
  ])
}

async function addEngine(database: Database, { upSeconds, silent }: { upSeconds: number; silent: number }) {
  await database.pool.query(
    `insert into engines (name, started_at, seen_at)
    values ('watcher', now() - make_interval(secs => $1), now() - make_interval(secs => $2))
    on conflict (name) do update set started_at = excluded.started_at, seen_at = excluded.seen_at`,
    [upSeconds, silent],
  )
}

describe('locations that probers are at', () => {
  it('become known in the order in which they came, and are renamed', async () => {
    const { database } = await testApi({ locations: [] })
    await noteLocations(database, [{ code: 'ams', name: 'Amsterdam' }])
    await noteLocations(database, [
      { code: 'nyc', name: 'New York' },
      { code: 'ams', name: 'Amsterdam West' },
    ])
    assert.deepEqual(await listLocations(database), [
      { code: 'ams', name: 'Amsterdam West' },
      { code: 'nyc', name: 'New York' },
    ])
    const { ageSeconds, isTold } = await presenceOf(database, 'nyc')
    assert.ok(ageSeconds !== null && ageSeconds < 60)
    assert.equal(isTold, false)
  })

  it('are written again after some seconds, not each time', async () => {
    const { database } = await testApi({ locations: [{ code: 'ams', name: 'Amsterdam' }] })
    const present = [{ code: 'ams', name: 'Amsterdam' }]
    await noteLocations(database, present)
    const version = async () =>
      (await database.pool.query<{ xmin: string }>(`select xmin::text from locations where code = 'ams'`)).rows[0]?.xmin
    await letPass(database, 'ams', 2)
    const before = await version()
    await noteLocations(database, present)
    assert.equal(await version(), before)
    await letPass(database, 'ams', 2)
    await noteLocations(database, present)
    assert.ok(((await presenceOf(database, 'ams')).ageSeconds ?? 99) < 2)
  })

  it('stay as they are when there would be more than a thousand', async () => {
    const { database } = await testApi({ locations: [{ code: 'ams', name: 'Amsterdam' }] })
    const many = Array.from({ length: 1_000 }, (_, index) => ({ code: `l${index}`, name: 'Many' }))
    await noteLocations(database, [...many, { code: 'ams', name: 'Amsterdam' }])
    assert.deepEqual(await listLocations(database), [{ code: 'ams', name: 'Amsterdam' }])
    assert.notEqual((await presenceOf(database, 'ams')).ageSeconds, null)
    await noteLocations(database, many.slice(0, 999))
    assert.equal((await listLocations(database)).length, 1_000)
  })
})

describe('locations without a prober', () => {
  const locations = [
    { code: 'ams', name: 'Amsterdam' },
    { code: 'nyc', name: 'New York' },
  ]

  it('are told once each, with the monitors that choose them, until a prober was there again', async () => {
    const api = await testApi({ locations })
    const { database } = api
    await noteLocations(database, locations)
    await addEngine(database, { upSeconds: 3_600, silent: 0 })
    await createMonitor(api, { locations: ['ams'] })
    await createMonitor(api, { locations: ['ams', 'nyc'] })
    const paused = await createMonitor(api, { locations: ['ams'] })
    await api.post(`/monitors/${paused.id}/pause`)
    assert.deepEqual(await take(database), [])
    await letPass(database, 'ams', 100)
    assert.deepEqual(await take(database), [], 'not for so long yet')
    await letPass(database, 'ams', 30)
    const [missing, ...others] = await take(database)
    assert.deepEqual(others, [])
    assert.deepEqual([missing?.code, missing?.name, missing?.monitors], ['ams', 'Amsterdam', 2])
    assert.ok(missing !== undefined && Date.now() - missing.seenAt.getTime() >= 120_000)
    assert.deepEqual(await take(database), [], 'told once')
    await noteLocations(database, locations)
    assert.equal((await presenceOf(database, 'ams')).isTold, false)
    await letPass(database, 'ams', 130)
    assert.equal((await take(database)).length, 1, 'and again when it is lost again')
  })

  it('are of no concern when no monitor chooses them, or nobody checks those that do', async () => {
    const api = await testApi({ locations })
    const { database } = api
    await noteLocations(database, locations)
    await addEngine(database, { upSeconds: 3_600, silent: 0 })
    await createMonitor(api, {
      kind: 'heartbeat',
      url: undefined,
      heartbeat_grace_seconds: 60,
      locations: ['nyc'],
    })
    await createMonitor(api, { locations: ['ams'] })
    await letPass(database, 'nyc', 1_000)
    assert.deepEqual(await take(database), [])
  })

  it('are not blamed for what engines or the database were away', async () => {
    const api = await testApi({ locations })
    const { database } = api
    await noteLocations(database, locations)
    await createMonitor(api, { locations: ['ams'] })
    await letPass(database, 'ams', 1_000)
    assert.deepEqual(await take(database), [], 'no engine')
    await addEngine(database, { upSeconds: 100, silent: 0 })
    assert.deepEqual(await take(database), [], 'an engine that came later than the location was lost')
    await addEngine(database, { upSeconds: 3_600, silent: 20 })
    assert.deepEqual(await take(database), [], 'an engine that is silent itself')
    await addEngine(database, { upSeconds: 3_600, silent: 0 })
    assert.equal((await take(database)).length, 1)
  })

  it('are told by one of several that look at the same moment', async () => {
    const api = await testApi({ locations, maxConnections: 8 })
    const { database } = api
    await noteLocations(database, locations)
    await addEngine(database, { upSeconds: 3_600, silent: 0 })
    await createMonitor(api, { locations: ['ams', 'nyc'] })
    await letPass(database, 'ams', 1_000)
    await letPass(database, 'nyc', 1_000)
    const told = await Promise.all(Array.from({ length: 4 }, () => take(database)))
    assert.deepEqual(
      told
        .flat()
        .map(({ code }) => code)
        .toSorted(),
      ['ams', 'nyc'],
    )
  })

  it('are not marked as told when the telling is rolled back', async () => {
    const api = await testApi({ locations })
    const { database } = api
    await noteLocations(database, locations)
    await addEngine(database, { upSeconds: 3_600, silent: 0 })
    await createMonitor(api, { locations: ['ams'] })
    await letPass(database, 'ams', 1_000)
    await assert.rejects(
      database.transaction(async (tx) => {
        assert.equal((await takeMissingLocations(tx, silentSeconds)).length, 1)
        throw new Error('no notice')
      }),
      /no notice/,
    )
    assert.equal((await take(database)).length, 1)
  })
})

function turns(database: Database): Promise<NetworkTurn[]> {
  return database.transaction((tx) => takeNetworkTurns(tx, 30))
}

describe('locations that lose their own network', () => {
  const ams = { code: 'ams', name: 'Amsterdam' }
  const nyc = { code: 'nyc', name: 'New York' }

  it('are told once when it has lasted, and once when it is over', async () => {
    const api = await testApi({ locations: [ams, nyc] })
    const { database } = api
    await createMonitor(api, { locations: ['ams'] })
    await noteLocations(database, [{ ...ams, lostNetworkMs: 10_000 }, nyc])
    assert.deepEqual(await turns(database), [], 'not for so long yet')
    await noteLocations(database, [ams, nyc])
    await noteLocations(database, [{ ...ams, lostNetworkMs: 31_000 }, nyc])
    const [lost, ...others] = await turns(database)
    assert.deepEqual([lost?.code, lost?.monitors, others.length], ['ams', 1, 0])
    assert.ok(lost?.lostAt !== null && lost !== undefined && Date.now() - lost.lostAt.getTime() > 30_000)
    await noteLocations(database, [{ ...ams, lostNetworkMs: 36_000 }, nyc])
    assert.deepEqual(await turns(database), [], 'told once')
    await noteLocations(database, [ams, nyc])
    assert.deepEqual(await turns(database), [{ ...ams, lostAt: null, monitors: 1 }])
    assert.deepEqual(await turns(database), [])
  })

  it('are not waited for by the others when their own probers have gone meanwhile', async () => {
    const api = await testApi({ locations: [ams, nyc] })
    const { database } = api
    await createMonitor(api, { locations: ['ams', 'nyc'] })
    await noteLocations(database, [
      { ...ams, lostNetworkMs: 31_000 },
      { ...nyc, lostNetworkMs: 5_000 },
    ])
    assert.equal((await turns(database)).length, 2, 'both are told')
    await noteLocations(database, [ams])
    assert.deepEqual(await turns(database), [], 'the other has none yet')
    await letPass(database, 'nyc', 20)
    assert.deepEqual(await turns(database), [{ ...ams, lostAt: null, monitors: 1 }])
    await noteLocations(database, [nyc])
    assert.deepEqual(await turns(database), [{ ...nyc, lostAt: null, monitors: 1 }])
  })

  it('are told by one of several that look at the same moment', async () => {
    const api = await testApi({ locations: [ams, nyc], maxConnections: 8 })
    const { database } = api
    await createMonitor(api, { locations: ['ams', 'nyc'] })
    await noteLocations(database, [
      { ...ams, lostNetworkMs: 40_000 },
      { ...nyc, lostNetworkMs: 40_000 },
    ])
    const told = await Promise.all(Array.from({ length: 4 }, () => turns(database)))
    assert.deepEqual(
      told.map(({ length }) => length).toSorted((one, other) => one - other),
      [0, 0, 0, 2],
    )
  })

  it('are of no concern when no monitor chooses them, or no prober is left to say anything', async () => {
    const api = await testApi({ locations: [ams, nyc] })
    const { database } = api
    await createMonitor(api, { locations: ['ams'] })
    await noteLocations(database, [
      { ...ams, lostNetworkMs: 60_000 },
      { ...nyc, lostNetworkMs: 60_000 },
    ])
    await letPass(database, 'ams', 20)
    assert.deepEqual(await turns(database), [])
  })
})

it('a location that looks long gone because the clock jumped is not told as missing', async () => {
  const api = await testApi({ locations: [{ code: 'ams', name: 'Amsterdam' }] })
  const { database } = api
  await noteLocations(database, [{ code: 'ams', name: 'Amsterdam' }])
  await addEngine(database, { upSeconds: 3_600, silent: 0 })
  await createMonitor(api, { locations: ['ams'] })
  await noteClockJump(database, 10_800)
  await letPass(database, 'ams', 10_800)
  assert.deepEqual(await take(database), [])
})
