import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { noteMailTrouble, endMailTrouble } from '#store/installation/own-troubles.ts'
import { nudgeDeliveries } from '#store/contacts/nudges.ts'
import { testApi } from '../../test/support/api.ts'
import { addContact } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
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

  const hour = `interval '1 hour'`
  const failures: [what: string, begin: string, end: string][] = [
    [
      'a monitor is not checked',
      `update monitor_state set round_at = now() - ${hour}`,
      'update monitor_state set round_at = now()',
    ],
    [
      'an alert is overdue that its receiver does not hold up',
      `insert into deliveries (id, workspace_id, alert_channel_id, alert, due_at)
      select gen_random_uuid(), workspace_id, id, '{}', now() - ${hour}
      from alert_channels`,
      'delete from deliveries',
    ],
    [
      'a job is overdue',
      `select graphile_worker.add_job('mail', run_at => now() - ${hour})`,
      'delete from graphile_worker._private_jobs',
    ],
  ]
  for (const [what, begin, end] of failures)
    it(`is withheld while ${what}`, async () => {
      const api = await testApi()
      const { database } = api
      await keepWatching(database)
      await createMonitor(api, { interval_seconds: 60 })
      await database.pool.query(`update monitors set created_at = now() - ${hour}`)
      await database.pool.query('update monitor_state set round_at = now()')
      await addContact(database, api.workspaceId)
      const { calls, look } = await bench(database)
      await look()
      assert.equal(calls.length, 1)
      await database.pool.query(begin)
      await look()
      assert.equal(calls.length, 1)
      await database.pool.query(end)
      await look()
      assert.equal(calls.length, 2)
    })

  it('is sent although alerts wait for a receiver that fails, and jobs for it', async () => {
    const api = await testApi()
    const { database } = api
    await keepWatching(database)
    const contact = await addContact(database, api.workspaceId)
    await database.pool.query('update alert_channels set failing_since = now()')
    await database.pool.query(
      `insert into deliveries (id, workspace_id, alert_channel_id, alert, due_at)
      select gen_random_uuid(), $1, $2, '{}', now() - ${hour}
      from generate_series(1, 20)`,
      [api.workspaceId, contact],
    )
    const { rows } = await database.pool.query<{ id: string }>('select id from deliveries')
    await nudgeDeliveries(
      database.pool,
      rows.map(({ id }) => id),
    )
    const { calls, look } = await bench(database)
    await look()
    assert.equal(calls.length, 1)
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

  it('says when it is not reached, without the address', async () => {
    const database = await testDatabase()
    await keepWatching(database)
    const { look } = await bench(database, (request) => void request.socket.destroy())
    await assert.rejects(look(), {
      message: 'The address of PERIGEE_HEARTBEAT_URL could not be reached, or broke off (UND_ERR_SOCKET).',
    })
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
