import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Exposure, exposureSchema } from '#core/software/exposure.ts'
import type { Database } from '#store/database/database.ts'
import { replaceExploited } from '#store/software/advisory-catalogs.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { only } from '../../../test/support/engine.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, entryOf, publish, reportIn, type Told } from '../../../test/support/software.ts'
import { followExposures } from './exposures.ts'

const day = '2026-11-10'
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const listSchema = z.object({ data: z.array(exposureSchema) })

/** A database with one monitor, in whose software nothing is known to be exploited yet. */
async function bench() {
  const api = await testApi({ maxConnections: 5 })
  const { database } = api
  const monitor = await createMonitor(api)
  const at = `/monitors/${monitor.id}`
  const exploited = async (...cves: string[]): Promise<void> =>
    database.transaction((tx) =>
      replaceExploited(
        tx,
        cves.map((cve) => ({ cve, addedOn: day, name: null })),
      ),
    )
  return {
    api,
    database,
    monitor,
    at,
    exploited,
    has: async (...software: string[]) =>
      reportIn(await api.post(`${at}/software/import`, { content: software.join('\n'), name: 'list' })),
    /** Compares and follows, as the jobs do, and gives what there is then. */
    follow: async (): Promise<Exposure[]> => {
      await compare(database)
      const parts = { database, log, now: () => new Date() }
      await Promise.all([followExposures(parts), followExposures(parts)])
      return listOf(api)
    },
  }
}

async function listOf(api: TestApi, query = ''): Promise<Exposure[]> {
  const answer = await api.get(`/exposures${query}`)
  assert.equal(answer.status, 200, answer.text)
  return listSchema.parse(answer.body).data
}

const wrong = (id: string, told: Partial<Told> = {}): Told => ({
  id,
  product: 'npm:shop',
  stretches: [{ fixed: '1.2.0' }],
  ...told,
})

describe('an exposure', { concurrency: 2 }, () => {
  it('costs no transaction until a finding is known to be exploited', async () => {
    const { database, exploited, has } = await bench()
    let transactions = 0
    const counted: Database = {
      ...database,
      transaction: (work) => {
        transactions += 1
        return database.transaction(work)
      },
    }
    const parts = { database: counted, log, now: () => new Date() }
    await publish(database, wrong('CVE-2026-1'))
    await has('npm:shop 1.0.0')
    await compare(database)
    await followExposures(parts)
    assert.equal(transactions, 0)
    await exploited('CVE-2026-1')
    await followExposures(parts)
    assert.ok(transactions > 0)
  })

  it('begins once for software that an exploited vulnerability affects, with its evidence and fixed version', async () => {
    const { database, exploited, has, follow, monitor } = await bench()
    await publish(database, wrong('CVE-2026-1'), wrong('CVE-2026-2'))
    await has('npm:shop 1.0.0')
    assert.deepEqual(await follow(), [])
    await exploited('CVE-2026-1')
    await follow()
    const exposure = only(await follow())
    const { id: _id, seen_at: seenAt, opened_at: openedAt, open_seconds: seconds, next_step: step, ...rest } = exposure
    assert.deepEqual(rest, {
      status: 'open',
      monitor_id: monitor.id,
      monitor_name: 'Shop',
      monitor_kind: 'http',
      target: 'https://example.com',
      vuln_id: 'CVE-2026-1',
      aliases: [],
      summary: 'What is wrong with npm:shop.',
      severity: 'high',
      url: 'https://osv.dev/vulnerability/CVE-2026-1',
      exploited_on: day,
      product: 'npm:shop',
      software_name: 'shop',
      version: '1.0.0',
      fixed_in: '1.2.0',
      fix_version: '1.2.0',
      source: 'import',
      evidence: 'list',
      closed_at: null,
      outcome: null,
      last_version: null,
      verification: null,
    })
    const later = Math.max(Date.parse(seenAt), Date.parse(`${day}T00:00:00Z`))
    assert.deepEqual([Date.parse(openedAt), seconds >= 0], [later, true])
    assert.match(step, /^Update shop to 1\.2\.0, then import the new file/)
  })

  it('begins when the catalogue listed the vulnerability, where the finding is older', async () => {
    const { database, exploited, has, follow } = await bench()
    await publish(database, wrong('CVE-2026-1'))
    await has('npm:shop 1.0.0')
    await compare(database)
    await database.pool.query(`update findings set found_at = '2026-11-01'`)
    await exploited('CVE-2026-1')
    const { seen_at: seenAt, opened_at: openedAt } = only(await follow())
    assert.deepEqual([seenAt, openedAt], ['2026-11-01T00:00:00.000Z', `${day}T00:00:00.000Z`])
  })

  it('is none for a version that is unknown', async () => {
    const { database, exploited, has, follow } = await bench()
    await publish(database, wrong('CVE-2026-1'))
    await exploited('CVE-2026-1')
    assert.equal((await has('npm:shop')).software.length, 1)
    assert.deepEqual(await follow(), [])
  })

  it('is one for two entries of a product', async () => {
    const { api, at, database, exploited, has, follow } = await bench()
    await publish(database, wrong('CVE-2026-1'))
    await exploited('CVE-2026-1')
    await has('npm:shop 1.0.0', 'npm:shop 1.1.0')
    const before = only(await follow())
    await has('npm:shop 1.1.0')
    assert.equal(only(await follow()).id, before.id)
    await api.request('DELETE', `${at}/software/import?file=list`)
    const after = only(await follow())
    assert.deepEqual([after.id, after.outcome], [before.id, 'not_listed'])
  })

  it('ends when the list has a version that is not affected, and another one begins after it', async () => {
    const { database, exploited, has, follow } = await bench()
    await publish(database, wrong('CVE-2026-1'))
    await exploited('CVE-2026-1')
    await has('npm:shop 1.0.0')
    const { id } = only(await follow())
    await has('npm:shop 1.1.0')
    assert.equal(only(await follow()).status, 'open')
    await has('npm:shop 1.2.0')
    const { status, outcome, last_version: version, closed_at: closedAt } = only(await follow())
    assert.deepEqual([status, outcome, version, closedAt !== null], ['closed', 'updated', '1.2.0', true])
    await has('npm:shop 1.1.0')
    const all = await follow()
    assert.deepEqual(
      all.map((exposure) => [exposure.status, exposure.id === id]),
      [
        ['open', false],
        ['closed', true],
      ],
    )
  })

  it('goes on while what the list has waits to be compared', async () => {
    const { database, exploited, has, follow, api } = await bench()
    await publish(database, wrong('CVE-2026-1'))
    await exploited('CVE-2026-1')
    await has('npm:shop 1.0.0')
    await follow()
    await has('npm:shop 1.2.0')
    await followExposures({ database, log, now: () => new Date() })
    assert.equal(only(await listOf(api)).status, 'open')
    assert.equal(only(await follow()).status, 'closed')
  })

  const endings: [what: string, outcome: string, (of: Awaited<ReturnType<typeof bench>>) => Promise<unknown>][] = [
    ['its entry is removed', 'not_listed', ({ api, at }) => api.request('DELETE', `${at}/software/import?file=list`)],
    ['its monitor is deleted', 'monitor_deleted', ({ api, at }) => api.request('DELETE', at)],
    [
      'the advisory is withdrawn',
      'withdrawn',
      ({ database }) => publish(database, wrong('CVE-2026-1', { withdrawnAt: new Date() })),
    ],
    ['the catalogue lists it no more', 'withdrawn', ({ exploited }) => exploited('CVE-2026-9')],
    [
      'the advisory concerns it no more',
      'not_affected',
      ({ database }) => publish(database, wrong('CVE-2026-1', { stretches: [{ fixed: '0.9.0' }] })),
    ],
    [
      'its entry is ignored',
      'ignored',
      async ({ api, at }) => {
        const { id } = entryOf(reportIn(await api.get(`${at}/vulnerabilities`)), 'npm:shop')
        return api.request('PATCH', `${at}/software/${id}`, { body: { ignored: true } })
      },
    ],
  ]
  for (const [what, outcome, end] of endings)
    it(`ends when ${what}, and keeps what was known`, async () => {
      const of = await bench()
      await publish(of.database, wrong('CVE-2026-1'))
      await of.exploited('CVE-2026-1')
      await of.has('npm:shop 1.0.0')
      const before = only(await of.follow())
      await end(of)
      const after = only(await of.follow())
      assert.deepEqual([after.status, after.outcome, after.summary], ['closed', outcome, before.summary])
    })

  it('takes the name that its vulnerability gets later', async () => {
    const { database, exploited, has, follow } = await bench()
    await publish(database, wrong('GHSA-aaaa-bbbb-cccc', { aliases: [] }))
    await database.pool.query(`update vulnerabilities set exploited_on = '${day}'`)
    await has('npm:shop 1.0.0')
    const before = only(await follow())
    await exploited('CVE-2026-1001')
    await publish(database, wrong('GHSA-aaaa-bbbb-cccc', { aliases: ['CVE-2026-1001'] }))
    const after = only(await follow())
    assert.deepEqual([after.id, after.vuln_id, after.status], [before.id, 'CVE-2026-1001', 'open'])
  })
})
