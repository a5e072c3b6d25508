import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { createMemoryBus, type MemoryBus } from '#bus/memory.ts'
import type { Database } from '#store/database/database.ts'
import { createLocationStore } from '#store/engine-store.ts'
import { listLocations } from '#store/installation/locations.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { systemTime } from '#time/time.ts'
import { registerLocations } from './location-register.ts'

type Bench = {
  bus: MemoryBus
  connect: (isConnected: boolean) => void
  database: Database
  warnings: string[]
  end: () => Promise<void>
}

async function register(): Promise<Bench> {
  const ends: (() => Promise<void>)[] = []
  after(() => Promise.all(ends.map((end) => end())))
  const database = await testDatabase()
  let isConnected = true
  const bus = { ...createMemoryBus(), isConnected: () => isConnected }
  const warnings: string[] = []
  const end = registerLocations({
    store: createLocationStore(database),
    bus,
    name: 'an engine',
    lostNetworkMs: () => null,
    log: { warn: (message) => warnings.push(message) },
    time: systemTime,
  })
  ends.push(end)
  return { bus, connect: (is) => (isConnected = is), database, warnings, end }
}

function announce({ bus }: Bench, location: string, locationName?: string): void {
  bus.announce({ location, locationName, prober: `${location}-1`, isLeaving: false })
}

async function codes({ database }: Bench): Promise<string[]> {
  return (await listLocations(database)).map(({ code }) => code)
}

describe('the register of locations', () => {
  it('knows a location as soon as its first prober is there, also several that come at once', async () => {
    const bench = await register()
    for (const code of ['ams', 'nyc', 'sin']) announce(bench, code, `City of ${code}`)
    // The next regular write would come after 5 s.
    await until('all are known', async () => (await codes(bench)).length === 3, 4_000)
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

  it('says once that the database is away, and goes on when it is back', async () => {
    const bench = await register()
    await bench.database.pool.query('alter table locations rename to elsewhere')
    announce(bench, 'ams')
    await until('the failure is told', async () => bench.warnings.length === 1)
    announce(bench, 'ams')
    announce(bench, 'nyc')
    await bench.database.pool.query('alter table elsewhere rename to locations')
    await until('both are known', async () => (await codes(bench)).length === 2, 15_000)
    assert.deepEqual(bench.warnings, ['The state of locations could not be stored.'])
  })

  it('writes down what probers have set aside, and that they have set aside nothing any more', async () => {
    const bench = await register()
    const [one, other] = [randomUUID(), randomUUID()].toSorted()
    assert.ok(one !== undefined && other !== undefined)
    const told = async (): Promise<string | undefined> =>
      (await bench.database.pool.query<{ details: string }>(`select details from own_troubles`)).rows[0]?.details
    let setAside: Record<string, string[]> = { ams: [other, one, 'no id'], nyc: [one] }
    const announceAll = (): void => {
      for (const location of ['ams', 'nyc'])
        bench.bus.announce({ location, prober: location, isLeaving: false, setAside: setAside[location] ?? [] })
    }
    const timer = setInterval(announceAll, 500)
    try {
      await until('both are written', async () => (await told()) === `${one} ${other}`)
      setAside = { nyc: [one] }
      await until('one is left', async () => (await told()) === one)
      setAside = {}
      await until('none is left', async () => (await told()) === undefined)
    } finally {
      clearInterval(timer)
    }
    assert.deepEqual(bench.warnings, [])
  })

  it('writes down that its engine has no broker, until it has one and has heard who is there', async () => {
    const bench = await register()
    const { pool } = bench.database
    await pool.query(`insert into engines (name, seen_at) values ('an engine', now())`)
    const rows = async (): Promise<unknown[]> => (await pool.query('select name from own_troubles')).rows
    bench.connect(false)
    await until('it is written', async () => (await rows()).length > 0)
    assert.deepEqual(await rows(), [{ name: 'broker an engine' }])
    const [one] = [randomUUID()]
    await pool.query(`insert into own_troubles (name, since, details) values ('set_aside', now(), $1)`, [one])
    bench.connect(true)
    bench.bus.announce({ location: 'ams', prober: 'p', isLeaving: false, setAside: [one] })
    await until('it is written no more', async () => (await rows()).length === 1, 30_000)
    assert.deepEqual(await rows(), [{ name: 'set_aside' }], 'what was set aside is known until others are heard')
    bench.connect(false)
    await until('it is written again', async () => (await rows()).length === 2)
    await bench.end()
    assert.deepEqual(await rows(), [{ name: 'set_aside' }], 'it is taken back at the end')
  })

  it('writes nothing more once it has ended', async () => {
    const bench = await register()
    announce(bench, 'ams')
    await bench.end()
    assert.deepEqual(await codes(bench), ['ams'])
    announce(bench, 'nyc')
    await bench.end()
    assert.deepEqual(await codes(bench), ['ams'])
  })
})
