import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'

const listSchema = z.object({ data: z.array(monitorSchema) })
const refusedFields = z.object({ fields: z.record(z.string(), z.array(z.string())) })

describe('the monitors that one depends on', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const patch = (id: string, body: Record<string, unknown>) => api.request('PATCH', `/monitors/${id}`, { body })

  it('are set, kept by a change of something else, and replaced', async () => {
    const [router, dns] = [await createMonitor(api), await createMonitor(api)]
    const shop = await createMonitor(api, { name: 'Shop', depends_on: [router.id, dns.id] })
    assert.deepEqual(shop.depends_on, [router.id, dns.id])
    assert.deepEqual(monitorOf(await patch(shop.id, { name: 'Shop' })).depends_on, [router.id, dns.id])
    assert.deepEqual(monitorOf(await patch(shop.id, { name: 'Shop', depends_on: [dns.id] })).depends_on, [dns.id])
    assert.deepEqual(monitorOf(await patch(shop.id, { name: 'Shop', depends_on: [] })).depends_on, [])
  })

  it('are others of the workspace, each once', async () => {
    const [router, shop] = [await createMonitor(api), await createMonitor(api)]
    const stranger = randomUUID()
    for (const [parents, problem] of [
      [[shop.id], 'A monitor cannot depend on itself.'],
      [[router.id, router.id], `${router.id} is named more than once.`],
      [[stranger], `${stranger} is no monitor of this workspace.`],
    ] as const) {
      const answer = await patch(shop.id, { name: 'Shop', depends_on: parents })
      assert.equal(answer.status, 422)
      assert.deepEqual(refusedFields.parse(answer.body).fields, { depends_on: [problem] })
    }
    const created = await api.request('POST', '/monitors', {
      body: { name: 'Shop', url: 'https://shop.example/', depends_on: [stranger] },
    })
    assert.deepEqual(refusalOf(created), [422, 'validation_failed', 'depends_on'])
  })

  it('make no circle, which the refusal names', async () => {
    const router = await createMonitor(api, { name: 'Router' })
    const host = await createMonitor(api, { name: 'Host', depends_on: [router.id] })
    const shop = await createMonitor(api, { name: 'Shop', depends_on: [host.id] })
    const answer = await patch(router.id, { name: 'Router', depends_on: [shop.id] })
    assert.equal(answer.status, 422)
    assert.deepEqual(refusedFields.parse(answer.body).fields, {
      depends_on: ['Monitors cannot depend on each other in a circle: Router → Shop → Host → Router.'],
    })
  })

  it('make no circle when two changes come at once', async () => {
    const [left, right] = [await createMonitor(api), await createMonitor(api)]
    const answers = await Promise.all([
      patch(left.id, { name: 'Left', depends_on: [right.id] }),
      patch(right.id, { name: 'Right', depends_on: [left.id] }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422],
    )
  })

  it('are those that are there, in their order, wherever the monitor is shown', async () => {
    const [last, gone, first] = [await createMonitor(api), await createMonitor(api), await createMonitor(api)]
    const { id } = await createMonitor(api, { name: 'Shop', depends_on: [first.id, gone.id, last.id] })
    assert.equal((await api.request('DELETE', `/monitors/${gone.id}`)).status, 204)
    const listed = listSchema.parse((await api.get('/monitors')).body).data.find((each) => each.id === id)
    assert.deepEqual(listed?.depends_on, [first.id, last.id])
    assert.deepEqual(monitorOf(await api.get(`/monitors/${id}`)).depends_on, [first.id, last.id])
    const renamed = await patch(id, { name: 'Renamed' })
    assert.equal(renamed.status, 200, renamed.text)
    const stale = await patch(id, { name: 'Shop', depends_on: [first.id, gone.id] })
    assert.deepEqual(refusalOf(stale), [422, 'validation_failed', 'depends_on'])
  })
})
