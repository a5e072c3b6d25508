import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineBench, type EngineBench, type Told, verdictOf } from '../../../test/support/engine.ts'
import { createMonitor } from '../../../test/support/monitors.ts'

const minuteMs = 60_000
const [first, second] = ['203.0.113.1', '2001:db8::2'] as const

type Kept = { location: string; addresses: string[]; rotates: boolean }

/** What is remembered, and the version of each row, which changes with every write. */
async function keptOf({ database }: EngineBench): Promise<{ kept: Kept[]; versions: string }> {
  const { rows } = await database.pool.query<Kept & { version: string }>(
    `select location, addresses, is_rotating as rotates, xmin::text as version
    from monitor_addresses
    order by monitor_key, location`,
  )
  const kept = rows.map(({ location, addresses, rotates }) => ({ location, addresses, rotates }))
  return { kept, versions: rows.map(({ version }) => version).join() }
}

/** How long ago the first address of the first row was reached. */
async function minutesSinceSeen({ database }: EngineBench): Promise<number> {
  const { rows } = await database.pool.query<{ seconds: number }>(
    'select extract(epoch from now() - seen_at[1])::float8 as seconds from monitor_addresses order by location limit 1',
  )
  return Math.round((rows[0]?.seconds ?? Infinity) / 60)
}

/** Lets this time pass for what is remembered. */
async function age({ database }: EngineBench, hours: number): Promise<void> {
  await database.pool.query(
    `update monitor_addresses
    set changed_at = changed_at - $1 * interval '1 hour',
      seen_at = (select array_agg(at - $1 * interval '1 hour' order by place) from unnest(seen_at) with ordinality as each (at, place))`,
    [hours],
  )
}

/** A result of a round this many minutes ago; `address` is null for one that tells none, as earlier releases do. */
async function publish({ bus }: EngineBench, told: Told, of: { minutesAgo: number; address: string | null }) {
  const { monitorId, version, location } = told
  const round = Math.round(Date.now() - of.minutesAgo * minuteMs) * 1000
  const result = { monitorId, version, round, location, verdict: verdictOf({}) }
  await bus.publishResults(location, [of.address === null ? result : { ...result, address: of.address }])
}

async function watched(): Promise<{ bench: EngineBench; id: string; told: Told; there: Told }> {
  const bench = await engineBench()
  const places = ['amsterdam', 'boston']
  const { id } = await createMonitor(bench.api, { interval_seconds: 3600, locations: places })
  const [told = assert.fail('not asked'), there = assert.fail('not asked')] = await bench.taken(id, places)
  return { bench, id, told, there }
}

describe('an address that a result tells', { concurrency: 4 }, () => {
  it('is kept by location, not written again while it is known, and joined by another after an hour', async () => {
    const { bench, told, there } = await watched()
    await publish(bench, told, { minutesAgo: 115, address: null })
    assert.deepEqual((await keptOf(bench)).kept, [])
    await publish(bench, told, { minutesAgo: 110, address: first })
    assert.equal(await minutesSinceSeen(bench), 110)
    await publish(bench, there, { minutesAgo: 110, address: second })
    const written = await keptOf(bench)
    assert.deepEqual(written.kept, [
      { location: 'amsterdam', addresses: [first], rotates: false },
      { location: 'boston', addresses: [second], rotates: false },
    ])
    for (const [minutesAgo, address] of [
      [100, first],
      [90, second],
      [80, null],
    ] as const)
      await publish(bench, told, { minutesAgo, address })
    assert.deepEqual(await keptOf(bench), written)
    await publish(bench, told, { minutesAgo: 40, address: second })
    const [joined] = (await keptOf(bench)).kept
    assert.deepEqual(joined?.addresses, [first, second])
  })

  it('rotates where a name leads to ever others, and is then written once a day', async () => {
    const { bench, told } = await watched()
    const tell = (place: number): Promise<void> =>
      publish(bench, told, { minutesAgo: 100 - place, address: `203.0.113.${place}` })
    for (let place = 0; place < 5; place += 1) {
      await tell(place)
      await age(bench, 2)
    }
    const written = await keptOf(bench)
    assert.deepEqual(written.kept, [
      { location: 'amsterdam', addresses: [1, 2, 3, 4].map((place) => `203.0.113.${place}`), rotates: true },
    ])
    for (let place = 5; place < 10; place += 1) {
      await tell(place)
      assert.deepEqual(await keptOf(bench), written)
      await age(bench, 2)
      written.versions = (await keptOf(bench)).versions
    }
    await age(bench, 24)
    await tell(10)
    assert.equal((await keptOf(bench)).kept[0]?.addresses.at(-1), '203.0.113.10')
  })

  it('of two rounds that are stored at once counts in their order', async () => {
    const { bench, told } = await watched()
    const { monitorId, version, location } = told
    const resultAt = (minutesAgo: number, address: string) => ({
      monitorId,
      version,
      round: Math.round(Date.now() - minutesAgo * minuteMs) * 1000,
      location,
      verdict: verdictOf({}),
      address,
    })
    await bench.bus.publishResults(location, [resultAt(100, first), resultAt(30, second)])
    assert.deepEqual((await keptOf(bench)).kept, [
      { location: 'amsterdam', addresses: [first, second], rotates: false },
    ])
  })

  it('is forgotten when the target changes, and an older result does not bring it back', async () => {
    const { bench, id, told } = await watched()
    await publish(bench, told, { minutesAgo: 100, address: first })
    const written = await keptOf(bench)
    const body = { name: 'Shop', url: 'https://other.example.com' }
    assert.equal((await bench.api.request('PATCH', `/monitors/${id}`, { body })).status, 200)
    await publish(bench, told, { minutesAgo: 30, address: second })
    assert.deepEqual(await keptOf(bench), written)
    const [next = assert.fail('not asked')] = await bench.taken(id, ['amsterdam'])
    await publish(bench, next, { minutesAgo: 20, address: second })
    assert.deepEqual((await keptOf(bench)).kept, [{ location: 'amsterdam', addresses: [second], rotates: false }])
  })

  it('stays when anything else changes, and goes with its monitor', async () => {
    const { bench, id, told } = await watched()
    await publish(bench, told, { minutesAgo: 100, address: first })
    const body = { name: 'Another name', interval_seconds: 7200 }
    assert.equal((await bench.api.request('PATCH', `/monitors/${id}`, { body })).status, 200)
    const [next = assert.fail('not asked')] = await bench.taken(id, ['amsterdam'])
    await publish(bench, next, { minutesAgo: 30, address: second })
    const [row] = (await keptOf(bench)).kept
    assert.deepEqual(row?.addresses, [first, second])
    assert.equal((await bench.api.request('DELETE', `/monitors/${id}`)).status, 204)
    assert.deepEqual((await keptOf(bench)).kept, [])
  })
})
