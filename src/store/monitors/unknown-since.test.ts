import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noteClockJump } from '#store/installation/own-troubles.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { findMonitor, listMonitors } from './monitor-records.ts'

describe('a monitor of which nothing is known', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  const { id } = await createMonitor(api, { interval_seconds: 60, timeout_ms: 5_000 })

  const known = (secondsAgo: number): Promise<unknown> =>
    database.pool.query(
      `with old as (
        update monitors set created_at = now() - interval '1 day' where id = $1 returning key
      )
      update monitor_state
      set current_status = 'up',
        round_at = now() - make_interval(secs => $2),
        last_checked_at = now() - make_interval(secs => $2)
      from old
      where monitor_key = old.key`,
      [id, secondsAgo],
    )

  const unknownFor = async (): Promise<number | null> => {
    const now = new Date()
    const found = await findMonitor(database, api.services.secrets, { workspaceId, monitorId: id, now })
    const [listed] = await listMonitors(database, api.services.secrets, { workspaceId, now })
    assert.equal(listed?.unknown_since, found?.unknown_since)
    assert.equal(found?.current_status, 'up', 'it stays what was known last')
    const since = found.unknown_since
    return since === null ? null : Math.round((now.getTime() - Date.parse(since)) / 1000)
  }

  it('says so once a round that was due has told nothing', async () => {
    await known(70)
    assert.equal(await unknownFor(), null)
    await known(600)
    const seconds = await unknownFor()
    assert.ok(seconds !== null && seconds >= 540 && seconds < 600, String(seconds))
  })

  it('is known again with the next round that tells something', async () => {
    await known(600)
    await known(1)
    assert.equal(await unknownFor(), null)
  })

  it('is not taken for unknown because the clock jumped ahead', async () => {
    await known(10_800)
    await noteClockJump(database, 10_800)
    assert.equal(await unknownFor(), null)
  })
})
