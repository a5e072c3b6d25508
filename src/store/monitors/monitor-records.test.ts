import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { findMonitor, listMonitors } from './monitor-records.ts'

describe('the list of monitors', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database, workspaceId } = api
  const { secrets } = api.services

  it('says of each what it says alone, in the same order of members', async () => {
    const [one, gone] = [await createMonitor(api), await createMonitor(api)]
    const steps = [{ url: 'https://example.com/a', method: 'POST', body: 'secret "text", \\ and (more)' }]
    const others: Record<string, unknown>[] = [
      {},
      { locations: ['boston', 'chennai'], request_body: 'a,"b"', method: 'POST', alert_channel_ids: [] },
      { name: 'Ä "quoted", \\ name', check_options: { max_latency_ms: 2000 }, keyword: 'a, "b"' },
      { kind: 'transaction', url: 'https://example.com', check_options: { steps } },
      { kind: 'heartbeat', url: undefined, heartbeat_grace_seconds: 0 },
      { kind: 'group', url: undefined, check_options: { member_ids: [gone.id, one.id], group_policy: 'any' } },
      { kind: 'group', url: undefined, check_options: { member_ids: [gone.id] } },
      {},
    ]
    for (const input of others) await createMonitor(api, input)
    await api.request('DELETE', `/monitors/${gone.id}`)
    await api.request('POST', `/monitors/${one.id}/pause`)
    await database.pool.query(
      `update monitor_state s
      set current_status = 'up',
        last_checked_at = now() - m.key * interval '7.123456 s',
        deadline_at = case when m.kind = 'heartbeat' then now() + interval '1 hour' end
      from monitors m
      where m.key = s.monitor_key
        and m.key % 2 = 0`,
    )
    await database.pool.query(
      `insert into monitor_expiries (monitor_key, subject, target_version, name, issuer, expires_at, seen_at)
      select key, subject, target_version, 'example.com', 'An "issuer"', '2031-01-02 03:04:05.6', now()
      from monitors
      cross join unnest('{domain,certificate}'::text[]) as subject
      where id = $1`,
      [one.id],
    )
    const now = new Date(Date.now() + 3_600_000)
    const listed = await listMonitors(database, secrets, { workspaceId, now })
    assert.equal(listed.length, others.length + 1)
    for (const record of listed) {
      const alone = await findMonitor(database, secrets, { workspaceId, monitorId: record.id, now })
      assert.equal(JSON.stringify(record), JSON.stringify(alone))
    }
  })
})
