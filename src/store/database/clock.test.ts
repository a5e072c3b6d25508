import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { followClock } from './clock.ts'

function steady(): number {
  return performance.timeOrigin + performance.now()
}

describe('the clock of an installation', async () => {
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends) await end()
  })
  const database = await testDatabase()

  const databaseMs = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    return rows[0]?.ms ?? assert.fail()
  }

  for (const offMs of [-60_000, -300, 300, 60_000])
    it(`is the database's, on a machine that is ${offMs} ms off`, async () => {
      const clock = await followClock(database, { ownNow: () => Date.now() + offMs })
      ends.push(clock.close)
      const before = await databaseMs()
      const told = clock.now()
      const later = await databaseMs()
      assert.ok(told > before - 100 && told < later + 100, `${told} is not between ${before} and ${later}`)
    })

  it('does not tremble', async () => {
    let offMs = 0
    const clock = await followClock(database, { ownNow: () => Date.now() + offMs })
    ends.push(clock.close)
    const skewOf = (): number => clock.now() - Date.now() - offMs
    const before = skewOf()
    for (offMs of [10, -20, 5]) await clock.compare()
    assert.equal(Math.round(skewOf()), Math.round(before))
  })

  it('stays the same when somebody sets the clock of the machine', async () => {
    let setMs = 0
    const clock = await followClock(database, { ownNow: steady, wallNow: () => steady() + setMs })
    ends.push(clock.close)
    const told = (): number => clock.now() - steady()
    const before = told()
    for (setMs of [3 * 3_600_000, -5 * 3_600_000]) {
      assert.ok(Math.abs(told() - before) < 100)
      await clock.compare()
      assert.ok(Math.abs(told() - before) < 1_000)
    }
  })

  it('is right again at once after the machine slept', async () => {
    let sleptMs = 0
    const clock = await followClock(database, {
      ownNow: () => steady() - sleptMs,
      wallNow: steady,
      compareMs: 3_600_000,
    })
    ends.push(clock.close)
    const before = clock.now() - steady()
    sleptMs = 60_000
    await until('it is right', async () => Math.abs(clock.now() - steady() - before) < 1_000)
  })

  it('follows a clock that is put right while it runs, and says what is remarkable', async () => {
    let offMs = 0
    const told: number[] = []
    const clock = await followClock(database, {
      ownNow: () => Date.now() + offMs,
      onSkew: (ms) => told.push(ms),
      compareMs: 20,
    })
    ends.push(clock.close)
    assert.deepEqual(told, [])
    offMs = 45_000
    await until('it is noticed', async () => told.length > 0)
    assert.ok(Math.abs(clock.now() - Date.now()) < 2_000)
    assert.ok(Math.abs((told[0] ?? 0) + 45_000) < 2_000)
  })
})
