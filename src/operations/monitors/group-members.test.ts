import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'

const listSchema = z.object({ data: z.array(monitorSchema) })

describe('the members of a group', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const patch = (id: string, body: Record<string, unknown>) => api.request('PATCH', `/monitors/${id}`, { body })

  it('cannot become groups', async () => {
    const [member, other] = [await createMonitor(api), await createMonitor(api)]
    await createGroup(api, [member.id])
    const answer = await patch(member.id, { name: 'Shop', kind: 'group', check_options: { member_ids: [other.id] } })
    assert.deepEqual(refusalOf(answer), [422, 'validation_failed', 'kind'])
  })

  it('cannot become groups while a group takes them', async () => {
    const [first, member, other] = [await createMonitor(api), await createMonitor(api), await createMonitor(api)]
    const group = await createGroup(api, [first.id])
    const answers = await Promise.all([
      patch(group.id, { name: 'Shop', check_options: { member_ids: [member.id] } }),
      patch(member.id, { name: 'Shop', kind: 'group', check_options: { member_ids: [other.id] } }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422],
    )
  })

  it('may be gone when the group is changed, and cannot be named anew', async () => {
    const [member, gone] = [await createMonitor(api), await createMonitor(api)]
    const group = await createGroup(api, [member.id, gone.id])
    assert.equal((await api.request('DELETE', `/monitors/${gone.id}`)).status, 204)
    const changed = await patch(group.id, { name: 'Renamed', interval_seconds: 60 })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(monitorOf(changed).name, 'Renamed')
    assert.deepEqual(monitorOf(changed).check_options, { member_ids: [member.id], group_policy: 'all' })
    const stale = await patch(group.id, { name: 'Shop', check_options: { member_ids: [member.id, gone.id] } })
    assert.deepEqual(refusalOf(stale), [422, 'validation_failed', 'check_options.member_ids'])
    const without = await patch(group.id, { name: 'Shop', check_options: { member_ids: [member.id] } })
    assert.deepEqual(monitorOf(without).check_options, { member_ids: [member.id], group_policy: 'all' })
    const named = await patch(group.id, { name: 'Shop', check_options: { member_ids: [member.id, gone.id] } })
    assert.deepEqual(refusalOf(named), [422, 'validation_failed', 'check_options.member_ids'])
  })

  it('are those that are there, in their order, wherever the group is shown', async () => {
    const members = [await createMonitor(api), await createMonitor(api), await createMonitor(api)]
    const [last, gone, first] = members.map(({ id }) => id)
    const { id } = await createGroup(api, [first ?? '', gone ?? '', last ?? ''])
    const shown = async (): Promise<unknown[]> => {
      const all = listSchema.parse((await api.get('/monitors')).body).data
      const listed = all.find((each) => each.id === id)
      const alone = monitorOf(await api.get(`/monitors/${id}`))
      assert.deepEqual(listed?.check_options, alone.check_options)
      return [alone.check_options['member_ids']]
    }
    await api.request('DELETE', `/monitors/${gone}`)
    assert.deepEqual(await shown(), [[first, last]])
    for (const left of [first, last]) await api.request('DELETE', `/monitors/${left}`)
    assert.deepEqual(await shown(), [[]])
    assert.equal((await patch(id, { name: 'Renamed' })).status, 200)
  })
})

async function createGroup(api: TestApi, memberIds: string[]) {
  return createMonitor(api, { kind: 'group', url: undefined, check_options: { member_ids: memberIds } })
}
