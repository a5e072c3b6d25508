import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Vulnerabilities } from '#core/software/vulnerability.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { compare, entryOf, findingIn, found, listed, publish, reportIn } from '../../../test/support/software.ts'

/** A monitor of its own in an API that many tests share. */
async function followed(api: TestApi, input: Record<string, unknown> = {}) {
  const monitor = await createMonitor(api, { vulnerability_alerts: true, ...input })
  const at = `/monitors/${monitor.id}`
  return {
    monitor,
    at,
    report: async (): Promise<Vulnerabilities> => reportIn(await api.get(`${at}/vulnerabilities`)),
    add: async (name: string, version?: string | null): Promise<Vulnerabilities> =>
      reportIn(await api.post(`${at}/software`, { name, ...(version === undefined ? {} : { version }) }), 201),
    change: async (id: string, body: object): Promise<Vulnerabilities> =>
      reportIn(await api.request('PATCH', `${at}/software/${id}`, { body })),
    remove: async (id: string): Promise<Vulnerabilities> =>
      reportIn(await api.request('DELETE', `${at}/software/${id}`)),
  }
}

describe('the software of a monitor', async () => {
  const api = await testApi()
  const { database } = api

  it('is nothing at first, while its first scan is awaited', async () => {
    const { report } = await followed(api, { vulnerability_severity: 'high' })
    assert.deepEqual(await report(), {
      available: true,
      supported: true,
      enabled: true,
      severity: 'high',
      scanned_at: null,
      scan_error: null,
      checked_at: null,
      pending: true,
      comparison: 'not_compared',
      compared: [],
      entries_to_compare: 0,
      software: [],
      findings: [],
    })
  })

  it('waits for nothing where nobody asked for alerts', async () => {
    const { report } = await followed(api, { vulnerability_alerts: false })
    const { enabled, pending } = await report()
    assert.deepEqual([enabled, pending], [false, false])
  })

  it('is added by hand and compared with what is known', async () => {
    await publish(database, { id: 'CVE-2026-1001', product: 'npm:by-hand', stretches: [{ fixed: '1.2.4' }] })
    const { add, report } = await followed(api, { vulnerability_alerts: false })
    const added = await add('npm:by-hand', '1.2.3')
    assert.deepEqual(added.software, [
      {
        id: added.software[0]?.id,
        product: 'npm:by-hand',
        name: 'by-hand',
        version: '1.2.3',
        source: 'manual',
        evidence: null,
        ignored: false,
      },
    ])
    assert.deepEqual([added.pending, added.findings, added.checked_at], [true, [], null])
    await compare(database)
    const { pending, checked_at: checkedAt, findings } = await report()
    assert.equal(pending, false)
    assert.notEqual(checkedAt, null)
    assert.deepEqual(findings, [
      {
        id: findings[0]?.id,
        vuln_id: 'CVE-2026-1001',
        aliases: [],
        kind: 'vulnerability',
        product: 'npm:by-hand',
        software_name: 'by-hand',
        version: '1.2.3',
        version_known: true,
        summary: 'What is wrong with npm:by-hand.',
        severity: 'high',
        score: 7.5,
        fixed_in: '1.2.4',
        fix_version: '1.2.4',
        marked_fixed_version: null,
        url: 'https://osv.dev/vulnerability/CVE-2026-1001',
        source: 'osv',
        published_at: '2026-11-01T00:00:00.000Z',
        exploited_on: null,
        alerted_at: null,
      },
    ])
  })

  it('has its findings at once where another monitor has the same already', async () => {
    await publish(database, { id: 'CVE-2026-1002', product: 'npm:shared', stretches: [{ fixed: '2.0.0' }] })
    await (await followed(api)).add('npm:shared', '1.0.0')
    await compare(database)
    const { add } = await followed(api, { vulnerability_alerts: false })
    const added = await add('npm:shared', '1.0.0')
    assert.deepEqual([added.pending, found(added)], [false, ['CVE-2026-1002']])
  })

  it('is known by the names of the catalogue, packages and CPEs', async () => {
    const { add } = await followed(api)
    await add('Apache HTTP Server', '2.4.58')
    await add('PyPI:Django_Extensions')
    await add('cpe:f5:nginx', null)
    assert.deepEqual(listed(await add(' nginx ', '1.27.4')), [
      'apache-http-server 2.4.58',
      'pypi:django-extensions',
      'cpe:f5:nginx',
      'nginx 1.27.4',
    ])
  })

  it('is not added twice, and no longer ignored when it is added again', async () => {
    const { add, change } = await followed(api)
    const { software } = await add('nginx', '1.27.4')
    await change(software[0]?.id ?? '', { ignored: true })
    const again = await add('nginx', '1.27.4')
    assert.deepEqual(again.software, software)
  })

  for (const [name, what] of [
    ['no such product', 'a product that nobody knows'],
    ['npm:../etc', 'a package that cannot exist'],
    ['cpe:*:nginx', 'a CPE with a wildcard'],
  ] as const)
    it(`is refused where it is ${what}`, async () => {
      const { at } = await followed(api)
      assert.deepEqual(refusalOf(await api.post(`${at}/software`, { name })), [422, 'unknown_software', 'name'])
    })

  for (const [body, field] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'nginx', version: 5 }, 'version'],
    [{ name: 'nginx', version: '' }, 'version'],
    [{ name: 'nginx', version: '1\n2' }, 'version'],
    [{ name: 'nginx', version: 'x'.repeat(201) }, 'version'],
    [{ name: 'nginx', edition: 'plus' }, 'edition'],
  ] as const)
    it(`is refused as ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { at } = await followed(api)
      assert.deepEqual(refusalOf(await api.post(`${at}/software`, body)), [422, 'validation_failed', field])
    })

  it('takes another version, with what is wrong with that, and counts as added by hand', async () => {
    await publish(database, { id: 'CVE-2026-1003', product: 'npm:changed', stretches: [{ fixed: '2.0.0' }] })
    const { add, change, report } = await followed(api, { vulnerability_alerts: false })
    const { software } = await add('npm:changed', '1.0.0')
    await compare(database)
    const id = software[0]?.id ?? ''
    const changed = await change(id, { version: '2.0.0' })
    assert.deepEqual(
      [listed(changed), changed.software[0]?.id, changed.software[0]?.source, changed.pending],
      [['npm:changed 2.0.0'], id, 'manual', true],
    )
    await compare(database)
    assert.deepEqual(found(await report()), [])
    assert.deepEqual(found(await change(id, { version: '1.0.0' })), ['CVE-2026-1003'])
  })

  it('loses its version again, and may be affected then', async () => {
    await publish(database, { id: 'CVE-2026-1004', product: 'npm:vague', stretches: [{ fixed: '2.0.0' }] })
    const { add, change, report } = await followed(api)
    const { software } = await add('npm:vague', '3.0.0')
    await change(software[0]?.id ?? '', { version: null })
    await compare(database)
    const { version, version_known: isKnown } = findingIn(await report(), 'CVE-2026-1004')
    assert.deepEqual([version, isKnown], [null, false])
  })

  it('cannot have the version of another entry of the same product', async () => {
    const { add, at } = await followed(api)
    await add('nginx', '1.26.0')
    const { software } = await add('nginx', '1.27.0')
    const path = `${at}/software/${software[1]?.id}`
    const answer = await api.request('PATCH', path, { body: { version: '1.26.0' } })
    assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'version'])
  })

  it('shows no findings while it is ignored', async () => {
    await publish(database, { id: 'CVE-2026-1005', product: 'npm:ignored', stretches: [{}] })
    const { add, change, report } = await followed(api)
    const { software } = await add('npm:ignored', '1.0.0')
    await compare(database)
    const id = software[0]?.id ?? ''
    const ignored = await change(id, { ignored: true })
    assert.deepEqual([ignored.software[0]?.ignored, found(ignored)], [true, []])
    assert.deepEqual(found(await change(id, { ignored: false })), ['CVE-2026-1005'])
    assert.deepEqual(found(await report()), ['CVE-2026-1005'])
  })

  it('stays as it is when a change says nothing', async () => {
    const { add, change } = await followed(api)
    const { software } = await add('nginx', '1.26.0')
    assert.deepEqual((await change(software[0]?.id ?? '', {})).software, software)
  })

  it('is removed with its findings where somebody added it', async () => {
    await publish(database, { id: 'CVE-2026-1006', product: 'npm:removed', stretches: [{}] })
    const { add, remove } = await followed(api)
    await add('npm:removed', '1.0.0')
    await compare(database)
    const report = await remove(entryOf(await add('nginx', '1.0'), 'npm:removed').id)
    assert.deepEqual([listed(report), found(report)], [['nginx 1.0'], []])
  })

  it('takes the place of what a scan found, with the findings that were told', async () => {
    const { add, at } = await followed(api)
    await publish(database, { id: 'CVE-2026-3101', product: 'npm:seen', stretches: [{ fixed: '2.0.0' }] })
    const { software } = await add('npm:seen', '1.0.0')
    await api.post(`${at}/software/import`, { content: 'npm:seen 1.0.0\nnpm:seen 1.1.0', name: 'scan' })
    await compare(database)
    await database.pool.query(
      `update monitor_software set source = 'detected', label = null where monitor_key = (
        select monitor_key from monitor_software where id = $1
      ) and source = 'import'`,
      [software[0]?.id],
    )
    await database.pool.query('delete from monitor_software where id = $1', [software[0]?.id])
    const before = reportIn(await api.get(`${at}/vulnerabilities`))
    assert.deepEqual(listed(before), ['npm:seen 1.0.0', 'npm:seen 1.1.0'])
    const report = await add('npm:seen', '1.1.0')
    assert.deepEqual([listed(report), found(report)], [['npm:seen 1.1.0'], ['CVE-2026-3101']])
    assert.deepEqual([report.software[0]?.source, report.software[0]?.evidence], ['manual', null])
    assert.ok(
      before.findings.some(({ id }) => id === report.findings[0]?.id),
      'it is a finding that was there',
    )
    assert.deepEqual(listed(await add('npm:seen', '1.1.0')), ['npm:seen 1.1.0'])
  })

  it('is ignored instead where a scan found it', async () => {
    const { add, remove } = await followed(api)
    const { software } = await add('nginx', '1.26.0')
    const id = software[0]?.id ?? ''
    await database.pool.query(`update monitor_software set source = 'detected' where id = $1`, [id])
    assert.deepEqual((await remove(id)).software[0]?.ignored, true)
  })

  it('is bounded', async () => {
    const { monitor, at } = await followed(api)
    await database.pool.query(
      `with made as (
        insert into components (product, version) select 'npm:many', 'v' || n from generate_series(1, 50000) n returning key
      )
      insert into monitor_software (id, monitor_key, component_key, name, source, added_at)
      select gen_random_uuid(), (select key from monitors where id = $1), key, 'many', 'manual', now() from made`,
      [monitor.id],
    )
    assert.deepEqual(refusalOf(await api.post(`${at}/software`, { name: 'nginx' })), [422, 'limit_reached', 'name'])
  })
})
