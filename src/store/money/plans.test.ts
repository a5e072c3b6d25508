import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { hasHistograms, responseHours, responseSpan } from '#core/results/response-times.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { addManyMonitors } from '../../../test/support/many-monitors.ts'
import { type Explained, type PlanNode, explain } from '../../../test/support/plans.ts'
import { mergeDueResults } from '#store/results/merge-due.ts'
import { listIncidents, listMonitorIncidents } from '#store/incidents/incidents.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { findKnownMonitor, findMonitor, listMonitors } from '#store/monitors/monitor-records.ts'
import { type Reports, readReports } from '#store/monitors/monitor-reports.ts'
import { findReportBounds } from '#store/monitors/report-bounds.ts'
import { createResultPartitions, partitionName } from '#store/results/result-partitions.ts'
import { readHourPercentiles } from '#store/results/hour-percentiles.ts'
import { readResponseTimes } from '#store/results/response-times.ts'
import { listResults } from '#store/results/results.ts'
import { readDays } from '#store/results/uptime.ts'

const dayMs = 86_400_000
const now = new Date('2031-06-15T12:07:00Z')
const today = '2031-06-15'
const ago = (days: number): Date => new Date(now.getTime() - days * dayMs)
const dateAgo = (days: number): string => ago(days).toISOString().slice(0, 10)
const until = ago(-1)
const kind = 'http'
const secrets = createSecrets(randomBytes(32))

/** The first `checkedMonitors` have a history. */
const monitors = 1200
const checkedMonitors = 150

const fill = [
  `insert into monitor_state (monitor_key, version, round_at) select key, 1, '${now.toISOString()}' from monitors`,
  `insert into result_merges (monitor_key, merged_until, due_at)
  select key, '${now.toISOString()}'::timestamptz - interval '3 hours', '${now.toISOString()}' from monitors`,
  `insert into results (monitor_key, round_at, location, status, status_code, latency_ms, repeats)
  select key, at, 1, 'u', 200, 100, 60
  from generate_series('${ago(100).toISOString()}'::timestamptz, '${ago(1).toISOString()}', interval '1 hour') as at
  cross join monitors
  where key <= ${checkedMonitors}
  order by 2, 1`,
  `insert into results (monitor_key, round_at, location, status, status_code, latency_ms)
  select key, at, 1, 'u', 200, 100
  from generate_series('${ago(0.13).toISOString()}'::timestamptz, '${now.toISOString()}', interval '1 minute') as at
  cross join monitors
  where key <= ${checkedMonitors}
  order by 2, 1`,
  `insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
  select key, day::date, 1440, 1440, 0, 0, 144000, 1440
  from generate_series('${dateAgo(1000)}'::date, '${today}', interval '1 day') as day
  cross join monitors
  where key <= ${checkedMonitors}
  order by 2, 1`,
  `insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts)
  select key, day::date, '{90,100,110}', '{400,1000,40}', '{1,2,3,4,5}', '{1,1,1,1,1}'
  from generate_series('${dateAgo(400)}'::date, '${today}', interval '1 day') as day
  cross join monitors
  where key <= ${checkedMonitors}
  order by 2, 1`,
  `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
  select gen_random_uuid(), workspace_id, id, name, 'resolved', 'down', at, at + interval '5 minutes'
  from generate_series('${ago(1000).toISOString()}'::timestamptz, '${now.toISOString()}', interval '10 days') as at
  cross join monitors
  where key <= ${checkedMonitors}
  order by 7`,
  `insert into problems (monitor_key, started_at, ended_at, status, locations)
  select key, at, at + interval '5 minutes', 'down', '{a}'
  from generate_series('${ago(90).toISOString()}'::timestamptz, '${now.toISOString()}', interval '1 day') as at
  cross join monitors
  where key <= ${checkedMonitors}
  order by 2`,
]

describe('with results of a hundred days', async () => {
  const database = await testDatabase({ maxConnections: 1 })
  let workspaceId = ''
  let monitorId = ''
  let monitorKey = ''

  before(async () => {
    await database.pool.query(`insert into locations (code, name, position) values ('a', 'A', 1)`)
    for (let days = 100; days >= 0; days -= 1) await createResultPartitions(database, ago(days))
    ;({ workspaceId } = await addManyMonitors(database, monitors))
    for (const statement of fill) await database.pool.query(statement)
    await database.pool.query('analyze')
    const found = await database.pool.query<{ id: string; key: string }>('select id, key from monitors where key = 70')
    const [chosen] = found.rows
    assert.ok(chosen)
    monitorId = chosen.id
    monitorKey = chosen.key
  })

  /** After so many runs PostgreSQL may have chosen a plan for all values; it has to be a good one too. */
  async function lastOf(work: () => Promise<unknown>): Promise<Explained> {
    const runs: Explained[] = []
    for (let run = 0; run < 12; run += 1) runs.push(...(await explain(database, work)))
    return runs.at(-1) ?? assert.fail('no plan')
  }

  /** The counterpart of `lastOf` for work that runs several statements: the nodes of all of them. */
  async function lastOfSeveral(statements: number, work: () => Promise<unknown>): Promise<PlanNode[]> {
    const runs: Explained[] = []
    for (let run = 0; run < 12; run += 1) runs.push(...(await explain(database, work)))
    assert.equal(runs.length, 12 * statements)
    return runs.slice(-statements).flatMap(({ nodes }) => nodes)
  }

  function reportsOf(mergedUntil: Date | null): Promise<Reports> {
    const times = { from: dateAgo(89), today, lastDaySince: ago(1), now, until }
    const past = { monitorKey, kind, createdAt: ago(1000), since: dateAgo(1000), mergedUntil }
    return readReports(database, { workspaceId, monitorId, ...times }, Promise.resolve({ past }))
  }

  it('the newest results come from three days', async () => {
    const { nodes } = await lastOf(() => listResults(database, { monitorId, monitorKey, kind, limit: 100, now }))
    assertPartitions(nodes, 4)
  })

  it('the newest 500 of a monitor come from the days that have them', async () => {
    const { nodes } = await lastOf(() => listResults(database, { monitorId, monitorKey, kind, limit: 500, now }))
    assertPartitions(nodes, 18)
  })

  it('response times and percentiles come from the days that are asked for', async () => {
    for (const hours of responseHours) {
      const span = responseSpan(hours, now)
      const days = Math.ceil(Number(hours) / 24) + 1
      const { nodes } = await lastOf(() => readResponseTimes(database, { monitorKey, span }))
      assertPartitions(nodes, days)
      if (!hasHistograms(span)) continue
      const shared = await lastOf(() => readHourPercentiles(database, { monitorKey, span }))
      assertPartitions(shared.nodes, days)
    }
  })

  it('of a monitor without results every day is looked at by its index', async () => {
    const none = String(checkedMonitors + 1)
    const { nodes } = await lastOf(() => listResults(database, { monitorId, monitorKey: none, kind, limit: 100, now }))
    assertPartitions(nodes, 105)
  })

  it("a monitor's reports come from indexes, and of its results from three days", async () => {
    const nodes = await lastOfSeveral(2, () => reportsOf(ago(0.125)))
    assertPartitions(nodes, 3)
    assertIndexed(nodes, {
      uptime_days: 'uptime_days_pkey',
      latency_days: 'latency_days_pkey',
      result_merges: 'result_merges_pkey',
      problems: 'problems_pkey',
      incidents: 'incidents_of_monitor',
    })
  })

  it('the reports of a monitor that was never merged come from the days of its bars', async () => {
    const nodes = await lastOfSeveral(3, () => reportsOf(null))
    assertPartitions(nodes, 92)
  })

  it('days come from their index', async () => {
    for (const read of [
      () => readDays(database, { monitorKey, from: dateAgo(89), to: today }),
      () => readDays(database, { monitorKey, from: dateAgo(999), to: today }),
    ])
      assertIndexed((await lastOf(read)).nodes, { uptime_days: 'uptime_days_pkey' })
  })

  it('the past of a monitor is found by looking at one day', async () => {
    for (const read of [
      () => findReportBounds(database, { workspaceId, monitorId, today }),
      () => findKnownMonitor(database, secrets, { workspaceId, monitorId, today, now }),
    ]) {
      const { nodes } = await lastOf(read)
      assertIndexed(nodes, {
        uptime_days: 'uptime_days_pkey',
        result_merges: 'result_merges_pkey',
        monitors: 'monitors_pkey',
      })
      assert.ok(nodes.some((node) => node['Node Type'] === 'Limit' || node['Node Type'] === 'Index Only Scan'))
    }
  })

  it('incidents of a monitor come from its own index', async () => {
    const { nodes } = await lastOf(() => listMonitorIncidents(database, { workspaceId, monitorId, limit: 100 }))
    assertIndexed(nodes, { incidents: 'incidents_of_monitor' })
  })

  it('incidents of a workspace come in the order of an index', async () => {
    assertIndexed((await lastOf(() => listIncidents(database, workspaceId))).nodes, {
      incidents: 'incidents_of_workspace',
    })
  })

  it('monitors are read without a look at anything that grows with their history', async () => {
    for (const read of [
      () => listMonitors(database, secrets, { workspaceId, now }),
      () => findMonitor(database, secrets, { workspaceId, monitorId, now }),
    ])
      for (const { nodes } of await explain(database, read)) {
        assertPartitions(nodes, 0)
        assert.ok(nodes.every((node) => !['uptime_days', 'latency_days'].includes(relationOf(node))))
      }
  })

  it('merging reads the results of the monitors whose turn it is, in one day', async () => {
    const plans = await explain(database, () => mergeDueResults(database, now))
    const withResults = plans.map(({ nodes }) => nodes.filter((node) => !isEmpty(node)))
    for (const nodes of withResults) assertPartitions(nodes, 1)
    assert.ok(withResults.some((nodes) => nodes.flatMap(partitionsOf).includes('results_20310615')))
  })

  it('of a day without a table there are no results, and all else is there', async () => {
    const known = await reportsOf(ago(0.125))
    assert.equal(known.results.length, 100)
    await database.pool.query(`drop table ${partitionName(dateAgo(-1))}`)
    assert.deepEqual(await reportsOf(ago(0.125)), known)
  })
})

/** Every day with results is read by its index, and at most `most` of them are considered. */
function assertPartitions(nodes: readonly PlanNode[], most: number): void {
  const partitions = new Set(nodes.flatMap(partitionsOf))
  assert.ok(partitions.size <= most, [...partitions].join(', '))
  for (const node of nodes) {
    const [partition] = partitionsOf(node)
    if (partition === undefined || isEmpty(node)) continue
    assert.notEqual(node['Node Type'], 'Seq Scan', partition)
    assert.equal(node['Index Name'] ?? `${partition}_pkey`, `${partition}_pkey`)
  }
}

function assertIndexed(nodes: readonly PlanNode[], indexes: Record<string, string>): void {
  for (const [table, index] of Object.entries(indexes)) {
    assert.ok(
      nodes.some((node) => node['Index Name'] === index),
      `${index} is not used`,
    )
    assert.ok(
      nodes.every((node) => relationOf(node) !== table || node['Node Type'] !== 'Seq Scan'),
      `${table} is read whole`,
    )
  }
}

/** Each day to come has a table, made in advance, and so has the day before the first result. */
function isEmpty(node: PlanNode): boolean {
  const isFilled = relationOf(node) >= 'results_20310307' && relationOf(node) <= 'results_20310615'
  return partitionsOf(node).length > 0 && !isFilled
}

function partitionsOf(node: PlanNode): string[] {
  return /^results_\d{8}$/.test(relationOf(node)) ? [relationOf(node)] : []
}

function relationOf(node: PlanNode): string {
  return node['Relation Name'] ?? ''
}
