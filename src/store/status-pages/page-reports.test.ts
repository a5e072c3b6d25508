import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { statusModel } from '#core/status-pages/status-model.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { addDays } from '#core/language/utc-day.ts'
import { testApi } from '../../../test/support/api.ts'
import { addDays as addUptime, addIncident, addResults, createMonitor } from '../../../test/support/monitors.ts'
import { addPage, addPost } from '../../../test/support/status.ts'
import { findBeginning, listAnnouncementsOf, listIncidents } from './page-history.ts'
import type { StatusPage } from './status-pages.ts'
import { readStatusReport } from './page-reports.ts'

const now = new Date('2026-11-21T10:07:00Z')
const today = '2026-11-21'

describe('what is read of a status page', async () => {
  const api = await testApi({ now: () => now })
  const { database, workspaceId } = api
  const other = await api.addWorkspace()
  const monitors = [
    await createMonitor(api, { name: 'Days' }),
    await createMonitor(api, { name: 'Weeks' }),
    await createMonitor(api, { name: 'Months' }),
    await createMonitor(api, { name: 'Nothing' }),
  ]
  const ages = [30, 200, 1000]
  for (const [index, age] of ages.entries())
    await addUptime(
      database,
      monitors[index]?.id ?? '',
      Array.from({ length: age }, (_, back) => ({ date: addDays(today, -back), up: 100 + back, down: back % 7 })),
    )
  const ids = monitors.map(({ id }) => id)
  const pageOf = async (slug: string, more: Partial<StatusPage> = {}) =>
    addPage(database, { workspaceId, slug, monitorIds: ids, ...more })
  const whole = await pageOf('whole', { history: 'whole' })
  const days = await pageOf('days')
  const read = (page: StatusPage, of = workspaceId) => readStatusReport(database, { head: page, workspaceId: of, now })

  it('is the whole history in days, weeks or months, and nothing is lost in them', async () => {
    const { sections } = statusModel(whole, await read(whole), { now })
    const bars = sections[0]?.monitors.map((monitor) => monitor.bars ?? []) ?? []
    assert.deepEqual(
      bars.map(({ length }) => length),
      [30, 29, 34, 0],
    )
    for (const [index, age] of ages.entries()) {
      const all = Array.from({ length: age }, (_, back) => back)
      const sum = (part: (bar: { checks: number; failed: number }) => number) =>
        (bars[index] ?? []).reduce((total, bar) => total + part(bar), 0)
      assert.equal(
        sum(({ checks }) => checks),
        all.reduce((total, back) => total + 100 + back + (back % 7), 0),
      )
      assert.equal(
        sum(({ failed }) => failed),
        all.reduce((total, back) => total + (back % 7), 0),
      )
      assert.equal(bars[index]?.at(-1)?.to, today)
    }
    assert.equal(bars[1]?.[0]?.from, '2026-05-04', 'a Monday')
    assert.equal(bars[2]?.[0]?.from, '2024-02-01')
  })

  it('is 90 days of each, whatever there is before', async () => {
    const report = await read(days)
    assert.deepEqual(
      report.monitors.map((monitor) => [monitor.name, monitor.days.length, monitor.since]),
      [
        ['Days', 30, addDays(today, -29)],
        ['Weeks', 90, addDays(today, -199)],
        ['Months', 90, addDays(today, -999)],
        ['Nothing', 0, null],
      ],
    )
  })

  it('has the averages of quarter-hours, in which a merged result weighs what it stands for', async () => {
    const begin = startOfLastDay(now)
    const at = (minutes: number): Date => new Date(begin.getTime() + minutes * 60_000)
    await addResults(database, ids[0] ?? '', [
      { at: at(-1), latencyMs: 9_000 },
      { at: at(0), latencyMs: 100 },
      { at: at(14), latencyMs: 400 },
      { at: at(15), latencyMs: 50 },
      { at: at(16), latencyMs: 7_000, status: 'down' },
      { at: at(17), latencyMs: 650, status: 'degraded' },
      { at: at(1445), latencyMs: 60 },
      { at: at(40), latencyMs: null },
    ])
    await database.pool.query(
      `update results set repeats = 3, latency_sum_ms = 600, latency_count = 3 where latency_ms = 400`,
    )
    const report = await read(days)
    assert.deepEqual(report.monitors[0]?.responses, [
      [0, 175],
      [1, 350],
      [96, 60],
    ])
    assert.deepEqual((await read({ ...days, responseCharts: false })).monitors[0]?.responses, [])
  })

  it('is nothing of a workspace to which the page does not belong', async () => {
    assert.deepEqual((await read(days, other.workspaceId)).monitors, [])
  })

  it('has what ended in the last fourteen days, however long before it began within the bars', async () => {
    const [monitor] = monitors
    assert.ok(monitor)
    for (const [startedAt, resolvedAt] of [
      ['2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z'],
      ['2026-11-07T10:08:00Z', '2026-11-07T10:09:00Z'],
      ['2026-10-01T08:00:00Z', '2026-11-10T09:00:00Z'],
      ['2026-11-07T09:00:00Z', '2026-11-07T10:06:00Z'],
      ['2026-08-01T08:00:00Z', '2026-11-10T09:00:00Z'],
    ] as const)
      await addIncident(database, monitor, { startedAt, resolvedAt })
    const { ended, running } = await read(days)
    assert.deepEqual(
      ended.map(({ startedAt }) => startedAt.toISOString().slice(0, 16)),
      ['2026-11-20T08:00', '2026-11-07T10:08', '2026-10-01T08:00'],
    )
    assert.deepEqual(running, [])
    const beginning = await findBeginning(database, { pageId: days.id, workspaceId, monitorIds: ids })
    assert.equal(beginning?.toISOString(), '2026-08-01T08:00:00.000Z')
    const month = { from: new Date('2026-11-01'), until: new Date('2026-12-01') }
    const ofMonth = await listIncidents(database, {
      workspaceId,
      monitorIds: ids,
      state: 'any',
      ...month,
      now,
      limit: 2,
    })
    assert.deepEqual(
      ofMonth.map(({ startedAt }) => startedAt.toISOString().slice(0, 10)),
      ['2026-11-20', '2026-11-07'],
    )
  })

  it('has announcements on top until they end, and those that ended lately below', async () => {
    const announce = (title: string, postedAt: string, endsAt: string | null) =>
      addPost(database, {
        workspaceId,
        pageId: days.id,
        title,
        body: 'x',
        postedAt: new Date(postedAt),
        endsAt: endsAt === null ? null : new Date(endsAt),
      })
    await announce('old and endless', '2025-01-01T00:00:00Z', null)
    await announce('old and over', '2025-01-02T00:00:00Z', '2025-01-03T00:00:00Z')
    await announce('on', '2026-11-21T00:00:00Z', '2026-11-21T10:08:00Z')
    await announce('over', '2026-11-20T00:00:00Z', '2026-11-21T10:07:00Z')
    const report = await read(days)
    assert.deepEqual(
      report.announcements.map(({ title }) => title),
      ['on', 'old and endless'],
    )
    assert.deepEqual(
      report.endedAnnouncements.map(({ title }) => title),
      ['over'],
    )
    const ofYear = { pageId: days.id, from: new Date('2025-01-01'), until: new Date('2025-01-02'), limit: 5 }
    assert.deepEqual(
      (await listAnnouncementsOf(database, ofYear)).map(({ title }) => title),
      ['old and endless'],
    )
  })
})
