import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { partitionOf } from '#core/monitors/schedule.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { addManyMonitors, addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { explain } from '../../../test/support/plans.ts'
import { createResultPartitions } from './result-partitions.ts'
import { readBacklog } from './unfolded-results.ts'

/** So many that reading all results once would seem cheaper than looking for those of a partition. */
const monitors = 10_000

describe('among the results of many partitions', async () => {
  const database = await testDatabase({ maxConnections: 1 })
  let ids: string[] = []

  before(async () => {
    const { workspaceId } = await addManyMonitors(database, 0)
    ids = await addPendingMonitors(database, { workspaceId, count: monitors })
    await createResultPartitions(database, new Date())
    await database.pool.query(`insert into locations (code, name, position) values ('a', 'A', 1)`)
    await database.pool.query(
      `insert into results (monitor_key, round_at, location, status)
      select m.key, now(), l.id, 'u'
      from monitors m, locations l
      where l.code = 'a'`,
    )
    // The table of a day that has just begun has not been analysed.
    await database.pool.query('vacuum analyze monitors, monitor_state')
  })

  it('those of one partition that were not folded are looked up, and no others are read', async () => {
    const partition = 7
    let found: Awaited<ReturnType<typeof readBacklog>> = []
    const plans = await explain(database, async () => (found = await readBacklog(database, [partition])))
    const ofPartition = ids.filter((id) => partitionOf(id) === partition)
    assert.equal(found.length, ofPartition.length)
    const tables = await database.pool.query<{ name: string }>(
      'select distinct tableoid::regclass::text as name from results',
    )
    const names = new Set(tables.rows.map(({ name }) => name))
    const reads = plans
      .flatMap(({ nodes }) => nodes)
      .filter((node) => names.has(node['Relation Name'] ?? '') && node['Actual Loops'] > 0)
    assert.ok(reads.length > 0)
    // A table of a day without results is read as a whole, because nothing is in it.
    for (const node of reads) assert.doesNotMatch(node['Node Type'], /Seq Scan/)
  })
})
