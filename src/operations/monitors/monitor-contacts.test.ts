import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { addContact } from '../../../test/support/alerts.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { operations } from '#operations/index.ts'

describe('the contacts of a monitor', async () => {
  const api = await testApi({ operations })
  const { database, workspaceId } = api
  const idsOf = async (id: string) => monitorOf(await api.get(`/monitors/${id}`)).alert_channel_ids

  it('are all of the workspace at the time, or those that were chosen', async () => {
    const first = await addContact(database, { workspaceId })
    const everybody = await createMonitor(api)
    const chosen = await createMonitor(api, { alert_channel_ids: [first.toUpperCase()] })
    const nobody = await createMonitor(api, { alert_channel_ids: [] })
    assert.deepEqual(
      [everybody.alert_channel_ids, chosen.alert_channel_ids, nobody.alert_channel_ids],
      [[first], [first], []],
    )

    const second = await addContact(database, { workspaceId })
    assert.deepEqual(await Promise.all([everybody.id, chosen.id, nobody.id].map(idsOf)), [[first, second], [first], []])

    assert.equal((await api.request('DELETE', `/alert-channels/${first}`)).status, 204)
    assert.deepEqual(await Promise.all([everybody.id, chosen.id, nobody.id].map(idsOf)), [[second], [second], []])
  })

  it('are never those of another workspace', async () => {
    const other = await api.addWorkspace()
    const theirs = await addContact(database, { workspaceId: other.workspaceId })
    const mine = await createMonitor(api)
    const asked = { name: 'Shop', alert_channel_ids: [theirs] }
    assert.deepEqual(refusalOf(await api.request('PATCH', `/monitors/${mine.id}`, { body: asked })), [
      422,
      'validation_failed',
      'alert_channel_ids',
    ])
  })

  it('do not outlive a delete of the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const contact = await addContact(database, { workspaceId })
      const { id } = await createMonitor(api, { alert_channel_ids: [] })
      const [changed] = await Promise.all([
        api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', alert_channel_ids: [contact] } }),
        api.request('DELETE', `/alert-channels/${contact}`),
      ])
      assert.ok([200, 422].includes(changed.status), changed.text)
      const stored = await database.query
        .selectFrom('monitors')
        .select('alert_channel_ids')
        .where('id', '=', id)
        .executeTakeFirst()
      assert.ok(stored?.alert_channel_ids?.includes(contact) !== true)
    }
  })
})
