import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import type { ReportContent } from '#core/reports/report-content.ts'
import { reportContentSchema } from '#core/reports/report-content.ts'
import { readPeriod } from '#core/reports/report-period.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { testApi } from '../../../test/support/api.ts'
import { showCertificate } from '../../../test/support/expiries.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { type Checked, addDays, addIncident, addResults, createMonitor } from '../../../test/support/monitors.ts'
import { addExposure, compare, publish, reportIn } from '../../../test/support/software.ts'
import { readReportContent } from './report-content.ts'
import type { StoredReport } from './reports.ts'

const now = new Date('2026-11-23T07:00:00Z')
const hour = 3_600_000

const api = await testApi()
const { database, workspaceId } = api

async function monitorOf(name: string, input: Record<string, unknown> = {}): Promise<MonitorRecord> {
  const monitor = await createMonitor(api, { name, ...input })
  await database.pool.query(`update monitors set created_at = '2026-01-01' where id = $1`, [monitor.id])
  return monitor
}

/** Of the whole workspace, unless `change` says otherwise. */
async function read(key: string, change: Partial<StoredReport> = {}): Promise<ReportContent> {
  const type = key.includes('W') ? 'weekly' : 'monthly'
  const timeZone = change.timeZone ?? 'UTC'
  const report: StoredReport = {
    id: randomUUID(),
    workspaceId,
    name: 'Report',
    type,
    timeZone,
    weekday: 1,
    hour: 8,
    monitorIds: null,
    tags: [],
    objective: 99.9,
    recipientIds: [],
    dueAt: null,
    sentPeriod: null,
    sentAt: null,
    createdAt: now,
    ...change,
  }
  const period = readPeriod(key, { type, timeZone }) ?? assert.fail('no such period')
  return reportContentSchema.parse(await readReportContent(database, { report, period, now }))
}

function hourly(from: string, count: number, change: Partial<Checked> = {}): Checked[] {
  const start = Date.parse(from)
  return Array.from({ length: count }, (_, index) => ({ at: new Date(start + index * hour), ...change }))
}

function shown({ monitors }: ReportContent): unknown[] {
  return monitors.map(({ name, uptime, previous_uptime: previous }) => [name, uptime, previous])
}

describe('the uptime of a report', async () => {
  before(() => database.pool.query('delete from monitors'))

  it('is that of the whole days in UTC, beside the period before', async () => {
    const shop = await monitorOf('Shop')
    const idle = await monitorOf('Idle')
    await addDays(database, shop.id, [
      { date: '2026-11-08', up: 100, down: 100 },
      { date: '2026-11-09', up: 90, down: 10 },
      { date: '2026-11-15', up: 100 },
      { date: '2026-11-16', up: 50 },
      { date: '2026-11-22', up: 49, down: 1 },
      { date: '2026-11-23', down: 100 },
    ])
    const content = await read('2026-W47')
    assert.deepEqual(shown(content), [
      ['Shop', 99, 95],
      ['Idle', null, null],
    ])
    assert.deepEqual([content.totals.uptime, content.totals.met, content.previous.uptime], [99, false, 95])
    assert.equal(content.monitors[0]?.measured_since, null)
    assert.deepEqual(content.notes, ['No checks that count in this period: Idle.'])
    await database.pool.query('delete from monitors where id = any($1)', [[shop.id, idle.id]])
  })

  it('begins and ends with the hours of its zone', async () => {
    const shop = await monitorOf('Shop')
    // In Berlin the week begins at 23:00 UTC of Sunday and ends so.
    await addResults(database, shop.id, [
      ...hourly('2026-11-15T21:00:00Z', 2, { status: 'down', latencyMs: null }),
      ...hourly('2026-11-15T23:00:00Z', 168),
      ...hourly('2026-11-22T23:00:00Z', 4, { status: 'down', latencyMs: null }),
    ])
    assert.deepEqual(shown(await read('2026-W47', { timeZone: 'Europe/Berlin' })), [['Shop', 100, 0]])
    const inUtc = await read('2026-W47')
    assert.equal(inUtc.monitors[0]?.uptime, Math.round((100_000 * 167) / 168) / 1000)
    await database.pool.query('delete from monitors where id = $1', [shop.id])
  })

  it('is that of the nearest days where single results are forgotten, and says so', async () => {
    const shop = await monitorOf('Shop')
    await addDays(database, shop.id, [
      { date: '2026-05-31', down: 10 },
      { date: '2026-06-01', up: 10 },
      { date: '2026-06-30', up: 8, down: 2 },
    ])
    const content = await read('2026-06', { timeZone: 'Europe/Berlin' })
    assert.equal(content.monitors[0]?.uptime, 90)
    assert.match(content.notes.join(' '), /Single checks are not kept that long/)
    assert.deepEqual((await read('2026-06')).notes, [])
    await database.pool.query('delete from monitors where id = $1', [shop.id])
  })

  it('leaves out maintenance that excludes uptime, with the incidents in it', async () => {
    const shop = await monitorOf('Shop')
    const blog = await monitorOf('Blog')
    await planMaintenance(database, {
      workspaceId,
      monitorIds: [shop.id],
      excludesUptime: true,
      occurrences: [{ startsAt: new Date('2026-11-18T10:00:00Z'), endsAt: new Date('2026-11-18T12:00:00Z') }],
      now: new Date('2026-11-18T09:00:00Z'),
    })
    const down = { status: 'down', latencyMs: null } as const
    for (const { id } of [shop, blog])
      await addResults(database, id, [
        ...hourly('2026-11-18T08:00:00Z', 2),
        ...hourly('2026-11-18T10:00:00Z', 2, down),
        ...hourly('2026-11-18T12:00:00Z', 1),
      ])
    for (const monitor of [shop, blog]) {
      await addIncident(database, monitor, { startedAt: '2026-11-18T10:05:00Z', resolvedAt: '2026-11-18T11:00:00Z' })
      await addIncident(database, monitor, { startedAt: '2026-11-18T11:30:00Z', resolvedAt: '2026-11-18T12:30:00Z' })
    }
    const content = await read('2026-W47')
    assert.deepEqual(
      content.monitors.map(({ name, uptime, downtime_seconds: seconds, incidents }) => [
        name,
        uptime,
        seconds,
        incidents,
      ]),
      [
        ['Blog', 60, 115 * 60, 2],
        ['Shop', 100, 30 * 60, 1],
      ],
    )
    assert.deepEqual([content.totals.incidents, content.totals.downtime_seconds], [3, 145 * 60])
    assert.equal(content.notes.at(-1), 'One incident during maintenance that is left out of uptime is not counted.')
    // The same by a tag, which the shop lost at half past eleven.
    await database.pool.query(
      `with tagged as (
        insert into maintenance_tagged (window_key, monitor_key, since, until)
        select window_key, monitor_key, '-infinity', '2026-11-18T11:30:00Z' from maintenance_monitors
      ) delete from maintenance_monitors`,
    )
    const { monitors } = await read('2026-W47')
    assert.deepEqual(
      monitors.map(({ name, downtime_seconds: seconds }) => [name, seconds]),
      [
        ['Blog', 115 * 60],
        ['Shop', 60 * 60],
      ],
    )
    await database.pool.query('delete from monitors where id = any($1)', [[shop.id, blog.id]])
    await database.pool.query('delete from incidents; delete from maintenance_windows')
  })
})

describe('the monitors of a report', async () => {
  before(() => database.pool.query('delete from monitors'))

  it('are those that it names, and those of its tags as they are now', async () => {
    const named = await monitorOf('Named')
    const tagged = await monitorOf('Tagged', { tags: ['Production', 'eu'] })
    const other = await monitorOf('Other', { tags: ['staging'] })
    const reportId = randomUUID()
    await database.pool.query(
      `insert into reports (id, workspace_id, name, period, time_zone, weekday, hour, names_monitors, tags, objective, created_at)
      values ($1, $2, 'R', 'weekly', 'UTC', 1, 8, true, '{}', 99, now())`,
      [reportId, workspaceId],
    )
    await database.pool.query(
      'insert into report_monitors (report_id, monitor_key) select $1, key from monitors where id = $2',
      [reportId, named.id],
    )
    const names = async (change: Partial<StoredReport>): Promise<string[]> =>
      (await read('2026-W47', { id: reportId, ...change })).monitors.map(({ name }) => name).toSorted()
    assert.deepEqual(await names({ monitorIds: [named.id] }), ['Named'])
    assert.deepEqual(await names({ monitorIds: [named.id], tags: ['PRODUCTION'] }), ['Named', 'Tagged'])
    await database.pool.query(`delete from report_monitors where report_id = $1`, [reportId])
    assert.deepEqual(await names({ tags: ['production'] }), ['Tagged'])
    assert.deepEqual(await names({}), ['Named', 'Other', 'Tagged'])
    assert.deepEqual(await names({ tags: ['none of them'] }), [])
    assert.deepEqual(await names({ monitorIds: [] }), [])
    await database.pool.query('delete from monitors where id = any($1)', [[named.id, tagged.id, other.id]])
  })

  it('are never those of another workspace', async () => {
    const { token } = await api.addWorkspace()
    await createMonitor(api, { name: 'Theirs', tags: ['production'] }, token)
    assert.deepEqual((await read('2026-W47', { tags: ['production'] })).monitors, [])
    assert.deepEqual((await read('2026-W47')).monitors, [])
  })
})

describe('the incidents of a report', async () => {
  before(() => database.pool.query('delete from monitors; delete from incidents'))

  it('are those that ran in the period, the longest first, each with its time in the period', async () => {
    const shop = await monitorOf('Shop')
    const incidents = [
      ['2026-11-15T20:00:00Z', '2026-11-16T00:00:00Z'],
      ['2026-11-15T23:00:00Z', '2026-11-16T01:00:00Z'],
      ['2026-11-18T10:00:00Z', '2026-11-18T10:30:00Z'],
      ['2026-11-22T22:00:00Z', '2026-11-23T01:00:00Z'],
      ['2026-11-23T00:00:00Z', '2026-11-23T02:00:00Z'],
    ] as const
    for (const [startedAt, resolvedAt] of incidents) await addIncident(database, shop, { startedAt, resolvedAt })
    await database.pool.query(
      `insert into incident_events (id, incident_id, type, at, message)
      select gen_random_uuid(), id, 'acknowledged', started_at + interval '5 minutes', 'x'
      from incidents where started_at in ('2026-11-18T10:00:00Z', '2026-11-15T23:00:00Z')`,
    )
    const content = await read('2026-W47')
    assert.deepEqual(
      content.incidents.map(({ started_at: began, downtime_seconds: seconds }) => [began, seconds / 60]),
      [
        ['2026-11-22T22:00:00.000Z', 120],
        ['2026-11-15T23:00:00.000Z', 60],
        ['2026-11-18T10:00:00.000Z', 30],
      ],
    )
    assert.deepEqual(content.totals, { uptime: null, met: null, incidents: 3, downtime_seconds: 210 * 60 })
    assert.deepEqual([content.acknowledged_count, content.mean_seconds_to_acknowledge], [1, 300])
    // Of the two that ended within the week: 2 hours and 30 minutes.
    assert.equal(content.mean_seconds_to_recover, 75 * 60)
    assert.equal(content.previous.incidents, 2)
  })

  it('may still run', async () => {
    const [shop] = (await read('2026-W47')).monitors
    await database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
      values (gen_random_uuid(), $1, $2, 'Shop', 'open', 'x', '2026-11-16T00:00:00Z')`,
      [workspaceId, shop?.id],
    )
    const [longest] = (await read('2026-W47')).incidents
    assert.deepEqual([longest?.resolved_at, longest?.downtime_seconds], [null, 7 * 86_400])
  })
})

describe('the rest of a report', async () => {
  before(() => database.pool.query('delete from monitors; delete from incidents'))

  it('tells response times of the slowest monitors in both periods', async () => {
    const shop = await monitorOf('Shop')
    await addResults(database, shop.id, [
      ...hourly('2026-11-10T00:00:00Z', 4, { latencyMs: 20 }),
      ...hourly('2026-11-17T00:00:00Z', 4, { latencyMs: 40 }),
    ])
    await database.pool.query(
      `insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts)
      select key, day::date, array[slot]::smallint[], array[4], '{}', '{}'
      from monitors, (values ('2026-11-10', 20), ('2026-11-17', 40)) as d (day, slot)
      where id = $1`,
      [shop.id],
    )
    const { slowest } = await read('2026-W47')
    assert.deepEqual(slowest, [
      {
        id: shop.id,
        name: 'Shop',
        latency_ms: 40,
        p95_ms: 40,
        previous_latency_ms: 20,
        previous_p95_ms: 20,
      },
    ])
  })

  it('tells what ends within 30 days, and nothing of paused monitors', async () => {
    const soon = await monitorOf('Soon')
    const later = await monitorOf('Later')
    const paused = await monitorOf('Paused')
    const ends = {
      [soon.id]: '2026-12-20T00:00:00Z',
      [later.id]: '2026-12-24T00:00:00Z',
      [paused.id]: '2026-12-01T00:00:00Z',
    }
    for (const [id, notAfter] of Object.entries(ends))
      await showCertificate(database, id, {
        notBefore: new Date('2026-09-01T00:00:00Z'),
        notAfter: new Date(notAfter),
        seenAt: now,
      })
    await database.pool.query(`update monitors set status = 'paused' where id = $1`, [paused.id])
    const { expiring, expiring_count: count } = await read('2026-W47')
    assert.equal(count, 1)
    assert.deepEqual(expiring, [
      {
        monitor_id: soon.id,
        monitor_name: 'Soon',
        subject: 'certificate',
        name: 'shop.example.com',
        expires_at: '2026-12-20T00:00:00.000Z',
      },
    ])
  })

  it('counts exposures, and tells the median time of those that ended in the period', async () => {
    const { id: monitorId } = await monitorOf('Exposed')
    const add = async (hours: number | null, outcome: string | null, closedAt: string | null): Promise<void> => {
      const exposure = await addExposure(database, { monitorId })
      await database.pool.query(
        `update exposures
        set closed_at = $2, outcome = $3, opened_at = coalesce($2::timestamptz - $4 * interval '1 hour', opened_at)
        where id = $1`,
        [exposure, closedAt, outcome, hours],
      )
    }
    await add(1, 'proved', '2026-11-18T12:00:00Z')
    await add(3, 'updated', '2026-11-19T12:00:00Z')
    await add(99, 'updated', '2026-11-10T12:00:00Z')
    await add(null, null, null)
    const { exposures } = await read('2026-W47')
    assert.deepEqual(exposures, { open: 1, closed: 2, proved: 1, median_seconds: 7200 })
  })

  it('counts open findings, and names the new ones, the gravest first', async () => {
    const shop = await monitorOf('Shop')
    const at = `/monitors/${shop.id}`
    reportIn(await api.post(`${at}/software/import`, { content: 'npm:lodash 4.17.20\nnpm:ws 1.0.0\nnpm:left 1.0.0' }))
    await publish(
      database,
      { id: 'CVE-2026-1', product: 'npm:lodash', severity: 'critical', stretches: [{}] },
      { id: 'CVE-2026-2', product: 'npm:ws', severity: 'low', stretches: [{}] },
      { id: 'CVE-2026-3', product: 'npm:left', severity: null, score: null, stretches: [{}] },
    )
    await compare(database)
    await database.pool.query(
      `update findings set found_at = case when vulnerability = 'CVE-2026-1'
        then timestamptz '2026-11-10' else timestamptz '2026-11-18' end`,
    )
    const { findings } = await read('2026-W47')
    const { newest, ...counts } = findings
    assert.deepEqual(counts, { open: 3, exploited: 0, critical: 1, high: 0, medium: 0, low: 1, unrated: 1, new: 2 })
    assert.deepEqual(
      newest.map(({ vuln_id: id, severity, software, version }) => [id, severity, software, version]),
      [
        ['CVE-2026-2', 'low', 'ws', '1.0.0'],
        ['CVE-2026-3', null, 'left', '1.0.0'],
      ],
    )
    await database.pool.query(`update monitor_software set ignored = true where name = 'ws'`)
    await database.pool.query(`update findings set marked_fixed_version = '1.0.0' where vulnerability = 'CVE-2026-3'`)
    assert.equal((await read('2026-W47')).findings.open, 1)
  })
})
