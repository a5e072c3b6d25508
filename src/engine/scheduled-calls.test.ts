import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type EngineBench, engineBench, incidentsOf, only, standingOf } from '../../test/support/engine.ts'
import { createHeartbeat, passDeadline, statusIs } from '../../test/support/heartbeat.ts'
import { until } from '../../test/support/until.ts'

/** Once an hour, and not at the turn of one, so that no test meets it but by chance of a minute. */
const hourly = { schedule: '30 * * * *', time_zone: 'Europe/Vienna' }
const hourMs = 3_600_000
const graceSeconds = 60

async function deadlineOf({ database }: EngineBench, id: string): Promise<number | null> {
  const { rows } = await database.pool.query<{ deadline: Date | null }>(
    'select deadline_at as deadline from monitor_state join monitors on key = monitor_key where id = $1',
    [id],
  )
  return rows[0]?.deadline?.getTime() ?? null
}

/** Half past of an hour, after this moment: Vienna differs from UTC by whole hours. */
function halfPastAfter(ms: number): number {
  return (Math.floor((ms - hourMs / 2) / hourMs) + 1) * hourMs + hourMs / 2
}

async function scheduled(bench: EngineBench, input: object = {}): ReturnType<typeof createHeartbeat> {
  return createHeartbeat(bench, { heartbeat_grace_seconds: graceSeconds, check_options: hourly, ...input })
}

const shown = z.object({ data: z.object({ next_check_at: z.string().nullable(), interval_seconds: z.number() }) })

describe('a heartbeat with a schedule', { concurrency: 4 }, () => {
  it('awaits no call before the first one, and then the next one at its time', async () => {
    const bench = await engineBench()
    const { id, call } = await scheduled(bench, { interval_seconds: 86_400 })
    assert.equal(await deadlineOf(bench, id), null)
    const before = Date.now()
    await call()
    const after = Date.now()
    const deadline = (await deadlineOf(bench, id)) ?? assert.fail('It awaits no call.')
    const expected = [before, after].map((ms) => halfPastAfter(ms) + graceSeconds * 1000)
    assert.ok(expected.includes(deadline), `${deadline} is none of ${expected.join(', ')}`)
    const { data } = shown.parse((await bench.api.get(`/monitors/${id}`)).body)
    assert.deepEqual([data.next_check_at, data.interval_seconds], [new Date(deadline).toISOString(), 86_400])
  })

  it('has one incident of all its runs that are missed, and is up with the next call', async () => {
    const bench = await engineBench()
    const { id, call } = await scheduled(bench, { check_options: { schedule: '* * * * *' } })
    await call()
    await passDeadline(bench, id, 200)
    await until('its runs are missed', async () => (await standingOf(bench.database, id)).consecutive_failures >= 3)
    const incident = only(await incidentsOf(bench.database, id))
    assert.equal(incident.cause, 'No call came within 60 seconds of its scheduled time')
    const deadline = (await deadlineOf(bench, id)) ?? assert.fail('It awaits no call.')
    assert.equal(deadline % 60_000, 0)
    await call()
    await statusIs(bench, id, 'up')
    assert.equal((await incidentsOf(bench.database, id)).length, 1)
  })

  it('goes by another schedule from now on, and by the interval without one', async () => {
    const bench = await engineBench()
    const { id, call } = await scheduled(bench, { interval_seconds: 600 })
    await call()
    const change = async (options: object): Promise<number> => {
      const body = { name: 'Backup', check_options: options }
      const answer = await bench.api.request('PATCH', `/monitors/${id}`, { body })
      assert.equal(answer.status, 200, answer.text)
      return (await deadlineOf(bench, id)) ?? assert.fail('It awaits no call.')
    }
    const monthly = await change({ schedule: '0 0 1 * *', time_zone: 'UTC' })
    const now = new Date()
    assert.equal(monthly, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) + graceSeconds * 1000)
    const aheadMs = (await change({})) - Date.now()
    assert.ok(Math.abs(aheadMs - 660_000) < 15_000, `The deadline is ${aheadMs} ms ahead.`)
  })

  it('is counted from the same time where only its grace is changed', async () => {
    const bench = await engineBench()
    const { id, call } = await scheduled(bench)
    await call()
    const before = (await deadlineOf(bench, id)) ?? assert.fail('It awaits no call.')
    const body = { name: 'Backup', heartbeat_grace_seconds: graceSeconds + 90, interval_seconds: 3600 }
    assert.equal((await bench.api.request('PATCH', `/monitors/${id}`, { body })).status, 200)
    assert.equal(await deadlineOf(bench, id), before + 90_000)
  })

  it('awaits no call while it is paused, nor after that before the next one', async () => {
    const bench = await engineBench()
    const { id, call } = await scheduled(bench)
    await call()
    await bench.api.post(`/monitors/${id}/pause`)
    assert.equal(await deadlineOf(bench, id), null)
    await bench.api.post(`/monitors/${id}/resume`)
    assert.equal(await deadlineOf(bench, id), null)
    await until(
      'it is watched again',
      async () => (await call()).status === 200 && (await deadlineOf(bench, id)) !== null,
    )
  })

  it('is refused with the option that is wrong', async () => {
    const bench = await engineBench()
    for (const [options, field] of [
      [{ schedule: 'nightly' }, 'check_options.schedule'],
      [{ time_zone: 'UTC' }, 'check_options.time_zone'],
      [{ schedule: '30 2 * * *', time_zone: 'Mars' }, 'check_options.time_zone'],
    ] as const) {
      const answer = await bench.api.post('/monitors', { name: 'A', kind: 'heartbeat', check_options: options })
      assert.equal(answer.status, 422)
      assert.deepEqual(Object.keys(z.object({ fields: z.record(z.string(), z.unknown()) }).parse(answer.body).fields), [
        field,
      ])
    }
  })
})
