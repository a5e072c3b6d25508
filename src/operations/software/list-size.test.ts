import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxListBytes } from '#core/software/list-size.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { changePlan } from '#store/money/plan-change.ts'
import { sizeOfList } from '#store/software/software.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { compare, entryOf, findingIn, publish, reportIn } from '../../../test/support/software.ts'

/** Bytes of an entry `npm:entry-00001` beside its evidence. */
const bytesBeside = '"npm:entry-00001"'.length + '"entry-00001"'.length + '"1.0.0"'.length + 2

describe('the bytes of a list of software', async () => {
  const api = await testApi()
  const { database } = api

  /** A monitor whose list lacks so many bytes to be as large as it may be. */
  async function almostFull(missing: number, plan: 'pro' | 'free' = 'pro') {
    const { workspaceId, token } = await api.addWorkspace()
    const { id } = await createMonitor(api, {}, token)
    const number = 10_000
    const evidence = Math.floor((maxListBytes - missing) / number) - bytesBeside
    const { rows } = await database.pool.query<{ key: string }>(
      `with wanted as (
        select n, lpad(n::text, 5, '0') as place from generate_series(1, $2::integer) as n
      ), made as (
        insert into components (product, version)
        select 'npm:entry-' || place, '1.0.0' from wanted
        on conflict (product, version) do update set version = excluded.version
        returning key, product
      )
      insert into monitor_software (id, monitor_key, component_key, name, source, label, evidence, added_at)
      select
        gen_random_uuid(), monitor.key, made.key, substr(product, 5), 'import', 'Large',
        repeat('x', $3::integer + case when product = 'npm:entry-00001' then $4::integer else 0 end), now()
      from made
      join monitors as monitor on monitor.id = $1
      returning monitor_key as key`,
      [id, number, evidence, maxListBytes - missing - number * (evidence + bytesBeside)],
    )
    const rules = defaultPlans[plan]
    if (plan === 'free')
      await database.transaction((tx) => changePlan(tx, { workspaceId, plan, rules, at: new Date() }))
    const at = `/monitors/${id}`
    return {
      size: () => database.transaction((tx) => sizeOfList(tx, rows[0]?.key ?? '')),
      report: async () => reportIn(await api.get(`${at}/vulnerabilities`, { token })),
      change: (method: string, path: string, body?: object): Promise<Answer> =>
        api.request(method, `${at}${path}`, { token, ...(body === undefined ? {} : { body }) }),
    }
  }

  it('are counted as the answer has them', async () => {
    const { size, report } = await almostFull(0)
    const { software } = await report()
    const texts = software.flatMap(({ product, name, version, evidence }) => [product, name, version, evidence])
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0)
    assert.deepEqual(await size(), { entries: software.length, bytes })
    assert.equal(bytes, maxListBytes)
  })

  it('are counted as JSON has them, whatever is in a text', async () => {
    const { id } = await createMonitor(api)
    const filename = '"\\\t\u0001\u007fä€😀\u2028/package.json'
    const content = '{"dependencies":{"lodash":"4.17.20","react":"^19.0.0"}}'
    const { software } = reportIn(await api.post(`/monitors/${id}/software/import`, { content, filename }))
    const texts = software.flatMap(({ product, name, version, evidence }) => [product, name, version, evidence])
    const { rows } = await database.pool.query<{ key: string }>('select key from monitors where id = $1', [id])
    assert.deepEqual(await database.transaction((tx) => sizeOfList(tx, rows[0]?.key ?? '')), {
      entries: 2,
      bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0),
    })
  })

  it('are bounded, and the refusal names the field', async () => {
    const full = await almostFull(10)
    const { software } = await full.report()
    const entry = software[0]?.id ?? ''
    for (const [refusal, answer] of [
      ['name', await full.change('POST', '/software', { name: 'nginx', version: '1.26.0' })],
      ['content', await full.change('POST', '/software/import', { content: 'nginx 1.26.0' })],
    ] as const) {
      assert.deepEqual(refusalOf(answer), [422, 'limit_reached', refusal])
      assert.match(answer.text, /8388608 bytes/)
    }
    assert.equal((await full.report()).software.length, software.length)
    assert.equal((await full.change('PATCH', `/software/${entry}`, { ignored: true })).status, 200)
    assert.equal((await full.change('PATCH', `/software/${entry}`, { version: '1.0.0-a' })).status, 200)
    assert.equal((await full.change('POST', '/software', { name: 'nginx', version: '1.26.0' })).status, 201)
  })

  it('may stay as many as they were before there was a limit, and become fewer', async () => {
    const large = await almostFull(-1000)
    const { software } = await large.report()
    const [first, second] = software
    await publish(database, { id: 'CVE-2026-6001', product: second?.product ?? '', stretches: [{ fixed: '1.0.1' }] })
    await compare(database)
    assert.equal((await large.change('PATCH', `/software/${first?.id}`, { ignored: true })).status, 200)
    const finding = findingIn(await large.report(), 'CVE-2026-6001')
    assert.equal((await large.change('POST', `/vulnerabilities/${finding.id}/fixed`)).status, 200)
    const nginx = { name: 'nginx', version: '1.26.0' }
    assert.deepEqual(refusalOf(await large.change('POST', '/software', { ...nginx, version: 'x'.repeat(200) })), [
      422,
      'limit_reached',
      'name',
    ])
    assert.equal((await large.change('DELETE', '/software/import?file=Large')).status, 200)
    const added = reportIn(await large.change('POST', '/software', nginx), 201)
    const grown = { version: '2'.repeat(200) }
    assert.equal((await large.change('PATCH', `/software/${entryOf(added, 'nginx').id}`, grown)).status, 200)
  })

  it('are too many on every plan, which is said before the plan is', async () => {
    const full = await almostFull(10, 'free')
    const nginx = { name: 'nginx', version: '1.26.0' }
    assert.deepEqual(refusalOf(await full.change('POST', '/software', nginx)), [422, 'limit_reached', 'name'])
    assert.deepEqual(refusalOf(await full.change('DELETE', '/software/import?file=Large')), [402, 'plan_required'])
    const { entries } = await full.size()
    assert.equal(entries, 10_000)
  })
})
