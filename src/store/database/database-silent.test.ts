import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { silentWay } from '../../../test/support/silent-way.ts'
import { openDatabase } from './database.ts'
import { isDatabaseAway } from './database-away.ts'

const limits = { idleInTransactionMs: 5_000, lockTimeoutMs: 5_000, answerMs: 2_000 }

describe('a database whose machine has lost its power', () => {
  it('keeps nobody waiting for its answer, and is asked anew when it is back', async () => {
    const ends: (() => Promise<void>)[] = []
    after(async () => {
      for (const end of ends) await end()
    })
    const { pool } = await testDatabase()
    const { host, user, password, database: name } = pool.options
    const way = await silentWay(join(host ?? '', '.s.PGSQL.5432'))
    const url = `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${way.port}/${name}`
    const database = openDatabase({ connection: { url }, maxConnections: 1, limits })
    ends.push(database.close, way.close)
    await database.pool.query('select 1')
    const begun = database.transaction(async ({ client }) => {
      way.hush(true)
      await client.query('select 2')
    })
    const startedMs = performance.now()
    await assert.rejects(begun, isDatabaseAway)
    assert.ok(performance.now() - startedMs < 3_900, 'it does not wait for a rollback as well')
    await assert.rejects(database.pool.query('select 3'))
    way.hush(false)
    assert.equal((await database.pool.query('select 4')).rowCount, 1)
    assert.equal(await database.transaction(async ({ client }) => (await client.query('select 5')).rowCount), 1)
  })
})
