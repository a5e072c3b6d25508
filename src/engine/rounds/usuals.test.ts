import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { slotOf } from '#core/results/latency-histogram.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { createEngineStore } from '#store/engine-store.ts'
import { readWatchRows } from '#store/monitors/watch-rows.ts'
import { readUsuals } from './usuals.ts'
import { type Watched, watchedOf } from './watched.ts'

const now = Date.parse('2031-03-14T12:20:00Z')
const minute = 60_000

describe('reading what is usual', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database } = api

  async function watched(settings: object): Promise<Watched> {
    const { id } = await createMonitor(api, { locations: ['amsterdam'], ...settings })
    const [row] = await readWatchRows(database, { partitions: [partitionOf(id)], ids: [id] })
    return watchedOf(row ?? assert.fail('no row'), { locations: new Map(), settings: new Map() }, now)
  }

  /** Of noon of these days of the month. */
  async function addNoons({ key }: Watched, days: number[], ms: number): Promise<void> {
    for (const day of days)
      await database.pool.query(`insert into latency_hours values ($1, $2, $3, '{30}')`, [
        key,
        `2031-03-${day}T12:00:00Z`,
        [slotOf(ms)],
      ])
  }

  const read = (monitors: Watched[], nowMs: number): Promise<void> =>
    readUsuals({ store: createEngineStore(database), monitors: () => monitors, now: () => nowMs })

  it('reads those of monitors that tell when they are slow, and no others', async () => {
    const [slow, other, degraded] = [
      await watched({ alert_slow_factor: 2 }),
      await watched({}),
      await watched({ alert_degraded_rounds: 2 }),
    ]
    for (const each of [slow, other, degraded]) await addNoons(each, [11, 12, 13], 40)
    await read([other, slow, degraded], now)
    assert.equal(other.episodes, null)
    assert.equal(degraded.episodes?.usual.ms, null)
    assert.equal(slow.episodes?.usual.ms, 40)
  })

  it('reads them after the full hour, each by its key some seconds later, so that they are no crowd', async () => {
    const slow = await watched({ alert_slow_factor: 2 })
    await read([slow], now)
    const dueMs = Date.parse('2031-03-14T13:00:00Z') + (slow.key % 900) * 1000
    assert.equal(slow.episodes?.usual.dueMs, dueMs)
    await addNoons(slow, [11, 12, 13], 40)
    await read([slow], dueMs - 1)
    assert.equal(slow.episodes?.usual.ms, null)
    await read([slow], dueMs)
    assert.equal(slow.episodes?.usual.ms, 40)
  })

  it('reads five hundred of them at a time, and the others the next time', async () => {
    const slow = await watched({ alert_slow_factor: 2 })
    const episodes = slow.episodes ?? assert.fail('it tells of none')
    const many = Array.from({ length: 501 }, (_, index) => {
      const usual = { ms: null, dueMs: 0 }
      return { ...slow, key: slow.key + index, episodes: { ...episodes, usual } }
    })
    const unread = (): number => many.filter((each) => each.episodes.usual.dueMs === 0).length
    await read(many, now)
    assert.equal(unread(), 1)
    await read(many, now)
    assert.equal(unread(), 0)
  })

  it('reads them once an hour', async () => {
    const slow = await watched({ alert_slow_factor: 2 })
    await addNoons(slow, [11, 12], 40)
    await read([slow], now)
    assert.equal(slow.episodes?.usual.ms, null, 'two days are not enough')
    await addNoons(slow, [13], 40)
    await read([slow], now + 39 * minute)
    assert.equal(slow.episodes?.usual.ms, null)
    await read([slow], now + 55 * minute)
    assert.equal(slow.episodes?.usual.ms, 40)
    await read([slow], now + 175 * minute)
    assert.equal(slow.episodes?.usual.ms, null, 'of another time of the day nothing is known')
  })
})
