import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetComponents } from '#store/software/components.ts'
import { endCycles, replaceCycles, replaceExploited } from '#store/software/advisory-catalogs.ts'
import { addByHand, lockSoftware } from '#store/software/software.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, findingIn, found, publish, reportIn, tell } from '../../../test/support/software.ts'
import { until } from '../../../test/support/until.ts'
import { matchSoftware } from './matching.ts'

const dayMs = 86_400_000

async function having(api: TestApi, software: readonly string[], token = api.token) {
  const { id } = await createMonitor(api, {}, token)
  const content = software.join('\n')
  if (content !== '') reportIn(await api.post(`/monitors/${id}/software/import`, { content }, { token }))
  return {
    id,
    report: async () => reportIn(await api.get(`/monitors/${id}/vulnerabilities`, { token })),
  }
}

describe('an advisory', async () => {
  const api = await testApi({ maxConnections: 12 })
  const { database } = api

  it('reaches every monitor that has what it concerns, and no other', async () => {
    const other = await api.addWorkspace()
    const mine = await having(api, ['npm:reached 1.0.0', 'npm:other 1.0.0'])
    const theirs = await having(api, ['npm:reached 1.0.0'], other.token)
    const newer = await having(api, ['npm:reached 2.0.0'])
    await compare(database)
    await publish(database, { id: 'CVE-2026-4001', product: 'npm:reached', stretches: [{ fixed: '2.0.0' }] })
    assert.equal((await mine.report()).pending, true)
    assert.equal(await compare(database), 1)
    assert.deepEqual(
      [found(await mine.report()), found(await theirs.report()), found(await newer.report())],
      [['CVE-2026-4001'], ['CVE-2026-4001'], []],
    )
    assert.equal((await mine.report()).pending, false)
  })

  it('that changes takes findings back and leaves the others as they were', async () => {
    const product = 'npm:narrowed'
    await publish(database, { id: 'CVE-2026-4002', product, stretches: [{ fixed: '3.0.0' }] })
    const one = await having(api, ['npm:narrowed 1.0.0'])
    const two = await having(api, ['npm:narrowed 2.0.0'])
    await compare(database)
    const before = findingIn(await one.report(), 'CVE-2026-4002')
    assert.equal(before.fix_version, '3.0.0')
    await publish(database, { id: 'CVE-2026-4002', product, stretches: [{ fixed: '1.5.0' }] })
    await compare(database)
    const after = findingIn(await one.report(), 'CVE-2026-4002')
    assert.deepEqual([after.id, after.fix_version, found(await two.report())], [before.id, '1.5.0', []])
  })

  it('that is withdrawn takes its findings with it', async () => {
    const advisory = { id: 'CVE-2026-4003', product: 'npm:withdrawn', stretches: [{}] }
    await publish(database, advisory)
    const { report } = await having(api, ['npm:withdrawn 1.0.0'])
    await compare(database)
    assert.deepEqual(found(await report()), ['CVE-2026-4003'])
    await publish(database, { ...advisory, withdrawnAt: new Date() })
    await compare(database)
    assert.deepEqual(found(await report()), [])
  })

  it('of a product by any of its names concerns it, the best source alone', async () => {
    const { report } = await having(api, ['nginx 1.27.3'])
    const stretches = [{ fixed: '1.27.4' }]
    await publish(
      database,
      { id: 'CVE-2026-4011', product: 'nginx', stretches },
      { id: 'CVE-2026-4012', product: 'bitnami:nginx', stretches },
      { id: 'CVE-2026-4013', product: 'cpe:f5:nginx', source: 'nvd', stretches },
      { id: 'CVE-2026-4014', product: 'npm:nginx', stretches },
    )
    await publish(database, {
      id: 'BIT-nginx-4013',
      aliases: ['CVE-2026-4013'],
      product: 'bitnami:nginx',
      stretches: [{ fixed: '1.27.0' }],
    })
    await compare(database)
    assert.deepEqual(found(await report()).toSorted(), ['CVE-2026-4011', 'CVE-2026-4012'])
  })

  it('is one with others of the same vulnerability', async () => {
    const { report } = await having(api, ['npm:aliased 1.0.0'])
    const product = 'npm:aliased'
    await publish(database, { id: 'GHSA-aaaa-bbbb-cccc', aliases: ['CVE-2026-4021'], product, stretches: [{}] })
    await publish(database, { id: 'OSV-2026-1', aliases: ['CVE-2026-4021'], product, stretches: [{}] })
    await compare(database)
    const { findings } = await report()
    assert.deepEqual(
      findings.map(({ vuln_id: id, aliases }) => [id, aliases]),
      [['CVE-2026-4021', ['GHSA-aaaa-bbbb-cccc', 'OSV-2026-1']]],
    )
  })

  it('of a release line may concern it', async () => {
    await publish(database, {
      id: 'CVE-2026-4031',
      product: 'bitnami:mariadb',
      stretches: [{ from: '11.4.0', fixed: '11.4.4' }],
    })
    const { report } = await having(api, ['mariadb 11.4', 'mariadb 11.4.3'])
    await compare(database)
    const isKnown = new Map((await report()).findings.map((finding) => [finding.version, finding.version_known]))
    assert.deepEqual([isKnown.get('11.4'), isKnown.get('11.4.3')], [false, true])
  })

  it('is noted as exploited once that is known, and no longer when it was an error', async () => {
    await publish(database, { id: 'CVE-2026-4041', product: 'npm:exploited', stretches: [{}] })
    const { report } = await having(api, ['npm:exploited 1.0.0'])
    await compare(database)
    const entry = { cve: 'CVE-2026-4041', addedOn: '2026-11-20', name: 'It' }
    await database.transaction((tx) => replaceExploited(tx, [entry]))
    assert.equal(await compare(database), 1)
    assert.equal(findingIn(await report(), 'CVE-2026-4041').exploited_on, '2026-11-20')
    await database.transaction((tx) => replaceExploited(tx, []))
    await compare(database)
    assert.equal(findingIn(await report(), 'CVE-2026-4041').exploited_on, null)
  })
})

describe('a release line', async () => {
  const api = await testApi()
  const { database } = api
  const cycles = [
    { cycle: '8.2', endsOn: '2026-12-31', isEnded: false, latest: '8.2.30', releasedOn: null },
    { cycle: '8.1', endsOn: '2025-12-31', isEnded: true, latest: '8.1.34', releasedOn: null },
  ]

  it('is a finding once its support has ended', async () => {
    await database.transaction((tx) => replaceCycles(tx, [{ product: 'php', cycles }]))
    const now = new Date('2026-11-22T00:00:00Z')
    await database.transaction((tx) => endCycles(tx, now))
    const { report } = await having(api, ['php 8.1.27', 'php 8.2.1', 'php'])
    await compare(database, () => now)
    const { findings } = await report()
    assert.deepEqual(
      findings.map(({ id: _id, summary: _summary, ...finding }) => finding),
      [
        {
          vuln_id: 'EOL:php-8.1',
          aliases: [],
          kind: 'end_of_life',
          product: 'php',
          software_name: 'PHP',
          version: '8.1.27',
          version_known: true,
          severity: null,
          score: null,
          fixed_in: null,
          fix_version: '8.2.30',
          marked_fixed_version: null,
          url: 'https://endoflife.date/php',
          source: 'endoflife',
          published_at: '2025-12-31T00:00:00.000Z',
          exploited_on: null,
          alerted_at: null,
        },
      ],
    )
    const later = new Date('2027-01-01T00:00:00Z')
    await database.transaction((tx) => endCycles(tx, later))
    await compare(database, () => later)
    assert.deepEqual(found(await report()), ['EOL:php-8.2', 'EOL:php-8.1'])
  })
})

describe('matching', async () => {
  const api = await testApi({ maxConnections: 12 })
  const { database } = api

  it('happens once, whoever does it and however often, while lists and advisories change', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `npm:busy-${index}`)
    const monitors = await Promise.all(
      Array.from({ length: 8 }, () =>
        having(
          api,
          names.map((name) => `${name} 1.0.0`),
        ),
      ),
    )
    const work = names.map((product, index) =>
      publish(database, { id: `CVE-2026-5${String(index).padStart(3, '0')}`, product, stretches: [{}] }),
    )
    const changes = monitors.map(({ id }) =>
      api.post(`/monitors/${id}/software`, { name: 'npm:busy-0', version: '2.0.0' }),
    )
    await Promise.all([...work, ...changes, compare(database), compare(database), tell(database)])
    await until('nothing to be left', async () => {
      await Promise.all([compare(database), compare(database), compare(database)])
      const reports = await Promise.all(monitors.map(({ report }) => report()))
      return reports.every(({ pending }) => !pending)
    })
    for (const { report } of monitors) assert.equal((await report()).findings.length, 61)
    assert.equal(await compare(database), 0)
  })

  it('overlooks nothing that is being added meanwhile', async () => {
    const product = 'npm:raced'
    await having(api, ['npm:raced 1.0.0'])
    await compare(database)
    const { id, report } = await having(api, [])
    const { rows } = await database.pool.query<{ key: string }>('select key from monitors where id = $1', [id])
    const monitorKey = rows[0]?.key ?? ''
    await publish(database, { id: 'CVE-2026-6001', product, stretches: [{}] })
    const matching = await database.transaction(async (tx) => {
      await lockSoftware(tx, monitorKey)
      await addByHand(tx, { monitorKey, product, name: 'raced', version: '1.0.0', at: new Date() })
      const done = compare(database)
      await until('the matching to wait for this', async () => {
        const waiting = await database.pool.query(
          `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%for update%'`,
        )
        return (waiting.rowCount ?? 0) > 0
      })
      return { done }
    })
    await matching.done
    assert.deepEqual(found(await report()), ['CVE-2026-6001'])
  })

  it('is done again for everything once a day', async () => {
    const { report } = await having(api, ['npm:daily 1.0.0'])
    await compare(database)
    const first = (await report()).checked_at ?? ''
    const tomorrow = new Date(Date.now() + dayMs + 1000)
    await compare(database, () => tomorrow)
    assert.equal((await report()).checked_at, tomorrow.toISOString())
    assert.ok(first < tomorrow.toISOString())
  })

  it('ends when the process stops', async () => {
    await having(api, ['npm:stopped 1.0.0'])
    assert.equal(await matchSoftware({ database, now: () => new Date() }, AbortSignal.abort()), 0)
    await compare(database)
  })

  it('is of nothing that nobody has any more', async () => {
    const { id } = await having(api, ['npm:forgotten 1.0.0'])
    await compare(database)
    await api.request('DELETE', `/monitors/${id}`)
    assert.ok((await forgetComponents(database)) > 0)
    const { rowCount } = await database.pool.query(`select from components where product = 'npm:forgotten'`)
    assert.equal(rowCount, 0)
    const { report } = await having(api, ['npm:forgotten 1.0.0'])
    await compare(database)
    assert.equal((await report()).software.length, 1)
  })
})
