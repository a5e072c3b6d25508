import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { assertRoom } from './assert-storing.ts'
import { openDatabase } from './database.ts'
import { readSchemaStanding } from './migrate.ts'
import { measureRoundTrip, readServerHealth } from '#store/installation/server-health.ts'

const database = await testDatabase()
const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
const {
  PERIGEE_TEST_SOCKET: socketFolder = '',
  PERIGEE_TEST_USER: user = '',
  PERIGEE_TEST_PASSWORD: password = '',
} = process.env
const readOnly = openDatabase({
  connection: { socketFolder, user, password, database: rows[0]?.name ?? '' },
  maxConnections: 2,
  isReadOnly: true,
})
after(() => readOnly.close())

describe('a database that is opened to be read', () => {
  it('refuses every change, also in a transaction', async () => {
    const change = `insert into settings (name, value) values ('other', '1')`
    await assert.rejects(readOnly.pool.query(change), { code: '25006' })
    await assert.rejects(
      readOnly.transaction(({ client }) => client.query(change)),
      { code: '25006' },
    )
  })

  it('tells whether there is room on the disk', () => readOnly.transaction(assertRoom))

  it('tells how its schema stands to this release', async () => {
    const standing = await readSchemaStanding(readOnly)
    assert.ok(standing.applied > 0)
    assert.deepEqual(standing, {
      ...standing,
      isUnfinished: false,
      applied: standing.ofRelease,
      missing: [],
      changed: [],
    })
  })

  it('tells of its server and of its role', async () => {
    const open = await database.pool.connect()
    try {
      await open.query('begin')
      await open.query('select from settings')
      const { connections, longestTransaction, rights, isStandby } = await readServerHealth(readOnly)
      assert.ok(connections.used > 0 && connections.used < connections.allowed)
      assert.equal(longestTransaction?.state, 'idle in transaction')
      assert.deepEqual(rights, { canCreate: true, foreignTables: 0 })
      assert.equal(isStandby, false)
    } finally {
      await open.query('rollback')
      open.release()
    }
    assert.equal((await readServerHealth(readOnly)).longestTransaction, null)
    assert.ok((await measureRoundTrip(readOnly)) > 0)
  })

  it('does not count the transaction that is the lock of a process without a broker', async () => {
    const holder = await database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select pg_advisory_xact_lock(7305017212)')
      assert.equal((await readServerHealth(readOnly)).longestTransaction, null)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })
})
