import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { missedVerdict, verdictOfCall } from '#core/monitors/heartbeat.ts'
import type { Verdict } from '#core/results/result.ts'
import { openRound } from '#core/results/round.ts'
import { openRoundOf } from '#engine/rounds/watched.ts'
import { watchedWith } from '../../../test/support/scheduler.ts'
import type { Arrival } from './draft-rounds.ts'
import { assertFolded } from './overtaken-calls.ts'

const call = verdictOfCall({ type: 'succeeded', exitCode: null, note: null }, null)

function arrivalOf(kind: 'heartbeat' | 'http', verdict: Verdict | null): Arrival {
  const watched = watchedWith({ id: 'job', key: 7, kind })
  return { watched, result: { monitorId: 'job', version: 1, round: 1, location: 'here', verdict } }
}

describe('a result that was stored and not folded, since its monitor had been changed', () => {
  it('is folded by the monitor that is read again where it is a call', () => {
    assert.throws(() => assertFolded({ arrivals: [arrivalOf('heartbeat', call)], settling: [] }, new Set([7])), {
      monitorIds: ['job'],
    })
  })

  for (const [kind, isFoldedAgain] of [
    ['heartbeat', true],
    ['http', false],
  ] as const)
    it(`is ${isFoldedAgain ? '' : 'not '}folded by the monitor that is read again where it was found stored for ${kind}`, () => {
      const { watched } = arrivalOf(kind, null)
      const settling = [openRoundOf(watched, 1, openRound(['here']))]
      const fold = (): void => assertFolded({ arrivals: [], settling }, new Set([7]))
      if (isFoldedAgain) assert.throws(fold, { monitorIds: ['job'] })
      else assert.doesNotThrow(fold)
    })

  const harmless: [what: string, arrival: Arrival, overtaken: number[]][] = [
    ['was folded, as every other was', arrivalOf('heartbeat', call), []],
    ['was folded, while another was not', arrivalOf('heartbeat', call), [8]],
    [
      'is a deadline that was missed',
      arrivalOf('heartbeat', missedVerdict({ intervalSeconds: 60, graceSeconds: 0, schedule: null })),
      [7],
    ],
    ['could not tell', arrivalOf('heartbeat', null), [7]],
    ['is a check, which a later one makes up for', arrivalOf('http', call), [7]],
  ]
  for (const [what, arrival, overtaken] of harmless)
    it(`is left where it is when it ${what}`, () => {
      assert.doesNotThrow(() => assertFolded({ arrivals: [arrival], settling: [] }, new Set(overtaken)))
    })
})
