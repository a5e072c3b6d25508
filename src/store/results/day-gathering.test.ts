import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { dyingDatabase } from '../../../test/support/dying-database.ts'
import { addManyMonitors } from '../../../test/support/many-monitors.ts'
import { beginGathering, gatherNextMonth } from './day-gathering.ts'

const now = new Date('2031-04-10T12:00:00Z')
const monitors = 120

const fill = [
  `delete from gathered_months; delete from uptime_days; delete from latency_days`,
  `update monitors set created_at = '2031-01-15T10:00:00Z'`,
  `insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
  select key, day::date, 10, 7, 2, 1, key * 100, 7
  from generate_series('2031-01-15'::date, '2031-04-10', interval '1 day') as day
  cross join monitors
  order by 2, 1`,
  `insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts)
  select key, day::date, array[key % 400], '{7}', '{1,2,3,4,5}', '{1,1,1,1,1}'
  from generate_series('2031-01-15'::date, '2031-04-10', interval '1 day') as day
  cross join monitors
  order by 2, 1`,
]

describe('gathering days', async () => {
  const database = await testDatabase()
  const { pool } = database
  await addManyMonitors(database, monitors)

  beforeEach(async () => {
    for (const statement of fill) await pool.query(statement)
  })

  async function contents(): Promise<unknown[]> {
    const found = await pool.query(
      `select to_jsonb(u) as counts, to_jsonb(l) as latencies
      from uptime_days u
      full join latency_days l using (monitor_key, day)
      order by monitor_key, day`,
    )
    return found.rows
  }

  /** The average number of pages that hold the days of one monitor. */
  async function pagesOf(month: string): Promise<number> {
    const found = await pool.query<{ pages: number }>(
      `select avg(pages)::float8 as pages
      from (
        select count(distinct (ctid::text::point)[0]) as pages
        from uptime_days
        where date_trunc('month', day) = $1::date
        group by monitor_key
      ) as each`,
      [month],
    )
    return found.rows[0]?.pages ?? assert.fail('no month')
  }

  async function gatherAll(): Promise<string[]> {
    const months: string[] = []
    await beginGathering(database, now)
    for (let step = await gatherNextMonth(database); step !== null; step = await gatherNextMonth(database))
      months.push(step.month)
    return months
  }

  it('puts those of a month that has ended side by side, and changes nothing else', async () => {
    const before = await contents()
    const scattered = await pagesOf('2031-02-01')
    assert.deepEqual(await gatherAll(), [
      '2031-01-01',
      '2031-01-01',
      '2031-02-01',
      '2031-02-01',
      '2031-03-01',
      '2031-03-01',
    ])
    assert.deepEqual(await contents(), before)
    assert.ok(scattered > 10 && (await pagesOf('2031-02-01')) < 2, `${scattered} pages became too many`)
    assert.ok((await pagesOf('2031-04-01')) > 4)
  })

  it('does it once', async () => {
    await gatherAll()
    assert.deepEqual(await gatherAll(), [])
  })

  it('waits for a month until a day after its end', async () => {
    await beginGathering(database, new Date('2031-03-01T23:59:59Z'))
    const found = await pool.query<{ month: string }>('select month::text as month from gathered_months order by month')
    assert.deepEqual(found.rows, [{ month: '2031-01-01' }])
  })

  it('does each step wholly or not at all, wherever it is killed', async () => {
    const before = await contents()
    await beginGathering(database, now)
    let deaths = 0
    for (let diesAt = 0; diesAt < 8; diesAt += 1)
      await gatherNextMonth(dyingDatabase(database, diesAt)).catch(() => (deaths += 1))
    assert.ok(deaths > 4)
    assert.deepEqual(await contents(), before)
    await gatherAll()
    assert.deepEqual(await contents(), before)
  })

  it('waits for no monitor that is being deleted, and leaves its days to the deletion', async () => {
    const { rows } = await pool.query<{ key: string }>('select min(key) as key from monitors')
    const key = rows[0]?.key ?? assert.fail('no monitor')
    await database.transaction(async ({ client }) => {
      await client.query('select from monitors where key = $1 for update', [key])
      assert.equal((await gatherAll()).length, 6)
      await client.query('delete from monitors where key = $1', [key])
    })
    const left = await pool.query('select from uptime_days where monitor_key = $1', [key])
    assert.equal(left.rows.length, 0)
    const others = await pool.query<{ days: number }>('select count(*)::integer as days from uptime_days')
    assert.equal(others.rows[0]?.days, (monitors - 1) * 86)
  })

  it('goes on beside those who read and those who count', async () => {
    const sum = 'select sum(checks)::integer as checks, count(*)::integer as days from uptime_days where checks = 10'
    const before = (await pool.query(sum)).rows
    const gathering = gatherAll()
    for (let reading = 0; reading < 20; reading += 1) {
      await pool.query(
        `update uptime_days set checks = 10 where day = '2031-04-10' and monitor_key in (select key from monitors)`,
      )
      assert.deepEqual((await pool.query(sum)).rows, before)
    }
    assert.equal((await gathering).length, 6)
  })
})
