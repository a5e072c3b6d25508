import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { readWatchPage, readWatchRows, type WatchPlace, type WatchRow, watchRowsAtOnce } from './watch-rows.ts'

/** Monitors 1,001 onwards, in three partitions by turns; the second is paused. */
const copies = `
with made as (
  insert into monitors overriding system value
  select (jsonb_populate_record(m, jsonb_build_object(
    'id', gen_random_uuid(), 'key', 1000 + n, 'partition', n % 3 + 7, 'call_hash', null,
    'status', case when n = 2 then 'paused' else 'enabled' end
  ))).*
  from monitors m
  cross join generate_series(1, $2::integer) as n
  where m.id = $1
  returning key, version, created_at
)
insert into monitor_state (monitor_key, version, round_at)
select key, version, created_at from made`

describe('the monitors of partitions, page by page', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database } = api

  it('come in bounded pages, each once, in the order of partitions and keys, as they do by their ids', async () => {
    const { id } = await createMonitor(api)
    const count = 3 * watchRowsAtOnce
    await database.pool.query(copies, [id, count])
    const pages: WatchRow[][] = []
    for (let after: WatchPlace | null = null; pages.at(-1)?.length !== 0; after = pages.at(-1)?.at(-1) ?? null)
      pages.push(await readWatchPage(database, { partitions: [9, 7], after }))
    const lengths = pages.map((page) => page.length)
    assert.deepEqual(lengths, [watchRowsAtOnce, watchRowsAtOnce - 1, 0])
    const rows = pages.flat()
    const keysOf = (partition: number): number[] =>
      Array.from({ length: count }, (_, index) => index + 1)
        .filter((n) => (n % 3) + 7 === partition && n !== 2)
        .map((n) => 1000 + n)
    assert.deepEqual(
      rows.map(({ key }) => key),
      [...keysOf(7), ...keysOf(9)],
    )
    const byId = await readWatchRows(database, { partitions: [7, 9], ids: rows.map((row) => row.id) })
    assert.deepEqual(
      byId.toSorted((one, other) => one.partition - other.partition || one.key - other.key),
      rows,
    )
  })
})
