import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { AppError, fail } from '#core/language/error.ts'
import { readingsOfPing } from '#core/monitors/imported-calls.ts'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { pause } from '../../../test/support/pause.ts'
import { type Database, openDatabase } from '#store/database/database.ts'
import { type CallServices, type ReceivedCall, callPartsOf, takeCall } from './heartbeat-call.ts'
import { createSecrets } from '#store/database/secrets.ts'

const received = {
  readings: readingsOfPing(['nobody']),
  readBody: async () => '',
  atPlace: <T>(work: () => Promise<T>) => work(),
  timeOf: () => ({ at: new Date(), round: 0 }),
}
const limits = { countCall: async () => ({ limit: 60, remaining: 59, resetSeconds: 60, isExceeded: false }) }

describe('a call', () => {
  it('is refused within 2 s while the database does not answer', async () => {
    const given = await testDatabase()
    const { host = '', user = '', password, database: name = '' } = given.pool.options
    const connection = { socketFolder: host, user, password: String(password), database: name }
    const database = openDatabase({ connection, maxConnections: 1 })
    after(database.close)
    let lost = 0
    const services: CallServices = {
      database,
      secrets: createSecrets(randomBytes(32)),
      publishResults: async () => assert.fail('no monitor has this address'),
      noteLostCall: () => (lost += 1),
    }
    const { rows } = await database.planned.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid ?? assert.fail()
    process.kill(pid, 'SIGSTOP')
    try {
      const startedMs = performance.now()
      await assert.rejects(
        takeCall(callPartsOf(services), limits, received),
        (error) => error instanceof AppError && error.code === 'unavailable' && error.retryAfterSeconds === 5,
      )
      assert.ok(performance.now() - startedMs < 2_000)
      assert.equal(lost, 1)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await assert.rejects(
      takeCall(callPartsOf(services), limits, received),
      (error) => error instanceof AppError && error.code === 'not_found',
    )
    assert.equal(lost, 1)
  })
})

const created = z.object({ heartbeat_url: z.string() })

describe('a call that is turned away', async () => {
  let lost = 0
  const broken = new Error('the engine is stopping')
  const api = await testApi({ services: { publishResults: async () => {}, noteLostCall: () => (lost += 1) } })
  const { database } = api
  const answer = await api.post('/monitors', { name: 'Backup', kind: 'heartbeat' })
  const token = created.parse(answer.body).heartbeat_url.split('/').at(-1) ?? assert.fail()
  const gone = await closedDatabase(database)
  const usual: CallServices = { ...api.services, database }

  type Part = {
    services?: Partial<CallServices>
    limits?: Partial<typeof limits>
    received?: Partial<ReceivedCall>
  }
  const ours: [what: string, part: Part][] = [
    ['its monitor cannot be looked up', { services: { database: gone } }],
    ['there is no place for it', { received: { atPlace: () => Promise.reject(fail('unavailable', 'Full.')) } }],
    ['it cannot be counted', { limits: { countCall: () => Promise.reject(broken) } }],
    ['it cannot be stored', { services: { publishResults: () => Promise.reject(broken) } }],
  ]
  const theirs: [what: string, part: Part][] = [
    ['its address leads nowhere', { received: { readings: readingsOfPing(['nobody']) } }],
    [
      'it is one too many',
      { limits: { countCall: async () => ({ ...(await limits.countCall()), isExceeded: true }) } },
    ],
    ['its body breaks off', { received: { readBody: () => Promise.reject(new Error('aborted')) } }],
  ]
  async function lostBy(part: Part): Promise<number> {
    lost = 0
    const call = { ...received, readings: readingsOfPing([token]), ...part.received }
    await assert.rejects(takeCall(callPartsOf({ ...usual, ...part.services }), { ...limits, ...part.limits }, call))
    return lost
  }

  for (const [what, part] of ours)
    it(`because ${what} must not count as missed`, async () => assert.equal(await lostBy(part), 1))
  for (const [what, part] of theirs)
    it(`because ${what} changes no deadline`, async () => assert.equal(await lostBy(part), 0))
})

const lookingMs = 100
const slowLimits = {
  countCall: async (): ReturnType<typeof limits.countCall> => {
    await pause(lookingMs)
    return limits.countCall()
  },
}

describe('the time of a call', async () => {
  const rounds: number[] = []
  const api = await testApi({
    services: { publishResults: async (_location, results) => void rounds.push(...results.map(({ round }) => round)) },
  })
  const answer = await api.post('/monitors', { name: 'Backup', kind: 'heartbeat' })
  const readings = readingsOfPing([created.parse(answer.body).heartbeat_url.split('/').at(-1) ?? assert.fail()])

  /** The round of a call that came at zero, by a clock that goes on while the body comes. */
  async function roundOf(bodyMs: number): Promise<number> {
    const startedMs = performance.now()
    const timeOf = (agoMs: number): { at: Date; round: number } => {
      const ms = performance.now() - startedMs - agoMs
      return { at: new Date(ms), round: Math.round(ms * 1000) }
    }
    const readBody = async (): Promise<string> => {
      if (bodyMs > 0) await pause(bodyMs)
      return ''
    }
    await takeCall(callPartsOf({ ...api.services, database: api.database }), slowLimits, {
      ...received,
      readings,
      readBody,
      timeOf,
    })
    return rounds.pop() ?? assert.fail('it is no result')
  }

  it('is that of its receipt, however long we look for its monitor', async () => {
    assert.ok((await roundOf(0)) < lookingMs * 1000)
  })

  it('is that of the end of its body, where this is long in coming', async () => {
    assert.ok((await roundOf(200)) >= 195_000)
  })
})

async function closedDatabase({ pool }: Database): Promise<Database> {
  const { host = '', user = '', password, database: name = '' } = pool.options
  const connection = { socketFolder: host, user, password: String(password), database: name }
  const database = openDatabase({ connection, maxConnections: 1 })
  await database.close()
  return database
}
