import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayMs, dayOf, startOf } from '#core/language/utc-day.ts'
import { maxMeasuredMonitors, maxSamples } from '#core/monitor-metrics.ts'
import { singleResults } from '#core/results/merge-spans.ts'
import { responseBoundsMs } from '#core/results/response-buckets.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { showCertificate } from '../../../test/support/expiries.ts'
import { type Exposition, parseExposition } from '../../../test/support/exposition.ts'
import { addHistoryMonitor, drain, foldUntil } from '../../../test/support/history.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { addDays, addResults, addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const minuteMs = 60_000
/** Noon, so that the day has a past and every check of a test is of one day. */
const now = new Date(startOf(dayOf(new Date())).getTime() + dayMs / 2)
const today = dayOf(now)

function ago(minutes: number): Date {
  return new Date(now.getTime() - minutes * minuteMs)
}

async function readMetrics(api: TestApi, query = '', token = api.readToken): Promise<Exposition> {
  const answer = await api.get(`/metrics${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return parseExposition(answer.text)
}

/** The samples of a monitor: name and further labels, and the value. */
function samplesOf({ samples }: Exposition, id: string): Record<string, number> {
  const own = samples.filter(({ labels }) => labels['monitor_id'] === id)
  return Object.fromEntries(
    own.map(({ name, labels: { monitor_id: _id, name: _name, kind: _kind, ...others }, value }) => [
      [name.replace(/^perigee_monitor_/, ''), ...Object.values(others)].join(' '),
      value,
    ]),
  )
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

function withoutBuckets(samples: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(samples).filter(([name]) => !name.startsWith('response_seconds')))
}

/** As the engine's fold leaves it. */
async function setState(api: TestApi, id: string, { status, at }: { status: string; at: Date }): Promise<void> {
  await api.database.pool.query(
    `update monitor_state s
    set current_status = $2, last_checked_at = $3, round_at = $3
    from monitors m
    where m.key = s.monitor_key
      and m.id = $1`,
    [id, status, at],
  )
}

describe('the metrics of a workspace', async () => {
  const api = await testApi({ now: () => now })
  const { database } = api

  async function monitor(input: Record<string, unknown>): Promise<string> {
    const { id } = await createMonitor(api, input)
    await database.pool.query('update monitors set created_at = $2 where id = $1', [id, ago(60 * 24 * 100)])
    return id
  }

  const shop = await createMonitor(api, {
    name: 'Shop "A" \\ B',
    tags: ['Production', 'blue'],
    locations: ['amsterdam', 'boston'],
    interval_seconds: 60,
  })
  await addResults(database, shop.id, [
    { at: ago(2), latencyMs: 90 },
    { at: ago(2), latencyMs: 300, location: 'boston' },
    { at: ago(1), latencyMs: 120, status: 'degraded' },
  ])
  await addDays(database, shop.id, [
    { date: dayOf(ago(60 * 24)), up: 1, down: 1 },
    { date: dayOf(ago(60 * 24 * 20)), up: 95 },
    { date: dayOf(ago(60 * 24 * 60)), up: 0, down: 100 },
  ])
  await setState(api, shop.id, { status: 'degraded', at: ago(1) })
  const notAfter = new Date(now.getTime() + 50 * dayMs)
  await showCertificate(database, shop.id, { notBefore: ago(60 * 24), notAfter, seenAt: ago(1) })

  it('are the state, the newest checks, the uptime and the certificate of a monitor', async () => {
    const metrics = await readMetrics(api)
    assert.deepEqual(withoutBuckets(samplesOf(metrics, shop.id)), {
      'info ,production,blue,': 1,
      'state degraded': 1,
      up: 1,
      last_check_timestamp_seconds: ago(1).getTime() / 1000,
      certificate_expiry_timestamp_seconds: notAfter.getTime() / 1000,
      'location_up amsterdam': 1,
      'location_up boston': 1,
      'last_response_seconds amsterdam': 0.12,
      'last_response_seconds boston': 0.3,
      'uptime_ratio 7d': 4 / 5,
      'uptime_ratio 30d': 99 / 100,
      'uptime_ratio 90d': 99 / 200,
      'checks_total up': 2,
      'checks_total down': 0,
      'checks_total degraded': 1,
    })
    const sample = metrics.samples.find(({ labels }) => labels['monitor_id'] === shop.id)
    assert.deepEqual(sample?.labels, {
      monitor_id: shop.id,
      name: String.raw`Shop \"A\" \\ B`,
      kind: 'http',
      tags: ',production,blue,',
    })
  })

  it('have response times in buckets', async () => {
    const samples = samplesOf(await readMetrics(api), shop.id)
    assert.deepEqual(
      ['0.05', '0.1', '0.25', '0.5', '1.0', '+Inf'].map((bound) => samples[`response_seconds_bucket ${bound}`]),
      [0, 1, 2, 3, 3, 3],
    )
    assert.equal(samples['response_seconds_count'], 3)
    assert.equal(samples['response_seconds_sum'], 0.51)
  })

  it('tell an outage with its incident', async () => {
    const id = await monitor({ name: 'Down' })
    const { data } = JSON.parse((await api.get(`/monitors/${id}`)).text)
    await addResults(database, id, [{ at: ago(3), status: 'down', latencyMs: null, error: 'refused' }])
    await addRunningIncident(database, data, ago(3))
    const metrics = await readMetrics(api)
    const samples = samplesOf(metrics, id)
    assert.equal(samples['up'], 0)
    assert.equal(samples['state down'], 1)
    assert.equal(samples['incident_start_timestamp_seconds open'], ago(3).getTime() / 1000)
    assert.equal(samples['location_up amsterdam'], 0)
    assert.equal(samples['last_response_seconds amsterdam'], undefined)
    assert.equal(metrics.value('perigee_incidents{status="open"}'), 1)
    assert.equal(metrics.value('perigee_incidents{status="acknowledged"}'), 0)
    await api.request('DELETE', `/monitors/${id}`)
  })

  it('claim nothing of a monitor that is pending, paused, or of which nobody can tell', async () => {
    const unknown = await monitor({ name: 'Unknown' })
    await addResults(database, unknown, [{ at: ago(100) }])
    await setState(api, unknown, { status: 'up', at: ago(100) })
    const paused = await monitor({ name: 'Paused' })
    await addResults(database, paused, [{ at: ago(1) }])
    await setState(api, paused, { status: 'up', at: ago(1) })
    await api.post(`/monitors/${paused}/pause`)
    const pending = await monitor({ name: 'Pending', kind: 'heartbeat', url: undefined })
    const metrics = await readMetrics(api)
    const named: [id: string, state: string][] = [
      [unknown, 'unknown'],
      [paused, 'paused'],
      [pending, 'pending'],
    ]
    for (const [id, state] of named) {
      const samples = samplesOf(metrics, id)
      assert.equal(samples[`state ${state}`], 1, state)
      assert.equal(samples['up'], undefined, state)
      assert.equal(samples['location_up amsterdam'], undefined, state)
    }
    assert.equal(samplesOf(metrics, pending)['response_seconds_count'], undefined, 'nobody measures calls')
    assert.equal(samplesOf(metrics, unknown)['response_seconds_count'], 1)
  })

  it('choose monitors by what the list chooses them by', async () => {
    const only = async (query: string): Promise<Set<unknown>> => {
      const { samples } = await readMetrics(api, query)
      return new Set(samples.flatMap(({ labels }) => labels['name'] ?? []))
    }
    assert.deepEqual(await only('?tag=production'), new Set([String.raw`Shop \"A\" \\ B`]))
    assert.deepEqual(await only('?kind=heartbeat,tcp'), new Set(['Pending']))
    assert.deepEqual(await only('?name=nowhere'), new Set())
    const refused = await api.get('/metrics?kind=http&kind=tcp')
    assert.deepEqual(refusalOf(refused), [400, 'validation_failed', 'kind'])
  })

  it('are those of the own workspace, for a token that may read', async () => {
    const other = await api.addWorkspace()
    assert.deepEqual(samplesOf(await readMetrics(api, '', other.token), shop.id), {})
    const bearer = await api.get('/metrics', { token: null, headers: { Authorization: `Bearer ${api.readToken}` } })
    assert.equal(bearer.status, 200)
    assert.deepEqual(refusalOf(await api.get('/metrics', { token: null })), [401, 'missing_api_key'])
  })

  const accepted: [accept: string, type: string][] = [
    ['', 'text/plain; version=0.0.4; charset=utf-8'],
    ['*/*', 'text/plain; version=0.0.4; charset=utf-8'],
    ['text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'text/plain; version=0.0.4; charset=utf-8'],
    ['application/json', 'text/plain; version=0.0.4; charset=utf-8'],
    ['application/openmetrics-text', 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
    ['application/openmetrics-text; version=0.0.1', 'text/plain; version=0.0.4; charset=utf-8'],
    [
      // As Prometheus 3 asks.
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,' +
        'application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,' +
        'text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ],
    ['application/openmetrics-text;q=0, text/plain', 'text/plain; version=0.0.4; charset=utf-8'],
  ]
  for (const [accept, type] of accepted)
    it(`answer ${type.split(';', 1)[0]} to "${accept.slice(0, 60)}"`, async () => {
      const { headers, text } = await api.get('/metrics', { headers: { Accept: accept } })
      assert.equal(headers.get('content-type'), type)
      assert.match(headers.get('vary') ?? '', /\bAccept\b/)
      assert.equal(text.endsWith('# EOF\n'), type.startsWith('application/openmetrics-text'))
    })

  it('have the same samples in both forms', async () => {
    const classic = await api.get('/metrics')
    const open = await api.get('/metrics', { headers: { Accept: 'application/openmetrics-text' } })
    assert.deepEqual(linesOf(open.text), linesOf(classic.text))
  })
})

describe('counts of a day', async () => {
  it('are the same before and after merging, whatever the response times', async () => {
    const api = await testApi({ now: () => now })
    const { id } = await createMonitor(api)
    const history = await addHistoryMonitor(api.database, id)
    const around = responseBoundsMs.flatMap((bound) =>
      [0.96, 0.97, 0.98, 0.99, 1, 1.01, 1.02, 1.03].map((f) => Math.round(bound * f)),
    )
    await addResults(
      api.database,
      id,
      around.map((latencyMs, n) => ({ at: ago(240 + n), latencyMs, status: n % 7 === 0 ? 'degraded' : 'up' })),
    )
    const later = Array.from({ length: singleResults }, (_, n) => ({ at: ago(n / 2), latencyMs: 20 + n }))
    await addResults(api.database, id, later)
    await foldUntil(api.database, history, now.getTime() * 1000)
    const counts = async (): Promise<Record<string, number>> => {
      const samples = Object.entries(samplesOf(await readMetrics(api), id))
      return Object.fromEntries(samples.filter(([name]) => /^(response_seconds|checks)/.test(name)))
    }
    const before = await counts()
    assert.equal(before['response_seconds_count'], around.length + later.length)
    const rows = async (): Promise<unknown> =>
      (await api.database.pool.query('select count(*)::integer as count from results')).rows
    const single = await rows()
    // A monitor's first turn is by the clock of the database.
    await drain(api.database, new Date(Math.max(now.getTime(), Date.now()) + 60 * minuteMs))
    assert.notDeepEqual(await rows(), single, 'something was merged')
    assert.deepEqual(await counts(), before)
  })

  it('have no checks during maintenance that excludes them from the uptime', async () => {
    const api = await testApi({ now: () => now })
    const { id } = await createMonitor(api)
    const occurrences = [{ startsAt: ago(30), endsAt: ago(10) }]
    await planMaintenance(api.database, {
      workspaceId: api.workspaceId,
      excludesUptime: true,
      occurrences,
      now: ago(60),
    })
    await addResults(api.database, id, [
      { at: ago(40) },
      { at: ago(20), status: 'down' },
      { at: ago(15) },
      { at: ago(5) },
    ])
    const samples = samplesOf(await readMetrics(api), id)
    assert.equal(samples['response_seconds_count'], 2)
    assert.equal(samples['checks_total up'], 2)
    assert.equal(samples['checks_total down'], 0)
    assert.equal(samples['uptime_ratio 7d'], 1)
  })

  it('begin anew with the day', async () => {
    const api = await testApi({ now: () => new Date(startOf(today).getTime() + 10 * minuteMs) })
    const { id } = await createMonitor(api)
    const midnight = startOf(today).getTime()
    await addResults(api.database, id, [
      { at: new Date(midnight - minuteMs) },
      { at: new Date(midnight) },
      { at: new Date(midnight + minuteMs) },
    ])
    const samples = samplesOf(await readMetrics(api), id)
    assert.equal(samples['response_seconds_count'], 2)
    assert.equal(samples['checks_total up'], 2)
    assert.equal(samples['uptime_ratio 7d'], 1)
  })
})

describe('the metrics of very many monitors', async () => {
  const api = await testApi({ now: () => now })
  const { workspaceId, database } = api

  it('leave out what does not fit, and say so', async () => {
    await createMonitor(api, { name: 'One of few', tags: ['few'] })
    await addPendingMonitors(database, { workspaceId, count: maxMeasuredMonitors - 1 })
    const { families, samples, value } = await readMetrics(api)
    assert.ok(families.has('perigee_monitor_state') && !families.has('perigee_monitor_checks_total'))
    assert.equal(
      value('perigee_metrics_omitted_samples{metric="perigee_monitor_checks_total"}'),
      3 * maxMeasuredMonitors,
    )
    assert.equal(
      value('perigee_metrics_omitted_samples{metric="perigee_monitor_response_seconds"}'),
      15 * maxMeasuredMonitors,
    )
    assert.ok(samples.length <= maxSamples)
  })

  it('are refused beyond that, unless some are chosen', async () => {
    await addPendingMonitors(database, { workspaceId, count: 1 })
    const refused = await api.get('/metrics')
    assert.deepEqual(refusalOf(refused), [400, 'validation_failed', 'tag'])
    const { families } = await readMetrics(api, '?tag=few')
    assert.ok(families.has('perigee_monitor_response_seconds'))
  })
})
