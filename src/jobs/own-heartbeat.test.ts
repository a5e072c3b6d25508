import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { noteMailTrouble, endMailTrouble } from '#store/installation/own-troubles.ts'
import { testDatabase } from '../../test/support/database.ts'
import { type Handler, httpServer } from '../../test/support/http-server.ts'
import { unstoring, unstoringDatabase } from '../../test/support/unstoring-database.ts'
import { heartbeatChore } from './own-heartbeat.ts'

async function keepWatching(database: Database): Promise<void> {
  await database.pool.query(`insert into engines (name, seen_at) values ('e', now() + interval '1 hour')`)
  await database.pool.query(`update partitions set owner = 'e', held_until = now() + interval '1 hour'`)
}

/** A receiver of heartbeats, and a service that sends them. */
async function bench(database: Database, answer: Handler = (_request, response) => void response.end('ok')) {
  const calls: string[] = []
  const { port } = await httpServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const log = { debug: warn, info: warn, warn, error: warn }
  const { run } = heartbeatChore({ database, log, heartbeatUrl: `http://127.0.0.1:${port}/heartbeat/key` })
  return { calls, warnings, look: (withinMs = 60_000) => run(AbortSignal.timeout(withinMs)) }
}

describe('the own heartbeat', () => {
  it('is sent while checks are made and alerts leave, and withheld for as long as they do not', async () => {
    const database = await testDatabase()
    const { calls, warnings, look } = await bench(database)
    await look()
    assert.deepEqual(calls, [], 'no engine is alive')
    await keepWatching(database)
    await look()
    await look()
    assert.deepEqual(calls.splice(0), ['GET /heartbeat/key', 'GET /heartbeat/key'])
    await noteMailTrouble(database, 'It is silent.')
    await look()
    await look()
    assert.deepEqual(calls, [])
    await endMailTrouble(database)
    await look()
    assert.equal(calls.length, 1)
    assert.equal(warnings.length, 2, 'each time it begins to be withheld')
  })

  for (const { what, setting, value, says } of unstoring)
    it(`is not sent while the database ${what}`, async () => {
      const { database, begin, end } = unstoringDatabase(await testDatabase(), { setting, value })
      await keepWatching(database)
      const { calls, look } = await bench(database)
      await begin()
      await assert.rejects(look(), says)
      assert.deepEqual(calls, [])
      await end()
      await look()
      assert.equal(calls.length, 1)
    })

  it('does not wait for an address that says nothing', async () => {
    const database = await testDatabase()
    await keepWatching(database)
    const { calls, look } = await bench(database, () => {})
    const late = { message: 'The address of PERIGEE_HEARTBEAT_URL did not answer in time.' }
    await assert.rejects(look(1_500), late, 'the process ends')
    const beganMs = performance.now()
    await assert.rejects(look(), late)
    assert.ok(performance.now() - beganMs < 20_000)
    assert.equal(calls.length, 2)
  })

  it('says when it is refused, without the address, and follows nobody elsewhere', async () => {
    const database = await testDatabase()
    await keepWatching(database)
    const refused = await bench(database, (_request, response) => void response.writeHead(404).end())
    await assert.rejects(refused.look(), { message: 'The address of PERIGEE_HEARTBEAT_URL answered 404.' })
    const elsewhere = await bench(
      database,
      (_request, response) => void response.writeHead(302, { Location: '/x' }).end(),
    )
    await assert.rejects(elsewhere.look(), { message: 'The address of PERIGEE_HEARTBEAT_URL answered 302.' })
    assert.deepEqual(elsewhere.calls, ['GET /heartbeat/key'])
  })
})
