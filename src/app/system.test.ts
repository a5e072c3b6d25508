import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createMetrics } from '#metrics/metrics.ts'
import { readDatabaseStatus } from './process-status.ts'
import { createSystem } from './system.ts'
import { testDatabase } from '../../test/support/database.ts'
import { unstoring, unstoringDatabase } from '../../test/support/unstoring-database.ts'

describe('a process whose database', async () => {
  const given = await testDatabase()
  const dataFolder = mkdtempSync(join(tmpdir(), 'perigee-system-'))
  after(() => rmSync(dataFolder, { recursive: true, force: true }))
  for (const { what, says, ...setting } of unstoring)
    it(`${what} is not ready and says so, and only then`, async () => {
      const { database, begin, end } = unstoringDatabase(given, setting)
      const roles = new Set(['jobs'] as const)
      const opened = (): ReturnType<typeof createSystem> =>
        createSystem({
          config: {
            nats: null,
            locations: [],
            metricsToken: null,
            dataFolder,
            host: '127.0.0.1',
            port: 0,
            publicUrl: null,
            trustedProxies: [],
            allowPrivateTargets: 'none',
          },
          roles,
          name: 'here',
          foundation: { database, engineDatabase: database, now: Date.now },
          flow: null,
          metrics: createMetrics({ roles, version: '1.0.0' }),
        })
      assert.deepEqual(await opened().readiness(), { database: true })
      const others = (await readDatabaseStatus(database)).troubles
      await begin()
      const system = opened()
      assert.deepEqual(await system.readiness(), { database: false })
      const [trouble = '', ...rest] = await troublesOf(system)
      assert.match(trouble, /^The database cannot store anything: .*[^.]\.$/)
      assert.match(trouble, says)
      assert.deepEqual(rest, others)
      assert.deepEqual((await readDatabaseStatus(database)).troubles, [trouble, ...others])
      await end()
      assert.deepEqual(await system.readiness(), { database: true })
      assert.deepEqual(await troublesOf(system), others)
    })
})

async function troublesOf({ status }: ReturnType<typeof createSystem>): Promise<string[]> {
  const told = await status()
  assert.ok('troubles' in told && Array.isArray(told.troubles))
  return told.troubles.map(String)
}
