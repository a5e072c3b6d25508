import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { uptimeRobotExample } from '../../../../test/support/uptimerobot-example.ts'
import { ImportError } from '#core/imports/imported.ts'
import { readUptimeRobot } from './uptimerobot.ts'

const now = new Date('2026-11-26T12:00:00Z')
const example = readUptimeRobot(JSON.stringify(uptimeRobotExample), now)

describe('monitors of UptimeRobot', () => {
  it('become what checks the same, or are told as lost', () => {
    assert.deepEqual(
      example.monitors.map(({ key, input, isPaused }) => [key, input.kind, input.url, isPaused]),
      [
        ['shop', 'http', 'https://shop.example.com/', false],
        ['login', 'http', 'https://shop.example.com/login', true],
        ['no-trace', 'http', 'https://shop.example.com/x', false],
        ['router', 'ping', '192.0.2.1', false],
        ['mail', 'tcp', 'mail.example.com:25', false],
        ['database', 'tcp', 'db.example.com:5432', false],
        ['backup', 'heartbeat', undefined, false],
        ['order', 'http', 'https://api.example.com/', false],
      ],
    )
    assert.deepEqual(
      example.notes.map(({ effect, place }) => `${effect} ${place}`),
      [
        'changed monitor 777712827 "Shop".alert_contacts',
        'changed alert_contact 458',
        'lost alert_contact 459',
        'changed monitor 2 "Login".keyword_case_type',
        'changed monitor 2 "Login".timeout',
        'changed monitor 7 "Backup".url',
        'lost monitor 9 "Later".type',
        'changed mwindow 1.start_time',
        'lost mwindow 3',
        'changed mwindow 4.start_time',
        'lost mwindow 5',
      ],
    )
  })

  it('take requests, contacts and delays along', () => {
    const [shop, login] = example.monitors
    assert.deepEqual(shop?.input, {
      name: 'Shop',
      kind: 'http',
      url: 'https://shop.example.com/',
      method: 'GET',
      interval_seconds: 300,
      timeout_ms: 30_000,
      recovery_threshold: 1,
      expected_status_min: 200,
      expected_status_max: 404,
      expected_statuses: ['200-300', '302-399', '404'],
      request_headers: { 'X-Trace': 'on' },
      alert_rules: { remind_every_minutes: 30 },
      contacts: ['email-236', 'slack-457', 'webhook-458'],
      tags: ['production'],
    })
    assert.equal(login?.input.keyword, 'Sign in')
    assert.equal(login.input.method, 'GET')
    assert.equal(login.input.request_headers?.['authorization'], 'Basic YWRhOnNlY3JldA==')
    assert.equal(example.monitors.at(-1)?.input.request_body, 'a=1&b=x+y')
  })

  it('share contacts and windows', () => {
    assert.deepEqual(
      example.contacts.map(({ input }) => [input.kind, input.destination]),
      [
        ['email', 'ada@example.com'],
        ['slack', 'https://hooks.slack.com/services/T0/B0/x'],
        ['webhook', 'https://example.com/hook'],
      ],
    )
    assert.deepEqual(
      example.maintenance.map(({ input }) => [input.name, input.monitor_ids, input.schedule]),
      [
        ['Weekly', ['shop', 'login'], { type: 'weekly', weekdays: [2, 4], starts: '03:00', duration_minutes: 60 }],
        [
          'Move',
          ['shop'],
          { type: 'once', starts_at: '2030-01-01T00:00:00.000Z', ends_at: '2030-01-01T00:30:00.000Z' },
        ],
        ['Monthly', ['shop'], { type: 'cron', expression: '5 4 1,15 * *', duration_minutes: 20 }],
      ],
    )
  })

  const statuses: [given: unknown, min: number, max: number, list?: string[]][] = [
    [undefined, 200, 399],
    ['', 200, 399],
    [{ up: [], down: [] }, 200, 399],
    ['400:1_399:0', 200, 400, ['200-398', '400']],
    ['399:0_398:0', 200, 397],
    [{ down: [200] }, 201, 399],
    ['nonsense', 200, 399],
  ]
  for (const [given, min, max, list] of statuses)
    it(`expect ${min} to ${max} for ${JSON.stringify(given)}`, () => {
      const monitor = { friendly_name: 'A', url: 'https://a.example.com/', type: 1, custom_http_statuses: given }
      const { monitors, notes } = readUptimeRobot(JSON.stringify({ monitors: [monitor] }), now)
      const {
        expected_status_min: least,
        expected_status_max: most,
        expected_statuses: right,
      } = monitors[0]?.input ?? {}
      assert.deepEqual([least, most, right, notes.length], [min, max, list, 0])
    })

  it('are joined from several answers', () => {
    const { monitors } = readUptimeRobot(JSON.stringify([uptimeRobotExample, uptimeRobotExample]), now)
    assert.equal(monitors.length, 16)
  })
})

describe('a table of UptimeRobot', () => {
  it('is read by the names of its columns', () => {
    const table = [
      '"Friendly Name","URL/IP","Type","Interval (in minutes)","Keyword Type","Keyword Value","Port","Status","Ignored"',
      'Shop,https://shop.example.com/,HTTP(s),5,,,,Up,x',
      '"Log ""in"", page",https://shop.example.com/login,Keyword,1,Not exists,"Sign in",,Paused,x',
      'Router,192.0.2.1,Ping,5,,,,Up,x',
      '',
      'Database,db.example.com,Port,5,,,5432,Up,x',
    ].join('\r\n')
    const { monitors, notes } = readUptimeRobot(table, now)
    assert.deepEqual(
      monitors.map(({ input, isPaused }) => [
        input.name,
        input.kind,
        input.url,
        input.interval_seconds,
        input.keyword,
        isPaused,
      ]),
      [
        ['Shop', 'http', 'https://shop.example.com/', 300, undefined, false],
        ['Log "in", page', 'http', 'https://shop.example.com/login', 60, 'Sign in', true],
        ['Router', 'ping', '192.0.2.1', 300, undefined, false],
        ['Database', 'tcp', 'db.example.com:5432', 300, undefined, false],
      ],
    )
    assert.deepEqual(notes, [])
  })

  it('may have semicolons', () => {
    const { monitors } = readUptimeRobot('name;url;type\nA;https://a.example.com/x,y;http\n', now)
    assert.equal(monitors[0]?.input.url, 'https://a.example.com/x,y')
  })
})

describe('the reader of UptimeRobot', () => {
  it('refuses with the place of what is wrong', () => {
    const refusals: [content: string, message: string][] = [
      ['{"monitors":[{"type":{}}]}', 'monitors[0].type: Must be a text or a number.'],
      ['[{"monitors":[]},{"stat":"fail"}]', '[1].monitors: Must be a list.'],
      ['{', 'It is not JSON.'],
      ['name,type\n', 'It has no column for the URL of its monitors.'],
      ['url,type\n"', 'A quoted cell has no end.'],
    ]
    for (const [content, message] of refusals)
      assert.throws(() => readUptimeRobot(content, now), new ImportError(message))
  })

  it('throws nothing but its own error', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.anything(),
      fc.integer(),
      fc.constantFrom('1-2', '404:1', 'https://a.example.com', '::1', null),
    )
    const monitor = fc.record(
      {
        type: fc.integer({ min: 0, max: 6 }),
        url: cell,
        friendly_name: cell,
        alert_contacts: fc.array(fc.record({ id: cell, type: cell, value: cell })),
        mwindows: fc.array(fc.record({ type: fc.nat(5), value: cell, start_time: cell, duration: cell })),
        post_value: cell,
        post_type: cell,
        custom_http_headers: cell,
        custom_http_statuses: cell,
        interval: cell,
      },
      { requiredKeys: [] },
    )
    const answer = fc.record({ monitors: fc.array(monitor, { maxLength: 3 }) }).map((value) => JSON.stringify(value))
    const table = fc
      .array(fc.array(fc.oneof(fc.string(), fc.constantFrom('url', 'type', '"', '""'))))
      .map((rows) => rows.map((row) => row.join(',')).join('\n'))
    fc.assert(
      fc.property(
        fc.oneof(
          answer,
          fc.string(),
          fc.json(),
          table.map((rows) => `url,type,name\n${rows}`),
        ),
        (content) => {
          try {
            readUptimeRobot(content, now)
          } catch (error) {
            if (!(error instanceof ImportError)) throw error
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** What one monitor becomes, and the members of which something is noted. */
function readOne(monitor: object) {
  const one = { id: 1, friendly_name: 'One', type: 1, url: 'https://example.com/', ...monitor }
  const { monitors, notes } = readUptimeRobot(JSON.stringify({ monitors: [one] }), now)
  const [{ input } = assert.fail()] = monitors
  return { input, notes: notes.map(({ place }) => place.split('.')[1]).filter((member) => member !== undefined) }
}

const contactOf = (threshold: unknown, recurrence: unknown) => ({
  id: '1',
  type: 2,
  value: 'a@example.com',
  threshold,
  recurrence,
})

describe('a monitor of UptimeRobot', () => {
  const rules: [what: string, contacts: object[], rules: object | undefined, notes: string[]][] = [
    ['no contacts', [], undefined, []],
    ['contacts that wait for nothing', [contactOf(null, null)], undefined, []],
    ['a delay of a minute', [contactOf(1, 0)], { after_minutes: 1 }, []],
    ['a delay of twelve hours', [contactOf(720, 0)], { after_minutes: 720 }, []],
    ['a longer delay', [contactOf(721, 0)], { after_minutes: 720 }, []],
    ['two delays', [contactOf(3, 0), contactOf(2, 0)], { after_minutes: 2 }, ['alert_contacts']],
    ['two repeats', [contactOf(0, 30), contactOf(0, 10)], { remind_every_minutes: 10 }, ['alert_contacts']],
    ['a repeat of a minute', [contactOf(0, 1)], { remind_every_minutes: 5 }, ['alert_contacts']],
    ['a repeat of five minutes', [contactOf(0, 5)], { remind_every_minutes: 5 }, []],
    ['a repeat of a day', [contactOf(0, 1440)], { remind_every_minutes: 1440 }, []],
    ['a repeat of more', [contactOf(0, 1441)], { remind_every_minutes: 1440 }, ['alert_contacts']],
  ]
  for (const [what, contacts, expected, notes] of rules)
    it(`has ${what}`, () => {
      const read = readOne({ alert_contacts: contacts })
      assert.deepEqual([read.input.alert_rules, read.notes], [expected, notes])
    })

  it('waits thirty seconds where it names no time, and is late at once where it names no grace', () => {
    assert.equal(readOne({ timeout: 0 }).input.timeout_ms, 30_000)
    assert.equal(readOne({ timeout: 1 }).input.timeout_ms, 1000)
    assert.equal(readOne({ type: 5, url: null, interval: 60 }).input.heartbeat_grace_seconds, 0)
  })

  it('comes with 4,999 others at most, in 200 answers', () => {
    const one = { id: 1, type: 1, url: 'https://example.com/' }
    const table = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ monitors: [one] })))
    assert.equal(readUptimeRobot(table(200), now).monitors.length, 200)
    assert.throws(() => readUptimeRobot(table(201), now), new ImportError('It has more than 200 answers.'))
    const answer = (count: number) => ({ monitors: Array.from({ length: count }, () => one) })
    const both = (count: number) => JSON.stringify([answer(count), answer(1)])
    assert.equal(readUptimeRobot(both(4999), now).monitors.length, 5000)
    assert.throws(() => readUptimeRobot(both(5000), now), new ImportError('It has more than 5000 monitors.'))
  })
})
