import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { addManyMonitors } from '../../../test/support/many-monitors.ts'
import { type Explained, explain } from '../../../test/support/plans.ts'
import { listUnnamed } from './expiry-domains.ts'

describe('among many monitors whose domains are known', async () => {
  const database = await testDatabase({ maxConnections: 1 })

  before(async () => {
    await addManyMonitors(database, 2000)
    await database.pool.query(`update monitors set domain = 'example.com' where key > 3`)
    await database.pool.query('vacuum analyze monitors')
  })

  it('those without one are found by the index of them, however often they are asked for', async () => {
    const runs: Explained[] = []
    for (let run = 0; run < 12; run += 1) runs.push(...(await explain(database, () => listUnnamed(database, 100))))
    const indexes = runs.map(({ nodes }) => nodes.flatMap((node) => node['Index Name'] ?? []))
    assert.deepEqual(new Set(indexes.flat()), new Set(['monitors_without_domain']))
  })
})
