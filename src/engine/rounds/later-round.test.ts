import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { addFailure, failureOf, id, key, location, startedMs, takingOver } from '../../../test/support/taking-over.ts'

describe('a round that another engine began', () => {
  const both = [location, 'boston']
  const [first, second] = [startedMs + 120_000, startedMs + 124_000]
  const firstOf = (code: string): Result => failureOf({ round: first * 1000, location: code })
  const secondOf = (code: string): Result => failureOf({ round: second * 1000, location: code })
  const cases: [when: string, batches: Result[][]][] = [
    ['all of it comes with all of one before', [[...both.map(firstOf), ...both.map(secondOf)]]],
    ['its first half comes with all of one before', [[...both.map(firstOf), secondOf('boston')], [secondOf(location)]]],
    ['it comes while one before is half heard', [[firstOf(location)], both.map(secondOf), [firstOf('boston')]]],
    ['it comes in halves with those of one before', both.map((code) => [firstOf(code), secondOf(code)])],
  ]
  for (const [when, batches] of cases)
    it(`is folded with all that was stored of it where ${when}`, async () => {
      const { database, watchList, open, read, reach, commit, settle } = takingOver(startedMs + 90_000, both)
      database.locations.set('boston', 2)
      addFailure(database, { monitorKey: key, atMs: startedMs + 60_000, locationId: 2 })
      open()
      await read()
      reach(second + 2_000)
      for (const batch of batches) await commit(batch)
      await settle()
      assert.deepEqual([watchList.byId(id)?.standing.failures, watchList.byId(id)?.open], [3, null])
    })

  it('is asked for where no location has answered yet, and folded at its deadline', async () => {
    const { database, watchList, assigned, open, read, reach, tick, commit, settle } = takingOver(
      startedMs + 90_000,
      both,
    )
    database.locations.set('boston', 2)
    open()
    await read()
    reach(second + 2_000)
    await commit([...both.map(firstOf), secondOf('boston')])
    tick(second + 3_000)
    watchList.scheduler.review(second + 3_000)
    assert.deepEqual(assigned, [second * 1000])
    reach(second + 20_000)
    await settle()
    assert.equal(watchList.byId(id)?.open, null)
  })
})
