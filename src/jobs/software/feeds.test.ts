import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { publicFeeds } from '#core/software/feed-roots.ts'
import { feedName, feedSources, osvEcosystems } from '#core/software/feed-sources.ts'
import { readFeedReadings } from '#store/software/comparisons.ts'
import { noFeeds } from '../../../test/support/feeds-off.ts'
import { cpeMatch, cveRecord, nvdRecord, osvFile } from '../../../test/support/advisory-records.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { feedReader, noon } from '../../../test/support/feed-reader.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { feedChores } from './feeds.ts'

const minute = 60_000

describe('the feed of OSV', () => {
  it('reads the archive first, and then what changed, also what came to light late', async () => {
    const { server, run, vulnerabilities, feed } = await feedReader({
      osv: [osvFile('GHSA-aaaa-aaaa-aaaa', { aliases: ['CVE-2026-1000'] }), osvFile('GHSA-bbbb-bbbb-bbbb')],
    })
    await run('read_osv')
    assert.deepEqual(
      (await vulnerabilities()).map(({ id }) => id),
      ['CVE-2026-1000', 'GHSA-bbbb-bbbb-bbbb'],
    )
    assert.equal((await feed('osv npm'))['cursor'], '2026-11-20T10:00:00Z')
    server.asked.length = 0
    server.world.osv.push(
      osvFile('GHSA-cccc-cccc-cccc', { modified: '2026-11-20T12:01:00Z' }),
      osvFile('GHSA-dddd-dddd-dddd', { modified: '2026-11-19T09:00:00Z' }),
    )
    await run('read_osv', 11 * minute)
    assert.equal((await vulnerabilities()).length, 4)
    assert.deepEqual(server.asked.filter((path) => path.endsWith('.json')).toSorted(), [
      '/osv/npm/GHSA-cccc-cccc-cccc.json',
      '/osv/npm/GHSA-dddd-dddd-dddd.json',
    ])
    assert.ok(!server.asked.some((path) => path.startsWith('/osv/npm/all')))
    assert.equal((await feed('osv npm'))['cursor'], '2026-11-20T12:01:00Z')
  })

  it('asks no more often than every ten minutes', async () => {
    const { server, run } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] })
    await run('read_osv')
    const { length } = server.asked
    await run('read_osv', 9 * minute)
    assert.equal(server.asked.length, length)
  })

  it('reads on where nothing is wrong when a record among them is broken', async () => {
    const broken = { ...osvFile('GHSA-bbbb-bbbb-bbbb'), text: '{"id": ' }
    const strange = { ...osvFile('GHSA-cccc-cccc-cccc'), text: '{"id": 7}' }
    const { run, vulnerabilities, logged, feed } = await feedReader({
      osv: [broken, strange, osvFile('GHSA-aaaa-aaaa-aaaa')],
    })
    await run('read_osv')
    assert.deepEqual(
      (await vulnerabilities()).map(({ id }) => id),
      ['GHSA-aaaa-aaaa-aaaa'],
    )
    assert.equal(logged.find(({ message }) => message.startsWith('Records of a feed'))?.details['number'], 2)
    assert.equal((await feed('osv npm'))['error'], null)
  })

  it('closes what is withdrawn, and what is there no longer', async () => {
    const kept = osvFile('GHSA-aaaa-aaaa-aaaa')
    const gone = osvFile('GHSA-bbbb-bbbb-bbbb')
    const { server, run, vulnerabilities } = await feedReader({ osv: [kept, gone] })
    await run('read_osv')
    assert.equal((await vulnerabilities()).length, 2)
    const modified = '2026-11-20T12:05:00Z'
    server.world.osv.splice(0, 2, osvFile(kept.id, { modified, withdrawn: modified }), {
      ...gone,
      modified,
      id: gone.id,
    })
    server.world.intercept = (request, response) => {
      if (request.url !== `/osv/npm/${gone.id}.json`) return false
      response.writeHead(404).end()
      return true
    }
    await run('read_osv', 11 * minute)
    assert.deepEqual(await vulnerabilities(), [])
  })

  it('keeps the archive that is cut off for the next time, and says so once', async () => {
    const { server, run, logged, feed, vulnerabilities } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] })
    server.world.intercept = (request, response) => {
      if (request.url !== '/osv/npm/all.zip') return false
      response.writeHead(200).end(Buffer.from('PK\x03\x04 and then nothing'))
      return true
    }
    await run('read_osv')
    await run('read_osv', 11 * minute)
    const told = logged.filter(({ level, details }) => level === 'warn' && details['feed'] === 'osv npm')
    assert.equal(told.length, 1)
    assert.match(String(told[0]?.details['why']), /^The archive \/npm\/all\.zip cannot be read: /)
    assert.equal((await feed('osv npm'))['cursor'], null)
    server.world.intercept = () => false
    await run('read_osv', 22 * minute)
    assert.equal((await vulnerabilities()).length, 1)
    assert.equal((await feed('osv npm'))['error'], null)
    assert.ok(logged.some(({ message }) => message === 'A feed of advisories can be read again.'))
  })

  it('is patient with a server that is busy, as long as that asks for', async () => {
    const { server, run, vulnerabilities } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] })
    const answers: [number, Record<string, string>][] = [
      [429, { 'retry-after': '30' }],
      [500, {}],
    ]
    server.world.intercept = (request, response) => {
      const [status, headers] = (request.url === '/osv/npm/modified_id.csv' ? answers.shift() : undefined) ?? []
      if (status === undefined) return false
      response.writeHead(status, headers).end('busy')
      return true
    }
    await run('read_osv')
    assert.deepEqual(server.waits, [30_000, 12_000])
    assert.equal((await vulnerabilities()).length, 1)
  })
})

describe('the feed of the NVD', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2001 }, (_, index) => {
      const id = `CVE-2026-${10_000 + index}`
      return [id, nvdRecord(id)]
    }),
  )

  it('reads all page by page, goes on where it broke off, and then asks for changes', async () => {
    const { server, run, vulnerabilities, feed } = await feedReader({ nvd: many })
    server.world.intercept = (request, response) => {
      if (request.url?.includes('startIndex=2000') !== true) return false
      response.writeHead(403).end()
      return true
    }
    await run('read_nvd')
    assert.equal((await vulnerabilities()).length, 2000)
    assert.match(String((await feed('nvd'))['error']), /answered with status 403/)
    server.world.intercept = () => false
    server.asked.length = 0
    await run('read_nvd', 11 * minute)
    assert.equal((await vulnerabilities()).length, 2001)
    assert.ok(server.asked.every((path) => path.includes('startIndex=2000')))
    server.asked.length = 0
    server.world.nvd['CVE-2026-10000'] = nvdRecord('CVE-2026-10000', {
      vulnStatus: 'Rejected',
      lastModified: '2026-11-20T13:00:00.000',
    })
    await run('read_nvd', 200 * minute)
    assert.equal((await vulnerabilities()).length, 2000)
    assert.equal(server.asked.length, 1)
    assert.match(
      String(server.asked[0]),
      /lastModStartDate=2026-11-20T10%3A00%3A00\.000&lastModEndDate=2026-11-20T15%3A20%3A00\.000$/,
    )
  })

  it('takes a page that ends in the middle for a failure and writes nothing of it', async () => {
    const { server, run, vulnerabilities, feed } = await feedReader({ nvd: {} })
    server.world.intercept = (_, response) => {
      const text = JSON.stringify({ totalResults: 2, vulnerabilities: [{ cve: nvdRecord('CVE-2026-1000') }, {}] })
      response.writeHead(200).end(text.slice(0, -10))
      return true
    }
    await run('read_nvd')
    assert.match(String((await feed('nvd'))['error']), /ends in the middle/)
    assert.deepEqual(await vulnerabilities(), [])
  })
})

describe('the feed of the CVE list', () => {
  const plugin = {
    vendor: 'Somebody',
    product: 'Forms',
    collectionURL: 'https://wordpress.org/plugins',
    packageName: 'forms',
  }
  const versions = [{ version: '0', lessThan: '2.0', status: 'affected', versionType: 'custom' }]

  it('reads the archive first, then what its log names, and the archive again after a gap', async () => {
    const { server, run, vulnerabilities, feed } = await feedReader({
      cve: { 'CVE-2026-1000': cveRecord('CVE-2026-1000', [{ ...plugin, versions }]) },
      cveLog: [{ fetchTime: '2026-11-20T11:53:00.000Z', new: [], updated: [] }],
    })
    await run('read_cve')
    assert.equal((await vulnerabilities()).length, 1)
    server.world.cve['CVE-2026-20001'] = cveRecord('CVE-2026-20001', [{ ...plugin, versions }])
    server.world.cveLog.unshift({
      fetchTime: '2026-11-20T12:20:00.000Z',
      new: ['CVE-2026-20001'],
      updated: ['CVE-2026-404404'],
    })
    server.asked.length = 0
    await run('read_cve', 31 * minute)
    assert.deepEqual(server.asked.toSorted(), [
      '/cve/raw/refs/heads/main/cves/2026/20xxx/CVE-2026-20001.json',
      '/cve/raw/refs/heads/main/cves/2026/404xxx/CVE-2026-404404.json',
      '/cve/raw/refs/heads/main/cves/deltaLog.json',
    ])
    assert.equal((await vulnerabilities()).length, 2)
    assert.equal((await feed('cve'))['cursor'], '2026-11-20T12:20:00.000Z')
    server.world.cveLog.splice(0, 2, { fetchTime: '2027-01-05T12:00:00.000Z', new: [], updated: [] })
    server.world.cve['CVE-2026-30001'] = cveRecord('CVE-2026-30001', [{ ...plugin, versions }])
    await run('read_cve', 90 * minute)
    assert.equal((await vulnerabilities()).length, 3)
  })
})

describe('the catalogues', () => {
  const listed = { cveID: 'CVE-2026-1000', dateAdded: '2026-11-20', vulnerabilityName: 'A hole' }

  it('notes what is exploited, by whatever name, and asks with an ETag', async () => {
    const { server, run, vulnerabilities } = await feedReader({
      osv: [osvFile('GHSA-aaaa-aaaa-aaaa', { aliases: ['CVE-2026-1000'] })],
      exploited: { title: 'x', count: 2, vulnerabilities: [listed, { cveID: 'nothing' }] },
    })
    await run('read_osv')
    await run('read_exploited')
    assert.equal((await vulnerabilities())[0]?.['exploited_on'], '2026-11-20')
    server.asked.length = 0
    await run('read_exploited', 31 * minute)
    assert.equal(server.asked.length, 1)
    server.world.exploited = { vulnerabilities: [{ ...listed, cveID: 'CVE-2026-2000' }] }
    await run('read_exploited', 62 * minute)
    assert.equal((await vulnerabilities())[0]?.['exploited_on'], null)
  })

  it('never takes an empty page for the end of all that was exploited', async () => {
    const { server, run, feed, database } = await feedReader({ exploited: { vulnerabilities: [listed] } })
    await run('read_exploited')
    server.world.exploited = { vulnerabilities: [] }
    await run('read_exploited', 31 * minute)
    assert.match(String((await feed('exploited'))['error']), /has no entries/)
    assert.equal((await database.pool.query('select from exploited')).rowCount, 1)
  })

  it('notes releases that are over, on the day that they are', async () => {
    const release = { isEol: false, releaseDate: '2024-01-01', latest: { name: '8.1.30' } }
    const { run, vulnerabilities } = await feedReader({
      endoflife: {
        result: [
          {
            name: 'php',
            label: 'PHP',
            releases: [
              { ...release, name: '8.1', eolFrom: '2026-11-21' },
              { ...release, name: '8.0', isEol: true, eolFrom: '2023-11-26' },
            ],
          },
        ],
      },
    })
    await run('read_endoflife')
    assert.deepEqual(
      (await vulnerabilities()).map(({ id }) => id),
      ['EOL:php-8.0'],
    )
    await run('end_release_cycles', 24 * 60 * minute)
    assert.deepEqual(
      (await vulnerabilities()).map(({ id }) => id),
      ['EOL:php-8.0', 'EOL:php-8.1'],
    )
  })
})

describe('reading feeds', () => {
  it('is done by one process at a time', async () => {
    const { server, run, database } = await feedReader({ nvd: { 'CVE-2026-1000': nvdRecord('CVE-2026-1000') } })
    await Promise.all([run('read_nvd'), run('read_nvd'), run('read_nvd')])
    assert.equal(server.asked.length, 1)
    assert.equal((await database.pool.query('select from advisories')).rowCount, 1)
  })

  it('is given back by a process that stops, for the next to go on at once', async () => {
    const stopping = new AbortController()
    const { server, run, feed } = await feedReader(
      { nvd: { 'CVE-2026-1000': nvdRecord('CVE-2026-1000') } },
      { signal: stopping.signal },
    )
    server.world.intercept = () => {
      stopping.abort()
      return true
    }
    await run('read_nvd')
    assert.deepEqual([(await feed('nvd'))['tried_at'], (await feed('nvd'))['error']], [null, null])
  })

  it('leaves out feeds that are off, and writes down which these are', async () => {
    const database = await testDatabase({ maxConnections: 5 })
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const parts = { database, carriers: testCarriers(), log, now: () => new Date(noon) }
    const chores = feedChores({ ...parts, feeds: noFeeds, nvdApiKey: null })
    assert.deepEqual(
      chores.map(({ name }) => name),
      ['note_feeds_off', 'end_release_cycles'],
    )
    const offNow = async (): Promise<string[]> =>
      [...(await readFeedReadings(database))].flatMap(([name, { isOff }]) => (isOff ? [name] : []))
    assert.deepEqual(await offNow(), [])
    await chores[0]?.run(new AbortController().signal)
    assert.deepEqual(new Set(await offNow()), new Set(feedSources.map(feedName)))
    const one = { ...publicFeeds, osv: null }
    await feedChores({ ...parts, feeds: one, nvdApiKey: null })[0]?.run(new AbortController().signal)
    assert.deepEqual(new Set(await offNow()), new Set(osvEcosystems.map((ecosystem) => `osv ${ecosystem}`)))
  })

  it('writes what a later source says once more only where it differs', async () => {
    const record = nvdRecord('CVE-2026-1000')
    const { run, database, server } = await feedReader({ nvd: { 'CVE-2026-1000': record } })
    await run('read_nvd')
    const before = await database.pool.query('select xmin::text from advisories')
    server.world.nvd['CVE-2026-1000'] = { ...record, sourceIdentifier: 'somebody else' }
    await run('read_nvd', 121 * minute)
    assert.deepEqual((await database.pool.query('select xmin::text from advisories')).rows, before.rows)
    server.world.nvd['CVE-2026-1000'] = nvdRecord('CVE-2026-1000', {
      lastModified: '2026-11-20T14:30:00.000',
      configurations: [{ nodes: [{ cpeMatch: [cpeMatch('f5:nginx', { versionEndExcluding: '1.27.2' })] }] }],
    })
    await run('read_nvd', 250 * minute)
    assert.notDeepEqual((await database.pool.query('select xmin::text from advisories')).rows, before.rows)
  })
})
