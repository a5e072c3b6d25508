import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { ApiRequest } from '../../../test/support/api.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'

const created = z.object({ data: z.object({ id: z.uuid() }), heartbeat_url: z.string().nullable() })
const entries = z.object({ data: z.array(z.looseObject({ action: z.string(), target: z.looseObject({}) })) })
const shown = z.object({ data: z.object({ heartbeat_url: z.string() }) })

describe('the address of a monitor that is called', async () => {
  const results: string[] = []
  const people = await peopleApi({
    services: {
      publishResults: async (_location, published) => {
        results.push(...published.map(({ monitorId }) => monitorId))
      },
    },
  })
  const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  const create = async (body: unknown) => created.parse((await call('POST', '/monitors', body)).body)
  const ping = async (url: string): Promise<number> =>
    // A push_metric monitor wants a number, which the others leave alone.
    (await people.api.app.request(`${url}?value=1`, {}, { address: '192.0.2.1' })).status

  for (const kind of ['heartbeat', 'webhook', 'push_metric'])
    it(`of ${kind} is shown again, and replaced`, async () => {
      const { data, heartbeat_url: first } = await create({ name: 'Backup', kind })
      const read = await call('GET', `/monitors/${data.id}/call-address`)
      assert.equal(read.status, 200, read.text)
      assert.equal(shown.parse(read.body).data.heartbeat_url, first)
      assert.equal(await ping(first ?? ''), 200)
      assert.deepEqual(results.splice(0), [data.id])

      const replaced = await call('POST', `/monitors/${data.id}/call-address`)
      assert.equal(replaced.status, 200, replaced.text)
      const second = shown.parse(replaced.body).data.heartbeat_url
      assert.notEqual(second, first)
      assert.equal(await ping(first ?? ''), 404)
      assert.equal(await ping(second), 200)
      assert.deepEqual(results.splice(0), [data.id])
      assert.equal(
        shown.parse((await call('GET', `/monitors/${data.id}/call-address`)).body).data.heartbeat_url,
        second,
      )
    })

  for (const kind of ['heartbeat', 'webhook', 'push_metric'])
    it(`is told where a monitor becomes one of kind ${kind}, and to a create that is repeated`, async () => {
      const { token } = await people.api.addWorkspace()
      const send = (method: string, path: string, sent: ApiRequest) =>
        people.api.request(method, path, { ...sent, token })
      const website = { name: 'Shop', kind: 'http', url: 'https://a.example' }
      const { data } = created.parse((await send('POST', '/monitors', { body: website })).body)
      const changed = await send('PATCH', `/monitors/${data.id}`, { body: { name: 'Job', kind } })
      const url = created.parse(changed.body).heartbeat_url
      assert.equal(await ping(url ?? ''), 200)
      assert.deepEqual(results.splice(0), [data.id])
      const again = await send('PATCH', `/monitors/${data.id}`, { body: { name: 'Job' } })
      assert.equal(created.parse(again.body).heartbeat_url, url)
      const back = await send('PATCH', `/monitors/${data.id}`, { body: website })
      assert.deepEqual([back.status, Object.keys(back.body ?? {})], [200, ['data']])

      const lost = { body: { name: 'Backup', kind }, headers: { 'Idempotency-Key': `lost-${kind}` } }
      const first = await send('POST', '/monitors', lost)
      const repeated = await send('POST', '/monitors', lost)
      assert.deepEqual([first.status, repeated.status], [201, 200])
      assert.equal(created.parse(repeated.body).heartbeat_url, created.parse(first.body).heartbeat_url)
    })

  it('is in the audit log when it is replaced, without the address', async () => {
    const { data } = await create({ name: 'Nightly', kind: 'heartbeat' })
    const replaced = await call('POST', `/monitors/${data.id}/call-address`)
    const [, secret = ''] = /\/ping\/([\w-]+)/.exec(replaced.text) ?? []
    const log = await call('GET', '/audit-entries')
    const [newest] = entries.parse(log.body).data
    assert.deepEqual(
      [newest?.action, newest?.target],
      ['replace_call_address', { kind: 'monitor', id: data.id, name: 'Nightly' }],
    )
    assert.ok(secret !== '' && !log.text.includes(secret))
  })

  it('is not there for kinds that nobody calls, nor for others', async () => {
    const { data } = await create({ name: 'Shop', url: 'https://shop.example' })
    for (const method of ['GET', 'POST']) {
      const refused = await call(method, `/monitors/${data.id}/call-address`)
      assert.deepEqual([refused.status, codeOf(refused)], [404, 'not_found'])
    }
    const { data: mine } = await create({ name: 'Backup', kind: 'heartbeat' })
    const other = await people.newcomer('other@example.com')
    const refused = await other.browser.api('GET', `/monitors/${mine.id}/call-address`, {
      workspace: other.workspaceId,
    })
    assert.deepEqual([refused.status, codeOf(refused)], [404, 'not_found'])
  })
})
