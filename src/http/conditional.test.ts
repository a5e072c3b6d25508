import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { testApi } from '../../test/support/api.ts'
import { createMonitor } from '../../test/support/monitors.ts'

const longest = 128 * 1024

describe('answers that a client has already', async () => {
  const api = await testApi()
  const monitor = await createMonitor(api)
  const other = await api.addWorkspace()

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    api.app.request(
      `http://perigee.test/api/v1${path}`,
      { method, headers: { 'X-API-Key': api.token, ...headers } },
      { address: '192.0.2.1' },
    )
  const tagOf = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await ask(path, headers)).headers.get('etag') ?? assert.fail(`${path} has no tag`)

  it('are not sent again, whether one is asked for or a list', async () => {
    for (const path of [`/monitors/${monitor.id}/results`, '/account', '/monitors', '/monitors?limit=10', '/metrics']) {
      const first = await ask(path)
      const tag = first.headers.get('etag') ?? ''
      assert.match(tag, /^W\/"[\w-]{22}"$/, path)
      const again = await ask(path, { 'If-None-Match': tag })
      assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', tag], path)
      assert.equal(again.headers.get('content-type'), null)
      for (const name of ['vary', 'cache-control'])
        assert.equal(again.headers.get(name), first.headers.get(name), `${path} ${name}`)
      assert.match(again.headers.get('ratelimit-remaining') ?? '', /^\d+$/, 'it is counted like any other')
    }
  })

  it('have one tag in every coding, and to HEAD', async () => {
    const path = `/monitors?fields=${Object.keys(monitor).join()}`
    const tag = await tagOf(path)
    assert.equal(await tagOf(path, { 'Accept-Encoding': 'br' }), tag)
    assert.equal(await tagOf(path, { 'Accept-Encoding': 'gzip' }), tag)
    assert.equal((await ask(path, {}, 'HEAD')).headers.get('etag'), tag)
    assert.equal((await ask(path, { 'If-None-Match': tag, 'Accept-Encoding': 'br' })).status, 304)
    assert.equal((await ask(path, { 'If-None-Match': tag }, 'HEAD')).status, 304)
    assert.equal((await ask(path, { 'If-None-Match': `"a", ${tag.replace('W/', '')}` })).status, 304)
    assert.equal((await ask(path, { 'If-None-Match': '*' })).status, 304)
  })

  it('are sent to those who have another one', async () => {
    const tag = await tagOf('/monitors')
    for (const headers of [
      {},
      { 'If-None-Match': '' },
      { 'If-None-Match': 'W/"another"' },
      { 'If-None-Match': 'no tag' },
    ])
      assert.equal((await ask('/monitors', headers)).status, 200)
    assert.equal((await ask('/monitors', { 'If-None-Match': tag, 'X-API-Key': other.token })).status, 200)
    await createMonitor(api, { name: 'Second' })
    const changed = await ask('/monitors', { 'If-None-Match': tag })
    assert.equal(changed.status, 200)
    assert.match(await changed.text(), /"Second"/)
  })

  it('have no tag where they are refusals, or made by another method', async () => {
    assert.equal((await ask('/monitors/unknown', { 'If-None-Match': '*' })).status, 404)
    const refused = await ask('/account', { 'If-None-Match': '*', 'X-API-Key': 'wrong' })
    assert.deepEqual([refused.status, refused.headers.get('etag')], [401, null])
    const paused = await ask(`/monitors/${monitor.id}/pause`, { 'If-None-Match': '*' }, 'POST')
    assert.deepEqual([paused.status, paused.headers.get('etag')], [200, null])
  })
})

describe('answers that are long', async () => {
  const schema = z.strictObject({ data: z.string() })
  const text = defineOperation({
    name: 'get_text',
    method: 'GET',
    path: '/text',
    scope: 'read',
    tag: 'Account',
    summary: 'Show a text',
    query: { schema: z.object({ length: z.coerce.number() }), refusal: 422 },
    errors: [401, 422],
    success: { status: 200, description: 'The text.', schema },
    run: async (_context, { query: { length } }) => ({ status: 200, body: { data: 'a'.repeat(length) } }),
  })
  const around = JSON.stringify({ data: '' }).length
  const api = await testApi({ operations: [text] })

  for (const [length, hasTag] of [
    [longest - around, true],
    [longest - around + 1, false],
  ] as const)
    it(`${hasTag ? 'have' : 'lack'} a tag with ${length + around} characters`, async () => {
      const { headers } = await api.get(`/text?length=${length}`, { headers: { 'If-None-Match': '"a"' } })
      assert.equal(headers.get('etag') !== null, hasTag)
      const sent = { 'X-API-Key': api.token, 'If-None-Match': '*' }
      const url = `http://perigee.test/api/v1/text?length=${length}`
      const { status } = await api.app.request(url, { headers: sent }, { address: '192.0.2.1' })
      assert.equal(status, hasTag ? 304 : 200)
    })
})
