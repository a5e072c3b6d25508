import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Vulnerabilities } from '#core/software/vulnerability.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { compare, findingIn, found, listed, publish, reportIn } from '../../../test/support/software.ts'

/** A monitor with one package that was compared with the advisories. */
async function having(api: TestApi, name: string, version: string | null) {
  const { id } = await createMonitor(api)
  await api.post(`/monitors/${id}/software`, { name, version })
  await compare(api.database)
  const report = async (): Promise<Vulnerabilities> => reportIn(await api.get(`/monitors/${id}/vulnerabilities`))
  return {
    id,
    report,
    fix: async (vulnerability: string, body?: object) => {
      const finding = findingIn(await report(), vulnerability)
      return api.post(`/monitors/${id}/vulnerabilities/${finding.id}/fixed`, body)
    },
  }
}

describe('a finding', async () => {
  const api = await testApi()
  const { database } = api

  it('is gone when its software has the version that fixes it', async () => {
    await publish(database, { id: 'CVE-2026-2001', product: 'npm:fix-me', stretches: [{ fixed: '1.2.4' }] })
    const { fix, report } = await having(api, 'npm:fix-me', '1.2.3')
    const fixed = reportIn(await fix('CVE-2026-2001'))
    assert.deepEqual([listed(fixed), fixed.software[0]?.source, fixed.pending], [['npm:fix-me 1.2.4'], 'manual', true])
    await compare(database)
    const { findings, pending } = await report()
    assert.deepEqual([findings, pending], [[], false])
  })

  it('stays, and says so, while the version that is to fix it is affected itself', async () => {
    await publish(database, { id: 'CVE-2026-2002', product: 'npm:not-fixed', stretches: [{ fixed: '1.2.4' }] })
    const { fix, report } = await having(api, 'npm:not-fixed', '1.2.0')
    await fix('CVE-2026-2002', { version: '1.2.3' })
    await compare(database)
    const marked = findingIn(await report(), 'CVE-2026-2002')
    assert.deepEqual([marked.version, marked.marked_fixed_version], ['1.2.3', '1.2.3'])
    await fix('CVE-2026-2002', { version: '1.2.4' })
    await compare(database)
    assert.deepEqual(found(await report()), [])
  })

  it('may be marked again before its version was compared', async () => {
    await publish(database, { id: 'CVE-2026-2021', product: 'npm:marked-again', stretches: [{ fixed: '1.2.4' }] })
    const { fix } = await having(api, 'npm:marked-again', '1.2.3')
    const first = reportIn(await fix('CVE-2026-2021'))
    assert.deepEqual([first.pending, findingIn(first, 'CVE-2026-2021').fix_version], [true, null])
    const second = reportIn(await fix('CVE-2026-2021'))
    assert.deepEqual(listed(second), ['npm:marked-again 1.2.4'])
    assert.equal(findingIn(second, 'CVE-2026-2021').marked_fixed_version, '1.2.4')
  })

  it('forgets the mark when its software has another version', async () => {
    await publish(database, { id: 'CVE-2026-2003', product: 'npm:marked', stretches: [{}] })
    const { id, fix, report } = await having(api, 'npm:marked', '1.0.0')
    await fix('CVE-2026-2003', { version: '1.1.0' })
    const { software } = await report()
    await api.request('PATCH', `/monitors/${id}/software/${software[0]?.id}`, { body: { version: '1.0.0' } })
    const { version, marked_fixed_version: mark } = findingIn(await report(), 'CVE-2026-2003')
    assert.deepEqual([version, mark], ['1.0.0', null])
  })

  it('can be marked with the version that it has', async () => {
    await publish(database, { id: 'CVE-2026-2004', product: 'npm:same', stretches: [{}] })
    const { fix } = await having(api, 'npm:same', '1.0.0')
    const { findings } = reportIn(await fix('CVE-2026-2004', { version: '1.0.0' }))
    assert.deepEqual(
      findings.map((finding) => finding.marked_fixed_version),
      ['1.0.0'],
    )
  })

  it('is one with that of another entry which has the version already', async () => {
    await publish(database, { id: 'CVE-2026-2005', product: 'npm:twice', stretches: [{}] })
    const { id, report: reportNow } = await having(api, 'npm:twice', '1.0.0')
    const { findings } = await reportNow()
    await api.post(`/monitors/${id}/software`, { name: 'npm:twice', version: '1.1.0' })
    await compare(database)
    const path = `/monitors/${id}/vulnerabilities/${findings[0]?.id}/fixed`
    const report = reportIn(await api.post(path, { version: '1.1.0' }))
    assert.deepEqual(listed(report), ['npm:twice 1.1.0'])
    assert.deepEqual(
      report.findings.map((finding) => finding.marked_fixed_version),
      ['1.1.0'],
    )
  })

  it('cannot be marked where nothing is known to fix it', async () => {
    await publish(database, { id: 'CVE-2026-2006', product: 'npm:no-fix', stretches: [{ last: '2.0.0' }] })
    const { fix } = await having(api, 'npm:no-fix', '1.0.0')
    assert.deepEqual(refusalOf(await fix('CVE-2026-2006')), [422, 'no_fix_version', 'version'])
    assert.deepEqual(refusalOf(await fix('CVE-2026-2006', {})), [422, 'no_fix_version', 'version'])
  })

  for (const body of [{ version: 5 }, { version: '' }, { version: null }, { versions: '1.0' }])
    it(`cannot be marked by ${JSON.stringify(body)}`, async () => {
      await publish(database, { id: 'CVE-2026-2007', product: 'npm:odd-body', stretches: [{ fixed: '2.0.0' }] })
      const { fix } = await having(api, 'npm:odd-body', '1.0.0')
      assert.deepEqual(refusalOf(await fix('CVE-2026-2007', body)), [
        422,
        'validation_failed',
        Object.keys(body)[0] ?? '',
      ])
    })

  it('is shown before others where it is exploited, then the more severe', async () => {
    const product = 'npm:ordered'
    const stretches = [{}]
    await publish(
      database,
      { id: 'CVE-2026-2011', product, stretches, severity: null, score: null },
      { id: 'CVE-2026-2012', product, stretches, severity: 'low', score: 3.1 },
      { id: 'CVE-2026-2013', product, stretches, severity: 'high', score: 7.1 },
      { id: 'CVE-2026-2014', product, stretches, severity: 'high', score: 8.8 },
      { id: 'CVE-2026-2015', product, stretches, severity: 'critical', score: 9.8 },
      { id: 'CVE-2026-2016', product, stretches, severity: 'medium', score: 5.5 },
    )
    await database.pool.query(`update vulnerabilities set exploited_on = '2026-11-05' where id = 'CVE-2026-2016'`)
    const { report } = await having(api, product, '1.0.0')
    const { findings } = await report()
    assert.deepEqual(
      findings.map(({ vuln_id: id, exploited_on: day }) => [id, day]),
      [
        ['CVE-2026-2016', '2026-11-05'],
        ['CVE-2026-2015', null],
        ['CVE-2026-2014', null],
        ['CVE-2026-2013', null],
        ['CVE-2026-2012', null],
        ['CVE-2026-2011', null],
      ],
    )
  })
})

describe('a scan that is asked for', async () => {
  const api = await testApi()

  it('is pending until it ran', async () => {
    const { id } = await createMonitor(api)
    const asked = reportIn(await api.post(`/monitors/${id}/vulnerabilities/scan`), 202)
    assert.deepEqual([asked.pending, asked.scanned_at, asked.enabled], [true, null, false])
    assert.equal(reportIn(await api.get(`/monitors/${id}/vulnerabilities`)).pending, true)
  })

  it('may be asked for again while it waits', async () => {
    const { id } = await createMonitor(api, { vulnerability_alerts: true })
    for (let times = 0; times < 3; times += 1)
      assert.equal(reportIn(await api.post(`/monitors/${id}/vulnerabilities/scan`), 202).pending, true)
  })
})
