import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { addHistoryMonitor } from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { slotOf } from '#core/results/latency-histogram.ts'
import { usualOf, usualSpan } from '#core/results/usual.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { forgetLatencyHours, readHours } from './latency-hours.ts'

describe('response times of hours', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database } = api

  async function monitorKey(): Promise<number> {
    return (await addHistoryMonitor(database, (await createMonitor(api)).id)).key
  }

  /** `hour` is within the six hours that begin at `startsAt`. */
  async function add(
    key: number,
    startsAt: string,
    hours: [hour: number, ms: number, checks: number][],
  ): Promise<void> {
    await database.pool.query('insert into latency_hours values ($1, $2, $3, $4)', [
      key,
      startsAt,
      hours.map(([hour, ms]) => hour * 512 + slotOf(ms)),
      hours.map(([, , checks]) => checks),
    ])
  }

  it('are read of the hours that were asked for, whole days side by side', async () => {
    const [key, other, none] = [await monitorKey(), await monitorKey(), await monitorKey()]
    await add(key, '2031-03-10T06:00:00Z', [
      [4, 9000, 1],
      [5, 10, 3],
      [5, 20, 1],
      [5, 10, 2],
    ])
    await add(key, '2031-03-10T12:00:00Z', [
      [0, 20, 4],
      [1, 30, 5],
      [2, 9000, 7],
    ])
    await add(key, '2031-03-11T12:00:00Z', [
      [0, 40, 6],
      [1, 9000, 1],
    ])
    await add(other, '2031-03-10T12:00:00Z', [[1, 40_000, 2]])
    const found = await readHours(database, {
      monitorKeys: [key, other, none],
      hours: [11, 12, 13],
      from: new Date('2031-03-10T11:00:00Z'),
      until: new Date('2031-03-11T13:00:00Z'),
    })
    assert.deepEqual(found.get(key), {
      days: 2,
      histogram: { slots: [10, 20, 30, 40].map(slotOf), counts: [5, 5, 5, 6] },
    })
    assert.deepEqual(found.get(other), { days: 1, histogram: { slots: [slotOf(40_000)], counts: [2] } })
    assert.equal(found.has(none), false)
  })

  it('say what is usual from the third day on', async () => {
    const key = await monitorKey()
    const now = new Date('2031-05-20T12:30:00Z')
    const usual = async (): Promise<number | null> =>
      usualOf((await readHours(database, { monitorKeys: [key], ...usualSpan(now) })).get(key))
    await add(key, '2031-05-18T12:00:00Z', [[0, 40, 60]])
    await add(key, '2031-05-19T12:00:00Z', [[1, 40, 60]])
    assert.equal(await usual(), null)
    await add(key, '2031-05-20T06:00:00Z', [[5, 40, 1]])
    assert.equal(await usual(), 40)
  })

  it('are forgotten once all six are older than 35 days', async () => {
    const key = await monitorKey()
    await database.pool.query('delete from latency_hours')
    for (const startsAt of ['2031-01-01T00:00:00Z', '2031-01-01T06:00:00Z', '2031-01-01T12:00:00Z'])
      await add(key, startsAt, [[0, 10, 1]])
    const left = async (): Promise<number> =>
      (await database.pool.query<{ rows: number }>('select count(*)::integer as rows from latency_hours')).rows[0]
        ?.rows ?? 0
    assert.equal(await forgetLatencyHours(database, new Date('2031-02-05T05:59:59Z')), 0)
    assert.equal(await forgetLatencyHours(database, new Date('2031-02-05T06:00:00Z')), 1)
    assert.equal(await left(), 2)
    assert.equal(await forgetLatencyHours(database, new Date('2031-02-05T17:59:59Z')), 1)
    assert.equal(await left(), 1)
  })

  it('are forgotten a thousand rows at a time', async () => {
    const key = await monitorKey()
    await database.pool.query('delete from latency_hours')
    await database.pool.query(
      `insert into latency_hours
      select $1, timestamptz '2030-01-01' + n * interval '6 hours', '{1}', '{1}'
      from generate_series(0, 1000) as n`,
      [key],
    )
    const now = new Date('2031-03-01T00:00:00Z')
    assert.equal(await forgetLatencyHours(database, now), 1000)
    assert.equal(await forgetLatencyHours(database, now), 1)
    assert.equal(await forgetLatencyHours(database, now), 0)
  })
})
