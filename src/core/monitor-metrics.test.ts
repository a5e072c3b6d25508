import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseExposition } from '../../test/support/exposition.ts'
import { sampleName, writePrometheus } from './language/exposition.ts'
import {
  describeIncidents,
  describeMonitors,
  describeResponses,
  histogramSamples,
  mayCountResponses,
  type MeasuredMonitor,
} from './monitor-metrics.ts'

const monitor: MeasuredMonitor = {
  key: 1,
  id: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10',
  name: 'Shop',
  kind: 'http',
  tags: [],
  state: 'up',
  intervalSeconds: 60,
  locationCount: 1,
  checkedAtMs: null,
  certificateEndsMs: null,
  domainEndsMs: null,
  incident: null,
  windows: [
    { checks: 0, down: 0 },
    { checks: 2, down: 2 },
    { checks: 3, down: 1 },
  ],
  today: { up: 0, down: 0, degraded: 0 },
  newest: [],
}

function file(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
}

function many(count: number, of: Partial<MeasuredMonitor> = {}): MeasuredMonitor[] {
  return Array.from({ length: count }, () => ({ ...monitor, ...of }))
}

function valuesOf(one: MeasuredMonitor): Record<string, number> {
  const { samples } = parseExposition(writePrometheus([...describeMonitors([one])].filter(({ samples: n }) => n > 0)))
  return Object.fromEntries(
    samples.map(({ name, labels: { monitor_id: _id, name: _name, kind: _kind, ...others }, value }) => [
      [name, ...Object.values(others)].join(' '),
      value,
    ]),
  )
}

describe('the figures of a monitor', () => {
  it('leave out what is not known', () => {
    assert.deepEqual(valuesOf(monitor), {
      'perigee_monitor_info ': 1,
      'perigee_monitor_state up': 1,
      perigee_monitor_up: 1,
      'perigee_monitor_uptime_ratio 30d': 0,
      'perigee_monitor_uptime_ratio 90d': 2 / 3,
      'perigee_monitor_checks_total up': 0,
      'perigee_monitor_checks_total down': 0,
      'perigee_monitor_checks_total degraded': 0,
    })
  })

  it('have an end that is long over, and one at the beginning of time', () => {
    const values = valuesOf({ ...monitor, certificateEndsMs: -86_400_000, domainEndsMs: 0 })
    assert.equal(values['perigee_monitor_certificate_expiry_timestamp_seconds'], -86_400)
    assert.equal(values['perigee_monitor_domain_expiry_timestamp_seconds'], 0)
  })

  it('have what is known, in seconds and shares', () => {
    const newest = [
      { location: 'a', isUp: true, latencyMs: 250 },
      { location: 'b', isUp: false, latencyMs: 10 },
      { location: 'c', isUp: true, latencyMs: null },
    ]
    const windows = [{ checks: 4, down: 1 }]
    const seen = { ...monitor, newest, windows, incident: { status: 'open', startedAtMs: 1500 } } as const
    const common = { 'perigee_monitor_info ': 1, 'perigee_monitor_incident_start_timestamp_seconds open': 1.5 }
    const counted = Object.fromEntries(
      ['up', 'down', 'degraded'].map((of) => [`perigee_monitor_checks_total ${of}`, 0]),
    )
    const always = { ...common, ...counted, 'perigee_monitor_uptime_ratio 7d': 0.75 }
    assert.deepEqual(valuesOf(seen), {
      ...always,
      perigee_monitor_up: 1,
      'perigee_monitor_state up': 1,
      'perigee_monitor_location_up a': 1,
      'perigee_monitor_location_up b': 0,
      'perigee_monitor_location_up c': 1,
      'perigee_monitor_last_response_seconds a': 0.25,
    })
    for (const state of ['paused', 'unknown'] as const)
      assert.deepEqual(valuesOf({ ...seen, state }), { ...always, [`perigee_monitor_state ${state}`]: 1 })
    const called = { ...always, perigee_monitor_up: 1, 'perigee_monitor_state up': 1 }
    assert.deepEqual(valuesOf({ ...seen, kind: 'heartbeat' }), called)
  })

  it('count incidents by their status', () => {
    const open = { ...monitor, incident: { status: 'open', startedAtMs: 0 } } as const
    const taken = { ...monitor, incident: { status: 'acknowledged', startedAtMs: 0 } } as const
    const { samples } = parseExposition(writePrometheus([describeIncidents([monitor, open, open, taken])]))
    assert.deepEqual(
      samples.map(({ labels, value }) => [labels['status'], value]),
      [
        ['open', 2],
        ['acknowledged', 1],
      ],
    )
  })

  it('have a histogram in seconds', () => {
    const { lines } = describeResponses([monitor], new Map([[1, { counts: [1, 2], sumMs: 1500 }]]))
    assert.match(lines, /le="0\.005"\} 1\n.*le="0\.01"\} 3\n/)
    assert.match(lines, /le="30(?:\.0)?"\} 3\n.*le="\+Inf"\} 3\n.*_sum\{[^}]*\} 1\.5\n.*_count\{[^}]*\} 3\n$/)
  })

  const ups: [state: MeasuredMonitor['state'], up: number | undefined][] = [
    ['up', 1],
    ['degraded', 1],
    ['down', 0],
    ['pending', undefined],
    ['paused', undefined],
    ['unknown', undefined],
  ]
  for (const [state, up] of ups)
    it(`say ${up ?? 'nothing'} of one that is ${state}`, () => {
      assert.equal(valuesOf({ ...monitor, state })['perigee_monitor_up'], up)
    })

  it('have a histogram of zeros before the first check, and none where nobody measures', () => {
    const called: MeasuredMonitor = { ...monitor, key: 2, id: 'b', kind: 'heartbeat' }
    const family = describeResponses([monitor, called], new Map())
    const { samples } = parseExposition(writePrometheus([family]))
    assert.equal(samples.length, family.samples)
    assert.equal(samples.length, histogramSamples([monitor, called]))
    assert.deepEqual(
      new Set(samples.map(({ value, labels }) => `${value} ${labels['monitor_id']}`)),
      new Set([`0 ${monitor.id}`]),
    )
  })
})

describe('what is written about metrics of monitors', () => {
  const known = new Set(
    [describeIncidents([]), ...describeMonitors([]), describeResponses([], new Map())].map(sampleName),
  ).add('perigee_metrics_omitted_samples')

  it('documents every metric, and none that there is not', () => {
    const documented = file('docs/metrics.md').matchAll(/^\| `(perigee_[a-z0-9_]+)`/gm)
    assert.deepEqual(Array.from(documented, ([, name = '']) => name).toSorted(), [...known].toSorted())
  })

  for (const path of ['docs/metrics.md', 'deploy/grafana/monitors.json'])
    it(`names only metrics that there are in ${path}`, () => {
      const named = Array.from(file(path).matchAll(/\bperigee_[a-z0-9_]+/g), ([name]) => name)
      assert.ok(named.length > 10)
      assert.deepEqual(
        named.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, ''))),
        [],
      )
    })

  it('has a panel for every metric', () => {
    const named = file('deploy/grafana/monitors.json')
    assert.deepEqual(
      [...known].filter((name) => !named.includes(name)),
      [],
    )
  })
})

describe('the checks that histograms need', () => {
  const cases: [monitors: MeasuredMonitor[], may: boolean, what: string][] = [
    [[], true, 'none'],
    [many(3333), true, '150 checks each in two hours and a half'],
    [[...many(3332), ...many(1, { intervalSeconds: 45 })], true, 'half a million checks'],
    [many(3334), false, 'one monitor more'],
    [many(4166, { intervalSeconds: 3600 }), true, '120 checks each that are never merged'],
    [many(4167, { intervalSeconds: 3600 }), false, 'one monitor more'],
    [many(185, { intervalSeconds: 10, locationCount: 3 }), true, '2,700 checks each, of three locations'],
    [many(186, { intervalSeconds: 10, locationCount: 3 }), false, 'one monitor more'],
    [many(9000, { kind: 'heartbeat' }), true, 'calls, which nobody measures'],
  ]
  for (const [monitors, may, what] of cases)
    it(`may ${may ? '' : 'not '}be counted of ${monitors.length} monitors: ${what}`, () => {
      assert.equal(mayCountResponses(monitors), may)
    })
})
