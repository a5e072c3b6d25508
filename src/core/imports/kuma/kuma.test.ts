import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kumaExample } from '../../../../test/support/kuma-example.ts'
import { kumaMonitors } from '../../../../test/support/kuma-example-monitors.ts'
import type { ImportedFile } from '#core/imports/imported.ts'
import { readKuma } from './kuma.ts'
import type { RawTables } from './kuma-rows.ts'

const now = new Date('2026-11-26T12:00:00Z')
const example = readKuma(kumaExample, now)

function inputOf(file: ImportedFile, key: string) {
  return file.monitors.find((monitor) => monitor.key === key)?.input
}

/** The parts of a monitor of the example that are noted. */
function partsOf(id: number): string[] {
  const noted = example.notes.filter(({ place }) => place.startsWith(`monitor ${id} "`))
  return noted.map(({ place }) => place.split('.').at(-1) ?? '')
}

/** With the notes of one monitor, by the part of the place that follows it. */
function only(row: Readonly<Record<string, unknown>>, others: RawTables = {}) {
  const file = readKuma({ monitor: [{ id: 1, name: 'One', ...row }], ...others }, now)
  const notes = file.notes.map(({ place, effect }) => `${effect} ${place.replace('monitor 1 "One"', '')}`)
  return { file, input: file.monitors[0]?.input, notes }
}

/** What arrives of each type; null where it is told as lost. */
const kinds: readonly (readonly [id: number, kind: string | null])[] = [
  [1, 'http'],
  [3, 'http'],
  [5, 'api'],
  [8, 'tcp'],
  [10, null],
  [11, 'ping'],
  [13, 'dns'],
  [15, null],
  [16, 'group'],
  [17, 'heartbeat'],
  [20, null],
  [21, 'smtp'],
  [22, 'tcp'],
  [23, 'ntp'],
  [24, 'game_server'],
  [25, null],
  [26, 'http'],
  [27, 'ping'],
  [28, 'http'],
  [30, null],
  [51, null],
]

describe('monitors of Uptime Kuma', () => {
  it('become what checks the same, or are told as lost', () => {
    for (const [id, kind] of kinds) {
      const place = `monitor ${id} "`
      const arrived = example.monitors.find((monitor) => monitor.place.startsWith(place))
      assert.equal(arrived?.input.kind ?? null, kind, `monitor ${id}`)
      const isTold = example.notes.some((note) => note.place.startsWith(place) && note.effect === 'lost')
      if (kind === null) assert.ok(isTold, `monitor ${id} is told`)
    }
    for (const { id, name } of kumaMonitors) {
      const isThere = example.monitors.some(({ place }) => place === `monitor ${id} "${name}"`)
      assert.ok(isThere || example.notes.some(({ place }) => place.startsWith(`monitor ${id} "`)), String(name))
    }
  })

  it('take their requests along, credentials included', () => {
    assert.deepEqual(inputOf(example, 'shop-2'), {
      name: 'Shop',
      kind: 'http',
      url: 'https://api.example.com/orders',
      method: 'POST',
      interval_seconds: 60,
      timeout_ms: 48_000,
      notes: 'Takes orders',
      failure_threshold: 1,
      recovery_threshold: 1,
      expected_status_min: 200,
      expected_status_max: 404,
      expected_statuses: ['200-201', '404'],
      request_headers: {
        'content-type': 'application/json',
        authorization: 'Basic YWRhOnPDqWNyZXQ=',
        'X-Trace': 'on',
      },
      request_body: '{"a":1}',
      expiry_alerts: false,
      check_options: {
        accept_any_certificate: true,
        proxy: 'http://proxy.example.com:3128',
        proxy_name: 'ada',
        proxy_secret: 'open',
      },
      alert_rules: { remind_every_minutes: 10 },
      tags: [],
      contacts: [],
    })
  })

  it('say which settings mean something else', () => {
    assert.deepEqual(partsOf(1), ['monitor 1 "Shop"'])
    assert.deepEqual(partsOf(2).toSorted(), ['monitor 2 "Shop"'])
    assert.deepEqual(partsOf(4), [])
    assert.deepEqual(partsOf(12), ['packet_size', 'ping_count'])
    assert.deepEqual(partsOf(14), ['conditions'])
  })

  it('turn retries into failures in a row, and waiting for calls into grace', () => {
    assert.equal(inputOf(example, 'shop')?.failure_threshold, 3)
    const backup = inputOf(example, 'backup')
    assert.deepEqual([backup?.interval_seconds, backup?.heartbeat_grace_seconds], [3600, 600])
    const { input, notes } = only({
      type: 'ping',
      hostname: 'a.example.com',
      interval: 60,
      maxretries: 20,
      retry_interval: 30,
    })
    assert.equal(input?.failure_threshold, 10)
    assert.equal(input.retry_interval_seconds, 30)
    assert.deepEqual(notes, ['changed .maxretries'])
  })

  it('keep the addresses at which jobs call', () => {
    assert.deepEqual(example.heartbeats, [
      { monitorKey: 'backup', address: { type: 'kuma_push', token: 'mRGbkLKRdgkXHkSUkTqPHTfYJgdGkZLS' } },
      { monitorKey: 'import', address: { type: 'kuma_push', token: 'a1b2c3d4e5' } },
    ])
  })

  it('are paused where they or a group around them are', () => {
    const paused = example.monitors.filter(({ isPaused }) => isPaused).map(({ key }) => key)
    assert.deepEqual(paused, ['import', 'paused', 'jobs'])
  })

  it('are members of all groups around them', () => {
    assert.deepEqual(inputOf(example, 'production')?.check_options, {
      member_ids: ['backup', 'import'],
      group_policy: 'all',
    })
    assert.deepEqual(inputOf(example, 'jobs')?.check_options, { member_ids: ['import'], group_policy: 'all' })
  })

  it('survive circles of groups', () => {
    const rows = [
      { id: 1, type: 'group', name: 'A', parent: 2 },
      { id: 2, type: 'group', name: 'B', parent: 1 },
      { id: 3, type: 'ping', name: 'C', hostname: 'c.example.com', parent: 1 },
    ]
    const { monitors } = readKuma({ monitor: rows }, now)
    assert.deepEqual(
      monitors.map(({ key, input }) => [key, input.check_options]),
      [
        ['c', undefined],
        ['a', { member_ids: ['c'], group_policy: 'all' }],
        ['b', { member_ids: ['c'], group_policy: 'all' }],
      ],
    )
  })

  const paths: [query: string, path: string | null][] = [
    ['status', 'status'],
    ['$.status', 'status'],
    ['$status', 'status'],
    ['data[0].items[12].ok', 'data.0.items.12.ok'],
    ['$', null],
    ['', null],
    ['a.b[name="x"]', null],
    ['$count(a)', null],
    ['`odd name`', null],
  ]
  for (const [query, path] of paths)
    it(`read the query "${query}" as ${path ?? 'none of ours'}`, () => {
      const { input } = only({
        type: 'json-query',
        url: 'https://a.example.com',
        json_path: query,
        expected_value: 'ok',
      })
      assert.equal(input?.check_options?.['json_path'] ?? null, path)
    })

  it('compare numbers and truth values as such, and say so', () => {
    const values: [expected: string, value: unknown, isNoted: boolean][] = [
      ['ok', 'ok', false],
      ['1', 1, true],
      ['-2.5', -2.5, true],
      ['false', false, true],
      ['007', '007', false],
      ['null', 'null', false],
    ]
    for (const [expected, value, isNoted] of values) {
      const read = only({ type: 'json-query', url: 'https://a.example.com', json_path: 'a', expected_value: expected })
      assert.equal(read.input?.check_options?.['expected_value'], value)
      assert.deepEqual(read.notes, isNoted ? ['changed .expected_value'] : [])
    }
  })

  it('say what our operations would refuse, and leave it out', () => {
    const { input, notes } = only({
      type: 'http',
      url: 'https://a.example.com',
      body: 'x'.repeat(70_000),
      http_body_encoding: 'xml',
    })
    assert.equal(input, undefined)
    assert.deepEqual(notes, ['lost '])
  })
})

describe('contacts of Uptime Kuma', () => {
  it('arrive by the kinds that we have', () => {
    assert.deepEqual(
      example.contacts.map(({ key, input }) => [key, input.kind, input.destination]),
      [
        ['mail-ada-example-com', 'email', 'ada@example.com'],
        ['mail-bob-example-com', 'email', 'bob@example.com'],
        ['hook', 'webhook', 'https://hooks.example.com/kuma'],
        ['slack', 'slack', 'https://hooks.slack.com/services/T0/B0/x'],
        ['ntfy', 'ntfy', 'perigee-example'],
        ['gotify', 'gotify', 'Gotify'],
        ['chat', 'google_chat', 'Chat'],
        ['teams', 'teams', 'Teams'],
        ['telegram', 'telegram', '-1001234567890'],
        ['discord', 'discord', 'Discord'],
        ['pagerduty', 'pagerduty', 'PagerDuty'],
        ['mattermost', 'mattermost', 'town-square'],
        ['matrix', 'matrix', '!abcdef:example.com'],
        ['pushover', 'pushover', 'Pushover'],
        ['twilio', 'twilio_sms', '+491701234567'],
        ['apprise', 'apprise', 'Apprise'],
      ],
    )
    const lost = example.notes.filter(({ place, effect }) => place.startsWith('notification') && effect === 'lost')
    assert.deepEqual(
      lost.map(({ place }) => place),
      [
        'notification 2 "Hook".config.webhookAdditionalHeaders',
        'notification 12 "Mattermost without channel".config.mattermostchannel',
        'notification 17 "Apprise by itself".config.appriseURL',
        'notification 18 "Signal".config.type',
        'notification 19 "Browser".config.type',
      ],
    )
  })

  it('are those of each monitor, and no others', () => {
    assert.deepEqual(inputOf(example, 'shop')?.contacts, ['mail-ada-example-com', 'mail-bob-example-com', 'slack'])
    assert.deepEqual(inputOf(example, 'production')?.contacts, ['pagerduty'])
    assert.deepEqual(inputOf(example, 'backup')?.contacts, [])
  })
})

describe('pages and maintenance of Uptime Kuma', () => {
  it('have sections in the order of the page', () => {
    assert.deepEqual(
      example.pages.map(({ input }) => [input.slug, input.visibility, input.domain, input.sections]),
      [
        [
          'main',
          'public',
          'status.example.com',
          [
            {
              name: 'First',
              monitors: [
                { monitor_id: 'shop', name: null },
                { monitor_id: 'login-page', name: null },
              ],
            },
            { name: 'Second', monitors: [] },
          ],
        ],
        ['status-status', 'draft', undefined, []],
      ],
    )
  })

  it('have schedules that say the same', () => {
    assert.deepEqual(
      example.maintenance.map(({ input }) => [input.name, input.time_zone, input.schedule]),
      [
        [
          'Move',
          'Europe/Berlin',
          { type: 'once', starts_at: '2027-07-01T20:00:00.000Z', ends_at: '2027-07-02T00:00:00.000Z' },
        ],
        ['Weekly', 'Europe/Sofia', { type: 'weekly', weekdays: [3, 7], starts: '23:30', duration_minutes: 45 }],
        ['Monthly', 'UTC', { type: 'cron', expression: '5 4 1,L * *', duration_minutes: 55 }],
        ['Daily', 'UTC', { type: 'weekly', weekdays: [1, 2, 3, 4, 5, 6, 7], starts: '03:00', duration_minutes: 20 }],
        ['Cron', 'UTC', { type: 'cron', expression: '15 2 * * 1', duration_minutes: 30 }],
      ],
    )
    // That of a group is one of all that is in it.
    assert.deepEqual(example.maintenance[0]?.input.monitor_ids, ['production', 'backup', 'import'])
  })
})
