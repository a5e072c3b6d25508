import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { createImportedTargetFinder, createTargetFinder } from './call-targets.ts'
import { setCallToken } from './calls.ts'
import { hashPath } from './imported-calls.ts'

describe('what calls are for', async () => {
  const api = await testApi({ maxConnections: 5 })
  const { database } = api
  const { secrets } = api.services
  const first = await createMonitor(api, { name: 'First', kind: 'heartbeat', url: null })
  const second = await createMonitor(api, { name: 'Second', kind: 'webhook', url: null })
  await database.transaction(async (tx) => {
    await setCallToken(tx, secrets, { monitorId: first.id, token: 'first token' })
    await setCallToken(tx, secrets, { monitorId: second.id, token: 'second token' })
  })

  it('is found for each of those that come at once, and for none where there is none', async () => {
    const find = createTargetFinder(database)
    const found = await Promise.all(['second token', 'of none', 'first token', 'second token'].map(find))
    assert.deepEqual(
      found.map((target) => target && [target.monitorId, target.kind, target.isPaused]),
      [[second.id, 'webhook', false], undefined, [first.id, 'heartbeat', false], [second.id, 'webhook', false]],
    )
  })

  it('is found by each of the addresses that one monitor had elsewhere', async () => {
    const paths = ['api/push/one', 'api/push/two']
    for (const path of paths)
      await database.pool.query('insert into imported_calls (path_hash, monitor_id) values ($1, $2)', [
        hashPath(path),
        first.id,
      ])
    const find = createImportedTargetFinder(database)
    const found = await Promise.all([...paths, 'api/push/three'].map(find))
    assert.deepEqual(
      found.map((target) => target?.monitorId),
      [first.id, first.id, undefined],
    )
  })

  it('is as it is now, whatever was found before', async () => {
    const find = createTargetFinder(database)
    assert.equal((await find('first token'))?.isPaused, false)
    assert.equal((await api.post(`/monitors/${first.id}/pause`, {})).status, 200)
    assert.equal((await find('first token'))?.isPaused, true)
  })
})
