import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { addDays as addStoredDays, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { addDays } from '#core/language/utc-day.ts'
import { beginGathering, gatherNextMonth } from '#store/results/day-gathering.ts'

const totals = z.looseObject({ all_time: z.looseObject({ periods: z.array(z.looseObject({ checks: z.int() })) }) })

const now = new Date('2026-11-21T12:00:00.000Z')

const day = (date: string, up: number, down = 0) => ({ date, up, down, latency_ms: 120 })

describe('days that another tool counted', async () => {
  const api = await testApi({ now: () => now })
  const put = (id: string, days: unknown[], more: object = {}) =>
    api.request('PUT', `/monitors/${id}/imported-days`, { body: { source: 'Uptime Kuma', days }, ...more })
  const uptimeOf = async (id: string) => (await api.get(`/monitors/${id}/uptime`)).body

  it('count as own days do, and are named', async () => {
    const { id } = await createMonitor(api)
    await addStoredDays(api.database, id, [{ date: '2026-11-21', up: 3, down: 1 }])
    const answer = await put(id, [
      day('2026-11-18', 9, 1),
      { ...day('2026-11-20', 0, 5), restricted: 5, latency_ms: null },
    ])
    const imported = { source: 'Uptime Kuma', from: '2026-11-18', to: '2026-11-20' }
    assert.deepEqual([answer.status, answer.body], [200, { data: imported }])
    assert.deepEqual(await uptimeOf(id), {
      data: [
        { date: '2026-11-18', checks: 10, up: 9, down: 1, restricted: 0, latency_ms: 120 },
        { date: '2026-11-19', checks: 0, up: 0, down: 0, restricted: 0, latency_ms: null },
        { date: '2026-11-20', checks: 10, up: 0, down: 5, restricted: 5, latency_ms: null },
        { date: '2026-11-21', checks: 4, up: 3, down: 1, restricted: 0, latency_ms: null },
      ],
      from: '2026-11-18',
      to: '2026-11-21',
      since: '2026-11-18',
      imported,
    })
    const { body } = await api.get(`/monitors/${id}`)
    assert.ok(typeof body === 'object' && body !== null && 'imported' in body)
    assert.deepEqual(body.imported, imported)
  })

  it('take the place of those before, also of months whose sums are written, and leave own days', async () => {
    const { id } = await createMonitor(api)
    await addStoredDays(api.database, id, [{ date: '2026-11-21', up: 1 }])
    const year = Array.from({ length: 400 }, (_, at) => day(addDays('2026-11-20', -at), 10))
    assert.equal((await put(id, year)).status, 200)
    await api.database.pool.query("update monitors set created_at = '2025-01-01' where id = $1", [id])
    await beginGathering(api.database, now)
    for (let step = await gatherNextMonth(api.database); step !== null;) step = await gatherNextMonth(api.database)
    await api.database.pool.query('update monitors set created_at = $2 where id = $1', [id, now])
    assert.equal((await put(id, [day('2026-03-05', 1, 3)])).status, 200)
    const { all_time: allTime } = totals.parse((await api.get(`/monitors/${id}`)).body)
    assert.equal(
      allTime.periods.reduce((sum, { checks }) => sum + checks, 0),
      5,
    )
    const { rows } = await api.database.pool.query(
      'select count(*)::integer as count from uptime_months join monitors on key = monitor_key where id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ count: 0 }])
  })

  it('are removed by none', async () => {
    const { id } = await createMonitor(api)
    const before = await uptimeOf(id)
    await put(id, [day('2026-11-01', 1)])
    assert.deepEqual((await put(id, [])).body, { data: null })
    assert.deepEqual(await uptimeOf(id), before)
  })

  const wrong: [what: string, days: unknown[], fields: string[]][] = [
    ['of the day of its creation', [day('2026-11-21', 1)], ['days.0.date']],
    ['to come', [day('2027-01-01', 1)], ['days.0.date']],
    ['long ago', [day('1999-12-31', 1)], ['days.0.date']],
    ['twice', [day('2026-11-01', 1), day('2026-11-01', 2)], ['days.1.date']],
    ['without checks', [day('2026-11-01', 0)], ['days.0.up']],
    ['with half a check', [day('2026-11-01', 0.5)], ['days.0.up']],
    ['that are none', [day('2026-02-30', 1)], ['days.0.date']],
    ['too many', Array.from({ length: 3661 }, (_, at) => day(addDays('2026-11-20', -at), 1)), ['days']],
  ]
  for (const [what, days, fields] of wrong)
    it(`are refused ${what}`, async () => {
      const { id } = await createMonitor(api)
      assert.deepEqual(refusalOf(await put(id, days)), [422, 'validation_failed', ...fields])
    })

  it('belong to the workspace, and need the write scope', async () => {
    const { id } = await createMonitor(api)
    const { token } = await api.addWorkspace()
    assert.deepEqual(refusalOf(await put(id, [], { token })), [404, 'not_found'])
    assert.equal((await put(id, [], { token: api.readToken })).status, 403)
  })

  it('are as many as ten years have', async () => {
    const { id } = await createMonitor(api)
    const days = Array.from({ length: 3660 }, (_, at) => day(addDays('2026-11-20', -at), 1440))
    assert.equal((await put(id, days)).status, 200)
  })
})
