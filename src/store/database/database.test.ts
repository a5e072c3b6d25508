import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import type { Transaction, TransactionOptions } from './database.ts'
import { isConflict } from './database-failures.ts'

describe('a transaction', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  await database.pool.query('create table counters (name text primary key, value int not null)')
  await database.pool.query("insert into counters values ('a', 0), ('b', 0)")

  async function values(): Promise<number[]> {
    const { rows } = await database.pool.query<{ value: number }>('select value from counters order by name')
    await database.pool.query('update counters set value = 0')
    return rows.map(({ value }) => value)
  }

  it('that PostgreSQL ended for a deadlock is made again', async () => {
    let begun = 0
    let held = 0
    const bothHoldOne = Promise.withResolvers<void>()
    const both = await Promise.all(
      [
        ['a', 'b'],
        ['b', 'a'],
      ].map(([first = '', second = '']) =>
        database.transaction(async (tx) => {
          begun += 1
          await add(tx, first)
          held += 1
          if (held === 2) bothHoldOne.resolve()
          await bothHoldOne.promise
          await add(tx, second)
          return first
        }),
      ),
    )
    assert.deepEqual(both, ['a', 'b'])
    // More than once where the one that began anew is there again before the other has woken.
    assert.ok(begun >= 3, 'one of the two began anew')
    assert.deepEqual(await values(), [2, 2])
  })

  it('that read what another changed meanwhile is made again where it has to be as if alone', async () => {
    let begun = 0
    const moved = await database.transaction(async (tx) => {
      begun += 1
      await tx.client.query('set transaction isolation level repeatable read')
      const { rows } = await tx.client.query<{ value: number }>("select value from counters where name = 'a'")
      if (begun === 1) await database.pool.query("update counters set value = 5 where name = 'a'")
      await add(tx, 'a')
      return rows[0]?.value
    })
    assert.deepEqual([begun, moved], [2, 5])
    assert.deepEqual(await values(), [6, 0])
  })

  it('is given up when it meets others every time, and leaves nothing and no connection behind', async () => {
    let begun = 0
    const conflict = database.transaction(async (tx) => {
      begun += 1
      await add(tx, 'a')
      await tx.client.query("do $$ begin raise exception using errcode = '40P01'; end $$")
    })
    await assert.rejects(conflict, isConflict)
    assert.equal(begun, 4)
    assert.deepEqual(await values(), [0, 0])
    assert.equal(database.pool.idleCount, database.pool.totalCount)
  })

  it('is not made again for any other failure', async () => {
    let begun = 0
    for (const fault of [() => assert.fail('a bug'), async (tx: Transaction) => tx.client.query('select 1 / 0')])
      await assert.rejects(
        database.transaction(async (tx) => {
          begun += 1
          await add(tx, 'b')
          await fault(tx)
        }),
      )
    assert.equal(begun, 2)
    assert.deepEqual(await values(), [0, 0])
  })
})

async function add({ client }: Transaction, name: string): Promise<void> {
  await client.query('update counters set value = value + 1 where name = $1', [name])
}

describe('a named statement', async () => {
  const { pool, transaction } = await testDatabase({ maxConnections: 1 })
  const counted = { name: 'counted', text: 'select $1::int + 1 as sum', values: [1] }
  const plans = `
    select generic_plans::int as once, custom_plans::int as anew
    from pg_prepared_statements
    where name = 'counted'`

  async function plansAfter(options?: TransactionOptions): Promise<unknown> {
    await transaction(({ client }) => client.query(counted), options)
    return (await pool.query(plans)).rows[0]
  }

  it('is planned once where its transaction wants that, and elsewhere as PostgreSQL thinks best', async () => {
    assert.deepEqual(await plansAfter(), { once: 0, anew: 1 })
    assert.deepEqual(await plansAfter({ plansOnce: true }), { once: 1, anew: 1 })
    assert.deepEqual(await plansAfter({ plansOnce: true }), { once: 2, anew: 1 })
    assert.deepEqual(await plansAfter({ plansOnce: false }), { once: 2, anew: 2 })
  })
})
