import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '#operations/index.ts'
import { madePaths } from '#operations/pipeline/made-paths.ts'
import { testApi } from '../../test/support/api.ts'
import { monitorOf } from '../../test/support/monitors.ts'

describe('where a thing is that was made', async () => {
  const api = await testApi()

  it('stands in the answer, and leads to it', async () => {
    const answer = await api.post('/monitors', { name: 'Shop', url: 'https://example.com' })
    const location = answer.headers.get('location')
    assert.equal(location, `http://perigee.test/api/v1/monitors/${monitorOf(answer).id}`)
    assert.equal((await api.get(new URL(location).pathname.replace('/api/v1', ''))).status, 200)
  })

  it('is not told of a refusal, nor of what has no address of its own', async () => {
    assert.equal((await api.post('/monitors', {})).headers.get('location'), null)
    const { id } = monitorOf(await api.post('/monitors', { name: 'Shop', url: 'https://example.com' }))
    const paused = await api.post(`/monitors/${id}/pause`, {})
    assert.deepEqual([paused.status, paused.headers.get('location')], [200, null])
    const headers = { 'Idempotency-Key': 'once' }
    const asked = { name: 'Shop', url: 'https://example.com' }
    assert.equal((await api.post('/monitors', asked, { headers })).status, 201)
    const again = await api.post('/monitors', asked, { headers })
    assert.deepEqual([again.status, again.headers.get('location')], [200, null])
  })

  it('is known for every operation that makes what can be read by its id', () => {
    const paths = Object.fromEntries(Array.from(madePaths(operations), ([{ name }, path]) => [name, path]))
    assert.equal(paths['create_monitor'], '/monitors/{id}')
    assert.equal(paths['create_status_page'], '/status-pages/{id}')
    assert.equal(paths['pause_monitor'], undefined)
    for (const path of Object.values(paths)) assert.match(path, /\/\{\w+\}$/)
  })
})
