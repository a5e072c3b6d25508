import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Expiry, Verdict } from '#core/results/result.ts'
import { engineBench, type EngineBench, type Told } from '../../../test/support/engine.ts'
import { membersOf, noMembers } from '../../../test/support/expiries.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { until } from '../../../test/support/until.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const often = { interval_seconds: 10, url: 'https://shop.example.com' }

const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()

function certificate(notAfter: string): Partial<Verdict> {
  return { expiry: { certificate: { host: 'shop.example.com', issuer: 'E7', notBefore: inDays(-30), notAfter } } }
}

function domain(expiresAt: string | null): Partial<Verdict> {
  return { expiry: { domain: { name: 'example.com', expiresAt } } }
}

/** The end in the row, and the row's version, which changes with every write. */
async function rowsOf({ database }: EngineBench): Promise<{ end: string | null; version: string }[]> {
  const { rows } = await database.pool.query<{ expires_at: Date | null; version: string }>(
    'select expires_at, xmin::text as version from monitor_expiries order by monitor_key',
  )
  return rows.map(({ expires_at: end, version }) => ({ end: end?.toISOString() ?? null, version }))
}

/** When the only row was seen. */
async function seenMsOf({ database }: EngineBench): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ seen_at: Date }>('select seen_at from monitor_expiries')
  return rows[0]?.seen_at.getTime()
}

/** A result of a round this many hours ago. */
async function publish(bench: EngineBench, told: Told, of: { hoursAgo: number } & Partial<Verdict>): Promise<void> {
  const { hoursAgo, ...verdict } = of
  await bench.answer({ ...told, round: Math.round(Date.now() - hoursAgo * hourMs) * 1000 }, verdict)
}

async function watched(input: Record<string, unknown> = {}): Promise<{ bench: EngineBench; id: string; told: Told }> {
  const bench = await engineBench()
  const { id } = await createMonitor(bench.api, { ...often, ...input })
  const [told] = await bench.taken(id, ['amsterdam'])
  return { bench, id, told: told ?? assert.fail('not asked') }
}

describe('what results show of an end', { concurrency: 4 }, () => {
  it('is written once, not again while it stays, and again when it is another one', async () => {
    const { bench, id, told } = await watched()
    const first = inDays(60)
    await bench.answer(told, certificate(first))
    const written = await rowsOf(bench)
    assert.deepEqual(
      written.map(({ end }) => end),
      [first],
    )
    assert.equal(await seenMsOf(bench), told.round / 1000)
    for (let minute = 6; minute > 0; minute -= 1)
      await publish(bench, told, { hoursAgo: minute / 60, ...certificate(first) })
    assert.deepEqual(await rowsOf(bench), written)
    const renewed = inDays(90)
    await publish(bench, told, { hoursAgo: 0, ...certificate(renewed) })
    assert.deepEqual(await membersOf(bench.api, id), { ...noMembers, cert_issuer: 'E7', cert_expires_at: renewed })
  })

  it('is the certificate that ends first where locations see different ones, written a few times', async () => {
    const { bench, id, told } = await watched()
    const [early, late] = [inDays(40), inDays(60)]
    const versions = new Set<string>()
    for (let round = 10; round > 0; round -= 1)
      for (const notAfter of [late, early]) {
        await publish(bench, told, { hoursAgo: round / 60, ...certificate(notAfter) })
        for (const { version } of await rowsOf(bench)) versions.add(version)
      }
    assert.equal((await membersOf(bench.api, id)).cert_expires_at, early)
    assert.ok(versions.size <= 3, `${versions.size} writes`)
  })

  it('is remembered by an engine that takes the monitor over, which writes nothing', async () => {
    const { bench, told } = await watched()
    const end = inDays(60)
    await bench.answer(told, certificate(end))
    const written = await rowsOf(bench)
    await bench.engine.stop()
    const second = await bench.startAnother('second')
    await until('it watches', async () => second.watching === 1, 30_000)
    await publish(bench, told, { hoursAgo: 0, ...certificate(end) })
    assert.deepEqual(await rowsOf(bench), written)
  })

  it('is forgotten when the target changes, and an older result does not bring it back', async () => {
    const { bench, id, told } = await watched({ interval_seconds: 3600 })
    await bench.answer(told, certificate(inDays(60)))
    const body = { name: 'Shop', url: 'https://other.example.com' }
    assert.equal((await bench.api.request('PATCH', `/monitors/${id}`, { body })).status, 200)
    assert.deepEqual(await membersOf(bench.api, id), noMembers)
    await bench.answer(told, certificate(inDays(61)))
    assert.deepEqual(await membersOf(bench.api, id), noMembers)
    const [next] = await bench.taken(id, ['amsterdam'])
    assert.equal(next?.version, 2)
    const end = inDays(60)
    await bench.answer(next ?? told, certificate(end))
    assert.equal((await membersOf(bench.api, id)).cert_expires_at, end)
  })

  it('is a registration for a monitor of kind domain, with or without an end', async () => {
    const { bench, id, told } = await watched({ kind: 'domain', url: 'www.example.com' })
    await bench.answer(told, domain(null))
    assert.deepEqual(await membersOf(bench.api, id), { ...noMembers, domain_name: 'example.com' })
    const end = inDays(200)
    await publish(bench, told, { hoursAgo: 0, ...domain(end) })
    const members = { ...noMembers, domain_name: 'example.com', domain_expires_at: end }
    assert.deepEqual(await membersOf(bench.api, id), members)
  })

  const nonsense: [string, Expiry][] = [
    ['no time', { certificate: { host: 'a', issuer: 'b', notBefore: 'x', notAfter: 'y' } }],
    ['nothing', {}],
    ['no end', { domain: { name: 'a', expiresAt: 'never' } }],
  ]
  for (const [what, expiry] of nonsense)
    it(`does no harm when it is ${what}`, async () => {
      const { bench, id, told } = await watched({ interval_seconds: 3600 })
      await bench.answer(told, { expiry })
      assert.deepEqual([bench.counts, bench.warnings], [{ stored: 1, rejected: 0, skipped: 0 }, []])
      assert.deepEqual(await membersOf(bench.api, id), noMembers)
    })

  it('may be a year that PostgreSQL cannot store', async () => {
    const { bench, id, told } = await watched()
    await bench.answer(told, certificate('+200000-01-01T00:00:00.000Z'))
    assert.equal((await membersOf(bench.api, id)).cert_expires_at, '9999-12-31T00:00:00.000Z')
  })
})
