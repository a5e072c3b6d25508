import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRound } from '#core/results/round.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import { schedulerBench, watchedWith } from '../../../test/support/scheduler.ts'
import { checkChildren, checkParent } from './parents.ts'
import { openRoundOf, type Watched } from './watched.ts'

const hourMs = 3_600_000

/** One that is due in an hour. */
function scheduled(status: CurrentStatus, foldedMs: number | null = null) {
  const { scheduler } = schedulerBench()
  const round = foldedMs === null ? null : foldedMs * 1000
  const watched: Watched = watchedWith({ intervalSeconds: 3_600, status, round })
  scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
  return { scheduler, watched }
}

describe('a monitor on which one depends that failed', () => {
  const failedMs = 20_000
  const cases: [when: string, foldedMs: number | null, nowMs: number, dueMs: number][] = [
    ['at once where it was never checked', null, 20_100, 20_100],
    ['at once where its last round began long before', 10_000, 20_100, 20_100],
    ['two seconds after its last round began', 19_500, 20_100, 21_500],
    ['when it is due as ever where a round began at that moment', failedMs, 23_000, hourMs],
  ]
  for (const [when, foldedMs, nowMs, dueMs] of cases)
    it(`is checked ${when}`, () => {
      const { scheduler, watched } = scheduled('up', foldedMs)
      checkParent(scheduler, watched, { failedMs, nowMs })
      assert.equal(watched.dueMs, dueMs)
    })

  it('is not checked out of turn while a later round of it is open', () => {
    const { scheduler, watched } = scheduled('up', 10_000)
    watched.open = openRoundOf(watched, 20_500_000, openRound(['a']))
    checkParent(scheduler, watched, { failedMs, nowMs: 23_000 })
    assert.equal(watched.dueMs, hourMs)
  })

  it('is not checked out of turn while it is down', () => {
    const { scheduler, watched } = scheduled('down', 10_000)
    checkParent(scheduler, watched, { failedMs, nowMs: 23_000 })
    assert.equal(watched.dueMs, hourMs)
  })
})

it('those that depend on what is back are checked at once where they are down', () => {
  for (const [status, dueMs] of [
    ['down', 5_000],
    ['up', hourMs],
  ] as const) {
    const { scheduler, watched } = scheduled(status)
    checkChildren(scheduler, [watched], 5_000)
    assert.equal(watched.dueMs, dueMs, status)
  }
})
