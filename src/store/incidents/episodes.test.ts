import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { addContact } from '../../../test/support/engine.ts'
import { degradedAlertOf } from '../../../test/support/alerts.ts'
import { testApi } from '../../../test/support/api.ts'
import { addHistoryMonitor } from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { dyingDatabase } from '../../../test/support/dying-database.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import { claimDelivery } from '#store/contacts/delivery-attempts.ts'
import {
  beginEpisodes,
  type EpisodeBeginning,
  endEpisodes,
  forgetMonitorEvents,
  listMonitorEvents,
} from './episodes.ts'

const at = new Date('2031-03-10T12:00:00Z')

describe('episodes', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database, workspaceId } = api

  async function monitor(): Promise<{ id: string; key: number }> {
    return addHistoryMonitor(database, (await createMonitor(api)).id)
  }

  const begin = (given: EpisodeBeginning): Promise<Set<string>> =>
    database.transaction((tx) => beginEpisodes(tx, 'degraded', [given]))
  const end = (id: string, monitorKey: number, on = at) =>
    database.transaction((tx) => endEpisodes(tx, 'degraded', [{ id, monitorKey, at: on, message: 'Over.' }]))
  const list = (monitorId: string) => listMonitorEvents(database, { workspaceId, monitorId, limit: 100 })

  it('begin once, while none of the type runs', async () => {
    const { id, key } = await monitor()
    const [first, second] = [beginning(key), beginning(key)]
    assert.deepEqual(await begin(first), new Set([first.id]))
    assert.deepEqual(await begin(second), new Set())
    assert.deepEqual(
      (await list(id)).map((event) => event.id),
      [first.id],
    )
    const slow = await database.transaction((tx) => beginEpisodes(tx, 'slow', [second]))
    assert.deepEqual(slow, new Set([second.id]), 'the other type is by itself')
  })

  it('do not begin of a monitor that was changed meanwhile', async () => {
    const { id, key } = await monitor()
    assert.deepEqual(await begin(beginning(key, { version: 2 })), new Set())
    assert.deepEqual(await list(id), [])
  })

  it('end once, and say since when they were', async () => {
    const { id, key } = await monitor()
    const given = beginning(key)
    await begin(given)
    const over = new Date('2031-03-10T12:30:00Z')
    const ended = await end(given.id, key, over)
    assert.deepEqual(ended.get(given.id), { id: given.id, startedAt: given.startedAt, endedAt: over })
    assert.deepEqual(await end(given.id, key, over), new Map())
    const [last, first] = await list(id)
    assert.deepEqual([first?.type, last?.type, last?.at], ['degraded', 'degraded_ended', over.toISOString()])
  })

  it('never end before they began, by whatever clock', async () => {
    const { key } = await monitor()
    const given = beginning(key)
    await begin(given)
    const ended = await end(given.id, key, new Date('2031-03-10T11:00:00Z'))
    assert.deepEqual(ended.get(given.id)?.endedAt, at)
  })

  it('leave nothing where the process dies before the commit', async () => {
    const { id, key } = await monitor()
    const given = beginning(key)
    for (const diesAt of [0, 1])
      await assert.rejects(
        dyingDatabase(database, diesAt).transaction(async (tx) => {
          await beginEpisodes(tx, 'degraded', [given])
          await enqueueAlerts(tx, [
            { workspaceId, monitorId: id, incidentId: null, alert: degradedAlertOf('monitor.degraded'), at },
          ])
        }),
      )
    assert.deepEqual(await list(id), [])
    assert.deepEqual(await begin(given), new Set([given.id]))
  })

  it('keep their events for so many days, and the beginning of one that runs', async () => {
    const [gone, running] = [await monitor(), await monitor()]
    const [first, second] = [beginning(gone.key), beginning(running.key)]
    await begin(first)
    await begin(second)
    await end(first.id, gone.key)
    assert.equal(await forgetMonitorEvents(database, { now: new Date('2031-06-08T12:00:00Z'), days: 90 }), 0)
    await forgetMonitorEvents(database, { now: new Date('2031-06-08T12:00:01Z'), days: 90 })
    assert.deepEqual([(await list(gone.id)).length, (await list(running.id)).length], [0, 1])
  })

  it('are told of in their order: the end waits for the beginning', async () => {
    const { id, key } = await monitor()
    await addContact(database, workspaceId)
    const given = beginning(key)
    await begin(given)
    const of = { workspaceId, monitorId: id, incidentId: null, episodeId: given.id, at }
    await database.transaction((tx) =>
      enqueueAlerts(tx, [
        { ...of, alert: degradedAlertOf('monitor.degraded_ended') },
        { ...of, alert: degradedAlertOf('monitor.degraded') },
      ]),
    )
    const idOf = async (type: string): Promise<string> => {
      const found = await database.pool.query<{ id: string }>(
        `select id from deliveries where episode_id = $1 and alert ->> 'type' = $2`,
        [given.id, type],
      )
      return found.rows[0]?.id ?? assert.fail(type)
    }
    const [first, second] = [await idOf('monitor.degraded'), await idOf('monitor.degraded_ended')]
    // Also while the beginning has to be tried again later.
    await database.pool.query(`update deliveries set due_at = now() + interval '1 hour' where id = $1`, [first])
    assert.equal(await claimDelivery(database, second), null)
    await database.pool.query(`update deliveries set state = 'delivered' where id = $1`, [first])
    assert.equal((await claimDelivery(database, second))?.id, second)
  })
})

function beginning(monitorKey: number, given: Partial<EpisodeBeginning> = {}): EpisodeBeginning {
  const startedAt = new Date('2031-03-10T11:57:00Z')
  return { id: randomUUID(), monitorKey, version: 1, startedAt, at, message: 'Degraded.', details: {}, ...given }
}
