import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Database, openDatabase } from '#store/database/database.ts'
import { migrate } from '#store/database/migrate.ts'
import { type Migration, readMigrations } from '#store/database/migration-files.ts'
import { testDatabase } from '../support/database.ts'
import { allowedChanges } from '../support/upgrades/allowed.ts'
import { type Allowed, contentsOf, lossesBetween } from '../support/upgrades/contents.ts'
import { walkThrough } from '../support/upgrades/walk.ts'

describe('an upgrade from each schema that was ever released', () => {
  it('keeps every row and value', { timeout: 240_000 }, async () => {
    const walking = await testDatabase({ isEmpty: true, maxConnections: 1 })
    const server = await testDatabase({ maxConnections: 1 })
    const losses: string[] = []
    await walkThrough(walking, {
      onSchema: async (from) => {
        losses.push(...(await upgradeCopy({ walking, server, from })).map((loss) => `from ${from.file}: ${loss}`))
      },
    })
    assert.deepEqual(losses, [])
  })
})

type Copying = { walking: Database; server: Database; from: Migration }

/** A copy of the database as it stands goes to the newest schema, as a start takes it there. */
async function upgradeCopy({ walking, server, from }: Copying): Promise<string[]> {
  const name = `${nameOf(walking)}_copy`
  await server.pool.query(`create database ${name} template ${nameOf(walking)} strategy file_copy`)
  const copy = openDatabase({ connection: connectionTo(name), maxConnections: 2 })
  try {
    const before = await contentsOf(copy.pool)
    const later = readMigrations().filter(({ number }) => number > from.number)
    assert.equal(await migrate(copy), later.length)
    return lossesBetween(before, await contentsOf(copy.pool), allowedBy(later))
  } finally {
    await copy.close()
    await server.pool.query(`drop database ${name} with (force)`)
  }
}

function allowedBy(migrations: readonly Migration[]): Allowed {
  const allowed = migrations.map(({ file }) => allowedChanges[file] ?? {})
  return {
    changes: allowed.flatMap(({ changes = [] }) => changes),
    adds: allowed.flatMap(({ adds = [] }) => adds),
  }
}

function nameOf({ pool }: Database): string {
  return pool.options.database ?? assert.fail('a database without a name')
}

function connectionTo(database: string): { socketFolder: string; user: string; password: string; database: string } {
  const { PERIGEE_TEST_SOCKET = '', PERIGEE_TEST_USER = '', PERIGEE_TEST_PASSWORD = '' } = process.env
  return { socketFolder: PERIGEE_TEST_SOCKET, user: PERIGEE_TEST_USER, password: PERIGEE_TEST_PASSWORD, database }
}
