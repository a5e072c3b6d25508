import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ResponseHours, responseSpan, type SharedStep } from '#core/results/response-times.ts'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import { addChecks, addHistoryMonitor, drain, type TestHistory } from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { readHourPercentiles } from './hour-percentiles.ts'

const now = new Date('2031-03-12T10:20:00Z')
const minuteMs = 60_000

describe('percentiles of hours', async () => {
  const api = await testApi()
  const { database } = api

  /** Checked every minute from two days ago until now; merged as far as it is due. */
  async function merged(): Promise<TestHistory> {
    const history = await addHistoryMonitor(database, (await createMonitor(api)).id)
    const from = now.getTime() - 2 * 1440 * minuteMs
    const checks = checksOf({ intervalMs: minuteMs, locations: 1, seed: 8 }, { from, to: now.getTime() })
    for (const check of checks) Object.assign(check, { status: 'u', statusCode: 200, error: null, latencyMs: 40 })
    await addChecks(database, history, checks)
    await drain(database, now)
    return history
  }

  async function read({ key }: TestHistory, hours: ResponseHours = '168'): Promise<Map<string, SharedStep>> {
    const steps = await readHourPercentiles(database, { monitorKey: String(key), span: responseSpan(hours, now) })
    return new Map(steps.map((step) => [step.at.slice(8, 13), step]))
  }

  const change = ({ key }: TestHistory, statement: string) =>
    database.pool.query(`${statement} and monitor_key = ${key}`)

  it('are told of merged hours, of hours that are half merged, and of the unfinished one', async () => {
    const history = await merged()
    const merging = await database.pool.query<{ until: string }>(
      `select to_char(merged_until, 'HH24:MI') as until from result_merges where monitor_key = ${history.key}`,
    )
    assert.deepEqual(merging.rows, [{ until: '08:15' }])
    const steps = await read(history)
    for (const at of ['10T12', '12T07', '12T08', '12T09', '12T10'])
      assert.deepEqual([...percentilesOf(steps.get(at)), ...meansOf(steps.get(at))], [40, 40, 40, 40, 40], at)
    // One check in fifty is missing, and the hour is not over.
    assert.ok((steps.get('12T10')?.checks ?? 60) <= 20)
    assert.equal(steps.size, 49)
  })

  it('of six hours are those of their checks together, not a mean of percentiles', async () => {
    const history = await merged()
    await change(
      history,
      `update latency_hours set slots = slots || (5 * 512 + 400)::smallint, counts = counts || 30::smallint
      where starts_at = '2031-03-11T06:00:00Z'`,
    )
    const step = (await read(history, '720')).get('11T06')
    const [p50, p95, p99] = percentilesOf(step)
    assert.equal(p50, 40)
    assert.ok((p95 ?? 0) > 1_000 && p95 === p99, String(p95))
  })

  it('are null where an hour has no histogram, beside its mean and its maximum', async () => {
    const history = await merged()
    await change(history, `delete from latency_hours where starts_at = '2031-03-11T06:00:00Z'`)
    const steps = await read(history)
    assert.deepEqual(percentilesOf(steps.get('11T07')), [null, null, null])
    assert.deepEqual(meansOf(steps.get('11T07')), [40, 40])
    assert.deepEqual(percentilesOf(steps.get('11T05')), [40, 40, 40])
  })

  it('are null where a histogram lacks some checks of its hour, as of the hour of an upgrade', async () => {
    const history = await merged()
    await change(
      history,
      `update latency_hours set counts = (select array_agg(c - 1) from unnest(counts) as c)
      where starts_at = '2031-03-11T06:00:00Z'`,
    )
    assert.deepEqual(percentilesOf((await read(history)).get('11T07')), [null, null, null])
    assert.deepEqual(percentilesOf((await read(history, '720')).get('11T06')), [null, null, null])
  })

  it('are told where results were removed sooner, without mean and maximum', async () => {
    const history = await merged()
    const known = (await read(history)).get('11T07')
    await change(history, `delete from results where round_at < '2031-03-12T00:00:00Z'`)
    const left = (await read(history)).get('11T07')
    assert.deepEqual(left, { ...known, latency_ms: null, slowest_ms: null })
  })

  it('leave out what was measured during maintenance', async () => {
    const history = await merged()
    await change(history, `update results set in_maintenance = true where round_at >= '2031-03-12T09:00:00Z'`)
    const steps = await read(history)
    assert.deepEqual([steps.has('12T08'), steps.has('12T09'), steps.has('12T10')], [true, false, false])
  })
})

function percentilesOf(step: SharedStep | undefined) {
  return [step?.p50_ms, step?.p95_ms, step?.p99_ms]
}

function meansOf(step: SharedStep | undefined) {
  return [step?.latency_ms, step?.slowest_ms]
}
