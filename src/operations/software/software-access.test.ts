import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { defaultPlans } from '#core/money/plan.ts'
import type { Vulnerabilities } from '#core/software/vulnerability.ts'
import { changePlan } from '#store/money/plan-change.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { compare, entryOf, findingIn, listed, publish, reportIn } from '../../../test/support/software.ts'

/** One with an entry, an import and a finding from when its workspace had a plan that includes them. */
async function monitorOfSmallerPlan(
  api: TestApi,
): Promise<{ id: string; token: string; entryId: string; findingId: string }> {
  const { workspaceId, token } = await api.addWorkspace()
  const { database } = api
  const { id } = await createMonitor(api, {}, token)
  await publish(database, { id: 'CVE-2026-1001', product: 'nginx', stretches: [{ fixed: '2.0' }] })
  await api.post(`/monitors/${id}/software/import`, { content: 'redis 7.2.1', name: 'x' }, { token })
  for (const version of ['1.0', '2.0'])
    await api.post(`/monitors/${id}/software`, { name: 'nginx', version }, { token })
  await compare(database)
  const report = reportIn(await api.get(`/monitors/${id}/vulnerabilities`, { token }))
  const rules = defaultPlans.free
  await database.transaction((tx) => changePlan(tx, { workspaceId, plan: 'free', rules, at: new Date() }))
  const findingId = findingIn(report, 'CVE-2026-1001').id
  return { id, token, entryId: entryOf(report, 'nginx').id, findingId }
}

describe('operations on software', async () => {
  const api = await testApi()
  const other = await api.addWorkspace()
  const free = await api.addWorkspace('free')
  const mine = await createMonitor(api)
  const ofFree = await createMonitor(api, {}, free.token)
  const repository = await createMonitor(
    api,
    { kind: 'repository', url: 'https://git.example.com/shop/web' },
    free.token,
  )
  const entry = reportIn(await api.post(`/monitors/${mine.id}/software`, { name: 'nginx', version: '1.0' }), 201)
  const entryId = entry.software[0]?.id ?? ''
  const smaller = await monitorOfSmallerPlan(api)

  const changes = [
    ['POST', '/vulnerabilities/scan', undefined],
    ['POST', '/vulnerabilities/{finding}/fixed', {}],
    ['POST', '/software', { name: 'nginx' }],
    ['POST', '/software/import', { content: 'nginx 1.0' }],
    ['DELETE', '/software/import?file=x', undefined],
    ['PATCH', '/software/{entry}', { ignored: true }],
    ['DELETE', '/software/{entry}', undefined],
  ] as const

  for (const [method, template, body] of changes) {
    const sent = body === undefined ? {} : { body }
    const shown = `${method} ${template}`
    const path = template.replace('{finding}', randomUUID()).replace('{entry}', entryId)

    it(`need a token: ${shown}`, async () => {
      const answer = await api.request(method, `/monitors/${mine.id}${path}`, { ...sent, token: null })
      assert.deepEqual(refusalOf(answer), [401, 'missing_api_key'])
    })

    it(`need the write scope: ${shown}`, async () => {
      const answer = await api.request(method, `/monitors/${mine.id}${path}`, { ...sent, token: api.readToken })
      assert.deepEqual(refusalOf(answer), [403, 'insufficient_scope'])
    })

    it(`find no monitor of another workspace: ${shown}`, async () => {
      const answer = await api.request(method, `/monitors/${mine.id}${path}`, { ...sent, token: other.token })
      assert.deepEqual(refusalOf(answer), [404, 'not_found'])
    })

    it(`ask for another plan, without a challenge to pay: ${shown}`, async () => {
      const known = template.replace('{finding}', smaller.findingId).replace('{entry}', smaller.entryId)
      const answer = await api.request(method, `/monitors/${smaller.id}${known}`, { ...sent, token: smaller.token })
      assert.deepEqual(refusalOf(answer), [402, 'plan_required'])
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      assert.equal(answer.headers.get('www-authenticate'), null)
    })

    it(`refuse kinds without software: ${shown}`, async () => {
      const monitor = await createMonitor(api, { kind: 'ping', url: 'example.com' })
      const answer = await api.request(method, `/monitors/${monitor.id}${path}`, sent)
      assert.deepEqual(refusalOf(answer), [422, 'unsupported_kind'])
    })

    it(`are possible for repositories on every plan: ${shown}`, async () => {
      const answer = await api.request(method, `/monitors/${repository.id}${path}`, { ...sent, token: free.token })
      assert.ok([200, 201, 202, 404].includes(answer.status), answer.text)
    })
  }

  it('say what is wrong on every plan before they ask for another', async () => {
    const ping = await createMonitor(api, { kind: 'ping', url: 'example.com' }, smaller.token)
    const at = `/monitors/${smaller.id}`
    for (const [method, path, sent, refusal] of [
      ['POST', `${at}/software`, { body: {} }, [422, 'validation_failed', 'name']],
      ['POST', `${at}/software`, { body: { name: 5 } }, [422, 'validation_failed', 'name']],
      ['POST', `${at}/software`, { rawBody: '{"name":' }, [400, 'invalid_json']],
      ['POST', `${at}/software`, { body: { name: 'no such thing' } }, [422, 'unknown_software', 'name']],
      ['POST', `${at}/software/import`, { body: { content: '' } }, [422, 'validation_failed', 'content']],
      [
        'POST',
        `${at}/software/import`,
        { body: { content: 'x', filename: 'a' } },
        [422, 'unrecognized_format', 'filename'],
      ],
      ['DELETE', `${at}/software/import`, {}, [422, 'validation_failed', 'file']],
      ['DELETE', `${at}/software/import?file=unknown`, {}, [404, 'not_found']],
      ['PATCH', `${at}/software/${entryId}`, { body: { ignored: true } }, [404, 'not_found']],
      ['PATCH', `${at}/software/${smaller.entryId}`, { body: { ignored: 1 } }, [422, 'validation_failed', 'ignored']],
      [
        'PATCH',
        `${at}/software/${smaller.entryId}`,
        { body: { version: '2.0' } },
        [422, 'validation_failed', 'version'],
      ],
      ['DELETE', `${at}/software/${entryId}`, {}, [404, 'not_found']],
      ['POST', `${at}/vulnerabilities/${randomUUID()}/fixed`, {}, [404, 'not_found']],
      ['POST', `/monitors/${ping.id}/software`, { body: { name: 'nginx' } }, [422, 'unsupported_kind']],
    ] as const)
      assert.deepEqual(refusalOf(await api.request(method, path, { ...sent, token: smaller.token })), refusal, path)
    const stays = await api.database.pool.query(
      `select from monitor_software where monitor_key = (select key from monitors where id = $1)`,
      [smaller.id],
    )
    assert.equal(stays.rowCount, 3)
  })

  it('find no entry and no finding of another monitor', async () => {
    const { id } = await createMonitor(api)
    for (const [method, path] of [
      ['PATCH', `/software/${entryId}`],
      ['DELETE', `/software/${entryId}`],
      ['DELETE', '/software/no-uuid'],
      ['POST', `/vulnerabilities/${randomUUID()}/fixed`],
    ] as const)
      assert.deepEqual(refusalOf(await api.request(method, `/monitors/${id}${path}`, { body: {} })), [404, 'not_found'])
  })

  it('count as reads and writes, and are refused beyond their number', async () => {
    const slow = await testApi({ rates: { readsPerMinute: 1, writesPerMinute: 2 } })
    const { id } = await createMonitor(slow)
    assert.equal((await slow.get(`/monitors/${id}/vulnerabilities`)).status, 200)
    assert.equal((await slow.get(`/monitors/${id}/vulnerabilities`)).status, 429)
    assert.equal((await slow.post(`/monitors/${id}/vulnerabilities/scan`)).status, 202)
    const refused = await slow.post(`/monitors/${id}/vulnerabilities/scan`)
    assert.deepEqual(refusalOf(refused), [429, 'rate_limited'])
    assert.notEqual(refused.headers.get('retry-after'), null)
  })

  it('show a plan that does not include it, and nothing else', async () => {
    const report = reportIn(await api.get(`/monitors/${ofFree.id}/vulnerabilities`, { token: free.token }))
    assert.deepEqual([report.available, report.supported, report.enabled], [false, true, false])
    assert.deepEqual([report.software, report.findings, report.pending], [[], [], false])
  })

  it('keep what was there while a smaller plan does not show it', async () => {
    const api2 = await testApi()
    const { id } = await createMonitor(api2, { vulnerability_alerts: true })
    await api2.post(`/monitors/${id}/software`, { name: 'nginx', version: '1.0' })
    const { workspaceId, database } = api2
    const onPlan = async (plan: 'free' | 'pro'): Promise<Vulnerabilities> => {
      const rules = defaultPlans[plan]
      await database.transaction((tx) => changePlan(tx, { workspaceId, plan, rules, at: new Date() }))
      return reportIn(await api2.get(`/monitors/${id}/vulnerabilities`))
    }
    assert.deepEqual(listed(await onPlan('free')), [])
    assert.deepEqual(listed(await onPlan('pro')), ['nginx 1.0'])
  })

  it('show kinds without software as not supported', async () => {
    const monitor = await createMonitor(api, { kind: 'ping', url: 'example.com' })
    const report = reportIn(await api.get(`/monitors/${monitor.id}/vulnerabilities`))
    assert.deepEqual([report.available, report.supported, report.enabled], [true, false, false])
  })

  it('show repositories as followed on every plan', async () => {
    const report = reportIn(await api.get(`/monitors/${repository.id}/vulnerabilities`, { token: free.token }))
    assert.deepEqual([report.available, report.supported, report.enabled], [true, true, true])
  })

  it('are for readers to look at, and for nobody without a token', async () => {
    const path = `/monitors/${mine.id}/vulnerabilities`
    assert.equal((await api.get(path, { token: api.readToken })).status, 200)
    assert.deepEqual(refusalOf(await api.get(path, { token: null })), [401, 'missing_api_key'])
    assert.deepEqual(refusalOf(await api.get(path, { token: other.token })), [404, 'not_found'])
    assert.deepEqual(refusalOf(await api.get('/monitors/no-uuid/vulnerabilities')), [404, 'not_found'])
  })

  it('cannot be switched on for a monitor of a plan without them', async () => {
    const body = { name: 'Shop', url: 'https://example.com', vulnerability_alerts: true }
    const answer = await api.post('/monitors', body, { token: free.token })
    assert.deepEqual(refusalOf(answer), [422, 'plan_required', 'vulnerability_alerts'])
  })
})
