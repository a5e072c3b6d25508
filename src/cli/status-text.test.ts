import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OperatorStatus } from '#core/operator-status.ts'
import { statusText } from './status-text.ts'

const status: OperatorStatus = {
  at: '2026-11-21T20:00:00.000Z',
  process: {
    version: '1.2.3',
    roles: ['api', 'engine'],
    name: 'host-1-abc',
    up_seconds: 130,
    bus: { connected: true, streams: [{ name: 'results', messages: 4, bytes: 1_500, oldest_seconds: 7 }] },
    engine: { monitors: 12, partitions: 2, lag_seconds: 1.25, results_waiting: 0 },
    prober: {
      locations: ['ams', 'nyc'],
      checks_running: 3,
      assignments_waiting: 1,
      results_waiting: 8,
      monitors_set_aside: 0,
      threads_missing: 0,
    },
  },
  cluster: {
    database: { version: '15.18', schema: 7, size_bytes: 123_456_789, oldest_result_day: '2026-08-23' },
    engines: [
      { name: 'one', is_alive: true, seen_seconds: 1, up_seconds: 4_000 },
      { name: 'two', is_alive: false, seen_seconds: 31, up_seconds: 9_000 },
    ],
    partitions: [
      { partition: 0, owner: 'one', epoch: 4, held_seconds: 200_000 },
      { partition: 1, owner: 'one', epoch: 5, held_seconds: 90 },
      { partition: 2, owner: null, epoch: 5, held_seconds: null },
      { partition: 3, owner: 'one', epoch: 5, held_seconds: null },
      { partition: 4, owner: 'three', epoch: 6, held_seconds: 10 },
    ],
    locations: [
      { code: 'ams', name: 'Amsterdam', online: true, seen_seconds: 2, lost_network_seconds: null, monitors: 12 },
      {
        code: 'nyc',
        name: 'New\u202e York',
        online: false,
        seen_seconds: 8_000,
        lost_network_seconds: null,
        monitors: 3,
      },
      { code: 'sin', name: 'Singapore', online: false, seen_seconds: null, lost_network_seconds: null, monitors: 0 },
    ],
    monitors: { enabled: 12, paused: 1, late: 2, latest_seconds: 150, rounds_behind: 5, unchecked: 1 },
    deliveries: { pending: 2, overdue: 1, oldest_overdue_seconds: 95, held_up: 4 },
    jobs: { waiting: 3, running: 1, overdue: 0, failed: 2, oldest_due_seconds: 3 },
    merging: { monitors_due: 4, lag_seconds: 61 },
    feeds: [
      { name: 'osv npm', read_seconds: 400, error: null },
      { name: 'nvd', read_seconds: 200_000, error: 'https://services.nvd.nist.gov failed: Timed out.' },
      { name: 'cve', read_seconds: null, error: null },
    ],
    mail: null,
    sending_held: null,
    former_keys: null,
    backup: { age_seconds: 7_200, size_bytes: 12_000_000, failing: null },
    clock: null,
    set_aside: null,
    broker: null,
  },
  troubles: ['1 alerts are overdue, by up to 95 s.'],
}

it('a status is a page of a terminal', () => {
  assert.equal(
    statusText(status),
    `answered by  host-1-abc, api engine, 1.2.3, up 2 min
broker       connected, 4 messages (2 kB, 7 s) in results
engine       12 monitors, 2 partitions, 1.3 s late
prober       3 checks under way, 1 waiting, 8 results to be sent, from ams nyc

ENGINE  STATE        PARTITIONS  WHICH  HELD FOR     EPOCHS
one     alive        3           0-1 3  90 s to 2 d  4 to 5
two     silent 31 s  0
three   silent       1           4      10 s         6
(none)               1           2

LOCATION  STATE    LAST SEEN  MONITORS  NAME
ams       online   2 s ago    12        Amsterdam
nyc       missing  2 h ago    3         New\\u{202e} York
sin       missing  never      0         Singapore

FEED     LAST READ  WHY IT FAILED
osv npm  6 min ago
nvd      2 d ago    https://services.nvd.nist.gov failed: Timed out.
cve      never

monitors  12 enabled, 1 paused, 2 late by up to 2 min (5 rounds), 1 unchecked
alerts    2 pending, 1 overdue by up to 95 s, 4 held up by their receivers
jobs      3 waiting, 1 running, none overdue, 2 failed for good
backup    12 MB, 2 h ago
merging   4 monitors due, 61 s late
database  PostgreSQL 15.18, schema 7, 123 MB, results since 2026-08-23
`,
  )
})

it('a location without network and mail that does not leave are shown', () => {
  const { cluster } = status
  assert.ok(cluster !== null)
  const locations = cluster.locations.map((location) => ({ ...location, lost_network_seconds: 40 }))
  const mail = { failing_seconds: 130, error: 'The mail server did not answer in time.' }
  const text = statusText({ ...status, cluster: { ...cluster, locations, mail } })
  assert.match(text, /^ams +no network +2 s ago +12 +Amsterdam$/m)
  assert.match(text, /^nyc +missing /m)
  assert.match(text, /^mail +failing for 2 min$/m)
})

it('a status without troubles says so, and what is not known is left out', () => {
  const idle = { ...status, process: null, cluster: null, troubles: [] }
  assert.equal(statusText(idle), 'All is well.\n')
})
