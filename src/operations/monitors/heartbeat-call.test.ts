import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { openDatabase } from '#store/database/database.ts'
import { type CallServices, receiveCall } from './heartbeat-call.ts'

const received = { token: 'nobody', suffix: null, readBody: async () => '', at: new Date(), round: 0 }
const limits = { countCall: async () => ({ limit: 60, remaining: 59, resetSeconds: 60, isExceeded: false }) }

describe('a call', () => {
  it('is refused within 2 s while the database does not answer', async () => {
    const given = await testDatabase()
    const { host = '', user = '', password, database: name = '' } = given.pool.options
    const connection = { socketFolder: host, user, password: String(password), database: name }
    const database = openDatabase({ connection, maxConnections: 1 })
    after(database.close)
    const services: CallServices = { database, publishResults: async () => assert.fail('nobody has this address') }
    const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid ?? assert.fail()
    process.kill(pid, 'SIGSTOP')
    try {
      const startedMs = performance.now()
      await assert.rejects(
        receiveCall(services, limits, received),
        (error) => error instanceof AppError && error.code === 'unavailable' && error.retryAfterSeconds === 5,
      )
      assert.ok(performance.now() - startedMs < 2_000)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await assert.rejects(
      receiveCall(services, limits, received),
      (error) => error instanceof AppError && error.code === 'not_found',
    )
  })
})
