import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MemoryBus } from '#bus/memory.ts'
import { type EngineBench, engineBench, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { openRawLink } from '../../test/support/raw-link.ts'
import { until } from '../../test/support/until.ts'

const often = { interval_seconds: 10, recovery_threshold: 1, locations: ['amsterdam'] }
const noPhases = [null, null, null, null, null]
const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`

/** A result as it travels, of which some members are as no prober sends them. */
type Strange = {
  version?: number
  statusCode?: number
  latencyMs?: number
  error?: string
  details?: string
  expiry?: object
}

const strange: readonly [name: string, members: Strange][] = [
  ['a text that ends in PostgreSQL', { error: 'a\0b' }],
  ['half of a character', { error: '\ud800' }],
  ['details with such a text', { details: JSON.stringify({ a: ['b\0'] }) }],
  ['details with half of a character in a name', { details: String.raw`{"\udc00":1}` }],
  ['details that are nested as deeply as PostgreSQL does not read', { details: nested(3_000) }],
  ['details that are nested as deeply as nothing writes', { details: nested(50_000) }],
  ['a version beyond its column', { version: 2 ** 40 }],
  ['a status code beyond its column', { statusCode: 99_999 }],
  ['a time beyond its column', { latencyMs: 2 ** 52 }],
  ['a certificate with such a text', { expiry: { certificate: certificate({ issuer: 'a\0' }) } }],
  [
    'a certificate of another age of the world',
    { expiry: { certificate: certificate({ notAfter: '+275760-09-13T00:00:00.000Z' }) } },
  ],
  ['a domain with half of a character', { expiry: { domain: { name: '\udfff', expiresAt: null } } }],
]

describe('an engine that hears what no prober sends', () => {
  it('stores everything that came with it', async () => {
    const bench = await engineBench()
    const publish = publisherOf(bench.bus)
    const { id } = await createMonitor(bench.api, often)
    const [asked] = await bench.taken(id, ['amsterdam'])
    assert.ok(asked !== undefined)
    const now = Date.now() * 1000
    const lost: string[] = []
    for (const [at, [name, members]] of strange.entries()) {
      const before = bench.counts.stored
      const [bad, good] = [textOf(id, now - 1 - 2 * at, members), textOf(id, now - 2 - 2 * at, {})]
      const refusal = await publish(`[${bad},${good}]`)
      if (refusal !== null || bench.counts.stored === before) lost.push(`${name}: ${refusal}`)
    }
    assert.deepEqual([lost, new Set(bench.warnings)], [[], new Set(['A result was set aside.'])])
    assert.ok((await standingOf(bench.database, id)).stored >= strange.length)
    await assertAnswersOn(bench, id)
  })

  it('stores everything beside results of what is no monitor, and goes on after changes of these', async () => {
    const bench = await engineBench()
    const publish = publisherOf(bench.bus)
    const { id } = await createMonitor(bench.api, often)
    await bench.taken(id, ['amsterdam'])
    const now = Date.now() * 1000
    const lost: string[] = []
    for (const none of ['', 'x', `${id}0`, `'; drop table monitors`, `${id.slice(0, -1)}\0`]) {
      bench.bus.announceChange({ monitorId: none, partition: -1 })
      bench.bus.announceChange({ monitorId: none, partition: 0, hasRecovered: true })
      const before = bench.counts.stored
      const time = now - 10 - none.length
      const refusal = await publish(`[${textOf(none, time, {})},${textOf(id, time, {})}]`)
      if (refusal !== null || bench.counts.stored !== before + 1) lost.push(`${none}: ${refusal}`)
    }
    const fresh = await createMonitor(bench.api, often)
    await bench.taken(fresh.id, ['amsterdam'])
    assert.deepEqual([lost, bench.warnings], [[], []])
  })

  it('stores a good result beside one of another time whose certificate ends at no time', async () => {
    const bench = await engineBench()
    const publish = publisherOf(bench.bus)
    const { id } = await createMonitor(bench.api, often)
    await bench.taken(id, ['amsterdam'])
    const now = Date.now() * 1000
    const old = now - 3 * 3_600_000_000
    const ends = [
      { certificate: certificate({ notAfter: '\0' }) },
      { domain: { name: 'a.example', expiresAt: '\ud800' } },
    ]
    const untimely = ends.map((expiry, at) => textOf(id, old - at, { expiry }))
    assert.equal(await publish(`[${[...untimely, textOf(id, now - 1, {})].join(',')}]`), null)
    assert.deepEqual([bench.counts.stored, bench.counts.rejected], [1, 2])
  })

  it('sets aside hundreds of results of another time without keeping others waiting', async () => {
    const bench = await engineBench()
    const publish = publisherOf(bench.bus)
    const { id } = await createMonitor(bench.api, often)
    await bench.taken(id, ['amsterdam'])
    const old = Date.now() * 1000 - 3 * 3_600_000_000
    const list = Array.from({ length: 100 }, (_, at) => textOf(id, old - at, { error: 'x'.repeat(500) }))
    assert.equal(await publish(`[${list.join(',')}]`), null)
    assert.equal(bench.counts.rejected, 100)
    const kept = await bench.database.query.selectFrom('rejected_results').selectAll().execute()
    assert.equal(kept.length, 100)
    assert.deepEqual(bench.warnings, ['A result was set aside.'])
    assert.equal(new Set(kept.map(({ rejected_at: at }) => at.getTime())).size, 1, 'all in one transaction')
  })
})

async function assertAnswersOn(bench: EngineBench, id: string): Promise<void> {
  await until('it is asked again', () => bench.assignments.filter((told) => told.monitorId === id).length > 1)
  const last = bench.assignments.findLast((told) => told.monitorId === id)
  assert.ok(last !== undefined)
  await bench.answer(last, {})
  assert.equal((await standingOf(bench.database, id)).current_status, 'up')
}

/** Publishes bytes of results; resolves with why they were refused, else null. */
function publisherOf(bus: MemoryBus): (text: string) => Promise<string | null> {
  const { publish } = openRawLink(bus, ['amsterdam'])
  return (text) => publish(new TextEncoder().encode(text))
}

function textOf(monitorId: string, round: number, members: Strange): string {
  const { version = 1, statusCode = 200, latencyMs = 5, error = null, details = '{}', expiry = null } = members
  const parts = [monitorId, version, round, 'amsterdam', 0, statusCode, latencyMs, error, noPhases]
  return `[${parts.map((part) => JSON.stringify(part)).join(',')},${details},${JSON.stringify(expiry)}]`
}

function certificate(members: object): object {
  return { host: 'a', issuer: 'b', notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z', ...members }
}
