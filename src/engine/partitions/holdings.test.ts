import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { createEngineStore } from '#store/engine-store.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { systemTime } from '#time/time.ts'
import { createHeldPartitions, type HeldPartitions } from './held-partitions.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import { createSerialQueue, type SerialQueue } from '#engine/rounds/serial-queue.ts'
import { createLeases, type Leases } from './leases.ts'

type Bench = {
  database: Database
  held: HeldPartitions
  holdings: Holdings
  leases: Leases
  serialQueue: SerialQueue
  /** The reads, drops and bus requests so far, in order. */
  events: string[]
  /** The partitions that the bus takes the results of. */
  onBus: Set<number>
  failures: string[]
  /** The next reads fail, or wait for the promise. */
  hinder: (how: { failures?: number; until?: Promise<void> }) => void
}

async function bench(shared?: Database, name = 'one'): Promise<Bench> {
  const ends: (() => Promise<void>)[] = []
  if (shared === undefined) after(() => Promise.all(ends.map((end) => end())))
  const database = shared ?? (await testDatabase({ maxConnections: 5 }))
  const events: string[] = []
  const onBus = new Set<number>()
  const failures: string[] = []
  let hindrance: { failures?: number; until?: Promise<void> } = {}
  const leases = createLeases(createEngineStore(database), name)
  const held = createHeldPartitions(leases)
  const serialQueue = createSerialQueue()
  const holdings = createHoldings({
    time: systemTime,
    bus: {
      holdPartitions: async (partitions) => {
        events.push(`hold ${partitions.length}`)
        for (const partition of partitions) onBus.add(partition)
      },
      releasePartitions: async (partitions) => {
        events.push(`release ${partitions.length}`)
        for (const partition of partitions) onBus.delete(partition)
      },
    },
    leases,
    held,
    serialQueue,
    read: async (partitions) => {
      await hindrance.until
      if ((hindrance.failures ?? 0) > 0) {
        hindrance = { failures: (hindrance.failures ?? 0) - 1 }
        throw new Error('no database')
      }
      events.push(`read ${partitions.length}`)
    },
    drop: (partition) => events.push(`drop ${partition}`),
    onFailure: (error) => failures.push(String(error)),
  })
  ends.push(() => holdings.retire())
  return {
    database,
    held,
    holdings,
    leases,
    serialQueue,
    events,
    onBus,
    failures,
    hinder: (how) => {
      hindrance = how
    },
  }
}

async function ownersOf({ database }: Bench): Promise<Map<string | null, number>> {
  const { rows } = await database.pool.query<{ owner: string | null; held: number }>(
    'select owner, count(*)::integer as held from partitions group by owner',
  )
  return new Map(rows.map(({ owner, held }) => [owner, held]))
}

/** As if the database had been away for so long: no engine could say that it lives, or renew what it holds. */
async function beAway({ database }: Bench, seconds: number): Promise<void> {
  await database.pool.query(
    `with aged as (
      update engines set seen_at = seen_at - make_interval(secs => $1)
    )
    update partitions set held_until = held_until - make_interval(secs => $1)`,
    [seconds],
  )
}

describe('the partitions of two engines after the database was away', () => {
  for (const seconds of [10, 600])
    it(`for ${seconds} s, stay where they are, although every hold has ended`, async () => {
      const one = await bench()
      const two = await bench(one.database, 'two')
      for (const each of [one, two, one, two]) await each.holdings.settle()
      for (const each of [one, two]) await each.holdings.settled()
      const before = [one, two].map(({ events }) => events.length)
      await beAway(one, seconds)
      for (const each of [one, two]) await each.holdings.settle()
      for (const each of [one, two]) assert.equal(each.leases.held().length, 32)
      assert.deepEqual(
        [one, two].map(({ events }) => events.length),
        before,
      )
      await two.holdings.retire()
    })

  it('are those of the one that is left, at its second look', async () => {
    const one = await bench()
    const two = await bench(one.database, 'two')
    for (const each of [one, two, one, two]) await each.holdings.settle()
    await beAway(one, 10)
    for (let look = 0; look < 2; look += 1) await one.holdings.settle()
    assert.equal(one.leases.held().length, 64)
    await two.holdings.retire()
  })
})

describe('the partitions of two engines after the clock went back', () => {
  it('are those of the one that is left, if the other died before it', async () => {
    const one = await bench()
    const two = await bench(one.database, 'two')
    for (const each of [one, two, one, two]) await each.holdings.settle()
    await beAway(one, -1_800)
    for (let look = 0; look < 2; look += 1) await two.holdings.settle()
    assert.equal(two.leases.held().length, 64)
    await two.holdings.retire()
  })

  it('are shared again after two looks, if both are there', async () => {
    const one = await bench()
    const two = await bench(one.database, 'two')
    for (const each of [one, two, one, two]) await each.holdings.settle()
    await beAway(one, -1_800)
    for (const each of [one, two, one, two, one]) await each.holdings.settle()
    for (const each of [one, two]) assert.equal(each.leases.held().length, 32)
    await two.holdings.retire()
  })
})

describe('the partitions of an engine', () => {
  it('are caught up with on the bus, then read, and only then watched', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const one = await bench()
    one.hinder({ until: gate })
    await one.holdings.settle()
    assert.equal(one.leases.held().length, 64)
    assert.deepEqual(one.held.watched(), [])
    open()
    await one.holdings.settled()
    assert.equal(one.held.watched().length, 64)
    const eachHeld = Array.from({ length: 64 }, () => 'hold 1')
    assert.deepEqual(one.events, [...eachHeld, ...Array.from({ length: 8 }, () => 'read 8')])
    const taken = await one.database.pool.query("select from partitions where taken_at > now() - interval '1 minute'")
    assert.equal(taken.rowCount, 64)
    assert.deepEqual(
      [...one.onBus].toSorted((some, other) => some - other),
      Array.from({ length: 64 }, (_, partition) => partition),
    )
  })

  it('are given back and taken also where it is one alone', async () => {
    const one = await bench()
    const { pool } = one.database
    const settleBeside = async (others: number): Promise<void> => {
      await pool.query('delete from engines where name <> $1', ['one'])
      await pool.query(
        `insert into engines (name, seen_at) select 'engine ' || n, now() from generate_series(1, $1) n`,
        [others],
      )
      await one.holdings.settle()
      await one.holdings.settled()
    }
    await settleBeside(20)
    assert.deepEqual([one.held.watched().length, one.onBus.size], [4, 4])
    await settleBeside(21)
    assert.deepEqual([one.held.watched().length, one.onBus.size], [3, 3])
    assert.equal(one.events.filter((event) => event.startsWith('drop')).length, 1)
    await settleBeside(20)
    assert.deepEqual([one.held.watched().length, one.onBus.size], [4, 4])
  })

  it('have their results taken again where they could not be given back', async () => {
    const one = await bench()
    await one.holdings.settle()
    await one.holdings.settled()
    const other = await bench(one.database, 'other')
    await other.holdings.settle()
    const { pool } = one.database
    await pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger refuse before update on partitions for each row when (new.owner is null) execute function refuse()`)
    await assert.rejects(one.holdings.settle(), /no room/)
    await one.holdings.settled()
    assert.deepEqual(one.events.slice(-2), ['release 32', 'hold 32'])
    assert.deepEqual([one.held.watched().length, one.onBus.size], [64, 64])
    await pool.query('drop trigger refuse on partitions')
    await one.holdings.settle()
    await one.holdings.settled()
    assert.deepEqual([one.held.watched().length, one.onBus.size], [32, 32])
    await other.holdings.retire()
  })

  it('are read again when reading failed', async () => {
    const one = await bench()
    one.hinder({ failures: 2 })
    await one.holdings.settle()
    await one.holdings.settled()
    assert.deepEqual(one.failures, ['Error: no database', 'Error: no database'])
    assert.equal(one.held.watched().length, 64)
  })

  it('are halved when another engine comes, and its memory dropped before the other watches', async () => {
    const one = await bench()
    await one.holdings.settle()
    await one.holdings.settled()
    const other = await bench(one.database, 'other')
    await other.holdings.settle()
    assert.deepEqual(other.leases.held(), [], 'nothing is free yet')
    await one.holdings.settle()
    await one.holdings.settled()
    assert.equal(one.held.watched().length, 32)
    assert.equal(one.events.filter((event) => event.startsWith('drop')).length, 32)
    await other.holdings.settle()
    await other.holdings.settled()
    assert.deepEqual(
      await ownersOf(one),
      new Map([
        ['one', 32],
        ['other', 32],
      ]),
    )
    const both = new Set([...one.held.watched(), ...other.held.watched()])
    assert.equal(both.size, 64, 'no partition is watched twice')
    await other.holdings.retire()
  })

  it('are not watched any more once another engine took them', async () => {
    const one = await bench()
    await one.holdings.settle()
    await one.holdings.settled()
    await one.database.pool.query(
      `update partitions set owner = 'thief', epoch = epoch + 1, held_until = now() + interval '6 s' where partition < 10`,
    )
    await one.holdings.settle()
    assert.equal(one.held.watched().length, 54)
    await one.holdings.settled()
    assert.deepEqual(one.events.filter((event) => event.startsWith('drop')).length, 10)
  })

  it('are settled by one after the other, however many ask', async () => {
    const one = await bench()
    await Promise.all(Array.from({ length: 5 }, () => one.holdings.settle()))
    await one.holdings.settled()
    assert.equal(one.leases.held().length, 64)
    assert.deepEqual(one.events.slice(63, 65), ['hold 1', 'read 8'])
    assert.equal(one.events.length, 72, 'taken once')
    const epochs = await one.database.pool.query<{ epoch: string }>('select distinct epoch from partitions')
    assert.deepEqual(epochs.rows, [{ epoch: '1' }])
  })

  it('are renewed, and given back, while what was taken is still being read', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const one = await bench()
    one.hinder({ until: gate })
    await one.holdings.settle()
    const other = await bench(one.database, 'other')
    await other.holdings.settle()
    let isSettled = false
    void one.holdings.settle().then(() => (isSettled = true))
    await until('it has settled', async () => isSettled)
    assert.equal((await ownersOf(one)).get('one'), 32)
    open()
    await one.holdings.settled()
    assert.equal(one.held.watched().length, 32)
    await other.holdings.retire()
  })

  it('are read some at a time, so that results of the others are taken in between', async () => {
    const one = await bench()
    await one.holdings.settle()
    const between = one.serialQueue.run(async () => one.events.filter((event) => event.startsWith('read')).length)
    await one.holdings.settled()
    assert.ok((await between) < 8, `${await between} of 8 readings were done`)
    const eachHeld = Array.from({ length: 64 }, () => 'hold 1')
    assert.deepEqual(one.events, [...eachHeld, ...Array.from({ length: 8 }, () => 'read 8')])
  })

  it('are all given back by an engine that ends, also while it settles, and stay so', async () => {
    const one = await bench()
    await one.holdings.settle()
    const settling = one.holdings.settle()
    const retiring = one.holdings.retire()
    const late = one.holdings.settle()
    await Promise.all([settling, retiring, late])
    assert.deepEqual(await ownersOf(one), new Map([[null, 64]]))
    const engines = await one.database.pool.query('select from engines')
    assert.equal(engines.rowCount, 0)
  })

  it('do not keep an engine from ending while it reads what it took', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const one = await bench()
    one.hinder({ until: gate })
    await one.holdings.settle()
    let isRetired = false
    const retiring = one.holdings.retire().then(() => (isRetired = true))
    await until('they are given back', async () => (await ownersOf(one)).get(null) === 64)
    assert.equal(isRetired, false, 'what it began has to end first')
    open()
    await retiring
    assert.deepEqual(one.held.watched(), [])
  })
})
