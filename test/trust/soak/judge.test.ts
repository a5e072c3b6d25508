import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  comparedResults,
  growthAnHour,
  judgeDeliveries,
  judgeIncidents,
  type StoredDelivery,
  type StoredIncident,
} from './judge.ts'
import { outagesOf } from './outages.ts'
import { lagOfShare } from './readings.ts'
import { nothingSeen, see, type Seen } from './witness.ts'

const minuteMs = 60_000
const intervalMs = 10_000

describe('growth', () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => minute)

  it('is that of the second half, whatever the first one gained and however it breathes', () => {
    const samples = minutes.map((minute) => ({
      atMs: minute * minuteMs,
      value: (minute < 20 ? minute * 10 : 200) + (minute % 2) * 15,
    }))
    assert.ok(Math.abs(growthAnHour(samples) ?? Number.NaN) < 5)
  })

  it('is found where something is left over of each check', () => {
    const samples = minutes.map((minute) => ({ atMs: minute * minuteMs, value: 300 + minute * 2 + (minute % 2) * 15 }))
    assert.ok(Math.abs((growthAnHour(samples) ?? 0) - 120) < 5)
  })

  it('is not told of a short time', () => {
    assert.equal(growthAnHour(minutes.slice(0, 15).map((minute) => ({ atMs: minute * minuteMs, value: minute }))), null)
  })
})

describe('the lag of a share of rounds', () => {
  const lags = [
    { bound: 0.1, rounds: 90 },
    { bound: 0.25, rounds: 98 },
    { bound: 0.5, rounds: 100 },
    { bound: Infinity, rounds: 100 },
  ]
  it('lies in the bucket that reaches the share', () => {
    assert.equal(lagOfShare(lags, 0.98), 250)
    assert.equal(lagOfShare(lags, 0.99), 375)
    assert.equal(lagOfShare(lags, 0.45), 50)
  })
  it('is at least the last bound where the last bucket reaches it', () => {
    assert.equal(lagOfShare([...lags.slice(0, 3), { bound: Infinity, rounds: 200 }], 0.99), 500)
  })
})

describe('what a target saw', () => {
  it('tells rounds from checks that are made again, and runs of failures', () => {
    const seen = seenOf([
      [0, false],
      [10, true],
      [10.4, true],
      [20.2, true],
      [30, false],
      [40, true],
    ])
    assert.equal(seen.rounds, 5)
    assert.equal(seen.repeats, 1)
    assert.deepEqual(
      seen.outages.map(({ failures }) => failures),
      [2, 1],
    )
  })
})

describe('results', () => {
  it('are lost where the target was asked, and unasked where it was not', () => {
    const seen = [
      seenOf([[0, false]]),
      seenOf([
        [0, false],
        [10, false],
      ]),
      seenOf([]),
    ]
    assert.deepEqual(pick(comparedResults(seen, [1, 2, 0])), { lost: 0, unasked: 0 })
    assert.deepEqual(pick(comparedResults(seen, [1, 1, 0])), { lost: 1, unasked: 0 })
    assert.deepEqual(pick(comparedResults(seen, [0, 2, 1])), { lost: 1, unasked: 1 })
  })
  it('may be as many as the requests, of which one that is late looks like the repeat of another', () => {
    const late = seenOf([
      [0, false],
      [16, false],
      [20, false],
    ])
    assert.equal(late.repeats, 1)
    for (const [stored, expected] of [
      [1, { lost: 1, unasked: 0 }],
      [2, { lost: 0, unasked: 0 }],
      [3, { lost: 0, unasked: 0 }],
      [4, { lost: 0, unasked: 1 }],
    ] as const)
      assert.deepEqual(pick(comparedResults([late], [stored])), expected)
  })
})

describe('incidents', () => {
  const seen = [
    seenOf([
      [0, false],
      [10, true],
      [20, true],
      [30, false],
      [40, true],
      [50, false],
    ]),
  ]
  const incident: StoredIncident = { id: 'a', monitor: 0, startedAt: 9_900, resolvedAt: 29_900 }

  it('fit what the target saw', () => assert.deepEqual(judgeIncidents(seen, [incident]), []))
  it('may be of a single failure', () => {
    assert.deepEqual(judgeIncidents(seen, [incident, { ...incident, startedAt: 39_900, resolvedAt: 49_900 }]), [])
  })
  const wrong: [name: string, incidents: StoredIncident[], found: RegExp][] = [
    ['of a target that was well', [incident, { ...incident, startedAt: 60_000, resolvedAt: 70_000 }], /false incident/],
    ['missing', [], /not one incident/],
    ['two of one outage', [incident, { ...incident, startedAt: 15_000 }], /not one incident/],
    ['still open', [{ ...incident, resolvedAt: null }], /not over/],
  ]
  for (const [name, incidents, found] of wrong)
    it(`are found where they are ${name}`, () => assert.match(judgeIncidents(seen, incidents).join('\n'), found))
})

describe('deliveries', () => {
  const incidents: StoredIncident[] = [{ id: 'a', monitor: 0, startedAt: 0, resolvedAt: 1 }]
  const down: StoredDelivery = { id: '1', incident: 'a', contact: 'calm', type: 'monitor.down', state: 'delivered' }
  const up: StoredDelivery = { ...down, id: '2', type: 'monitor.up' }
  const taken = [
    { id: '1', contact: 'calm', taken: 1, refused: 0 },
    { id: '2', contact: 'calm', taken: 1, refused: 3 },
  ]
  const of = { incidents, contacts: ['calm'] }

  it('are one of each turn', () => assert.deepEqual(judgeDeliveries(of, [down, up], taken), []))
  const wrong: [name: string, deliveries: StoredDelivery[], arrivals: typeof taken, found: RegExp][] = [
    ['missing', [down], taken.slice(0, 1), /monitor\.up of a to calm: no delivery/],
    ['not ended', [down, { ...up, state: 'pending' }], taken, /calm: pending/],
    ['two of one turn', [down, down, up], taken, /delivered,delivered/],
    ['told as delivered and never came', [down, up], taken.slice(0, 1), /never arrived/],
    ['sent again after they were taken', [down, up], taken.map((each) => ({ ...each, taken: 2 })), /came 2 times/],
    ['unknown', [down, up], [...taken, { id: '3', contact: 'calm', taken: 1, refused: 0 }], /no delivery/],
  ]
  for (const [name, deliveries, arrivals, found] of wrong)
    it(`are found where they are ${name}`, () =>
      assert.match(judgeDeliveries(of, deliveries, arrivals).join('\n'), found))
})

describe('planned outages', () => {
  for (const minutes of [3, 20, 60])
    it(`of ${minutes} minutes last for three rounds and end a minute before the soak does`, () => {
      const durationMs = minutes * minuteMs
      const all = Array.from({ length: 1000 }, (_, monitor) => outagesOf(monitor, { seed: 3, durationMs }))
      assert.equal(all.filter(({ length }) => length > 0).length, 40)
      for (const { fromMs, toMs } of all.flat()) {
        assert.ok(toMs - fromMs >= 3 * intervalMs)
        assert.ok(toMs <= durationMs - minuteMs)
      }
    })
})

function seenOf(requests: readonly (readonly [seconds: number, fails: boolean])[]): Seen {
  const seen = nothingSeen()
  for (const [seconds, fails] of requests) see(seen, { at: seconds * 1000, fails, intervalMs })
  return seen
}

function pick({ lost, unasked }: { lost: number; unasked: number }): { lost: number; unasked: number } {
  return { lost, unasked }
}
