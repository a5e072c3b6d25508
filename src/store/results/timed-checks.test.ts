import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { responseSpan } from '#core/results/response-times.ts'
import { readOverview } from '#store/overview/overview.ts'
import { readStatusReport } from '#store/status-pages/page-reports.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { testApi } from '../../../test/support/api.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { addHistoryMonitor, countSlowAnswersFrom, reportsOf, slowAnswersSince } from '../../../test/support/history.ts'
import { addResults, createMonitor } from '../../../test/support/monitors.ts'
import { cellsOf } from '../../../test/support/overview.ts'
import { addPage } from '../../../test/support/status.ts'
import { readResponseTimes } from './response-times.ts'

const migration = readFileSync(new URL('../migrations/0020-slow-answers.sql', import.meta.url), 'utf8')

describe('the day from which slow answers count', () => {
  it('has passed long ago for an installation that begins with this rule', async () => {
    assert.equal(await slowAnswersSince(await testDatabase()), '1970-01-01')
  })

  it('is the first UTC day that begins six hours or more after an upgrade', async () => {
    const database = await testDatabase({ maxConnections: 1 })
    await createWorkspace(database, { id: randomUUID(), name: 'Before the upgrade', plan: 'pro' })
    await database.pool.query(`delete from settings where name = 'slow_answers_since'`)
    await database.pool.query(migration)
    const { rows } = await database.pool.query<{ text: string; hours: number }>(
      `select value #>> '{}' as text, extract(epoch from (value #>> '{}')::timestamptz - now())::float8 / 3600 as hours
      from settings
      where name = 'slow_answers_since'`,
    )
    const [noted = assert.fail('nothing was noted')] = rows
    assert.match(noted.text, /^\d{4}-\d\d-\d\dT00:00:00Z$/)
    assert.ok(noted.hours > 5.99 && noted.hours <= 30, `${noted.hours} hours`)
  })
})

describe('slow answers', async () => {
  const now = new Date('2026-11-21T10:07:00Z')
  const [yesterday, today] = ['2026-11-20', '2026-11-21']
  const api = await testApi({ now: () => now })
  const { database, workspaceId } = api
  await countSlowAnswersFrom(database, today)
  const { id } = await createMonitor(api)
  const history = await addHistoryMonitor(database, id)
  await addResults(database, id, [
    { at: `${yesterday}T20:00:00Z`, latencyMs: 10 },
    { at: `${yesterday}T23:59:59.999Z`, microseconds: 999, latencyMs: 47, status: 'degraded' },
    { at: `${today}T00:00:00Z`, latencyMs: 40, status: 'degraded' },
    { at: `${today}T00:01:00Z`, latencyMs: 20 },
    { at: `${today}T00:02:00Z`, latencyMs: 45, status: 'down' },
    { at: `${today}T00:03:00Z`, latencyMs: null, status: 'degraded' },
  ])

  it('count in the days from then on and in none before', async () => {
    const { days, lastDay, latencies } = await reportsOf(database, history, now)
    assert.deepEqual(
      days.map(({ date, up, restricted, latencySumMs, latencyCount }) => {
        return [date, up, restricted, latencySumMs, latencyCount, latencies.get(date)?.p99_ms]
      }),
      [
        [yesterday, 1, 1, 10, 1, 10],
        [today, 1, 2, 60, 2, 40],
      ],
    )
    assert.deepEqual([lastDay.checks, lastDay.latencySumMs, lastDay.latencyCount], [6, 70, 3])
  })

  it('count in the steps of response times', async () => {
    const span = responseSpan('24', now)
    const [told = assert.fail('no location')] = await readResponseTimes(database, {
      monitorKey: String(history.key),
      span,
    })
    assert.deepEqual(
      told.steps.map(({ at, checks, failed, latency_ms, slowest_ms }) => {
        return [at.slice(11, 16), checks, failed, latency_ms, slowest_ms]
      }),
      [
        ['20:00', 1, 0, 10, 10],
        ['23:45', 1, 0, null, null],
        ['00:00', 4, 1, 30, 40],
      ],
    )
  })

  it('count in the charts of status pages', async () => {
    const head = await addPage(database, { workspaceId, slug: 'slow', monitorIds: [id] })
    const { monitors } = await readStatusReport(database, { head, workspaceId, now })
    assert.deepEqual(monitors[0]?.responses, [
      [40, 10],
      [56, 30],
    ])
  })

  it('count in the rows of the overview', async () => {
    const { monitors } = await readOverview(database, { workspaceId, now })
    const [row = assert.fail('not listed')] = monitors
    const { latencyMs, spark } = cellsOf(row)
    assert.deepEqual([latencyMs, spark], [20, '40:Q._g..'])
  })
})
