import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cveRecord, nvdRecord, osvFile } from '../../../test/support/advisory-records.ts'
import { feedReader } from '../../../test/support/feed-reader.ts'

const minute = 60_000
const page = '<!doctype html>\n<html><body>Sign in to the network</body></html>\n'

describe('a feed that serves something else', () => {
  it('is not taken for one in which nothing changed', async () => {
    const { server, run, feed } = await feedReader({
      osv: [osvFile('GHSA-aaaa-aaaa-aaaa')],
      cve: {},
      cveLog: [{ fetchTime: '2026-11-20T11:53:00.000Z', new: [], updated: [] }],
    })
    await run('read_osv')
    await run('read_cve')
    for (const text of [page, page.replaceAll('\n', '')]) {
      server.world.intercept = (request, response) => {
        if (request.url?.endsWith('.json') === true) response.writeHead(200).end('[]')
        else response.writeHead(200).end(text)
        return true
      }
      await run('read_osv', 60 * minute)
      await run('read_cve', 60 * minute)
      assert.match(String((await feed('osv npm'))['error']), /modified_id\.csv is no list of changes\.$/)
      assert.match(String((await feed('cve'))['error']), /deltaLog\.json names no changes at all\.$/)
    }
    assert.equal((await feed('osv npm'))['cursor'], '2026-11-20T10:00:00Z')
    server.world.intercept = () => false
    await run('read_osv', 80 * minute)
    assert.equal((await feed('osv npm'))['error'], null)
  })

  it('does not end what is known where most of it cannot be read', async () => {
    const listed = { cveID: 'CVE-2026-1000', dateAdded: '2026-11-20', vulnerabilityName: 'A hole' }
    const { server, run, feed, database } = await feedReader({
      exploited: { vulnerabilities: [listed, { ...listed, cveID: 'CVE-2026-1001' }] },
    })
    await run('read_exploited')
    const other = { cve_id: 'CVE-2026-1001', dateAdded: '2026-11-20' }
    server.world.exploited = { vulnerabilities: [listed, other, other] }
    await run('read_exploited', 31 * minute)
    assert.match(String((await feed('exploited'))['error']), /more entries that cannot be read than others/)
    assert.equal((await database.pool.query('select from exploited')).rowCount, 2)
  })

  it('is left alone where what stands around its records does not end', async () => {
    const { server, run, feed } = await feedReader({ nvd: {} })
    server.world.intercept = (_, response) => {
      response.writeHead(200)
      response.end(`{${'"vulnerabilities":[],'.repeat(100_000)}"totalResults":0}`)
      return true
    }
    await run('read_nvd')
    assert.match(String((await feed('nvd'))['error']), /has a part that is too long/)
  })
})

describe('a feed with times that lie ahead', () => {
  it('of OSV is read on from now, not from then', async () => {
    const ahead = osvFile('GHSA-ffff-ffff-ffff', { modified: '2099-01-01T00:00:00Z' })
    const { server, run, vulnerabilities, feed } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa'), ahead] })
    await run('read_osv')
    assert.equal((await feed('osv npm'))['cursor'], '2026-11-20T12:00:00.000Z')
    server.world.osv.push(osvFile('GHSA-bbbb-bbbb-bbbb', { modified: '2026-11-20T12:05:00Z' }))
    await run('read_osv', 11 * minute)
    assert.equal((await vulnerabilities()).length, 3)
    server.asked.length = 0
    await run('read_osv', 22 * minute)
    assert.deepEqual(
      server.asked.filter((path) => path.startsWith('/osv/npm/')),
      ['/osv/npm/modified_id.csv'],
    )
  })

  it('of OSV is read again from now where it was read from then', async () => {
    const { server, run, vulnerabilities, database } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] })
    await run('read_osv')
    await database.pool.query(`update feeds set cursor = '2099-01-01T00:00:00Z' where name = 'osv npm'`)
    server.world.osv.push(osvFile('GHSA-bbbb-bbbb-bbbb', { modified: '2026-11-20T12:05:00Z' }))
    await run('read_osv', 11 * minute)
    assert.equal((await vulnerabilities()).length, 2)
  })

  it('of the CVE list is read on from the last that is not', async () => {
    const versions = [{ version: '0', lessThan: '2.0', status: 'affected', versionType: 'custom' }]
    const collection = { collectionURL: 'https://wordpress.org/plugins', packageName: 'forms' }
    const record = (id: string): string => cveRecord(id, [{ vendor: 'A', product: 'Forms', ...collection, versions }])
    const { server, run, vulnerabilities, feed } = await feedReader({
      cve: {},
      cveLog: [{ fetchTime: '2026-11-20T11:53:00.000Z', new: [], updated: [] }],
    })
    await run('read_cve')
    server.world.cve['CVE-2026-20001'] = record('CVE-2026-20001')
    server.world.cveLog.unshift(
      { fetchTime: '2099-01-01T00:00:00.000Z', new: ['CVE-2026-20001'], updated: [] },
      { fetchTime: '2026-11-20T12:20:00.000Z', new: [], updated: [] },
    )
    await run('read_cve', 31 * minute)
    assert.equal((await vulnerabilities()).length, 1)
    assert.equal((await feed('cve'))['cursor'], '2026-11-20T12:20:00.000Z')
    server.world.cve['CVE-2026-20002'] = record('CVE-2026-20002')
    server.world.cveLog.splice(1, 0, { fetchTime: '2026-11-20T12:50:00.000Z', new: ['CVE-2026-20002'], updated: [] })
    await run('read_cve', 62 * minute)
    assert.equal((await vulnerabilities()).length, 2)
  })

  it('of the NVD is asked for the longest range after a clock that was ahead', async () => {
    const { server, run, vulnerabilities, database } = await feedReader({ nvd: {} })
    await run('read_nvd')
    const cursor = JSON.stringify({ read_until: '2099-01-01T00:00:00.000Z' })
    await database.pool.query('update feeds set cursor = $1', [cursor])
    server.world.nvd['CVE-2026-1000'] = nvdRecord('CVE-2026-1000', { lastModified: '2026-09-01T12:00:00.000' })
    await run('read_nvd', 121 * minute)
    assert.equal((await vulnerabilities()).length, 1)
  })
})

describe('a record that comes from a cache', () => {
  it('is asked for again until it is as new as the list says, an hour at most', async () => {
    const old = osvFile('GHSA-aaaa-aaaa-aaaa', { modified: '2026-11-20T10:00:00Z' })
    const renewed = osvFile('GHSA-aaaa-aaaa-aaaa', {
      modified: '2026-11-20T12:05:00Z',
      withdrawn: '2026-11-20T12:05:00Z',
    })
    const { server, run, vulnerabilities } = await feedReader({ osv: [old] })
    await run('read_osv')
    server.world.osv.splice(0, 1, renewed)
    server.world.intercept = (request, response) => {
      if (request.url !== '/osv/npm/GHSA-aaaa-aaaa-aaaa.json') return false
      response.writeHead(200).end(old.text)
      return true
    }
    await run('read_osv', 11 * minute)
    assert.equal((await vulnerabilities()).length, 1)
    server.world.intercept = () => false
    await run('read_osv', 22 * minute)
    assert.deepEqual(await vulnerabilities(), [])
  })

  it('that never becomes as new is left at last', async () => {
    const old = osvFile('GHSA-aaaa-aaaa-aaaa', { modified: '2026-11-20T10:00:00Z' })
    const { server, run } = await feedReader({ osv: [old] })
    await run('read_osv')
    server.world.osv.splice(0, 1, { ...old, modified: '2026-11-20T12:05:00Z' })
    server.asked.length = 0
    for (let reading = 1; reading <= 10; reading += 1) await run('read_osv', reading * 11 * minute)
    assert.equal(server.asked.filter((path) => path.endsWith('/GHSA-aaaa-aaaa-aaaa.json')).length, 6)
  })
})

describe('the feeds of an installation', () => {
  it('are not read while nothing is there to be compared with them', async () => {
    const { server, run, database } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] }, { followed: null })
    await run('read_osv')
    await run('read_exploited')
    assert.deepEqual(server.asked, [])
    await database.pool.query(`insert into components (product, version) values ('npm:express', '4.0.0')`)
    await run('read_osv', minute)
    assert.notDeepEqual(server.asked, [])
  })

  it('are read on when nothing is there any more', async () => {
    const { server, run, database } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] })
    await run('read_osv')
    await database.pool.query('delete from components')
    server.asked.length = 0
    await run('read_osv', 11 * minute)
    assert.notDeepEqual(server.asked, [])
  })
})

describe('the NVD', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2001 }, (_, index) => [`CVE-2026-${10_000 + index}`, nvdRecord(`CVE-2026-${10_000 + index}`)]),
  )

  for (const [nvdApiKey, key, waits] of [
    [null, undefined, [6_000]],
    ['a-key-of-the-operator', 'a-key-of-the-operator', [1_000]],
  ] as const)
    it(`is asked ${nvdApiKey === null ? 'without a key' : 'with the key'} as often as it admits`, async () => {
      const { server, run } = await feedReader({ nvd: many }, { nvdApiKey })
      const keys = new Set<unknown>()
      server.world.intercept = ({ headers }) => {
        keys.add(headers['apikey'])
        return false
      }
      await run('read_nvd')
      assert.deepEqual([[...keys], server.waits], [[key], waits])
    })

  it('alone gets the key', async () => {
    const { server, run } = await feedReader({ osv: [osvFile('GHSA-aaaa-aaaa-aaaa')] }, { nvdApiKey: 'a-key' })
    const keys = new Set<unknown>()
    server.world.intercept = ({ headers }) => {
      keys.add(headers['apikey'])
      return false
    }
    await run('read_osv')
    assert.deepEqual([...keys], [undefined])
  })
})
