import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Vulnerabilities } from '#core/software/vulnerability.ts'
import { noteFeedsOff } from '#store/software/comparisons.ts'
import { claimFeed, endFeed } from '#store/software/feeds.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compareUnread, entryOf, found, publish, reportIn } from '../../../test/support/software.ts'

const hourMs = 3_600_000
const now = new Date('2026-11-23T12:00:00Z')

/** An API of its own at a fixed time, with a monitor that has this software, compared with what was read: nothing yet. */
async function having(...software: string[]) {
  const api = await testApi({ now: () => now })
  const { id } = await createMonitor(api)
  const at = `/monitors/${id}`
  if (software.length > 0) reportIn(await api.post(`${at}/software/import`, { content: software.join('\n') }))
  await compareUnread(api.database, () => now)
  return {
    api,
    at,
    database: api.database,
    report: async (): Promise<Vulnerabilities> => reportIn(await api.get(`${at}/vulnerabilities`)),
    read: (...feeds: [name: string, hoursAgo: number | null][]) => readOf(api, feeds),
  }
}

/** Null: under way for the first time. */
async function readOf({ database }: TestApi, feeds: readonly [name: string, hoursAgo: number | null][]): Promise<void> {
  for (const [name, hoursAgo] of feeds)
    await database.pool.query(
      `insert into feeds (name, tried_at, succeeded_at) values ($1, $2, $3)
      on conflict (name) do update set succeeded_at = excluded.succeeded_at`,
      [name, now, hoursAgo === null ? null : new Date(now.getTime() - hoursAgo * hourMs)],
    )
}

/** Reads a feed to its end, as the jobs do. */
async function readThrough({ database }: TestApi, name: string): Promise<void> {
  const timing = { everyMs: 0, retryMs: 0, claimMs: hourMs, own: null }
  const claimed = await claimFeed(database, name, { ...timing, now })
  assert.ok(claimed !== null)
  await endFeed(database, claimed, { now, error: null })
}

function said({ comparison, pending, checked_at: checkedAt }: Vulnerabilities): [string, boolean, boolean] {
  return [comparison, pending, checkedAt !== null]
}

function statesOf({ compared }: Vulnerabilities): string[] {
  return compared.map(({ source, ecosystem, state }) => `${ecosystem ?? source} ${state}`)
}

describe('a list of software', { concurrency: 2 }, () => {
  it('is not compared, and has no clean bill, while no feed was read', async () => {
    const { report } = await having('nginx 1.18.0', 'PHP 8.1.2', 'npm:lodash 4.17.20')
    const nothing = await report()
    assert.deepEqual(said(nothing), ['not_compared', true, false])
    assert.deepEqual([nothing.findings, nothing.scan_error, nothing.software.length], [[], null, 3])
    assert.deepEqual(nothing.compared, [
      { source: 'osv', ecosystem: 'npm', data_as_of: null, state: 'unread' },
      { source: 'osv', ecosystem: 'Bitnami', data_as_of: null, state: 'unread' },
      { source: 'nvd', ecosystem: null, data_as_of: null, state: 'unread' },
      { source: 'cve', ecosystem: null, data_as_of: null, state: 'unread' },
      { source: 'exploited', ecosystem: null, data_as_of: null, state: 'unread' },
      { source: 'endoflife', ecosystem: null, data_as_of: null, state: 'unread' },
    ])
  })

  it('is not compared either while feeds are refused, whatever other feeds were read', async () => {
    const { report, read } = await having('npm:lodash 4.17.20')
    await read(['osv npm', null], ['exploited', null], ['osv PyPI', 1], ['nvd', 1])
    assert.deepEqual(said(await report()), ['not_compared', true, false])
  })

  it('is compared in part once something of it was read, and shows what was found', async () => {
    const { report, read, database } = await having('npm:lodash 4.17.20', 'pypi:requests 1.0')
    await publish(database, { id: 'CVE-2026-9001', product: 'npm:lodash', stretches: [{}] })
    await compareUnread(database, () => now)
    await read(['osv npm', 1], ['exploited', 1])
    assert.deepEqual([...said(await report()), ...found(await report())], ['partial', true, false, 'CVE-2026-9001'])
    assert.deepEqual(statesOf(await report()), ['npm current', 'PyPI unread', 'exploited current'])
    await read(['osv PyPI', 0])
    assert.deepEqual(said(await report()), ['complete', false, true])
  })

  it('says from when the data are, and that they are old', async () => {
    const { report, read } = await having('npm:lodash 4.17.20')
    await read(['osv npm', 50], ['exploited', 47])
    assert.deepEqual(said(await report()), ['complete', false, true])
    assert.deepEqual((await report()).compared, [
      { source: 'osv', ecosystem: 'npm', data_as_of: '2026-11-21T10:00:00.000Z', state: 'old' },
      { source: 'exploited', ecosystem: null, data_as_of: '2026-11-21T13:00:00.000Z', state: 'current' },
    ])
  })

  it('waits for no feed that is switched off, and says that it is', async () => {
    const { report, read, database } = await having('cpe:acme:thing 1.0')
    await noteFeedsOff(database, ['nvd', 'cve'])
    await read(['exploited', 1])
    assert.deepEqual(said(await report()), ['partial', false, true])
    assert.deepEqual(statesOf(await report()), ['nvd off', 'cve off', 'exploited current'])
    await noteFeedsOff(database, ['nvd', 'cve', 'exploited'])
    await database.pool.query('delete from feeds')
    assert.deepEqual(said(await report()), ['not_compared', false, false])
    await noteFeedsOff(database, [])
    assert.deepEqual(said(await report()), ['not_compared', true, false])
  })

  it('with nothing in it was compared with nothing', async () => {
    const { report, read, database } = await having()
    await read(['osv npm', 1])
    await database.pool.query(
      'insert into software_scans (monitor_key, due_at, scanned_at) select key, now(), now() from monitors',
    )
    const empty = await report()
    assert.deepEqual([...said(empty), empty.compared], ['not_compared', false, false, []])
    assert.notEqual(empty.scanned_at, null)
  })

  it('needs nothing for what is ignored in it', async () => {
    const { api, at, report, read } = await having('npm:lodash 4.17.20', 'gem:rails 7.0.0')
    await read(['osv npm', 1], ['exploited', 1])
    assert.deepEqual(said(await report()), ['partial', true, false])
    const rails = entryOf(await report(), 'gem:rails')
    await api.request('PATCH', `${at}/software/${rails.id}`, { body: { ignored: true } })
    assert.deepEqual(said(await report()), ['complete', false, true])
  })

  it('is not compared while none of its entries was, whatever was read', async () => {
    const { api, at, database, report, read } = await having()
    await read(['osv npm', 1], ['exploited', 1])
    await publish(database, { id: 'CVE-2026-9002', product: 'npm:is-odd', stretches: [{}] })
    const imported = reportIn(
      await api.post(`${at}/software/import`, { content: 'npm:is-odd 4.0.0\nnpm:left-pad 1.3.0' }),
    )
    for (const answer of [imported, await report()])
      assert.deepEqual(
        [...said(answer), answer.entries_to_compare, answer.findings],
        ['not_compared', true, false, 2, []],
      )
    assert.deepEqual(statesOf(imported), ['npm current', 'exploited current'])
    await compareUnread(database, () => now)
    const compared = await report()
    assert.deepEqual([...said(compared), compared.entries_to_compare], ['complete', false, true, 0])
    assert.deepEqual(found(compared), ['CVE-2026-9002'])
  })

  it('is compared in part while some of its entries wait, without ignored ones', async () => {
    const { api, at, database, report, read } = await having('npm:lodash 4.17.20')
    await read(['osv npm', 1], ['exploited', 1])
    assert.deepEqual(said(await report()), ['complete', false, true])
    const content = 'npm:lodash 4.17.20\nnpm:is-odd 4.0.0\nnpm:left-pad 1.3.0'
    const imported = reportIn(await api.post(`${at}/software/import`, { content }))
    assert.deepEqual([...said(imported), imported.entries_to_compare], ['partial', true, false, 2])
    for (const product of ['npm:is-odd', 'npm:left-pad'])
      await api.request('PATCH', `${at}/software/${entryOf(imported, product).id}`, { body: { ignored: true } })
    const ignoring = await report()
    assert.deepEqual([...said(ignoring), ignoring.entries_to_compare], ['complete', true, true, 0])
    await compareUnread(database, () => now)
    assert.deepEqual(said(await report()), ['complete', false, true])
  })

  it('waits for what the first reading of a feed brought, and stays compared while later ones come', async () => {
    const { api, database, report, read } = await having('npm:lodash 4.17.20', 'npm:left-pad 1.3.0')
    await read(['exploited', 1])
    await database.pool.query(`update components set matched_at = $1`, [new Date(now.getTime() - 1)])
    await publish(database, { id: 'CVE-2026-9003', product: 'npm:lodash', stretches: [{}] })
    await readThrough(api, 'osv npm')
    const first = await report()
    assert.deepEqual([...said(first), first.entries_to_compare, found(first)], ['partial', true, false, 1, []])
    await compareUnread(database, () => now)
    assert.deepEqual([...said(await report()), found(await report())], ['complete', false, true, ['CVE-2026-9003']])
    await publish(database, { id: 'CVE-2026-9004', product: 'npm:lodash', stretches: [{}] })
    await readThrough(api, 'osv npm')
    const later = await report()
    assert.deepEqual(
      [...said(later), later.entries_to_compare, found(later)],
      ['complete', true, true, 0, ['CVE-2026-9003']],
    )
  })

  it('is said to be so by every operation that answers with it', async () => {
    const { api, at } = await having('npm:lodash 4.17.20')
    const added = reportIn(await api.post(`${at}/software`, { name: 'npm:express' }), 201)
    const imported = reportIn(await api.post(`${at}/software/import`, { content: 'npm:react 18.0.0' }))
    const asked = reportIn(await api.post(`${at}/vulnerabilities/scan`), 202)
    for (const answer of [added, imported, asked]) assert.deepEqual(said(answer), ['not_compared', true, false])
  })
})
