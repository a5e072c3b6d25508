import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import {
  addChecks,
  addHistoryMonitor,
  assertMerged,
  drain,
  forgetAll,
  readRows,
  rewrittenDays,
  type TestHistory,
} from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { forgetMonitor } from '#jobs/forget-monitor.ts'
import { mergeDueResults } from './merge-due.ts'
import { copyName, rewriteNextDay } from './day-rewrites.ts'
import { beginMerging } from './merge-turns.ts'
import { partitionName } from './result-partitions.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'

const hour = 3_600_000
const day = '2031-03-10'
const from = new Date(`${day}T02:00:00Z`).getTime()
const now = new Date('2031-03-12T01:00:00Z')

describe('rewriting a day', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const { database } = api
  let histories: TestHistory[] = []
  let ids: string[] = []

  beforeEach(async () => {
    await forgetAll(database)
    await database.pool.query(`delete from graphile_worker._private_jobs`)
    histories = []
    ids = []
    for (const [seed, locations] of [1, 2].entries()) {
      const { id } = await createMonitor(api)
      const history = await addHistoryMonitor(database, id)
      await addChecks(
        database,
        history,
        checksOf({ intervalMs: 60_000, locations, seed }, { from, to: from + 40 * hour }),
      )
      histories.push(history)
      ids.push(id)
    }
    // Made with the others, and of no interest here.
    await database.pool.query(`drop table ${partitionName('2031-03-09')}`)
    await beginMerging(database)
    while ((await mergeDueResults(database, now)).monitors > 0);
  })

  async function stepsUntil(outcome: string): Promise<void> {
    for (;;) {
      const step = await rewriteNextDay(database, now)
      if (step?.day === day && step.outcome === outcome) return
      assert.ok(step !== null && step.outcome !== 'refused', `no ${outcome} came`)
    }
  }

  it('gives its space back, and is a partition like any other', async () => {
    const sizeOf = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ bytes: number }>(
        `select pg_total_relation_size('${partitionName(day)}')::float8 as bytes`,
      )
      return rows[0]?.bytes ?? 0
    }
    const before = await sizeOf()
    await drain(database, now)
    assert.ok((await sizeOf()) * 2 < before)
    assert.deepEqual(await rewrittenDays(database), new Set([day]))
    const { rows } = await database.pool.query(
      `select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bounds,
        (select count(*)::integer from pg_constraint where conrelid = child.oid and contype = 'c') as checks,
        (select count(*)::integer from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
          where x.indrelid = child.oid) as indexes
      from pg_inherits
      join pg_class child on child.oid = inhrelid
      where inhparent = 'results'::regclass
        and child.relname = $1`,
      [partitionName(day)],
    )
    assert.deepEqual(rows, [
      {
        name: partitionName(day),
        bounds: `FOR VALUES FROM ('2031-03-10 00:00:00+00') TO ('2031-03-11 00:00:00+00')`,
        checks: 0,
        indexes: 1,
      },
    ])
    for (const history of histories) await assertMerged(database, history, now)
  })

  it('waits until what the day holds is merged', async () => {
    const late = await addHistoryMonitor(database, (await createMonitor(api)).id)
    await addChecks(
      database,
      late,
      checksOf({ intervalMs: 60_000, locations: 1, seed: 9 }, { from, to: from + 24 * hour }),
    )
    await beginMerging(database)
    assert.equal(await rewriteNextDay(database, now), null)
    while ((await mergeDueResults(database, now)).monitors > 0);
    assert.equal((await rewriteNextDay(database, now))?.outcome, 'begun')
  })

  it('is not seen by merging in place while it lasts', async () => {
    const slow = await addHistoryMonitor(database, (await createMonitor(api)).id)
    await addChecks(
      database,
      slow,
      checksOf({ intervalMs: 600_000, locations: 1, seed: 9 }, { from, to: from + 40 * hour }),
    )
    await beginMerging(database)
    while ((await mergeDueResults(database, now)).monitors > 0);
    await stepsUntil('copied')
    await database.pool.query('update result_merges set due_at = $1', [now])
    const later = checksOf(
      { intervalMs: 600_000, locations: 1, seed: 9 },
      { from: from + 40 * hour, to: from + 46 * hour },
    )
    await addChecks(database, slow, later)
    assert.equal((await mergeDueResults(database, now)).removed, 0)
    await assertMerged(database, slow, now)
    await drain(database, new Date(now.getTime() + hour))
    await assertMerged(database, slow, now)
    assert.ok((await rewrittenDays(database)).has(day))
  })

  for (const moment of ['begun', 'copied', 'swapped'])
    it(`leaves nothing of a monitor that is deleted after a step was ${moment}`, async () => {
      if (moment !== 'begun') await stepsUntil('begun')
      await stepsUntil(moment)
      const [id = '', kept = ''] = ids
      const [{ key } = assert.fail(), other = assert.fail()] = histories
      assert.equal((await api.request('DELETE', `/monitors/${id}`)).status, 204)
      assert.ok(kept !== '')
      const payload = { monitor_key: String(key) }
      await forgetMonitor(database, payload)
      const again = await database.pool.query('select from graphile_worker.jobs where run_at > now()')
      assert.equal(again.rowCount, moment === 'swapped' ? 0 : 1)
      if (moment !== 'swapped') await stepsUntil('swapped')
      await forgetMonitor(database, payload)
      assert.deepEqual(await readRows(database, key), [])
      await assertMerged(database, other, now)
    })

  it('refuses a copy that does not come to the same, keeps the day, and tries again a day later', async () => {
    await stepsUntil('copied')
    await database.pool.query(
      `update ${copyName(day)} set latency_sum_ms = latency_sum_ms + 1
      where ctid = (select min(ctid) from ${copyName(day)} where repeats > 1)`,
    )
    const refused = await rewriteNextDay(database, now)
    assert.ok(refused?.outcome === 'refused')
    assert.equal(refused.differences.length, 1)
    for (const history of histories) await assertMerged(database, history, now)
    assert.equal(await rewriteNextDay(database, now), null)
    await drain(database, new Date(now.getTime() + 24 * hour))
    assert.ok((await rewrittenDays(database)).has(day))
    for (const history of histories) await assertMerged(database, history, now)
  })

  it('takes the table only when nobody has it, and asks for it briefly', async () => {
    await stepsUntil('copied')
    const reader = await database.pool.connect()
    try {
      await reader.query('begin; select from results limit 1')
      const startedAt = performance.now()
      assert.equal((await rewriteNextDay(database, now))?.outcome, 'busy')
      assert.ok(performance.now() - startedAt < 5_000)
      const intake = checksOf(
        { intervalMs: 60_000, locations: 1, seed: 3 },
        { from: now.getTime(), to: now.getTime() + hour },
      )
      const [history = assert.fail()] = histories
      await addChecks(database, history, intake)
      await reader.query('rollback')
    } finally {
      reader.release()
    }
    assert.equal((await rewriteNextDay(database, now))?.outcome, 'swapped')
    for (const history of histories) await assertMerged(database, history, now)
  })

  it('leaves the day to another process that compares, tidies and swaps it while this one is about to tidy', async () => {
    await stepsUntil('copied')
    let others = 0
    const query: unknown = Reflect.get(database.pool, 'query')
    assert.ok(typeof query === 'function')
    const pool = new Proxy(database.pool, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name, target)
        return async (...given: unknown[]) => {
          if (String(given[0]).startsWith('vacuum')) {
            others += 1
            await drain(database, now)
          }
          return Reflect.apply(query, target, given)
        }
      },
    })
    const step = await rewriteNextDay({ ...database, pool }, now)
    assert.deepEqual([others, step?.outcome], [1, 'busy'])
    assert.deepEqual(await rewrittenDays(database), new Set([day]))
    for (const history of histories) await assertMerged(database, history, now)
  })

  it('is done once by two who begin together', async () => {
    await Promise.all([drain(database, now), drain(database, now), drain(database, now)])
    await drain(database, now)
    assert.deepEqual(await rewrittenDays(database), new Set([day]))
    for (const history of histories) await assertMerged(database, history, now)
  })
})
