import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { storeResults, writeStates } from '#store/results/store-batch.ts'
import { bulkApi, outcomeOf } from '../../../test/support/bulk.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { statusesOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

describe('many monitors at once beside everybody else', async () => {
  const attempts = { begun: 0, asked: 0 }
  const { api, act, call, rowsOf } = await bulkApi({ maxConnections: 20 })
  const { database, workspaceId } = api
  Object.assign(api.services, { database: counted(database, attempts) })

  it('wait for what an engine is writing before they hold any monitor', async () => {
    const ids = await addPendingMonitors(database, { workspaceId, count: 20 })
    const [first] = (await partitionsOf(ids)).toSorted((one, other) => one - other)
    const asked = await database.transaction(async (tx) => {
      await storeResults(tx, [{ partition: first ?? assert.fail(), epoch: 0 }], [])
      const waiting = act('pause', ids)
      await until('the request waits for a lock', async () => {
        const { rowCount } = await database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rowCount === 1
      })
      const free = await tx.client.query('select from monitors where id = any($1) for update nowait', [ids])
      assert.equal(free.rowCount, ids.length)
      return { waiting }
    })
    assert.deepEqual(outcomeOf(await asked.waiting), [20])
  })

  async function partitionsOf(ids: readonly string[]): Promise<number[]> {
    const { rows } = await database.pool.query<{ partition: number }>(
      'select partition from monitors where id = any($1)',
      [ids],
    )
    return rows.map(({ partition }) => partition)
  }

  it('wait for engines and for each other without a deadlock, in whatever order they are named', async () => {
    const ids = await addPendingMonitors(database, { workspaceId, count: 120 })
    const kept = ids.slice(0, 60)
    const backwards = ids.toReversed()
    const engine = foldAgain(database, ids)
    const answers = await Promise.all([
      ...['pause', 'resume', 'pause', 'resume'].flatMap((action) => [act(action, kept), act(action, backwards)]),
      act('delete', ids.slice(90)),
      act('delete', backwards.slice(0, 60)),
      ...kept.slice(0, 10).map((id) => call('POST', `/monitors/${id}/pause`)),
      ...kept.slice(0, 10).map((id) => call('PATCH', `/monitors/${id}`, { name: 'Changed', timeout_ms: 700 })),
      ...backwards.slice(0, 10).map((id) => call('DELETE', `/monitors/${id}`)),
    ])
    const rounds = await engine.end()
    assert.ok(rounds > 0)
    const statuses = new Set(statusesOf(answers))
    assert.deepEqual(
      [...statuses].filter((status) => ![200, 204, 404].includes(status)),
      [],
    )
    assert.equal((await rowsOf(ids)).length, kept.length)
    assert.equal(attempts.begun, attempts.asked, 'no transaction had to begin anew')
    const { rows: odd } = await database.pool.query(
      'select m.id from monitors m join monitor_state s on s.monitor_key = m.key where m.version <> s.version',
    )
    assert.deepEqual(odd, [])
  })
})

/** Tells how often transactions were asked for and begun: one that met others in a deadlock begins several times. */
function counted(database: Database, attempts: { begun: number; asked: number }): Database {
  return {
    ...database,
    transaction: (work) => {
      attempts.asked += 1
      return database.transaction((tx) => {
        attempts.begun += 1
        return work(tx)
      })
    },
  }
}

/** Writes rounds of these monitors again and again, as an engine does that has all partitions, until it is ended. */
function foldAgain(database: Database, ids: readonly string[]): { end: () => Promise<number> } {
  const round = async (): Promise<void> => {
    const { rows } = await database.pool.query<{ key: number; version: number; partition: number }>(
      'select key::int as key, version, partition from monitors where id = any($1) order by random()',
      [ids],
    )
    const at = Date.now() * 1000
    const leases = [...new Set(rows.map(({ partition }) => partition))].map((partition) => ({ partition, epoch: 0 }))
    await database.transaction(async (tx) => {
      await storeResults(tx, leases, [])
      await writeStates(
        tx,
        rows.map(({ key, version }) => ({
          monitorKey: key,
          version,
          status: 'up',
          failures: 0,
          successes: 1,
          round: at,
          incidentId: null,
          problemAt: null,
          deadline: null,
        })),
      )
    })
  }
  const ending = new AbortController()
  const running = (async () => {
    let rounds = 0
    for (; !ending.signal.aborted; rounds += 1) await round()
    return rounds
  })()
  return {
    end: () => {
      ending.abort()
      return running
    },
  }
}
