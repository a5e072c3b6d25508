import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { addContact } from '../../../test/support/alerts.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { operations } from '#operations/index.ts'

describe('the contacts of a monitor', async () => {
  const api = await testApi({ maxConnections: 5, operations })
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

  it('are chosen by tags beside ids, which show those alone that were chosen so', async () => {
    const first = await addContact(database, { workspaceId })
    const tagged = await createMonitor(api, { alert_channel_tags: ['Nights'] })
    const change = async (body: object) => {
      const answer = await api.request('PATCH', `/monitors/${tagged.id}`, { body: { name: 'Shop', ...body } })
      const { alert_channel_ids: ids, alert_channel_tags: tags } = monitorOf(answer)
      return [ids, tags]
    }
    assert.deepEqual([tagged.alert_channel_ids, tagged.alert_channel_tags], [[], ['Nights']])
    assert.deepEqual(await change({}), [[], ['Nights']])
    assert.deepEqual(await change({ alert_channel_ids: [first] }), [[first], ['Nights']])
    assert.deepEqual(await change({ alert_channel_ids: null }), [[], ['Nights']])
    const [ids, tags] = await change({ alert_channel_tags: [] })
    assert.ok(ids?.includes(first))
    assert.deepEqual(tags, [])
    const refused = await api.post('/monitors', { name: 'Shop', url: 'https://a.example', alert_channel_tags: ['a,b'] })
    assert.deepEqual(refusalOf(refused), [422, 'validation_failed', 'alert_channel_tags.0'])
    await api.request('DELETE', `/alert-channels/${first}`)
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
