import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { claimDelivery } from '#store/contacts/delivery-attempts.ts'
import { addJobs } from '#store/database/job-queue.ts'
import { freeHeldRows } from './free-held-rows.ts'
import { announceEngine, takePartitions } from './partitions.ts'

describe('what a killed process held', () => {
  it('is free at once: partitions, jobs, and alerts that were under way', async () => {
    const database = await testDatabase()
    const { pool } = database
    await announceEngine(database, 'killed')
    assert.equal((await takePartitions(database, { owner: 'killed', holdSeconds: 6 }, 64)).length, 64)
    await database.transaction((tx) =>
      addJobs(tx, [{ task: 'forget_monitor', payload: { monitor_key: '1' }, maxAttempts: 25 }]),
    )
    const workspaceId = await addWorkspace(database)
    await addContact(database, { workspaceId })
    await addDownAlert(database, { workspaceId, monitorId: await addMonitor(database, { workspaceId }) })
    const { rows } = await pool.query<{ id: string }>('select id from deliveries')
    const id = rows[0]?.id ?? assert.fail('no delivery')
    assert.notEqual(await claimDelivery(database, id), null)
    assert.equal(await claimDelivery(database, id), null, 'it is claimed')
    await pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'killed', attempts = 1`)

    await freeHeldRows(database)

    assert.equal(await announceEngine(database, 'next'), 1)
    assert.equal((await takePartitions(database, { owner: 'next', holdSeconds: 6 }, 64)).length, 64)
    const locked = await pool.query('select id from graphile_worker.jobs where locked_by is not null')
    assert.deepEqual(locked.rows, [])
    assert.equal((await claimDelivery(database, id))?.attempt, 2)
  })

  it('is free at once: scans that were under way', async () => {
    const database = await testDatabase()
    const workspaceId = await addWorkspace(database)
    await addMonitor(database, { workspaceId })
    await database.pool.query(
      `insert into software_scans (monitor_key, due_at, claimed_until)
      select key, now(), now() + interval '5 minutes' from monitors`,
    )
    await freeHeldRows(database)
    const { rowCount } = await database.pool.query('select from software_scans where claimed_until <= now()')
    assert.equal(rowCount, 1)
  })

  it('stays as it is where it had come to an end', async () => {
    const database = await testDatabase()
    const workspaceId = await addWorkspace(database)
    await addContact(database, { workspaceId })
    await addDownAlert(database, { workspaceId, monitorId: await addMonitor(database, { workspaceId }) })
    await database.pool.query(`update deliveries set state = 'delivered', ended_at = now(), attempt = 1`)
    const before = await database.pool.query('select * from deliveries')
    await freeHeldRows(database)
    assert.deepEqual((await database.pool.query('select * from deliveries')).rows, before.rows)
  })
})
