import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settingsBytesBeside, settingsBytesEach } from '#core/monitors/settings-size.ts'
import { migrate } from '#store/database/migrate.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { operations } from '#operations/index.ts'

const shop = { name: 'Shop', url: 'https://example.com' }
const tooLarge = (field: string): unknown[] => [422, 'validation_failed', field]
const body = (bytes: number): string => 'x'.repeat(bytes)

describe('a workspace whose monitors have almost all the room for settings', async () => {
  const api = await testApi({ maxConnections: 5, operations })
  const full = await createMonitor(api, { name: 'Full', request_body: body(5000) })
  /** So that others may have this many bytes beyond what each has anyway. */
  const leave = (bytes: number) =>
    api.database.pool.query('update monitors set settings_bytes = $2 where id = $1', [
      full.id,
      settingsBytesEach + settingsBytesBeside - bytes,
    ])
  const patch = (id: string, change: object, token = api.token) =>
    api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', ...change }, token })
  const remove = async (answer: Answer) => {
    assert.equal(answer.status, 201, answer.text)
    await api.request('DELETE', `/monitors/${monitorOf(answer).id}`)
  }

  it('has room for monitors as they usually are', async () => {
    await leave(0)
    await remove(await api.post('/monitors', { ...shop, request_body: body(500), check_options: { json_path: 'a' } }))
  })

  it('refuses a larger one, before money is asked for, and names its largest field', async () => {
    await leave(1000)
    const large = { ...shop, request_body: body(settingsBytesEach + 1000) }
    assert.deepEqual(refusalOf(await api.post('/monitors', large)), tooLarge('request_body'))
    assert.deepEqual(refusalOf(await api.post('/monitors/quote', large)), tooLarge('request_body'))
    const headers = { ...shop, request_headers: { a: body(settingsBytesEach), b: body(1000) } }
    assert.deepEqual(refusalOf(await api.post('/monitors', headers)), tooLarge('request_headers'))
    await leave(2000)
    await remove(await api.post('/monitors', large))
  })

  it('refuses a change that grows one, takes all others, and what was there stays', async () => {
    await leave(1_000_000)
    const { id } = await createMonitor(api, { request_body: body(4000) })
    await leave(-100)
    assert.deepEqual(refusalOf(await patch(id, { request_body: body(4001) })), tooLarge('request_body'))
    assert.deepEqual(
      refusalOf(await api.post(`/monitors/${id}/quote`, { ...shop, keyword: body(500) })),
      tooLarge('keyword'),
    )
    assert.equal((await patch(id, { interval_seconds: 600 })).status, 200)
    assert.equal((await patch(id, { request_body: body(4000) })).status, 200)
    assert.equal((await patch(id, { request_body: body(3000) })).status, 200)
    assert.equal((await patch(full.id, { keyword: null })).status, 200, 'the largest of all, too')
    assert.equal((await api.get('/monitors')).status, 200)
    await api.request('DELETE', `/monitors/${id}`)
  })

  it('counts the first of two that come at once', async () => {
    await leave(3000)
    const large = { ...shop, request_body: body(settingsBytesEach + 1000) }
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.post('/monitors', large)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 422, 422, 422],
    )
    for (const answer of answers) if (answer.status === 201) await remove(answer)
  })

  it('takes nothing from another workspace', async () => {
    await leave(0)
    const other = await api.addWorkspace()
    await createMonitor(api, { request_body: body(60_000) }, other.token)
  })

  it('is counted about right of monitors that were there before the limit', async () => {
    await leave(1_000_000)
    const { id } = await createMonitor(api, { request_body: body(20_000), request_headers: { a: body(5000) } })
    const bytesOf = async (): Promise<number> => {
      const { rows } = await api.database.pool.query<{ bytes: number }>(
        'select settings_bytes as bytes from monitors where id = $1',
        [id],
      )
      return rows[0]?.bytes ?? 0
    }
    const exact = await bytesOf()
    await api.database.pool.query('alter table monitors drop column settings_bytes')
    await api.database.pool.query('delete from schema_migrations where number = 24')
    assert.equal(await migrate(api.database), 1)
    const counted = await bytesOf()
    assert.ok(Math.abs(counted - exact) < 500, `${counted} of ${exact}`)
    await api.request('DELETE', `/monitors/${id}`)
  })
})

describe('the answer with all monitors', async () => {
  const api = await testApi({ maxConnections: 5, operations })

  it('has a bound, whatever a workspace sends', { timeout: 60_000 }, async () => {
    const steps = Array.from({ length: 10 }, () => ({ url: '/', method: 'POST', body: body(65_536) }))
    const huge = { ...shop, kind: 'extended_transaction', check_options: { steps } }
    let made = 0
    let answer = await api.post('/monitors', huge)
    for (; answer.status === 201; answer = await api.post('/monitors', huge)) made += 1
    assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'check_options'])
    assert.equal(made, 12)
    const { text } = await api.get('/monitors')
    assert.ok(Buffer.byteLength(text) < settingsBytesBeside + made * 2 * settingsBytesEach, `${text.length} characters`)
  })
})
