import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type MonitorEvent, monitorEventSchema } from '#core/incidents/episode.ts'
import { slotOf } from '#core/results/latency-histogram.ts'
import { kinds } from '#kinds/index.ts'
import { contactOperations } from '#operations/contacts/contacts.ts'
import { monitorEventOperations } from '#operations/monitors/monitor-events.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { addContact, type EngineBench, engineBench, incidentsOf, standingOf } from '../../test/support/engine.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { checkOnce } from '../../test/support/check.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { playRound, playRounds } from '../../test/support/played-rounds.ts'
import { until } from '../../test/support/until.ts'

const operations = [...monitorOperations, ...contactOperations, ...monitorEventOperations]
const eventsSchema = z.strictObject({ data: z.array(monitorEventSchema) })

type Played = { bench: EngineBench; id: string; play: (rounds: string) => Promise<void> }

/** A monitor that alerts after three degraded rounds and is well after two good ones; the test makes its rounds. */
async function watched(settings: object = {}): Promise<Played> {
  const bench = await engineBench({ operations, online: [] })
  const { id } = await createMonitor(bench.api, {
    interval_seconds: 3600,
    locations: ['boston'],
    failure_threshold: 2,
    recovery_threshold: 2,
    alert_degraded_rounds: 3,
    ...settings,
  })
  await addContact(bench.database, bench.api.workspaceId)
  return { bench, id, play: (rounds) => playRounds(bench, id, rounds) }
}

async function eventsOf({ bench, id }: Played): Promise<MonitorEvent[]> {
  const { body } = await bench.api.get(`/monitors/${id}/events`)
  return eventsSchema.parse(body).data.toReversed()
}

async function typesOf(played: Played): Promise<string[]> {
  return (await eventsOf(played)).map(({ type }) => type)
}

async function alertsOf({ bench }: Played) {
  return bench.database.query
    .selectFrom('deliveries')
    .select(['id', 'alert', 'after_id', 'episode_id', 'incident_id'])
    .orderBy('created_at')
    .orderBy('after_id', (order) => order.asc().nullsFirst())
    .execute()
}

async function alertTypesOf(played: Played): Promise<unknown[]> {
  return (await alertsOf(played)).map(({ alert }) => JSON.parse(JSON.stringify(alert)).type)
}

describe('a monitor that tells when it is degraded', { concurrency: 3 }, () => {
  it('tells after so many rounds in a row, and when it is well again, without an incident', async () => {
    const played = await watched()
    const { bench, id, play: rounds } = played
    await rounds('ggugg')
    assert.deepEqual(await typesOf(played), [])
    await rounds('ggug')
    assert.deepEqual(await typesOf(played), ['degraded'])
    await rounds('uu')
    const [beginning, end] = await eventsOf(played)
    assert.ok(beginning !== undefined && end !== undefined)
    assert.deepEqual([beginning.type, end.type], ['degraded', 'degraded_ended'])
    assert.equal(beginning.message, 'Degraded for 3 rounds in a row: slow')
    assert.equal(end.message, 'No longer degraded.')
    const startedAt = beginning.details['started_at']
    assert.ok(typeof startedAt === 'string' && startedAt < beginning.at)
    assert.deepEqual(beginning.details, { started_at: startedAt, rounds: 3, error: 'slow', location_code: 'boston' })
    assert.equal(end.details['episode_id'], beginning.id)
    assert.equal(end.details['started_at'], startedAt)
    const [first, second] = await alertsOf(played)
    assert.ok(first !== undefined && second !== undefined)
    assert.deepEqual([first.episode_id, second.episode_id, second.after_id], [beginning.id, beginning.id, first.id])
    const { type, timestamp, data }: Record<string, unknown> = JSON.parse(JSON.stringify(second.alert))
    assert.deepEqual([type, timestamp], ['monitor.degraded_ended', end.at])
    assert.deepEqual(Object.keys(Object(data)).toSorted(), ['episode', 'incident', 'monitor', 'result'])
    assert.deepEqual(await incidentsOf(bench.database, id), [])
    assert.equal((await standingOf(bench.database, id)).down, 0)
  })

  it('tells nothing unless it chose to', async () => {
    const played = await watched({ alert_degraded_rounds: null })
    await played.play('gggguu')
    assert.deepEqual([await typesOf(played), await alertTypesOf(played)], [[], []])
  })

  it('tells of an outage instead, and counts anew after it', async () => {
    const played = await watched()
    await played.play('gggddgguugg')
    assert.deepEqual(await typesOf(played), ['degraded', 'degraded_ended'])
    assert.deepEqual(await alertTypesOf(played), ['monitor.degraded', 'monitor.down', 'monitor.up'])
    assert.equal((await eventsOf(played))[1]?.message, 'The monitor went down.')
    await played.play('g')
    assert.deepEqual(await typesOf(played), ['degraded', 'degraded_ended', 'degraded'])
  })

  it('waits for the end of a maintenance', async () => {
    const played = await watched()
    const { bench, id } = played
    const { id: windowId } = await planMaintenance(bench.database, {
      workspaceId: bench.api.workspaceId,
      occurrences: [{ startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 3_600_000) }],
    })
    await played.play('ggggg')
    assert.deepEqual([await typesOf(played), await alertTypesOf(played)], [[], []])
    await bench.database.pool.query('delete from maintenance_windows where id = $1', [windowId])
    await played.play('g')
    assert.deepEqual(await alertTypesOf(played), ['monitor.degraded'])
    assert.equal((await eventsOf(played))[0]?.details['rounds'], 6)
    assert.equal((await standingOf(bench.database, id)).current_status, 'degraded')
  })

  it('ends with a pause, untold', async () => {
    const played = await watched()
    const { bench, id } = played
    await played.play('ggg')
    await bench.api.post(`/monitors/${id}/pause`)
    assert.deepEqual(await typesOf(played), ['degraded', 'degraded_ended'])
    await bench.api.post(`/monitors/${id}/resume`)
    await played.play('uugg')
    assert.deepEqual(await alertTypesOf(played), ['monitor.degraded'])
  })

  it('ends when it no longer tells, untold', async () => {
    const played = await watched()
    const { bench, id } = played
    await played.play('ggg')
    await bench.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', alert_degraded_rounds: null } })
    await played.play('gg')
    assert.deepEqual(await typesOf(played), ['degraded', 'degraded_ended'])
    assert.deepEqual(await alertTypesOf(played), ['monitor.degraded'])
  })

  it('is known to an engine that takes over, which counts rounds anew', async () => {
    const played = await watched()
    const { bench } = played
    await played.play('gg')
    await bench.engine.stop()
    const second = await bench.startAnother('second')
    await played.play('gg')
    assert.deepEqual(await alertTypesOf(played), [])
    await played.play('g')
    assert.deepEqual(await alertTypesOf(played), ['monitor.degraded'])
    await second.stop()
    await bench.startAnother('third')
    await played.play('gggguu')
    assert.deepEqual(await alertTypesOf(played), ['monitor.degraded', 'monitor.degraded_ended'])
  })
})

/** The hours of four days, each with checks of 300 ms. */
async function addUsualHours({ database }: EngineBench, id: string): Promise<void> {
  await database.pool.query(
    `insert into latency_hours
    select
      key, date_bin('6 hours', now(), timestamptz 'epoch') - n * interval '6 hours',
      array(select hour * 512 + $2::integer from generate_series(0, 5) as hour), '{9,9,9,9,9,9}'
    from monitors, generate_series(1, 16) as n
    where id = $1`,
    [id, slotOf(300)],
  )
}

describe('a monitor that tells when it is slow', () => {
  it('tells of a server that has become slow, and of its end', { timeout: 120_000 }, async () => {
    let delayMs = 0
    const { port } = await httpServer((_, response) => setTimeout(() => response.end('ok'), delayMs))
    const played = await watched({ alert_degraded_rounds: null, alert_slow_factor: 2, alert_slow_rounds: 2 })
    const { bench, id } = played
    const once = async (): Promise<void> => {
      const verdict = await checkOnce(kinds.http, { url: `http://127.0.0.1:${port}/`, timeoutMs: 20_000 })
      assert.equal(verdict.status, 'up')
      await playRound(bench, id, verdict)
    }
    const { body: before } = await bench.api.get(`/monitors/${id}`)
    assert.partialDeepStrictEqual(before, { usual_response: { p95_ms: null, slow_from_ms: null } })
    await addUsualHours(bench, id)
    const { body: after } = await bench.api.get(`/monitors/${id}`)
    assert.partialDeepStrictEqual(after, { usual_response: { p95_ms: 297, slow_from_ms: 594 } })
    const { alert_slow_rounds: rounds } = z.object({ data: z.object({ alert_slow_rounds: z.int() }) }).parse(after).data
    assert.equal(rounds, 2)
    delayMs = 650
    // The engine reads what is usual within some seconds; rounds before say nothing.
    await until(
      'it tells that it is slow',
      async () => once().then(async () => (await typesOf(played)).length > 0),
      60_000,
    )
    delayMs = 0
    await until(
      'it tells that it is fast',
      async () => once().then(async () => (await typesOf(played)).length > 1),
      60_000,
    )
    const [beginning, end] = await eventsOf(played)
    assert.ok(beginning !== undefined && end !== undefined)
    assert.deepEqual([beginning.type, end.type], ['slow', 'slow_ended'])
    assert.match(
      beginning.message,
      /^Slower than usual for 2 rounds in a row: \d+ ms, where 95 % of checks take at most 297 ms at this time of day\.$/,
    )
    assert.match(end.message, /^Back to its usual speed: \d+ ms\.$/)
    assert.partialDeepStrictEqual(beginning.details, { rounds: 2, usual_ms: 297, slow_from_ms: 594 })
    assert.ok(Number(beginning.details['measured_ms']) >= 594)
    assert.deepEqual(await alertTypesOf(played), ['monitor.slow', 'monitor.slow_ended'])
    const [alert] = await alertsOf(played)
    const { data }: Record<string, unknown> = JSON.parse(JSON.stringify(alert?.alert))
    assert.partialDeepStrictEqual(data, { incident: null, response_time: { usual_ms: 297, slow_from_ms: 594 } })
    assert.deepEqual(await incidentsOf(bench.database, id), [])
    assert.equal((await standingOf(bench.database, id)).current_status, 'up')
  })

  it('forgets what was usual with its target', async () => {
    const played = await watched({ alert_slow_factor: 2 })
    const { bench, id } = played
    await addUsualHours(bench, id)
    await bench.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url: 'https://example.org/other' } })
    assert.partialDeepStrictEqual((await bench.api.get(`/monitors/${id}`)).body, { usual_response: { p95_ms: null } })
  })
})
