import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from '#core/incidents/route.ts'
import { compareRoutes, type IncidentRoute } from '../../web/src/pages/incidents/route-comparison.ts'
import { testHop, testRoute } from '../support/routes.ts'

const place = { location_code: 'ohio', location_name: 'Ohio', taken_at: '2026-05-04T12:00:00.000Z' }
const taken_at = '2026-05-03T12:00:00.000Z'

/** Hops that answered so many of three probes each. */
function through(...received: number[]): Partial<Route> {
  return { hops: received.map((count, index) => testHop(index + 1, { received: count })) }
}

function compared(now: Partial<Route>, before: Partial<Route> | null = {}): ReturnType<typeof compareRoutes> {
  const former = before === null ? null : { taken_at, ...testRoute(before) }
  const route: IncidentRoute = { ...place, ...testRoute(now), before: former }
  return compareRoutes(route)
}

function lengths({ hops }: ReturnType<typeof compareRoutes>): unknown[] {
  return hops.map(({ now, before }) => [now?.ttl ?? null, before?.ttl ?? null])
}

describe('two routes of one location', () => {
  it('lie beside each other, also where one is longer, or where there is one alone', () => {
    assert.deepEqual(lengths(compared(through(3, 3), through(3))), [
      [1, 1],
      [2, null],
    ])
    assert.deepEqual(lengths(compared(through(3), through(3, 3))), [
      [1, 1],
      [null, 2],
    ])
    assert.deepEqual(lengths(compared(through(3), null)), [[1, null]])
    assert.deepEqual(lengths(compared(through(3), { end: 'not_available', hops: [] })), [[1, null]])
  })

  const other = [testHop(1), testHop(2, { address: '192.0.2.9' }), testHop(3)]
  const hidden = [testHop(1), testHop(2, { address: null }), testHop(3)]
  const differing: [what: string, now: Partial<Route>, before: Partial<Route> | null, at: number | null][] = [
    ['nowhere', through(3, 3, 3), through(3, 3, 3), null],
    ['at the first other router', { hops: other }, through(3, 3, 3), 2],
    ['nowhere where a router is not known', { hops: hidden }, { hops: other }, null],
    ['nowhere where there was none before', { hops: other }, null, null],
  ]
  for (const [what, now, before, at] of differing)
    it(`differ ${what}`, () => assert.equal(compared(now, before).differsAt?.ttl ?? null, at))
})

describe('loss on the way', () => {
  const cases: [what: string, now: Partial<Route>, from: number | null][] = [
    ['none', through(3, 3, 3), null],
    ['none where routers behind it answer all', through(3, 1, 0, 3), null],
    ['from the hop from which on all lose', through(3, 2, 3, 2, 1), 4],
    ['from the first hop on', through(2, 2), 1],
    ['none of a target that is not reached', { ...through(3, 1, 0), end: 'silent' }, null],
  ]
  for (const [what, now, from] of cases)
    it(`is ${what}`, () => assert.equal(compared(now).losesFrom?.ttl ?? null, from))
})

describe('silence', () => {
  const silent = (...received: number[]): Partial<Route> => ({ ...through(...received), end: 'silent' })
  const cases: [what: string, now: Partial<Route>, before: Partial<Route> | null, last: number | null, was: boolean][] =
    [
      ['was there before', silent(3, 3, 0, 0), silent(3, 1, 0), 2, true],
      ['is new', silent(3, 3, 0, 0), through(3, 3, 3), 2, false],
      ['was further away', silent(3, 0, 0), silent(3, 3, 0), 1, false],
      ['is everywhere', silent(0, 0), silent(0, 0, 0), null, true],
      ['has nothing before it', silent(3, 0), null, 1, false],
    ]
  for (const [what, now, before, last, was] of cases)
    it(what, () => {
      const { lastAnswering, wasSilentThere } = compared(now, before)
      assert.deepEqual([lastAnswering?.ttl ?? null, wasSilentThere], [last, was])
    })
})
