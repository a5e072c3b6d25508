import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { gatusExample } from '../../../../test/support/gatus-example.ts'
import { readGatus } from './gatus.ts'
import { ImportError } from '#core/imports/imported.ts'

const example = readGatus(gatusExample)

function inputOf(key: string) {
  return example.monitors.find((monitor) => monitor.key === key)?.input
}

/** The notes of an endpoint that has these conditions, and what it becomes. */
function withConditions(conditions: readonly string[], url = 'https://example.com/') {
  const { monitors, notes } = readGatus([{ endpoints: [{ name: 'One', url, conditions }] }])
  const told = notes
    .filter(({ place }) => place.startsWith('endpoints'))
    .map(({ effect, place }) => `${effect} ${place}`)
  return { input: monitors[0]?.input, notes: told }
}

describe('endpoints of Gatus', () => {
  it('become what checks the same, or are told as lost', () => {
    assert.deepEqual(
      example.monitors.map(({ key, input }) => [key, input.kind, input.url]),
      [
        ['core-website', 'api', 'https://example.com/health'],
        ['core-website-2', 'http', 'https://example.org/'],
        ['anything-goes', 'http', 'https://example.org/'],
        ['question', 'api', 'https://example.org/graphql'],
        ['page', 'http', 'https://example.org/'],
        ['port', 'tcp', '127.0.0.1:6379'],
        ['ping', 'ping', 'example.org'],
        ['tls', 'ssl', 'ldap.example.com:636'],
        ['mail', 'smtp', 'smtp.example.com:587'],
        ['shell', 'ssh', 'example.com:22'],
        ['datagram', 'udp', 'example.com:9'],
        ['socket', 'websocket', 'wss://example.com/'],
        ['grpc', 'grpc', 'grpc://example.com:9'],
        ['name', 'dns', 'example.com'],
        ['core-job', 'heartbeat', undefined],
      ],
    )
    const lost = example.notes.filter(({ effect }) => effect === 'lost').map(({ place }) => place)
    assert.deepEqual(lost, [
      'alerting.custom',
      'endpoints[2].alerts[1]',
      'endpoints[9].conditions[0]',
      'endpoints[9].ssh',
      'endpoints[11].body',
      'endpoints[13].url',
      'suites[0]',
      'announcements',
    ])
  })

  it('take conditions, thresholds and contacts along', () => {
    assert.deepEqual(inputOf('core-website'), {
      name: 'website',
      kind: 'api',
      url: 'https://example.com/health',
      method: 'GET',
      expected_status_min: 200,
      expected_status_max: 429,
      expected_statuses: ['200', '429'],
      check_options: {
        json_path: 'status',
        expected_value: 'UP',
        jsonata: '$number(`pool`.`free`) > 3',
        max_latency_ms: 300,
      },
      expiry_alerts: true,
      interval_seconds: 300,
      contacts: ['slack', 'pagerduty'],
      failure_threshold: 3,
      recovery_threshold: 2,
      alert_degraded_rounds: 3,
      alert_rules: { remind_every_minutes: 30 },
      tags: ['core'],
    })
    assert.deepEqual(inputOf('question')?.request_body, '{"query":"{ users { id } }"}')
    assert.equal(inputOf('question')?.method, 'POST')
    assert.equal(inputOf('page')?.keyword, '<h1>Example</h1>')
    assert.deepEqual(inputOf('ping')?.check_options, { packets: 1, max_latency_ms: 100 })
    assert.deepEqual(inputOf('tls')?.check_options, { warn_days: 10 })
    assert.deepEqual(inputOf('name')?.check_options, {
      record_type: 'A',
      expected_answer: '93.184.215.14',
      resolver: '8.8.8.8',
    })
    assert.equal(example.monitors.find(({ key }) => key === 'anything-goes')?.isPaused, true)
  })

  it('say which settings mean something else', () => {
    const changed = example.notes.filter(
      ({ effect, place }) => effect === 'changed' && /^endpoints\[[0-3]\]/.test(place),
    )
    assert.deepEqual(
      changed.map(({ place }) => place),
      [
        'endpoints[0].conditions[3]',
        'endpoints[0].conditions[4]',
        'endpoints[0].alerts',
        'endpoints[0].alerts',
        'endpoints[1].client.ignore-redirect',
        'endpoints[1].client.dns-resolver',
        'endpoints[3]',
      ],
    )
  })

  const statuses: [conditions: string[], min: number, max: number, notes: string[]][] = [
    [[], 100, 599, []],
    [['[STATUS] == 200'], 200, 200, []],
    [['[STATUS] < 300'], 100, 299, []],
    [['[STATUS] <= 299', '[STATUS] > 199'], 200, 299, []],
    [['[STATUS] == pat(4*)'], 400, 499, []],
    [['[STATUS] == any(200, 201)'], 200, 201, []],
    [['[STATUS] == any(200, 404)'], 200, 404, []],
    [['[STATUS] != 500'], 100, 599, []],
    [['[STATUS] != 599'], 100, 598, []],
    [['[STATUS] < 200', '[STATUS] > 300'], 100, 199, ['lost endpoints[0].conditions[1]']],
    [['nonsense'], 100, 599, ['lost endpoints[0].conditions[0]']],
  ]
  for (const [conditions, min, max, notes] of statuses)
    it(`expect ${min} to ${max} for ${conditions.join(' and ') || 'no condition'}`, () => {
      const read = withConditions(conditions)
      assert.deepEqual([read.input?.expected_status_min, read.input?.expected_status_max], [min, max])
      assert.deepEqual(read.notes, notes)
    })

  const bodies: [condition: string, options: unknown, notes: string[]][] = [
    ['[BODY].user.name == john', { json_path: 'user.name', expected_value: 'john' }, []],
    ['[BODY].data[0].id == 1', { json_path: 'data.0.id', expected_value: 1 }, ['changed endpoints[0].conditions[0]']],
    ['has([BODY].users) == true', { json_path: 'users' }, []],
    ['has([BODY].errors) == false', { jsonata: '$not($exists(`errors`))' }, []],
    ['[BODY].age == [BODY].id', { jsonata: '$string(`age`) = $string(`id`)' }, []],
    ['[BODY].name == pat(john*)', { jsonata: '$contains($string(`name`), /^john[\\s\\S]*$/)' }, []],
    ['[IP] == 127.0.0.1', undefined, ['lost endpoints[0].conditions[0]']],
  ]
  for (const [condition, options, notes] of bodies)
    it(`read the condition ${condition}`, () => {
      const read = withConditions([condition])
      assert.deepEqual(read.input?.check_options, options)
      assert.deepEqual(read.notes, notes)
    })
})

describe('the rest of Gatus', () => {
  it('is contacts, windows and a page that is a draft', () => {
    assert.deepEqual(
      example.contacts.map(({ key }) => key),
      [
        'slack',
        'email-ada-example-com',
        'email-bob-example-com',
        'discord',
        'googlechat',
        'teams-workflows',
        'gotify',
        'matrix',
        'mattermost',
        'ntfy',
        'pagerduty',
        'pushover',
        'telegram',
        'twilio',
      ],
    )
    assert.deepEqual(
      example.maintenance.map(({ input }) => [input.monitor_ids, input.time_zone, input.schedule]),
      [
        [
          ['core-website'],
          'Europe/Berlin',
          { type: 'weekly', weekdays: [1, 2, 3, 4, 5, 6, 7], starts: '07:30', duration_minutes: 40 },
        ],
        [null, 'Europe/Amsterdam', { type: 'weekly', weekdays: [1, 4], starts: '23:00', duration_minutes: 60 }],
      ],
    )
    const [page] = example.pages
    assert.deepEqual([page?.input.slug, page?.input.visibility], ['example-company', 'draft'])
    assert.deepEqual(page?.input.sections?.[0], {
      name: 'core',
      monitors: ['core-website', 'core-website-2', 'core-job'].map((key) => ({ monitor_id: key, name: null })),
    })
  })

  it('tells windows as lost that lack what a window needs', () => {
    const window = { enabled: true, start: '23:00', duration: '1h', every: ['Monday'] }
    const endpoints = [{ name: 'A', url: 'https://a.example.com' }]
    const lost = (changed: object) => {
      const { maintenance, notes } = readGatus([{ endpoints, maintenance: { ...window, ...changed } }])
      return [maintenance.length, notes.filter(({ place }) => place === 'maintenance').map(({ effect }) => effect)]
    }
    assert.deepEqual(lost({}), [1, []])
    for (const changed of [{ start: null }, { duration: null }, { every: ['Someday'] }, { start: '7:30' }])
      assert.deepEqual(lost(changed), [0, ['lost']], JSON.stringify(changed))
  })

  it('is joined from several files', () => {
    const files = [
      { endpoints: [{ name: 'A', url: 'https://a.example.com' }] },
      { ui: { header: 'B' } },
      '',
      null,
      { endpoints: [{ name: 'C', url: 'https://c.example.com' }] },
    ]
    assert.throws(() => readGatus(files), ImportError)
    const { monitors } = readGatus(files.filter((file) => file !== ''))
    assert.deepEqual(
      monitors.map(({ key }) => key),
      ['a', 'c'],
    )
  })

  it('is refused with the place of what is wrong in it', () => {
    const refusals: [document: unknown, message: string][] = [
      [{}, 'The file has no endpoints, so it is not a Gatus configuration.'],
      [{ endpoints: {} }, 'endpoints: Must be a list.'],
      [{ endpoints: [{ name: 'A', conditions: 'x' }] }, 'endpoints[0].conditions: Must be a list.'],
      [{ endpoints: [{ name: { a: 1 } }] }, 'endpoints[0].name: Must be a text or a number.'],
    ]
    for (const [document, message] of refusals) assert.throws(() => readGatus([document]), new ImportError(message))
  })

  it('throws nothing but its own error', () => {
    const operand = fc.oneof(
      fc.constantFrom(
        '[STATUS]',
        '[BODY]',
        '[BODY].a[0]',
        '[RESPONSE_TIME]',
        'any(1,2)',
        'pat(*)',
        '[CERTIFICATE_EXPIRATION]',
        '9h',
        '1e9',
        'null',
      ),
      fc.string(),
    )
    const condition = fc.tuple(operand, fc.constantFrom('==', '<', '>=', '!='), operand).map((parts) => parts.join(' '))
    const cell = fc.oneof(
      fc.string(),
      fc.anything(),
      fc.constantFrom('https://a.example.com', 'tcp://a:1', 'udp://[::1]:1', 'icmp://::1', 'tls://', 'true', '99h'),
    )
    const endpoint = fc.record(
      {
        name: cell,
        url: cell,
        conditions: fc.array(condition, { maxLength: 4 }),
        dns: cell,
        alerts: cell,
        client: cell,
        headers: cell,
        body: cell,
        interval: cell,
        'maintenance-windows': cell,
      },
      { requiredKeys: [] },
    )
    const document = fc.record(
      {
        endpoints: fc.array(endpoint, { maxLength: 3 }),
        alerting: fc.dictionary(fc.constantFrom('slack', 'ntfy', 'x', '__proto__'), cell),
        maintenance: cell,
        ui: cell,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(document, fc.anything()), { maxLength: 3 }), (documents) => {
        try {
          readGatus(documents)
        } catch (error) {
          if (!(error instanceof ImportError)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** What a file with one endpoint and this beside it becomes. */
function withOne(rest: object, endpoint: object = {}) {
  return readGatus([{ endpoints: [{ name: 'One', url: 'https://example.com/', ...endpoint }], ...rest }])
}

/** Endpoints of two groups. */
function many(length: number): object[] {
  return Array.from({ length }, (_, index) => ({
    name: `E${index}`,
    group: `g${index % 2}`,
    url: 'https://example.com/',
  }))
}

function lostOf(length: number): string[] {
  const { notes } = readGatus([{ endpoints: many(length) }])
  return notes.filter(({ effect, place }) => effect === 'lost' && place === 'ui').map(({ message }) => message)
}

describe('files of Gatus', () => {
  it('have endpoints, endpoints of others or suites', () => {
    assert.throws(() => readGatus([{}]), /^Error: The file has no endpoints/)
    assert.equal(readGatus([{ 'external-endpoints': [{ name: 'Job' }] }]).monitors.length, 1)
    assert.equal(readGatus([{ suites: [{ name: 'Flow' }] }]).notes.length, 1)
    const both = { 'external-endpoints': [{ name: 'Job' }], suites: [{ name: 'Flow' }] }
    assert.equal(readGatus([both]).monitors.length, 1)
    assert.equal(withOne({ 'external-endpoints': [{ name: 'Job' }] }).monitors.length, 2)
  })

  it('are joined, and of two of a kind the last one counts that says anything', () => {
    const { pages, maintenance, notes } = readGatus([
      { ui: { header: 'First' }, remote: { instances: [] }, maintenance: { start: '01:00', duration: '1h' } },
      { endpoints: [{ name: 'One', url: 'https://example.com/' }], ui: null, remote: null, maintenance: null },
      {},
    ])
    assert.equal(pages[0]?.input.title, 'First')
    assert.equal(maintenance[0]?.input.name, 'Maintenance')
    assert.ok(notes.some(({ place }) => place === 'remote'))
    assert.ok(!withOne({}).notes.some(({ place }) => place === 'remote'))
  })

  it('have jobs that are expected daily, or as often as they say', () => {
    const jobs = readGatus([
      { 'external-endpoints': [{ name: 'Daily' }, { name: 'Hourly', heartbeat: { interval: '1h' } }] },
    ])
    const expected = jobs.monitors.map(({ input }) => [input.interval_seconds, input.heartbeat_grace_seconds])
    assert.deepEqual(expected, [[86_400, 0], [3600, 0]]) // prettier-ignore
    const changed = jobs.notes.map(({ place }) => place).filter((place) => place.endsWith('.heartbeat'))
    assert.deepEqual(changed, ['external-endpoints[0].heartbeat'])
  })

  const windows: [what: string, window: object, expected: object | null][] = [
    ['of all days', { start: '01:00', duration: '1h' }, { weekdays: [1, 2, 3, 4, 5, 6, 7], duration_minutes: 60 }],
    [
      'of two days in any order',
      { start: '01:00', duration: '1h', every: ['Sunday', 'Monday', 'Sunday'] },
      { weekdays: [1, 7], duration_minutes: 60 },
    ],
    ['of seconds', { start: '01:00', duration: '20s' }, { weekdays: [1, 2, 3, 4, 5, 6, 7], duration_minutes: 1 }],
    [
      'of a minute and a half',
      { start: '01:00', duration: '90s' },
      { weekdays: [1, 2, 3, 4, 5, 6, 7], duration_minutes: 2 },
    ],
    [
      'of a time zone that is none',
      { start: '01:00', duration: '1000m', timezone: 'Mars' },
      { weekdays: [1, 2, 3, 4, 5, 6, 7], duration_minutes: 1000 },
    ],
    ['of a time that is none', { start: 'noon', duration: '1h' }, null],
    ['of a day that is none', { start: '01:00', duration: '1h', every: ['Funday'] }, null],
    ['without a start', { duration: '1h' }, null],
    ['without a duration', { start: '01:00' }, null],
  ]
  for (const [what, maintenance, expected] of windows)
    it(`have windows ${what}`, () => {
      const { maintenance: found, notes } = withOne({ maintenance })
      if (expected === null)
        return assert.ok(notes.some(({ message }) => message.startsWith('It has no start, duration or weekdays')))
      const schedule = { type: 'weekly', starts: '01:00', ...expected }
      return assert.deepEqual([found[0]?.input.schedule, found[0]?.input.time_zone], [schedule, 'UTC'])
    })

  it('have names that are cut at 160 characters', () => {
    const long = 'x'.repeat(200)
    const window = { start: '01:00', duration: '1h' }
    const { pages, maintenance } = withOne(
      { ui: { header: long } },
      { name: long, group: long, 'maintenance-windows': [window] },
    )
    const [page] = pages
    assert.deepEqual(
      [page?.input.title, page?.input.sections?.[0]?.name, maintenance[0]?.input.name].map((name) => name?.length),
      [160, 160, 160],
    )
  })

  it('have a page of 200 monitors at most', () => {
    assert.deepEqual(lostOf(200), [])
    assert.deepEqual(lostOf(201), ['One status page holds 200 of the 201 monitors.'])
    assert.equal(readGatus([{ suites: [{ name: 'Flow' }] }]).pages.length, 0)
    const groups = Array.from({ length: 51 }, (_, at) => ({ name: 'E', group: `g${at}`, url: 'https://example.com/' }))
    const { notes } = readGatus([{ endpoints: groups }])
    assert.ok(notes.some(({ message }) => message === 'One status page holds 50 of the 51 monitors.'))
  })

  it('have a hundred documents at most', () => {
    const documents = Array.from({ length: 100 }, () => ({ suites: [{ name: 'Flow' }] }))
    assert.equal(readGatus(documents).monitors.length, 0)
    assert.throws(() => readGatus([...documents, {}]), /^Error: It has more than 100 documents\.$/)
  })

  it('tell of slow answers as early as of failures, where they tell of any', () => {
    const slow = { conditions: ['[RESPONSE_TIME] < 300'] }
    const alerting = { ntfy: { topic: 'perigee-example' } }
    const rounds = [slow, { alerts: [{ type: 'ntfy' }] }, { ...slow, alerts: [{ type: 'ntfy' }] }].map(
      (endpoint) => withOne({ alerting }, endpoint).monitors[0]?.input.alert_degraded_rounds,
    )
    assert.deepEqual(rounds, [undefined, undefined, 3])
  })
})
