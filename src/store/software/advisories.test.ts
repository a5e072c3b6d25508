import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import type { Advisory, AffectedProduct } from '#core/software/advisory.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { readAffected, readModified, replaceAdvisories } from './advisories.ts'

const api = await testApi({ maxConnections: 5 })
const { database } = api

function affecting(product: string, fixed: string | null = '2.0.0'): AffectedProduct {
  const range = { introduced: null, isIntroducedIncluded: true, fixed, lastAffected: null }
  return { product, affected: { ranges: [range], versions: [] }, isConditional: false, mayApply: false }
}

function advisory(id: string, changes: Partial<Advisory> = {}): Advisory {
  return {
    source: 'osv',
    id,
    aliases: [],
    publishedAt: new Date('2026-11-20T10:00:00Z'),
    modifiedAt: new Date('2026-11-20T10:00:00Z'),
    withdrawnAt: null,
    summary: `About ${id}`,
    severity: 'high',
    score: 7.5,
    url: `https://advisories.example/${id}`,
    affected: [affecting('npm:left-pad')],
    ...changes,
  }
}

function replace(...advisories: Advisory[]): Promise<number> {
  return database.transaction((tx) => replaceAdvisories(tx, advisories))
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>(text)).rows
}

async function queued(): Promise<unknown[]> {
  const products = await rows('delete from match_queue returning product')
  return products.map(({ product }) => product).toSorted((one, other) => (String(one) < String(other) ? -1 : 1))
}

async function component(product: string, version: string | null = '1.0.0'): Promise<string> {
  const made = await database.pool.query<{ key: string }>(
    'insert into components (product, version) values ($1, $2) returning key',
    [product, version],
  )
  return made.rows[0]?.key ?? ''
}

describe('replaceAdvisories', () => {
  beforeEach(async () => {
    await database.pool.query('truncate advisories, vulnerabilities, exploited, components, match_queue cascade')
  })

  it('makes one vulnerability of the records of several sources, each field of the best that has it', async () => {
    await replace(
      advisory('CVE-2026-1000', { source: 'nvd', severity: 'critical', score: 9.8, affected: [affecting('cpe:a:b')] }),
      advisory('GHSA-1', { aliases: ['CVE-2026-1000'], summary: null, severity: null, score: null }),
      advisory('PYSEC-1', {
        aliases: ['GHSA-1'],
        publishedAt: new Date('2026-11-18T10:00:00Z'),
        severity: 'low',
        score: null,
      }),
    )
    assert.deepEqual(
      await rows('select id, aliases, source, summary, severity, score, url, published_at from vulnerabilities'),
      [
        {
          id: 'CVE-2026-1000',
          aliases: ['GHSA-1', 'PYSEC-1'],
          source: 'osv',
          summary: 'About PYSEC-1',
          severity: 'critical',
          score: '9.8',
          url: 'https://advisories.example/GHSA-1',
          published_at: new Date('2026-11-18T10:00:00Z'),
        },
      ],
    )
  })

  it('puts down what somebody has, of what was and of what is affected, also by the names of the catalogue', async () => {
    await Promise.all(['npm:left-pad', 'npm:right-pad', 'nginx', 'cpe:f5:nginx'].map((product) => component(product)))
    await replace(advisory('GHSA-1', { affected: [affecting('npm:left-pad'), affecting('npm:nobody-has-it')] }))
    assert.deepEqual(await queued(), ['npm:left-pad'])
    await replace(advisory('GHSA-1', { affected: [affecting('npm:right-pad')] }))
    assert.deepEqual(await queued(), ['npm:left-pad', 'npm:right-pad'])
    await replace(advisory('BIT-1', { affected: [affecting('bitnami:nginx')] }))
    assert.deepEqual(await queued(), ['nginx'])
    await replace(advisory('CVE-2026-1000', { source: 'nvd', affected: [affecting('cpe:f5:nginx')] }))
    assert.deepEqual(await queued(), ['cpe:f5:nginx', 'nginx'])
  })

  it('writes nothing and puts nothing down where nothing changed', async () => {
    await component('npm:left-pad')
    assert.equal(await replace(advisory('GHSA-1')), 1)
    await queued()
    assert.equal(await replace(advisory('GHSA-1')), 0)
    assert.deepEqual(await queued(), [])
  })

  it('keeps nothing of what concerns nothing, and forgets what is withdrawn with its findings', async () => {
    assert.equal(
      await replace(advisory('GHSA-1', { affected: [] }), advisory('GHSA-2', { withdrawnAt: new Date() })),
      0,
    )
    const key = await component('npm:left-pad')
    await replace(advisory('GHSA-1'))
    await database.pool.query(
      'insert into component_findings (component_key, vulnerability, version_known, is_exploited) values ($1, $2, true, false)',
      [key, 'GHSA-1'],
    )
    await queued()
    await replace(advisory('GHSA-1', { withdrawnAt: new Date() }))
    assert.deepEqual(await rows('select from vulnerabilities union all select from component_findings'), [])
    assert.deepEqual(await queued(), ['npm:left-pad'])
    assert.deepEqual(await readAffected(database, ['npm:left-pad']), [])
    await replace(advisory('GHSA-1'))
    assert.equal((await rows('select from vulnerabilities')).length, 1)
  })

  it('lives on with the advisories that were not withdrawn', async () => {
    const other = advisory('CVE-2026-1000', { source: 'nvd', summary: 'Of the NVD', affected: [affecting('cpe:a:b')] })
    await replace(advisory('GHSA-1', { aliases: ['CVE-2026-1000'] }), other)
    await replace(advisory('GHSA-1', { aliases: ['CVE-2026-1000'], withdrawnAt: new Date() }))
    assert.deepEqual(await rows('select id, source, summary from vulnerabilities'), [
      { id: 'CVE-2026-1000', source: 'nvd', summary: 'Of the NVD' },
    ])
  })

  it('keeps findings, and what was told of them, when a vulnerability gets its number', async () => {
    const key = await component('npm:left-pad')
    const finding = await findingOf(key, 'GHSA-1', () =>
      replace(advisory('GHSA-1'), advisory('PYSEC-1', { aliases: ['GHSA-1'], affected: [affecting('pypi:left-pad')] })),
    )
    assert.deepEqual(await rows('select id, aliases from vulnerabilities'), [{ id: 'GHSA-1', aliases: ['PYSEC-1'] }])
    await replace(advisory('GHSA-1', { aliases: ['CVE-2026-1000'] }))
    assert.deepEqual(await rows('select id, aliases from vulnerabilities'), [
      { id: 'CVE-2026-1000', aliases: ['GHSA-1', 'PYSEC-1'] },
    ])
    const told = await rows('select id, vulnerability, alerted_at is not null as told from findings')
    assert.deepEqual(told, [{ id: finding, vulnerability: 'CVE-2026-1000', told: true }])
    assert.deepEqual(await rows('select vulnerability from component_findings'), [{ vulnerability: 'CVE-2026-1000' }])
  })

  it('names all records of a vulnerability alike, in whatever order they come', async () => {
    const records = [
      advisory('PYSEC-1', { aliases: ['GHSA-1'], affected: [affecting('pypi:left-pad')] }),
      advisory('GHSA-1', { aliases: ['CVE-2026-1000'] }),
      advisory('CVE-2026-1000', { source: 'nvd', affected: [affecting('cpe:a:b')] }),
      advisory('GO-1', { aliases: ['PYSEC-1'], affected: [affecting('go:example.com/pad')] }),
    ]
    for (const order of [records, records.toReversed(), [records[3], records[1], records[0], records[2]]]) {
      await database.pool.query('truncate advisories, vulnerabilities cascade')
      for (const record of order) if (record !== undefined) await replace(record)
      const names = await rows('select id, vulnerability from advisories order by id')
      assert.deepEqual(
        names.map(({ vulnerability }) => vulnerability),
        ['CVE-2026-1000', 'CVE-2026-1000', 'CVE-2026-1000', 'CVE-2026-1000'],
        JSON.stringify(names),
      )
    }
  })

  it('knows what is exploited from the beginning, by any name', async () => {
    await database.pool.query(`insert into exploited values ('CVE-2026-1000', '2026-11-19')`)
    await replace(advisory('GHSA-1', { aliases: ['CVE-2026-1000'] }), advisory('GHSA-2'))
    assert.deepEqual(await rows('select id, exploited_on::text from vulnerabilities order by id'), [
      { id: 'CVE-2026-1000', exploited_on: '2026-11-19' },
      { id: 'GHSA-2', exploited_on: null },
    ])
  })

  it('comes out whole when several write at once about the same vulnerability', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `GHSA-${index}`)
    await Promise.all(
      names.map((id) =>
        replace(advisory(id, { aliases: ['CVE-2026-1000'], affected: [affecting(`npm:${id.toLowerCase()}`)] })),
      ),
    )
    assert.deepEqual(await rows('select id, cardinality(aliases) as aliases from vulnerabilities'), [
      { id: 'CVE-2026-1000', aliases: 12 },
    ])
  })
})

describe('readAffected', () => {
  beforeEach(async () => {
    await database.pool.query('truncate advisories, vulnerabilities, exploited cascade')
  })

  it('gives what is known of products, and of one product each part on its own', async () => {
    const conditional = { ...affecting('npm:left-pad', '3.0.0'), isConditional: true }
    await replace(advisory('GHSA-1', { affected: [affecting('npm:left-pad'), conditional, affecting('npm:other')] }))
    assert.deepEqual(await readAffected(database, ['npm:left-pad', 'npm:none']), [
      {
        vulnerability: 'GHSA-1',
        source: 'osv',
        publishedAt: new Date('2026-11-20T10:00:00Z'),
        isExploited: false,
        ...affecting('npm:left-pad'),
      },
      {
        vulnerability: 'GHSA-1',
        source: 'osv',
        publishedAt: new Date('2026-11-20T10:00:00Z'),
        isExploited: false,
        ...conditional,
      },
    ])
  })

  it('leaves a raw record aside once the NVD has analysed it, but for plugins, which the NVD does not name', async () => {
    const raw = advisory('CVE-2026-1000', {
      source: 'cve',
      affected: [affecting('cpe:a:b', '1.5.0'), affecting('wp-plugin:forms')],
    })
    await replace(raw)
    assert.deepEqual(await sourcesOf(), ['cve cpe:a:b', 'cve wp-plugin:forms'])
    await replace(advisory('CVE-2026-1000', { source: 'nvd', affected: [affecting('cpe:a:b', '1.4.0')] }))
    assert.deepEqual(await sourcesOf(), ['nvd cpe:a:b', 'cve wp-plugin:forms'])
  })

  it('says when records were last modified, of those that are there', async () => {
    await replace(
      advisory('GHSA-1'),
      advisory('GHSA-2', { modifiedAt: null }),
      advisory('CVE-2026-1000', { source: 'nvd' }),
    )
    assert.deepEqual(
      await readModified(database, 'osv', ['GHSA-1', 'GHSA-2', 'GHSA-3', 'CVE-2026-1000']),
      new Map([
        ['GHSA-1', new Date('2026-11-20T10:00:00Z')],
        ['GHSA-2', null],
      ]),
    )
  })
})

/** A finding of a monitor, of which was told; returns its id. */
async function findingOf(componentKey: string, vulnerability: string, first: () => Promise<unknown>): Promise<string> {
  await first()
  const { id: monitorId } = await createMonitor(api)
  const [software, finding] = [randomUUID(), randomUUID()]
  await database.pool.query(
    `insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
    select $1, key, $2, 'left-pad', 'manual', now() from monitors where id = $3`,
    [software, componentKey, monitorId],
  )
  await database.pool.query(
    'insert into component_findings (component_key, vulnerability, version_known, is_exploited) values ($1, $2, true, false)',
    [componentKey, vulnerability],
  )
  await database.pool.query(
    `insert into findings (id, monitor_key, software_id, vulnerability, found_at, alerted_at)
    select $1, monitor_key, id, $2, now(), now() from monitor_software where id = $3`,
    [finding, vulnerability, software],
  )
  return finding
}

async function sourcesOf(): Promise<string[]> {
  const known = await readAffected(database, ['cpe:a:b', 'wp-plugin:forms'])
  return known.map(({ source, product }) => `${source} ${product}`)
}
