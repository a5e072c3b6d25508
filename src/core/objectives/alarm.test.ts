import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alarmChange, type AlarmReason, type Sight, sightOf, tiersOf } from './alarm.ts'
import { dayMs, measure, type Measured } from './attainment.ts'
import type { Spans } from './spans.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const now = Date.parse('2026-11-21T10:00:00Z')
const target = { objective: 99.9, windowDays: 30 }

function monitorWith({
  down = [],
  unknown = [],
  sinceMs = 0,
}: {
  down?: Spans
  unknown?: Spans
  sinceMs?: number
}): Measured {
  return measure({ monitorId: 'm', name: 'Shop', sinceMs, down, unknown, maintenance: [] }, [now - 90 * dayMs, now])
}

/** Down so many seconds, from so many minutes ago on. */
function downFor(seconds: number, minutesAgo: number): Spans {
  const from = now - minutesAgo * minuteMs
  return [[from, from + seconds * 1000]]
}

function reasonOf(monitor: Measured, of = target): AlarmReason | 'unknown' | null {
  const sight = sightOf(of, [monitor], now)
  return sight === 'unknown' ? sight : (sight.alarm?.reason ?? null)
}

describe('an alarm of an objective', () => {
  const cases: [name: string, down: Spans, expected: AlarmReason | null][] = [
    ['nothing', [], null],
    // 14.4 times 0.001 of an hour are 51.84 s.
    ['just what 14.4 times the budget is in an hour', downFor(51, 1), null],
    ['more than that, going on within five minutes', downFor(53, 1), 'burning'],
    ['more than that, but over for more than five minutes', downFor(53, 20), null],
    // 6 times 0.001 of six hours are 129.6 s.
    ['129 s in six hours', [...downFor(100, 300), ...downFor(29, 10)], null],
    ['131 s in six hours, some of it within thirty minutes', [...downFor(100, 300), ...downFor(31, 10)], 'burning'],
    // 1 times 0.001 of three days are 259.2 s.
    ['300 s in three days, some of it within six hours', [...downFor(250, 3000), ...downFor(50, 200)], 'burning'],
    ['300 s in three days, none of it within six hours', downFor(300, 3000), null],
    ['all of the budget', downFor(2600, 20_000), 'used_up'],
    ['all of the budget to the second', downFor(2592, 20_000), null],
  ]
  for (const [name, down, expected] of cases)
    it(`${expected ?? 'is not there'} after ${name}`, () => assert.equal(reasonOf(monitorWith({ down })), expected))

  it('begins once it is measured for as long as the window that burns', () => {
    const down = downFor(55, 1)
    assert.equal(reasonOf(monitorWith({ down, sinceMs: now - hourMs })), 'burning')
    assert.equal(reasonOf(monitorWith({ down, sinceMs: now - hourMs + 1000 })), null)
  })

  it('tells a budget that is used up once a tenth of the window is measured', () => {
    const down = downFor(600, 60)
    assert.equal(reasonOf(monitorWith({ down, sinceMs: now - 3 * dayMs + 1000 })), null)
    assert.equal(reasonOf(monitorWith({ down, sinceMs: now - 3 * dayMs })), 'used_up')
  })

  it('is unknown where nothing was measured lately', () => {
    const down = downFor(2600, 20_000)
    assert.equal(reasonOf(monitorWith({ down, unknown: [[now - 5 * minuteMs, now]] })), 'unknown')
    assert.equal(reasonOf(monitorWith({ down, unknown: [[now - 5 * minuteMs, now - 1000]] })), 'used_up')
    assert.equal(sightOf(target, [], now), 'unknown')
  })

  it('has windows that grow and shrink with that of the objective', () => {
    assert.deepEqual(minutesOf(30), [[60, 5], [360, 30], [4320, 360]]) // prettier-ignore
    assert.deepEqual(minutesOf(90), [[180, 15], [1080, 90], [12_960, 1080]]) // prettier-ignore
    assert.deepEqual(minutesOf(7), [[60, 5], [84, 7], [1008, 84]]) // prettier-ignore
    assert.deepEqual(minutesOf(1), [[60, 5], [60, 5], [144, 12]]) // prettier-ignore
  })

  const burning: Sight = { alarm: { reason: 'burning', rate: 20, overMs: hourMs } }
  const usedUp: Sight = { alarm: { reason: 'used_up', rate: 0, overMs: dayMs } }
  const changes: [told: AlarmReason | null, sight: Sight, told: string | null][] = [
    [null, { alarm: null }, null],
    [null, burning, 'burning'],
    [null, usedUp, 'used_up'],
    [null, 'unknown', null],
    ['burning', burning, null],
    ['burning', usedUp, 'used_up'],
    ['burning', { alarm: null }, 'recovered'],
    ['burning', 'unknown', null],
    ['used_up', burning, null],
    ['used_up', usedUp, null],
    ['used_up', { alarm: null }, 'recovered'],
  ]
  for (const [told, sight, expected] of changes)
    it(`tells ${expected} when ${told} was told and ${JSON.stringify(sight)} is seen`, () => {
      const change = alarmChange(told, sight)
      const said = change?.type === 'slo.burning' ? change.alarm.reason : change && 'recovered'
      assert.equal(said, expected)
    })
})

/** Of each tier: its long and its short window. */
function minutesOf(windowDays: number): [long: number, short: number][] {
  return tiersOf(windowDays).map(({ longMs, shortMs }) => [longMs / minuteMs, shortMs / minuteMs])
}
