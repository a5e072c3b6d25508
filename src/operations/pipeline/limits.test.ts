import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { RateState } from '#core/language/rate-limit.ts'
import { openDatabase } from '#store/database/database.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { createLimits, type Limits } from './limits.ts'

const rates = {
  readsPerMinute: 4,
  writesPerMinute: 2,
  failuresPerMinute: 4,
  registrationsPerMinute: 4,
  anonymousPerDay: 4,
}

async function countReads(limits: Limits, times: number): Promise<RateState[]> {
  const states: RateState[] = []
  for (let time = 0; time < times; time += 1) states.push(await limits.countRequest('reads', 'token'))
  return states
}

function shown(states: readonly RateState[]): [remaining: number, isExceeded: boolean][] {
  return states.map(({ remaining, isExceeded }) => [remaining, isExceeded])
}

describe('limits', async () => {
  const away = openDatabase({
    connection: { url: `postgres://nobody@127.0.0.1:${await freePort()}/none` },
    maxConnections: 1,
  })
  after(away.close)
  const database = await testDatabase()

  const ways = [
    ['in one process', () => createLimits(rates)],
    ['in a table', () => createLimits(rates, database)],
    ['while the database of the table is away', () => createLimits(rates, away)],
  ] as const
  for (const [where, make] of ways)
    it(`let as many through as is said and no more, ${where}`, async () => {
      await database.pool.query('delete from rate_limits')
      const limits = make()
      const states = await countReads(limits, 6)
      assert.deepEqual(shown(states), [
        [3, false],
        [2, false],
        [1, false],
        [0, false],
        [0, true],
        [0, true],
      ])
      for (const { limit, resetSeconds } of states)
        assert.deepEqual([limit, resetSeconds > 50, resetSeconds <= 60], [4, true, true])
      assert.equal((await limits.countRequest('reads', 'another')).remaining, 3)
      assert.equal((await limits.countRequest('writes', 'token')).remaining, 1, 'reads are not writes')
    })

  it('are one limit for all processes that share a table', async () => {
    await database.pool.query('delete from rate_limits')
    const [one, other] = [createLimits(rates, database), createLimits(rates, database)]
    await Promise.all([countReads(one, 2), countReads(other, 2)])
    assert.deepEqual(shown([...(await countReads(one, 1)), ...(await countReads(other, 1))]), [
      [0, true],
      [0, true],
    ])
  })

  it('ask the table no more about what is used up', async () => {
    await database.pool.query('delete from rate_limits')
    const limits = createLimits(rates, database)
    await countReads(limits, 20)
    const { rows } = await database.pool.query('select points from rate_limits')
    assert.deepEqual(rows, [{ points: 5 }])
  })
})
