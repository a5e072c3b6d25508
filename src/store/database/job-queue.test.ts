import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { addJobs, listLockedJobs, unlockJobs } from './job-queue.ts'

const pools = ['pool-of-one']

describe('a job that is unlocked', async () => {
  const database = await testDatabase()
  const listener = await database.pool.connect()
  after(() => listener.release(true))
  const told: unknown[] = []
  listener.on('notification', ({ payload }) => told.push(Object(JSON.parse(payload ?? '')).count))

  it('wakes a worker that is at rest, and no worker where none was unlocked', async () => {
    await database.transaction((tx) => addJobs(tx, [{ task: 'some', payload: {}, maxAttempts: 3 }]))
    await database.pool.query(
      'update graphile_worker._private_jobs set locked_at = now(), locked_by = $1, attempts = 1',
      pools,
    )
    const jobs = (await listLockedJobs(database, pools)).map(({ id, attempts }) => ({ id, attempts, wasBegun: false }))
    assert.equal(jobs.length, 1)
    await listener.query('listen "jobs:insert"')
    assert.equal(await unlockJobs(database, { pools: ['another'], jobs }), 0)
    assert.equal(await unlockJobs(database, { pools, jobs }), 1)
    assert.equal(await unlockJobs(database, { pools, jobs }), 0)
    await database.pool.query(`select pg_notify('jobs:insert', '{"count":-1}')`)
    await until('the last word', async () => told.includes(-1))
    assert.deepEqual(told, [1, -1])
  })
})
