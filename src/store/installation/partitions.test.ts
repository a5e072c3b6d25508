import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { announceEngine, releasePartitions, renewPartitions, retireEngine, takePartitions } from './partitions.ts'

describe('the rows of partitions', async () => {
  const database = await testDatabase({ maxConnections: 3 })
  const { pool } = database
  await announceEngine(database, 'one')
  await takePartitions(database, { owner: 'one', holdSeconds: 6 }, 64)

  const statements: [what: string, run: () => Promise<unknown>][] = [
    ['renewing them', () => renewPartitions(database, { owner: 'one', holdSeconds: 6 })],
    ['giving some back', () => releasePartitions(database, 'one', [9, 5])],
    ['ending', () => retireEngine(database, 'one')],
  ]
  for (const [what, run] of statements)
    it(`are locked in the order of their numbers, as by an intake, when ${what}`, async () => {
      await takePartitions(database, { owner: 'one', holdSeconds: 6 }, 64)
      // A row that was just written lies behind all others.
      await pool.query('update partitions set epoch = epoch where partition = 5')
      const running = await database.transaction(async ({ client }) => {
        await client.query('select from partitions where partition = 5 for no key update')
        const done = run()
        done.catch(() => {})
        await until('it waits for that row', async () => {
          const waiting = await pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
          return waiting.rowCount === 1
        })
        await client.query("set local lock_timeout = '300 ms'")
        await client.query('select from partitions where partition = 9 for no key update')
        return { done }
      })
      // Or it would wait beside the next one.
      await running.done
    })

  it('are renewed for their owner alone, and told with their epochs', async () => {
    await takePartitions(database, { owner: 'one', holdSeconds: 6 }, 64)
    await pool.query(`update partitions set owner = 'other', epoch = 77 where partition < 60`)
    const kept = await renewPartitions(database, { owner: 'one', holdSeconds: 6 })
    assert.deepEqual(
      kept.map(({ partition }) => partition).toSorted((one, other) => one - other),
      [60, 61, 62, 63],
    )
    assert.ok(kept.every(({ epoch }) => epoch > 0 && epoch < 77))
  })

  it('are held for as long as their owner says, when it takes and when it renews them', async () => {
    await releasePartitions(database, 'one', null)
    await takePartitions(database, { owner: 'long', holdSeconds: 600 }, 3)
    const taken = await heldSeconds()
    await renewPartitions(database, { owner: 'long', holdSeconds: 1_200 })
    const renewed = await heldSeconds()
    assert.ok(taken > 500 && taken <= 600 && renewed > 1_100 && renewed <= 1_200, `${taken}, ${renewed}`)
  })

  async function heldSeconds(): Promise<number> {
    const { rows } = await pool.query<{ seconds: number }>(
      `select round(extract(epoch from min(held_until) - now()))::float8 as seconds from partitions where owner = 'long'`,
    )
    return rows[0]?.seconds ?? assert.fail()
  }
})
