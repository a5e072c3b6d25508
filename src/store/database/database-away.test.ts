import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { openDatabase } from './database.ts'
import { isDatabaseAway } from './database-away.ts'

describe('a database that is away', () => {
  it('is one whose socket is not there', async () => {
    const connection = { socketFolder: '/nonexistent', user: 'nobody', password: '', database: 'none' }
    await assertAway(() => opened({ connection, maxConnections: 1 }).pool.query('select 1'))
  })

  for (const host of ['127.0.0.1', 'localhost', 'no-such-host.invalid'])
    it(`is one that cannot be connected to at ${host}`, async () => {
      const connection = { url: `postgres://nobody@${host}:${await freePort()}/none` }
      await assertAway(() => opened({ connection, maxConnections: 1 }).pool.query('select 1'))
      await assertAway(() => opened({ connection, maxConnections: 1 }).transaction(async () => {}))
    })

  it('is one that hangs up on whoever comes', async () => {
    const { port } = await rawServer((socket) => socket.destroy())
    const connection = { url: `postgres://nobody@127.0.0.1:${port}/none` }
    await assertAway(() => opened({ connection, maxConnections: 1 }).pool.query('select 1'))
  })

  it('is one that ends the connection in the middle of a query, or between two', async () => {
    const database = await testDatabase({ maxConnections: 2 })
    await assertAway(() => database.pool.query('select pg_terminate_backend(pg_backend_pid())'))
    await assertAway(() =>
      database.transaction(async ({ client }) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        const ended = new Promise((resolve) => client.once('end', resolve))
        await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
        await ended
        await client.query('select 1')
      }),
    )
  })

  it('is one that takes too long, with a statement or with a lock', async () => {
    const database = await testDatabase({ maxConnections: 2 })
    await assertAway(() => database.pool.query(`set statement_timeout = 10; select pg_sleep(5)`))
    await database.transaction(async ({ client }) => {
      await client.query('lock table settings')
      await assertAway(() => database.pool.query(`set lock_timeout = 10; lock table settings`))
    })
  })

  it('is one that takes no changes', async () => {
    const database = await testDatabase({ maxConnections: 1 })
    await assertAway(() =>
      database.transaction(async ({ client }) => {
        await client.query('set transaction read only')
        await client.query('delete from settings')
      }),
    )
  })

  it('is one whose connections all stay busy, or that never says hello', async () => {
    const { port } = await rawServer(() => {})
    const waits = [
      { connectionTimeoutMillis: 50, max: 1 },
      { connectionTimeoutMillis: 50, max: 2 },
    ]
    for (const wait of waits) {
      const pool = opened({ connection: { url: `postgres://nobody@127.0.0.1:${port}/none` }, maxConnections: 1 }).pool
      Object.assign(pool.options, wait)
      await assertAway(() => pool.query('select 1'))
    }
    const database = await testDatabase({ maxConnections: 1 })
    await database.transaction(async () => {
      Object.assign(database.pool.options, { connectionTimeoutMillis: 50 })
      await assertAway(() => database.pool.query('select 1'))
    })
  })

  it('is one that was closed by ourselves', async () => {
    const database = openDatabase({ connection: { url: 'postgres://nobody@127.0.0.1/none' }, maxConnections: 1 })
    await database.close()
    await assertAway(() => database.pool.query('select 1'))
  })
})

describe('a failure that is a bug', () => {
  it('is what the statement is to blame for', async () => {
    const database = await testDatabase({ maxConnections: 1 })
    for (const text of [
      'select * from nowhere',
      'select 1 / 0',
      `insert into settings values ('twice', '1'), ('twice', '2')`,
      'insert into settings values (null, null)',
      'selct',
    ])
      await assert.rejects(database.pool.query(text), (error) => !isDatabaseAway(error))
  })

  for (const [what, error] of [
    ['a missing file', missingFile()],
    ['a type error', new TypeError('x is not a function')],
    ['an error without a word', new Error('')],
    ['no error', 'ECONNREFUSED'],
  ] as const)
    it(`is ${what}`, () => assert.equal(isDatabaseAway(error), false))
})

function opened(options: Parameters<typeof openDatabase>[0]): ReturnType<typeof openDatabase> {
  const database = openDatabase(options)
  after(database.close)
  return database
}

async function assertAway(work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(isDatabaseAway(error), String(error))
    return true
  })
}

function missingFile(): unknown {
  try {
    return readFileSync('/nonexistent')
  } catch (error) {
    return error
  }
}
