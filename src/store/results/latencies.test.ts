import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { latencyBounds, slotOf } from '#core/results/latency-histogram.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { numberArray } from '#store/database/array-literal.ts'

describe('latencies in SQL', async () => {
  const { pool } = await testDatabase({ maxConnections: 1 })

  async function buckets(latencies: readonly number[]): Promise<number[]> {
    const found = await pool.query<{ slots: number[] }>(
      `select json_agg(width_bucket(ms, $2::integer[]) order by place) as slots
      from unnest($1::integer[]) with ordinality as given (ms, place)`,
      [numberArray(latencies), numberArray(latencyBounds)],
    )
    return found.rows[0]?.slots ?? assert.fail('no slots')
  }

  it('have the slots that core gives them, up to 200 s each millisecond', async () => {
    const latencies = Array.from({ length: 200_001 }, (_, ms) => ms)
    assert.deepEqual(await buckets(latencies), latencies.map(slotOf))
  })

  it('have them at the edges of every slot, and where there is no such latency', async () => {
    const edges = [-(2 ** 31), -1, ...latencyBounds.flatMap((bound) => [bound - 1, bound]), 2 ** 31 - 1]
    assert.deepEqual(await buckets(edges), edges.map(slotOf))
  })
})
