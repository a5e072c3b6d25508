import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ClusterStatus,
  clusterTroubles,
  isWatching,
  operatorStatusSchema,
  type ProcessStatus,
  processTroubles,
  topicOf,
} from './operator-status.ts'

const well: ClusterStatus = {
  database: { version: '18.4', schema: 7, size_bytes: 10_000_000, oldest_result_day: '2026-11-20' },
  engines: [{ name: 'e', is_alive: true, seen_seconds: 1, up_seconds: 100 }],
  partitions: [
    { partition: 0, owner: 'e', epoch: 3, held_seconds: 50 },
    { partition: 1, owner: 'e', epoch: 3, held_seconds: 50 },
  ],
  locations: [
    { code: 'ams', name: 'Amsterdam', online: true, seen_seconds: 2, lost_network_seconds: null, monitors: 7 },
  ],
  monitors: { enabled: 7, paused: 1, late: 2, latest_seconds: 50, rounds_behind: 3, unchecked: 0 },
  deliveries: { pending: 5, overdue: 0, oldest_overdue_seconds: 0, held_up: 3 },
  jobs: { waiting: 5, running: 1, overdue: 0, failed: 4, oldest_due_seconds: 10 },
  merging: { monitors_due: 5, lag_seconds: 3_600 },
  feeds: [],
  mail: null,
  sending_held: null,
  former_keys: null,
  backup: { age_seconds: 60, size_bytes: 1_000, failing: null },
  clock: null,
  set_aside: null,
  broker: null,
}

const engine = { monitors: 7, partitions: 64, lag_seconds: 0, results_waiting: 0 }
const prober = {
  locations: [],
  checks_running: 0,
  assignments_waiting: 0,
  results_waiting: 0,
  monitors_set_aside: 0,
  threads_missing: 0,
}
const known = { isClusterKnown: true }

const process: ProcessStatus = {
  version: '1.2.3',
  roles: ['engine'],
  name: 'e',
  up_seconds: 100,
  bus: { connected: true, streams: [{ name: 'results', messages: 100, bytes: 1_000, oldest_seconds: 60 }] },
  engine,
  prober: null,
}

function streams(oldest: number) {
  return [{ name: 'results', messages: 9, bytes: 900, oldest_seconds: oldest }]
}

describe('what an operator has to look at', () => {
  const cases: [what: string, change: Partial<ClusterStatus>, troubles: string[]][] = [
    ['nothing while all is well', {}, []],
    ['no engine', { engines: [] }, ['No engine is running, so nothing is checked.']],
    [
      'feeds that failed before they were ever read',
      { feeds: [{ name: 'nvd', read_seconds: null, error: 'Refused.' }] },
      ['Advisory feeds that were never read completely: nvd.'],
    ],
    [
      'engines that are silent',
      { engines: [{ name: 'e', is_alive: false, seen_seconds: 20, up_seconds: 100 }] },
      ['No engine is running, so nothing is checked.'],
    ],
    [
      'partitions that no engine holds',
      { partitions: [...well.partitions, { partition: 2, owner: null, epoch: 3, held_seconds: null }] },
      ['1 of 3 partitions are held by no engine.'],
    ],
    [
      'locations that are chosen and missing, not locations that no monitor chooses',
      {
        locations: [
          { code: 'ams', name: 'A', online: false, seen_seconds: 99, lost_network_seconds: 90, monitors: 2 },
          { code: 'nyc', name: 'B', online: false, seen_seconds: null, lost_network_seconds: null, monitors: 0 },
          { code: 'sof', name: 'C', online: false, seen_seconds: null, lost_network_seconds: null, monitors: 1 },
        ],
      },
      [
        'The location ams has no prober, and 2 monitors use it.',
        'The location sof has no prober, and 1 monitor uses it.',
      ],
    ],
    [
      'a broker that no engine has, and nothing of probers, of which none can be heard then',
      {
        broker: { away_seconds: 60.4 },
        locations: [
          { code: 'ams', name: 'A', online: false, seen_seconds: 99, lost_network_seconds: null, monitors: 2 },
        ],
      },
      [
        'The broker cannot be reached: no engine has been connected to it for 60 s, so no checks are ordered and the state of probers is not known.',
      ],
    ],
    [
      'unchecked monitors, not late ones',
      { monitors: { ...well.monitors, unchecked: 3 } },
      ['3 monitors are not being checked.'],
    ],
    [
      'alerts that are overdue',
      { deliveries: { ...well.deliveries, overdue: 2, oldest_overdue_seconds: 120.4 } },
      ['2 alerts are overdue, by up to 2 min.'],
    ],
    [
      'overdue jobs, not failed ones',
      { jobs: { ...well.jobs, overdue: 1, oldest_due_seconds: 99.5 } },
      ['1 jobs are overdue, by up to 100 s.'],
    ],
    [
      'merging that is more than an hour late',
      { merging: { monitors_due: 5, lag_seconds: 3_601 } },
      ['Merging of results is 60 min late.'],
    ],
    [
      'a location without a network of its own',
      { locations: well.locations.map((location) => ({ ...location, lost_network_seconds: 61.4 })) },
      ['The location ams has had no network for 61 s: its checks say nothing about their targets.'],
    ],
    [
      'a restored copy, whose alerts and jobs wait',
      {
        sending_held: { seconds: 60, backup_at: '2026-11-20T12:00:00.000Z' },
        deliveries: { pending: 2, overdue: 2, oldest_overdue_seconds: 90, held_up: 0 },
        jobs: { waiting: 2, running: 0, overdue: 2, failed: 0, oldest_due_seconds: 90 },
      },
      [
        'This installation was restored from a backup of 2026-11-20T12:00:00.000Z, and sends nothing: no alerts, no mails, no payments. Run "perigee resume-sending" when the original is gone.',
      ],
    ],
    [
      'backups that fail',
      { backup: { age_seconds: 90_000, size_bytes: 1_000, failing: { seconds: 300.2, error: 'The disk is full.' } } },
      ['No backup could be made for 5 min: The disk is full.'],
    ],
    [
      'mail that does not leave',
      { mail: { failing_seconds: 300.2, error: 'The mail server did not answer in time.' } },
      ['No mail could be sent for 5 min: The mail server did not answer in time.'],
    ],
    [
      'a clock that jumped within the hour',
      { clock: { jumped_seconds_ago: 3_600, by_seconds: -18_000 } },
      [
        'The clock of the database jumped by -5 h, 60 min ago: no checks were skipped, but times before and after the jump cannot be compared.',
      ],
    ],
    [
      'monitors that probers have set aside, of which some are named',
      { set_aside: { seconds: 30, monitor_ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } },
      ['7 monitors are set aside, because checks of them took the processor or the memory: a, b, c, d, e, and 2 more.'],
    ],
    ['no clock that jumped long ago', { clock: { jumped_seconds_ago: 3_601, by_seconds: 10_800 } }, []],
  ]
  for (const [what, change, troubles] of cases)
    it(`is ${what}`, () => assert.deepEqual(clusterTroubles({ ...well, ...change }), troubles))

  const processCases: [what: string, bus: ProcessStatus['bus'], troubles: string[]][] = [
    ['nothing without a broker', null, []],
    ['nothing while results do not wait for longer than a minute', { connected: true, streams: streams(60) }, []],
    ['nothing of a broker that cannot be asked', { connected: true, streams: null }, []],
    ['a broker that is away', { connected: false, streams: null }, ['The broker cannot be reached.']],
    [
      'results that wait for longer',
      { connected: true, streams: streams(61) },
      ['9 messages wait in the stream results, for up to 61 s.'],
    ],
  ]
  for (const [what, bus, troubles] of processCases)
    it(`is ${what}`, () => assert.deepEqual(processTroubles({ ...process, bus }, known), troubles))

  it('are monitors that were set aside, of a process that knows no more than itself', () => {
    const told = { ...process, prober: { ...prober, monitors_set_aside: 2 } }
    assert.deepEqual(processTroubles(told, { isClusterKnown: false }), [
      '2 monitors are set aside, because checks of them took the processor or the memory; see the log for their ids.',
    ])
    assert.deepEqual(processTroubles(told, known), [], 'the database names them')
    assert.deepEqual(processTroubles({ ...process, prober }, { isClusterKnown: false }), [])
  })

  it('are an engine that holds nothing, and threads that do not run', () => {
    assert.deepEqual(processTroubles({ ...process, engine: { ...engine, partitions: 0 } }, known), [
      'The engine of this process holds no partition, so it watches nothing.',
    ])
    assert.deepEqual(processTroubles({ ...process, prober: { ...prober, threads_missing: 1 } }, known), [
      '1 prober threads of this process are not running.',
    ])
  })
})

it('a trouble has the same topic while it lasts, and another one has another', () => {
  assert.equal(topicOf('2 alerts are overdue, by up to 120 s.'), topicOf('11 alerts are overdue, by up to 9 s.'))
  assert.equal(topicOf('2 alerts are overdue, by up to 95 s.'), topicOf('9 alerts are overdue, by up to 3 h.'))
  assert.equal(
    topicOf('No mail could be sent for 61 s: It is silent.'),
    topicOf('No mail could be sent for 99 s: It refuses.'),
  )
  assert.equal(topicOf('2 monitors are set aside: a, b.'), topicOf('3 monitors are set aside: a, b, c.'))
  assert.notEqual(topicOf('No prober is at the location ams-1.'), topicOf('No prober is at the location ams-2.'))
  assert.notEqual(topicOf('No prober is at the location ams1.'), topicOf('No prober is at the location ams2.'))
})

describe('an installation', () => {
  const cases: [what: string, change: Partial<ClusterStatus>, expected: boolean][] = [
    ['that is well', {}, true],
    ['whose locations are missing, and monitors checked', { locations: [] }, true],
    ['whose merging is late', { merging: { monitors_due: 5, lag_seconds: 90_000 } }, true],
    ['whose alerts wait for receivers that fail', { deliveries: { ...well.deliveries, held_up: 9 } }, true],
    ['with monitors that are set aside', { set_aside: { seconds: 60, monitor_ids: ['m'] } }, true],
    ['whose clock jumped', { clock: { jumped_seconds_ago: 1, by_seconds: 60 } }, true],
    ['without an engine', { engines: [] }, false],
    [
      'with a partition that is not held',
      { partitions: [{ partition: 0, owner: null, epoch: 1, held_seconds: null }] },
      false,
    ],
    ['with monitors that are unchecked', { monitors: { ...well.monitors, unchecked: 1 } }, false],
    ['whose alerts stand still', { deliveries: { ...well.deliveries, overdue: 1 } }, false],
    ['whose jobs stand still', { jobs: { ...well.jobs, overdue: 1 } }, false],
    ['whose mail does not leave', { mail: { failing_seconds: 1, error: 'It is silent.' } }, false],
  ]
  for (const [what, change, expected] of cases)
    it(`${what} ${expected ? 'does' : 'does not do'} what it is for`, () =>
      assert.equal(isWatching({ ...well, ...change }), expected))
})

it('what processes of earlier releases do not tell is nothing', () => {
  const { feeds: _feeds, broker: _broker, set_aside: _aside, sending_held: _held, former_keys: _keys, ...told } = well
  const { backup: _backup, deliveries, ...cluster } = told
  const { held_up: _heldUp, ...delivered } = deliveries
  const { monitors_set_aside: _monitors, threads_missing: _threads, ...probing } = prober
  const read = operatorStatusSchema.parse({
    at: '2026-11-23T12:00:00Z',
    process: { ...process, prober: probing },
    cluster: { ...cluster, deliveries: delivered },
    troubles: [],
  })
  assert.deepEqual(read.process, { ...process, prober })
  assert.deepEqual(read.cluster, { ...well, backup: null, deliveries: { ...deliveries, held_up: 0 } })
})
