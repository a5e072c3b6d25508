import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { uptimeDaySchema } from '#core/results/uptime.ts'
import { type EngineBench, degraded, engineBench, failing, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

// Rounds that arrive at odd times, from the bus through the engine to the answers of the API.

const second = 1_000_000
const minute = 60 * second
const three = ['amsterdam', 'boston', 'chennai']
const uptimeAnswer = z.object({ data: z.array(uptimeDaySchema) })
const resultsAnswer = z.object({ data: z.array(z.object({ checked_at: z.string(), status: z.string() })) })

async function resultsOf({ api }: EngineBench, id: string) {
  return resultsAnswer.parse((await api.get(`/monitors/${id}/results?limit=500`)).body).data
}

async function checksByDay({ api }: EngineBench, id: string): Promise<[date: string, checks: number][]> {
  const { data } = uptimeAnswer.parse((await api.get(`/monitors/${id}/uptime`)).body)
  return data.filter(({ checks }) => checks > 0).map(({ date, checks }) => [date, checks])
}

function isoOf(round: number): string {
  return new Date(round / 1000).toISOString()
}

describe('results at odd times', { concurrency: 3 }, () => {
  it('are shown and counted at the time of their round, however late and in whatever order they come', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 3600, locations: three })
    const asked = await bench.taken(id, three)
    const [told] = asked
    assert.ok(told)
    for (const each of asked) await bench.answer(each, {})
    await until('it is up', async () => (await standingOf(bench.database, id)).current_status === 'up')
    // The rounds lie on both sides of midnight when that was within the last two hours.
    const backs = [3, 119, 17, 60, 1, 118, 59, 118.5, 30]
    const rounds = backs.map((minutes) => told.round - Math.round(minutes * minute))
    for (const [index, round] of rounds.entries())
      await bench.answer({ ...told, round, location: three[index % 3] ?? '' }, index % 2 === 0 ? failing : degraded)
    const all = [...asked.map(({ round }) => round), ...rounds].toSorted((one, other) => other - one)
    assert.deepEqual(
      (await resultsOf(bench, id)).map(({ checked_at }) => checked_at),
      all.map(isoOf),
    )
    const days = [...Map.groupBy(all, (round) => isoOf(round).slice(0, 10))].map(([date, of]) => [date, of.length])
    assert.deepEqual(await checksByDay(bench, id), days.toReversed())
    const { current_status, consecutive_failures } = await standingOf(bench.database, id)
    assert.deepEqual([current_status, consecutive_failures], ['up', 0], 'what is past decides nothing')
  })

  it('are refused beyond two hours and in the future, and counted nowhere', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 3600, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told)
    for (const away of [-121 * minute, -26 * 60 * minute, 5 * minute, 26 * 60 * minute])
      await bench.answer({ ...told, round: told.round + away }, failing)
    assert.deepEqual([bench.counts.stored, bench.counts.rejected], [0, 4])
    await bench.answer(told, {})
    assert.deepEqual(await checksByDay(bench, id), [[isoOf(told.round).slice(0, 10), 1]])
  })

  it('are one when they are of the same round and location, whatever the second says', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { interval_seconds: 3600, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told)
    await bench.answer(told, {})
    await bench.answer(told, failing)
    await Promise.all([bench.answer(told, failing), bench.answer(told, degraded)])
    assert.deepEqual(
      (await resultsOf(bench, id)).map(({ status }) => status),
      ['up'],
    )
    assert.deepEqual(await checksByDay(bench, id), [[isoOf(told.round).slice(0, 10), 1]])
  })
})
