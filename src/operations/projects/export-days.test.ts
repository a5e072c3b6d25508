import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { addDays, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { exportDaysOperations } from './export-days.ts'

const pageSchema = z.object({
  data: z.array(z.looseObject({ monitor_id: z.string(), date: z.string(), up: z.number() })),
  next_cursor: z.string().nullable(),
})

describe('the days of a workspace', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...exportDaysOperations] })
  const page = async (query = '') => pageSchema.parse((await api.get(`/export/days${query}`)).body)

  it('are none before the first check', async () => {
    await createMonitor(api)
    assert.deepEqual(await page(), { data: [], next_cursor: null })
  })

  it('come page by page, each once, whatever is added meanwhile', async () => {
    const monitors = [await createMonitor(api), await createMonitor(api), await createMonitor(api)]
    const ids = monitors.map(({ id }) => id).toSorted()
    for (const id of ids)
      await addDays(api.database, id, [
        { date: '2026-11-18', up: 3, down: 1 },
        { date: '2026-11-20', up: 5, down: 0 },
      ])
    const all = (await page()).data
    assert.deepEqual(all[0], {
      monitor_id: ids[0],
      date: '2026-11-18',
      checks: 4,
      up: 3,
      down: 1,
      restricted: 0,
      latency_ms: null,
    })
    const wanted = ids.flatMap((id) => ['2026-11-18', '2026-11-20'].map((date) => [id, date]))
    assert.deepEqual(
      all.map(({ monitor_id: id, date }) => [id, date]),
      wanted,
    )
    for (const limit of [1, 2, 4, 5, 6]) {
      const found: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const next: z.infer<typeof pageSchema> = await page(`?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        assert.ok(next.data.length <= limit)
        found.push(...next.data)
        cursor = next.next_cursor
      }
      assert.deepEqual(found, all)
    }
  })

  it('are those of the own workspace, and cursors too', async () => {
    const { next_cursor: cursor } = await page('?limit=1')
    const other = await api.addWorkspace()
    assert.deepEqual((await api.get('/export/days', { token: other.token })).body, { data: [], next_cursor: null })
    const stolen = await api.get(`/export/days?cursor=${cursor}`, { token: other.token })
    assert.deepEqual(refusalOf(stolen), [400, 'validation_failed', 'cursor'])
    assert.deepEqual(refusalOf(await api.get('/export/days?limit=0')), [400, 'validation_failed', 'limit'])
    assert.deepEqual(refusalOf(await api.get('/export/days?limit=5001')), [400, 'validation_failed', 'limit'])
  })
})
