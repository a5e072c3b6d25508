import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { contactKinds } from '#contacts/index.ts'
import { kinds } from '#kinds/index.ts'
import { fileURLToPath } from 'node:url'
import { type Exposition, parseExposition } from '../../test/support/exposition.ts'
import { createAdmission } from '#operations/admission/admission.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { durationBounds } from '#prober/tally.ts'
import { allRoles, type ProcessRole, roles } from '#config/roles.ts'

const pool = { totalCount: 3, idleCount: 2, waitingCount: 1, options: { max: 12 } }

function file(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
}

/** With everything to be watched that there is. */
function metricsOf(of: ReadonlySet<ProcessRole>): Metrics {
  const metrics = createMetrics({ roles: of, version: '1.2.3' })
  metrics.watch({
    engine: { watching: 7, partitions: 64, unchecked: () => 0, lagMs: () => 1_500, waiting: 3 },
    presence: { present: () => [{ location: 'here', probers: 2, hasLostNetwork: false }] },
    threads: { missing: 1 },
    pools: { main: { pool } },
    feed: { watching: 8 },
    admission: createAdmission(),
    bus: { isConnected: () => true },
    readBacklog: async () => [{ stream: 'results', messages: 5, bytes: 500, oldestAt: new Date(Date.now() - 2_000) }],
    readQueues: async () => ({
      deliveries: { pending: 4, overdue: 1, oldest_overdue_seconds: 100, held_up: 2 },
      jobs: { waiting: 6, running: 2, overdue: 0, failed: 1, oldest_due_seconds: 0 },
      mail: null,
      backup: { age_seconds: 3_600, size_bytes: 5_000, failing: null },
    }),
    readFeeds: async () => [
      { name: 'osv npm', read_seconds: 400, error: null },
      { name: 'nvd', read_seconds: null, error: null },
    ],
    isStoring: async () => true,
  })
  return metrics
}

async function read(metrics: Metrics): Promise<Exposition> {
  return parseExposition((await metrics.read()).text)
}

/** One of everything that is told, so that what has labels appears. */
function exercise(metrics: Metrics): void {
  metrics.engine.round(40)
  metrics.engine.skipped()
  metrics.engine.stored(100)
  metrics.engine.rejected()
  metrics.engine.batch({ results: 100, seconds: 0.02, isStored: true })
  metrics.engine.batch({ results: 10, seconds: 0.5, isStored: false })
  metrics.jobs.attempted({ kind: 'email', outcome: 'delivered', delaySeconds: 0.7 })
  metrics.jobs.attempted({ kind: 'email', outcome: 'retry', delaySeconds: 9 })
  metrics.jobs.ran({ task: 'deliver', isDone: true, seconds: 0.2 })
  metrics.answered({ method: 'GET', route: '/api/v1/monitors', status: 200, seconds: 0.01 })
  metrics.refused('reads')
  const idle = { running: 0, waiting: 0, outbox: 0, refused: 0, dropped: 0, stalls: 0, checks: [] }
  metrics.checks.counted('a', {
    running: 2,
    waiting: 3,
    outbox: 4,
    refused: 5,
    dropped: 6,
    stalls: 7,
    checks: [
      { kind: 'http', status: 'up', checks: 3, seconds: 0.06 },
      { kind: 'http', status: 'down', checks: 1, seconds: 10 },
      { kind: 'tcp', status: 'none', checks: 1, seconds: 0.3 },
    ],
  })
  metrics.checks.counted('b', { ...idle, running: 10 })
  metrics.checks.counted('c', { ...idle, running: 100 })
  metrics.checks.counted('c', null)
  metrics.spans('taken', 12)
  metrics.spans('dropped', 3)
  metrics.checks.died()
  metrics.checks.setAside({ monitorId: 'm', forMs: 60_000 })
  metrics.checks.setAside({ monitorId: 'past', forMs: 0 })
}

describe('metrics', () => {
  it('are an exposition that Prometheus takes, for every role and before anything happened', async () => {
    for (const role of roles) assert.ok((await read(metricsOf(new Set([role])))).families.size > 20)
    const metrics = metricsOf(allRoles)
    exercise(metrics)
    assert.ok((await read(metrics)).families.size > 60)
  })

  it('can be read by two at once, and again', async () => {
    const metrics = metricsOf(allRoles)
    const names = async (): Promise<string[]> => [...(await read(metrics)).families.keys()].toSorted()
    const [first, second] = await Promise.all([names(), names()])
    assert.deepEqual(first, second)
    assert.ok(first.includes('perigee_nodejs_eventloop_lag_p99_seconds'))
    assert.deepEqual(await names(), first)
  })

  it('say what was counted', async () => {
    const metrics = metricsOf(allRoles)
    exercise(metrics)
    const { value } = await read(metrics)
    const expected: [sample: string, value: number][] = [
      ['perigee_build_info{roles="api,engine,jobs,prober",version="1.2.3"}', 1],
      ['perigee_rounds_total', 1],
      ['perigee_round_lag_seconds_bucket{le="0.05"}', 1],
      ['perigee_results_stored_total', 100],
      ['perigee_intake_batch_results_sum', 110],
      ['perigee_intake_failures_total', 1],
      ['perigee_schedule_lag_seconds', 1.5],
      ['perigee_intake_results_waiting', 3],
      ['perigee_location_probers{location="here"}', 2],
      ['perigee_database_connections{pool="main",state="busy"}', 1],
      ['perigee_database_connections{pool="main",state="idle"}', 2],
      ['perigee_database_connections_limit{pool="main"}', 12],
      ['perigee_live_streams', 8],
      ['perigee_requests_running{surface="reads"}', 0],
      ['perigee_requests_waiting{surface="sign_in"}', 0],
      ['perigee_requests_refused_total{surface="reads"}', 1],
      ['perigee_bus_connected', 1],
      ['perigee_bus_backlog_messages{stream="results"}', 5],
      ['perigee_deliveries_total{kind="email",outcome="retry"}', 1],
      ['perigee_delivery_delay_seconds_count{kind="email"}', 1],
      ['perigee_deliveries_overdue', 1],
      ['perigee_deliveries_held_up', 2],
      ['perigee_jobs_total{outcome="done",task="deliver"}', 1],
      ['perigee_jobs_failed', 1],
      ['perigee_feed_age_seconds{feed="osv npm"}', 400],
      ['perigee_feed_age_seconds{feed="nvd"}', Infinity],
      ['perigee_checks_total{kind="http",status="up"}', 3],
      ['perigee_checks_running', 12],
      ['perigee_assignments_refused_total', 5],
      ['perigee_results_dropped_total', 6],
      ['perigee_monitors_set_aside', 1],
      ['perigee_prober_threads_missing', 1],
      ['perigee_prober_stalls_total', 7],
      ['perigee_spans_total{outcome="taken"}', 12],
      ['perigee_spans_total{outcome="dropped"}', 3],
      ['perigee_prober_thread_deaths_total', 1],
    ]
    for (const [sample, wanted] of expected) assert.equal(value(sample), wanted, sample)
    assert.ok((value('perigee_bus_backlog_age_seconds{stream="results"}') ?? 0) >= 2)
    assert.deepEqual(metrics.checks.load(), { running: 12, waiting: 3, outbox: 4, setAside: 1 })
  })

  it('put the checks of a thread into the buckets that they were counted in, with their whole duration', async () => {
    const metrics = metricsOf(new Set(['prober']))
    exercise(metrics)
    const { value } = await read(metrics)
    const bucket = (le: number): number | undefined =>
      value(`perigee_check_duration_seconds_bucket{kind="http",le="${le}"}`)
    assert.deepEqual(durationBounds.map(bucket), [0, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4])
    assert.ok(Math.abs((value('perigee_check_duration_seconds_sum{kind="http"}') ?? 0) - 10.06) < 1e-9)
  })

  it('show a role its own figures alone', async () => {
    for (const role of roles) {
      const own = (await read(createMetrics({ roles: new Set([role]), version: '1' }))).families
      assert.equal(own.has('perigee_rounds_total'), role === 'engine')
      assert.equal(own.has('perigee_checks_running'), role === 'prober')
      assert.equal(own.has('perigee_merge_lag_seconds'), role === 'jobs')
      assert.equal(own.has('perigee_http_request_duration_seconds'), role === 'api')
    }
  })

  it('leave out what cannot be read, and tell all the rest', async () => {
    const metrics = createMetrics({ roles: new Set(['jobs']), version: '1' })
    let isAway = false
    metrics.watch({
      readQueues: async () => {
        if (isAway) throw new Error('no database')
        return {
          deliveries: { pending: 1, overdue: 0, oldest_overdue_seconds: 0, held_up: 0 },
          jobs: { waiting: 0, running: 0, overdue: 0, failed: 0, oldest_due_seconds: 0 },
          mail: null,
          backup: null,
        }
      },
      readBacklog: () => Promise.reject(new Error('no broker')),
    })
    assert.equal((await read(metrics)).value('perigee_deliveries_pending'), 1)
    isAway = true
    const { value } = await read(metrics)
    assert.equal(value('perigee_deliveries_pending'), undefined)
    assert.equal(value('perigee_bus_backlog_messages{stream="results"}'), undefined)
    assert.equal(value('perigee_merge_lag_seconds'), 0)
  })

  it('show no more locations than they promise', async () => {
    const metrics = createMetrics({ roles: new Set(['engine']), version: '1' })
    const many = Array.from({ length: 500 }, (_, index) => ({
      location: `l${index}`,
      probers: 1,
      hasLostNetwork: false,
    }))
    metrics.watch({ presence: { present: () => many } })
    const { samples } = await read(metrics)
    assert.equal(samples.filter(({ name }) => name === 'perigee_location_probers').length, 200)
  })

  it('leave the clock by which probers are present to whoever knows it', async () => {
    const metrics = createMetrics({ roles: new Set(['engine']), version: '1' })
    const given: unknown[] = []
    const present = (...times: unknown[]) => {
      given.push(...times)
      return [{ location: 'here', probers: 1, hasLostNetwork: false }]
    }
    metrics.watch({ presence: { present } })
    assert.equal((await read(metrics)).value('perigee_location_probers{location="here"}'), 1)
    assert.deepEqual(given, [], 'the book forgets whom it takes for gone')
  })

  it('have labels of this release alone, so that there is a bound to them', () => {
    assert.ok(Object.keys(kinds).length < 40)
    assert.ok(Object.keys(contactKinds).length < 20)
  })
})

/** Names of metrics in a text, without what a histogram adds. */
function namesIn(text: string, known: ReadonlySet<string>): Set<string> {
  const found = text.matchAll(/\bperigee_[a-z0-9_]+/g).map(([name]) => {
    const base = name.replace(/_(bucket|sum|count)$/, '')
    return known.has(base) ? base : name
  })
  return new Set(found)
}

describe('what is written about metrics', async () => {
  const metrics = metricsOf(allRoles)
  exercise(metrics)
  const known = new Set((await read(metrics)).families.keys())

  it('documents every metric, and none that there is not', () => {
    const [, tables = ''] = file('docs/monitoring-perigee.md').split('## Metrics')
    const documented = new Set(tables.matchAll(/`(perigee_[a-z0-9_]+)`/g).map(([, name = '']) => name))
    assert.deepEqual([...documented].toSorted(), [...known].toSorted())
  })

  for (const path of ['deploy/grafana/perigee.json', 'deploy/prometheus/alerts.yaml', 'docs/history.md'])
    it(`names only metrics that there are in ${path}`, () => {
      const named = namesIn(file(path), known)
      assert.ok(named.size > 2)
      assert.deepEqual(
        [...named].filter((name) => !known.has(name)),
        [],
      )
    })
})
