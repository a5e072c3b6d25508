import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { createMemoryBus, type MemoryBus } from '#bus/memory.ts'
import type { Database } from '#store/database/database.ts'
import { createLocationStore, type LocationStore } from '#store/engine-store.ts'
import { listLocations } from '#store/installation/locations.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { registerLocations } from './location-register.ts'

type Bench = {
  bus: MemoryBus
  connect: (isConnected: boolean) => void
  database: Database
  warnings: string[]
  /** What it asked the database to write, in order. */
  asked: string[]
  /** Five seconds pass; resolves when all that was asked for is written, or could not be. */
  look: () => Promise<void>
  end: () => Promise<void>
}

async function register(): Promise<Bench> {
  const ends: (() => Promise<void>)[] = []
  after(() => Promise.all(ends.map((end) => end())))
  const database = await testDatabase({ maxConnections: 5 })
  let isConnected = true
  const bus = { ...createMemoryBus(), isConnected: () => isConnected }
  const warnings: string[] = []
  const asked: string[] = []
  const writing: Promise<void>[] = []
  const looks = new Set<() => void>()
  const end = registerLocations({
    store: recorded(createLocationStore(database), (what, write) => {
      asked.push(what)
      writing.push(write)
      return write
    }),
    bus,
    name: 'an engine',
    lostNetworkMs: () => null,
    log: { warn: (message) => warnings.push(message) },
    time: {
      every: (_ms, look) => {
        looks.add(look)
        return () => looks.delete(look)
      },
    },
  })
  ends.push(end)
  const settled = async (): Promise<void> => {
    for (let seen = -1; seen !== writing.length;) {
      seen = writing.length
      await Promise.allSettled(writing)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const look = async (): Promise<void> => {
    await settled()
    for (const work of looks) work()
    await settled()
  }
  return { bus, connect: (is) => (isConnected = is), database, warnings, asked, look, end }
}

/** The same store, which says what it is asked for. */
function recorded(store: LocationStore, record: (what: string, write: Promise<void>) => Promise<void>): LocationStore {
  return {
    noteLocations: (list) =>
      record(
        `present ${list.length > 9 ? list.length : list.map(({ code }) => code).join()}`,
        store.noteLocations(list),
      ),
    noteSetAside: (ids) => record(`set aside ${ids.length}`, store.noteSetAside(ids)),
    noteBrokerAway: (name) => record('away', store.noteBrokerAway(name)),
    endBrokerAway: (name) => record('back', store.endBrokerAway(name)),
  }
}

function announce({ bus }: Bench, location: string, locationName?: string): void {
  bus.announce({ location, locationName, prober: `${location}-1`, isLeaving: false })
}

function announceAside({ bus }: Bench, location: string, setAside: string[]): void {
  bus.announce({ location, prober: `${location}-1`, isLeaving: false, setAside })
}

/** What the service says of itself: names, and what is set aside. */
async function troublesOf({ database }: Bench): Promise<[name: string, details: string][]> {
  const { rows } = await database.pool.query<{ name: string; details: string }>(
    'select name, details from own_troubles order by name',
  )
  return rows.map(({ name, details }) => [name, details])
}

/** The database refuses what is written there, as if it were away. */
async function without({ database }: Bench, table: string, work: () => Promise<void>): Promise<void> {
  await database.pool.query(`alter table ${table} rename to elsewhere`)
  await work()
  await database.pool.query(`alter table elsewhere rename to ${table}`)
}

async function codes({ database }: Bench): Promise<string[]> {
  return (await listLocations(database)).map(({ code }) => code)
}

describe('the register of locations', () => {
  it('knows a location as soon as its first prober is there, also several that come at once', async () => {
    const bench = await register()
    for (const code of ['ams', 'nyc', 'sin']) announce(bench, code, `City of ${code}`)
    await until('all are known', async () => (await codes(bench)).length === 3)
    assert.deepEqual(bench.asked, ['present ams', 'present nyc,sin'])
    const [first] = await listLocations(bench.database)
    assert.deepEqual(first, { code: 'ams', name: 'City of ams' })
    const seen = await bench.database.pool.query('select from locations where seen_at is not null')
    assert.equal(seen.rowCount, 3)
  })

  it('takes names as one line, and the code for a name that is none', async () => {
    const bench = await register()
    announce(bench, 'a', ' New\nYork\u202e ')
    announce(bench, 'b', '\n \0')
    announce(bench, 'c')
    announce(bench, 'd', 'x'.repeat(400))
    await until('all are known', async () => (await codes(bench)).length === 4)
    const names = new Map((await listLocations(bench.database)).map(({ code, name }) => [code, name]))
    assert.deepEqual([names.get('a'), names.get('b'), names.get('c')], ['New York', 'b', 'c'])
    assert.equal(names.get('d')?.length, 100)
  })

  it('does not hear of codes that are none, and of those who leave', async () => {
    const bench = await register()
    for (const code of ['A', 'a--b', '-a', 'a b', 'x'.repeat(33), '']) announce(bench, code)
    bench.bus.announce({ location: 'gone', prober: 'p', isLeaving: true })
    announce(bench, 'real')
    await until('the real one is known', async () => (await codes(bench)).length > 0)
    assert.deepEqual(await codes(bench), ['real'])
  })

  it('writes a known location down again with the next look, and none without a prober', async () => {
    const bench = await register()
    announce(bench, 'ams')
    announce(bench, 'ams')
    await until('it is known', async () => (await codes(bench)).length === 1)
    announce(bench, 'ams')
    const present = (): string[] => bench.asked.filter((each) => each.startsWith('present'))
    assert.deepEqual(present(), ['present ams'])
    await bench.look()
    assert.deepEqual(present(), ['present ams', 'present ams'])
    await bench.look()
    assert.deepEqual(present(), ['present ams', 'present ams'])
  })

  it('looks at two hundred codes at once, and at no others', async () => {
    const bench = await register()
    announce(bench, 'first')
    for (let index = 0; index <= 200; index += 1) announce(bench, `code-${index}`)
    await until('they are known', async () => (await codes(bench)).length > 1)
    assert.deepEqual(bench.asked, ['present first', 'present 200'])
  })

  it('says once that the database is away, and goes on when it is back', async () => {
    const bench = await register()
    const told = 'The state of locations could not be stored.'
    await without(bench, 'locations', async () => {
      announce(bench, 'ams')
      await until('the failure is told', async () => bench.warnings.length === 1)
      announce(bench, 'nyc')
      assert.deepEqual(bench.asked, ['present ams'], 'the next look is soon enough')
      await bench.look()
    })
    for (const code of ['ams', 'nyc']) announce(bench, code)
    await bench.look()
    assert.deepEqual(await codes(bench), ['ams', 'nyc'])
    assert.deepEqual(bench.warnings, [told])
    announce(bench, 'sin')
    await until('the next one is known at once', async () => (await codes(bench)).length === 3)
    await without(bench, 'locations', async () => {
      announce(bench, 'tyo')
      await until('the next failure is told', async () => bench.warnings.length === 2)
    })
  })

  it('writes nothing more once it has ended', async () => {
    const bench = await register()
    announce(bench, 'ams')
    announce(bench, 'nyc')
    await bench.end()
    announce(bench, 'sin')
    await bench.end()
    assert.deepEqual(await codes(bench), ['ams'])
    assert.deepEqual(bench.asked, ['present ams'])
  })
})

describe('the register of what is set aside', () => {
  it('has what probers say, and that they have set aside nothing any more', async () => {
    const bench = await register()
    const [one, other] = [randomUUID(), randomUUID()].toSorted()
    assert.ok(one !== undefined && other !== undefined)
    const steps: [said: Record<string, string[]>, told: string[]][] = [
      [{ ams: [other, one, 'no id'], nyc: [one] }, [`${one} ${other}`]],
      [{ nyc: [one] }, [one]],
      [{}, []],
      [{ nyc: [other] }, [other]],
    ]
    for (const [said, told] of steps) {
      for (const [location, ids] of Object.entries(said)) announceAside(bench, location, ids)
      await bench.look()
      assert.deepEqual(
        (await troublesOf(bench)).map(([, details]) => details),
        told,
      )
    }
    assert.deepEqual(bench.warnings, [])
  })

  it('forgets what a process before it wrote, and then asks for nothing while there is nothing', async () => {
    const bench = await register()
    await bench.database.pool.query(`insert into own_troubles (name, since, details) values ('set_aside', now(), $1)`, [
      randomUUID(),
    ])
    for (let look = 0; look < 3; look += 1) await bench.look()
    assert.deepEqual(await troublesOf(bench), [])
    assert.deepEqual(bench.asked, ['set aside 0'])
  })

  it('has a hundred of them at most', async () => {
    const bench = await register()
    for (const [location, length] of [
      ['ams', 60],
      ['nyc', 41],
    ] as const)
      announceAside(
        bench,
        location,
        Array.from({ length }, () => randomUUID()),
      )
    await bench.look()
    assert.equal(bench.asked.at(-1), 'set aside 100')
  })

  it('says once that the database is away, and again when it was there meanwhile', async () => {
    const bench = await register()
    const told = 'The monitors that are set aside could not be stored.'
    const lookTwice = async (): Promise<void> => {
      for (let look = 0; look < 2; look += 1) {
        announceAside(bench, 'ams', [randomUUID()])
        await bench.look()
      }
    }
    await without(bench, 'own_troubles', lookTwice)
    assert.deepEqual(bench.warnings, [told])
    await lookTwice()
    assert.equal((await troublesOf(bench)).length, 1)
    await without(bench, 'own_troubles', lookTwice)
    assert.deepEqual(bench.warnings, [told, told])
  })
})

/** An engine that says that it lives. */
async function withEngine(): Promise<Bench> {
  const bench = await register()
  await bench.database.pool.query(`insert into engines (name, seen_at) values ('an engine', now())`)
  return bench
}

describe('an engine without a broker', () => {
  it('says so until it has one, and has heard in three looks who is there', async () => {
    const bench = await withEngine()
    await bench.look()
    assert.deepEqual(bench.asked, ['set aside 0'])
    bench.connect(false)
    for (let look = 0; look < 2; look += 1) await bench.look()
    assert.deepEqual(bench.asked.splice(0), ['set aside 0', 'away'])
    assert.deepEqual(await troublesOf(bench), [['broker an engine', '']])
    bench.connect(true)
    announceAside(bench, 'ams', [randomUUID()])
    for (let look = 0; look < 2; look += 1) await bench.look()
    assert.deepEqual(bench.asked.splice(0), ['present ams'], 'what was set aside is known until others are heard')
    await bench.look()
    assert.deepEqual(new Set(bench.asked), new Set(['back', 'set aside 1']))
    assert.deepEqual(
      (await troublesOf(bench)).map(([name]) => name),
      ['set_aside'],
    )
  })

  it('takes that back when it ends', async () => {
    const bench = await withEngine()
    bench.connect(false)
    await bench.look()
    assert.equal((await troublesOf(bench)).length, 1)
    await bench.end()
    assert.deepEqual(await troublesOf(bench), [])
  })

  it('says once that this could not be stored, and tries it with every look', async () => {
    const bench = await withEngine()
    const told = 'The state of the connection to the broker could not be stored.'
    const lookTwice = async (): Promise<void> => {
      for (let look = 0; look < 2; look += 1) await bench.look()
    }
    bench.connect(false)
    await without(bench, 'own_troubles', lookTwice)
    assert.deepEqual([bench.asked, bench.warnings], [['away', 'away'], [told]])
    await lookTwice()
    assert.equal((await troublesOf(bench)).length, 1)
    bench.connect(true)
    await lookTwice()
    await without(bench, 'own_troubles', async () => {
      await bench.look()
      assert.equal(bench.warnings.filter((warning) => warning === told).length, 2)
    })
    await bench.look()
    assert.deepEqual(await troublesOf(bench), [])
  })
})
