import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addContact, addMonitor, addWorkspace, statusAlertOf } from '../../../test/support/alerts.ts'
import { clockedDatabase, setClock } from '../../../test/support/clocked-database.ts'
import { noteClockJump } from '#store/installation/own-troubles.ts'
import { enqueueAlerts } from './deliveries.ts'
import { claimDelivery, postponeDelivery } from './delivery-attempts.ts'
import { nudgeDeliveries } from './nudges.ts'

const ahead = 7_200
const retrySeconds = 300

type Planned = { due: number; claimed: number | null; run: number }

describe('alerts after the clock went back', () => {
  it('are tried again as soon as they would have been, and what was claimed is free as early', async () => {
    const database = await clockedDatabase()
    const { pool } = database
    await setClock(database, ahead)
    const workspaceId = await addWorkspace(database)
    const ids = {
      retried: await addContact(database, { workspaceId }),
      claimed: await addContact(database, { workspaceId }),
    }
    const monitorId = await addMonitor(database, { workspaceId, contactIds: null })
    const alert = statusAlertOf('monitor.down', { monitorId })
    const { rows } = await pool.query<{ now: Date }>('select now()')
    const at = rows[0]?.now ?? new Date()
    await database.transaction((tx) => enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId: null, alert, at }]))

    const deliveryTo = async (contactId: string): Promise<string> => {
      const found = await pool.query<{ id: string }>('select id from deliveries where alert_channel_id = $1', [
        contactId,
      ])
      return found.rows[0]?.id ?? assert.fail('there is no delivery')
    }
    const planned = async (contactId: string): Promise<Planned> => {
      const found = await pool.query<Planned>(
        `select extract(epoch from due_at - now())::float8 as due, extract(epoch from claimed_at - now())::float8 as claimed,
          extract(epoch from job.run_at - now())::float8 as run
        from deliveries
        join graphile_worker.jobs as job on job.key = 'deliver:' || deliveries.id
        where alert_channel_id = $1`,
        [contactId],
      )
      return found.rows[0] ?? assert.fail('it has no job')
    }
    const retried = await claimDelivery(database, await deliveryTo(ids.retried))
    assert.ok(retried !== null)
    await database.transaction(async (tx) => {
      await postponeDelivery(tx, retried, {
        delayMs: retrySeconds * 1000,
        statusCode: null,
        error: 'It gave no answer.',
      })
    })
    await pool.query(`delete from graphile_worker._private_jobs where key = $1`, [`deliver:${retried.id}`])
    await nudgeDeliveries(pool, [retried.id])
    assert.ok((await claimDelivery(database, await deliveryTo(ids.claimed))) !== null)

    await setClock(database, 0)
    assertNear((await planned(ids.retried)).due, ahead + retrySeconds)
    await noteClockJump(database, -ahead)
    const again = await planned(ids.retried)
    assertNear(again.due, retrySeconds)
    assertNear(again.run, retrySeconds)
    assertNear((await planned(ids.claimed)).claimed ?? Infinity, 0)
  })
})

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 15, `${actual} s instead of ${expected}`)
}
