import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importLimits } from '#core/imports/imported.ts'
import { addDays } from '#core/language/utc-day.ts'
import { readKuma } from './kuma.ts'
import type { RawTables } from './kuma-rows.ts'

const now = new Date('2026-11-26T12:00:00Z')

function only(row: object, others: RawTables = {}) {
  const whole = { id: 1, name: 'One', type: 'ping', hostname: 'a.example', ...row }
  const { monitors, heartbeats, notes } = readKuma({ monitor: [whole], ...others }, now)
  const told = notes.map(({ place, effect }) => `${effect} ${place.replace('monitor 1 "One"', '')}`)
  return { monitor: monitors[0], input: monitors[0]?.input, heartbeats, notes: told }
}

describe('how often a monitor of Uptime Kuma is checked', () => {
  const cases: [row: object, changed: object, notes?: string[]][] = [
    [{}, {}],
    [{ interval: 120 }, { interval_seconds: 120 }],
    [{ interval: 5 }, { interval_seconds: 10 }, ['changed .interval']],
    [{ timeout: 0 }, {}],
    [{ timeout: -1 }, {}],
    [{ timeout: 1 }, { timeout_ms: 1000 }],
    [{ timeout: 0.4 }, { timeout_ms: 500 }, ['changed .timeout']],
    [{ maxretries: -1 }, {}],
    [{ maxretries: 1 }, { failure_threshold: 2 }],
    [{ maxretries: 9 }, { failure_threshold: 10 }],
    [{ maxretries: 10 }, { failure_threshold: 10 }, ['changed .maxretries']],
    [{ retry_interval: 20, interval: 60 }, {}],
    [{ maxretries: 1, retry_interval: 60, interval: 60 }, { failure_threshold: 2 }],
    [
      { maxretries: 1, retry_interval: 20 },
      { failure_threshold: 2, retry_interval_seconds: 20 },
    ],
    [
      { maxretries: 1, retry_interval: 20, interval: 60 },
      { failure_threshold: 2, retry_interval_seconds: 20 },
    ],
    [{ maxretries: 1, retry_interval: 0 }, { failure_threshold: 2 }],
    [
      { maxretries: 1, retry_interval: 5 },
      { failure_threshold: 2, retry_interval_seconds: 10 },
      ['changed .retry_interval'],
    ],
    [{ maxretries: 1, retry_interval: 90, interval: 60 }, { failure_threshold: 2 }, ['changed .retry_interval']],
    [{ resend_interval: 0 }, {}],
    [{ resend_interval: -1 }, {}],
    [{ resend_interval: 1 }, { alert_rules: { remind_every_minutes: 5 } }, ['changed .resend_interval']],
    [{ resend_interval: 5 }, { alert_rules: { remind_every_minutes: 5 } }],
    [{ resend_interval: 1440 }, { alert_rules: { remind_every_minutes: 1440 } }],
    [{ resend_interval: 1441 }, { alert_rules: { remind_every_minutes: 1440 } }, ['changed .resend_interval']],
    [
      { resend_interval: 3, interval: 120 },
      { interval_seconds: 120, alert_rules: { remind_every_minutes: 6 } },
    ],
  ]
  for (const [row, changed, told = []] of cases)
    it(`is read of ${JSON.stringify(row)}`, () => {
      const { input, notes } = only(row)
      const usual = { interval_seconds: 60, failure_threshold: 1, recovery_threshold: 1 }
      const { name: _name, kind: _kind, url: _url, tags: _tags, contacts: _contacts, ...rest } = input ?? {}
      assert.deepEqual([rest, notes], [{ ...usual, ...changed }, told])
    })
})

describe('a monitor of Uptime Kuma that is called', () => {
  const push = { type: 'push', hostname: null, push_token: 'abc' }
  const cases: [row: object, seconds: number, grace: number, notes?: string[]][] = [
    [{}, 60, 0],
    [{ maxretries: -1, interval: 120 }, 120, 0],
    [{ maxretries: 1 }, 60, 60, ['changed .maxretries']],
    [{ maxretries: 2, retry_interval: 30 }, 60, 60, ['changed .maxretries']],
    [{ push_token: null }, 60, 0, ['changed .push_token']],
  ]
  for (const [row, seconds, grace, told = []] of cases)
    it(`is expected as ${JSON.stringify(row)} says`, () => {
      const { input, notes } = only({ ...push, ...row })
      const { interval_seconds: every, heartbeat_grace_seconds: late, recovery_threshold: recoveries } = input ?? {}
      assert.deepEqual([every, late, recoveries, notes], [seconds, grace, 1, told])
    })

  it('is called at the address of its token, where it has one and is imported', () => {
    assert.deepEqual(only(push).heartbeats, [{ monitorKey: 'one', address: { type: 'kuma_push', token: 'abc' } }])
    const others = [{ push_token: null }, { type: 'ping', hostname: 'a.example' }, { upside_down: 1 }]
    for (const row of others) assert.deepEqual(only({ ...push, ...row }).heartbeats, [])
  })
})

function stamp(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000
}

describe('a monitor of Uptime Kuma that is upside down', () => {
  it('is inverted where it asks for a page', () => {
    const page = { url: 'https://a.example/', upside_down: 1 }
    const { input, notes } = only({ ...page, type: 'keyword', keyword: 'Closed', invert_keyword: 1 })
    assert.deepEqual(input?.check_options, { absent_keyword: 'Closed', inverted: true })
    assert.deepEqual(notes, [])
    assert.deepEqual(only({ ...page, type: 'http' }).input?.check_options, { inverted: true })
  })

  it('is told as lost where it is of another kind', () => {
    const { input, notes } = only({ type: 'ping', hostname: 'a.example', upside_down: 1 })
    assert.deepEqual([input, notes], [undefined, ['lost .upside_down']])
  })
})

describe('what is known of a monitor of Uptime Kuma', () => {
  it('is its name, or its type and number', () => {
    assert.equal(only({}).input?.name, 'One')
    assert.equal(only({ name: null }).input?.name, 'ping 1')
  })

  it('is its tags, with their values', () => {
    const tag = [{ id: 1, name: 'zone' }, { id: 2, name: null }] // prettier-ignore
    const links = [
      { tag_id: 1, value: 'eu' },
      { tag_id: 1, value: null },
      { tag_id: 2, value: 'x' },
      { tag_id: 3, value: 'y' },
    ]
    const others = { tag, monitor_tag: links.map((link) => Object.assign({ monitor_id: 1 }, link)) }
    assert.deepEqual(only({}, others).input?.tags, ['zone:eu', 'zone'])
  })

  type Day = { timestamp: number; up?: number | null; down?: number | null; ping?: number | null }
  const day = Date.UTC(2026, 10, 1) / 1000
  function daysOf(...days: Day[]) {
    const stats = days.map((each) => Object.assign({ monitor_id: 1, up: 3, down: 1, ping: 10 }, each))
    const { history = [] } = only({}, { stat_daily: stats }).monitor ?? {}
    return history.map(({ date, checks, up, down, restricted, latencySumMs, latencyCount }) => ({
      date,
      figures: [checks, up, down],
      latency: [restricted, latencySumMs, latencyCount],
    }))
  }

  function datesOf(...stamps: number[]) {
    return daysOf(...stamps.map((timestamp) => ({ timestamp }))).map(({ date }) => date)
  }

  const counts: [what: string, stat: Omit<Day, 'timestamp'>, figures: number[] | null, latency?: number[]][] = [
    ['are as they are', {}, [4, 3, 1]],
    ['may be of failures alone', { up: null }, [1, 0, 1], [0, 0, 0]],
    ['may be of successes alone', { down: null }, [3, 3, 0]],
    ['may be of one success', { up: 1, down: 0 }, [1, 1, 0], [0, 10, 1]],
    ['are not below 0', { up: -1, down: -1 }, null],
    ['are whole', { up: 2.6, down: 1.4 }, [4, 3, 1]],
    ['have no response time without pings', { ping: null }, [4, 3, 1], [0, 0, 0]],
    ['have no response time below 0', { ping: -1 }, [4, 3, 1], [0, 0, 0]],
    ['have a response time of 0', { ping: 0 }, [4, 3, 1], [0, 0, 3]],
    ['have a mean of parts', { ping: 0.5 }, [4, 3, 1], [0, 2, 3]],
  ]
  for (const [what, stat, figures, latency = [0, 30, 3]] of counts)
    it(`is counts that ${what}`, () => {
      const found = daysOf({ timestamp: day, ...stat })
      assert.deepEqual(found, figures === null ? [] : [{ date: '2026-11-01', figures, latency }])
    })

  it('is days that a check can have been on', () => {
    assert.deepEqual(datesOf(stamp('2015-01-01')), ['2015-01-01'])
    assert.deepEqual(datesOf(stamp('2014-12-31')), [])
    assert.deepEqual(datesOf(4_000_000_000), ['2096-10-02'])
    assert.deepEqual(datesOf(4_000_000_001), [])
    const first = addDays('2026-11-01', 1 - importLimits.historyDays)
    assert.deepEqual(datesOf(day, stamp(addDays(first, -1)), stamp(first)), [first, '2026-11-01'])
  })

  it('is the last that is said of a day', () => {
    const found = daysOf({ timestamp: day, up: 1 }, { timestamp: day + 86_400 }, { timestamp: day, up: 2 })
    assert.deepEqual(
      found.map(({ date, figures: [checks] }) => `${date}: ${checks}`),
      ['2026-11-01: 3', '2026-11-02: 4'],
    )
  })
})
