import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { refusalOf } from '../../../test/support/monitors.ts'

const made = z.object({ data: z.object({ id: z.string() }) })
const page = { slug: 'shop', title: 'Shop' }
const schedule = { type: 'weekly', weekdays: [1], starts: '02:00', duration_minutes: 30 }

describe('a token of the write scope', async () => {
  const api = await testApi()

  it('makes, changes and deletes a status page', async () => {
    const created = await api.post('/status-pages', page)
    assert.equal(created.status, 201)
    const { id } = made.parse(created.body).data
    const changed = await api.request('PATCH', `/status-pages/${id}`, { body: { title: 'Shops' } })
    assert.partialDeepStrictEqual(changed.body, { data: { slug: 'shop', title: 'Shops' } })
    assert.equal((await api.request('DELETE', `/status-pages/${id}`)).status, 204)
    assert.deepEqual((await api.get('/status-pages', { token: api.readToken })).body, { data: [] })
  })

  it('makes, changes and deletes maintenance', async () => {
    const created = await api.post('/maintenance-windows', { name: 'Nights', schedule })
    assert.equal(created.status, 201)
    const { id } = made.parse(created.body).data
    const path = `/maintenance-windows/${id}`
    const changed = await api.request('PUT', path, { body: { name: 'Mondays', schedule } })
    assert.partialDeepStrictEqual(changed.body, { data: { name: 'Mondays' } })
    assert.equal((await api.request('DELETE', path)).status, 204)
    assert.deepEqual((await api.get('/maintenance-windows', { token: api.readToken })).body, { data: [] })
  })

  it('publishes nothing, and tries nothing, where nobody answers for the workspace', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const monitor = { name: 'Site', url: 'https://example.com/' }
    assert.deepEqual(refusalOf(await api.post('/status-pages', page, { token })), [422, 'claim_required'])
    assert.deepEqual(refusalOf(await api.post('/monitors/try', monitor, { token })), [422, 'claim_required'])
    const draft = await api.post('/status-pages', { ...page, visibility: 'draft' }, { token })
    assert.equal(draft.status, 201)
    const path = `/status-pages/${made.parse(draft.body).data.id}`
    const published = await api.request('PATCH', path, { token, body: { visibility: 'public' } })
    assert.deepEqual(refusalOf(published), [422, 'claim_required'])
  })

  it('names the monitors of what it makes while the workspace may become a part of another', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const draft = { slug: 'drafted', title: 'Shop', visibility: 'draft' }
    const refused: [path: string, body: object][] = [
      ['/status-pages', { ...draft, monitor_tags: ['shop'] }],
      ['/maintenance-windows', { name: 'Nights', schedule }],
      ['/maintenance-windows', { name: 'Nights', schedule, monitor_ids: [], monitor_tags: ['shop'] }],
    ]
    for (const [path, body] of refused)
      assert.deepEqual(refusalOf(await api.post(path, body, { token })), [422, 'claim_required'], path)
  })
})
