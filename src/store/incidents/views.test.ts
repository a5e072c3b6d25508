import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { deleteWorkspace } from '#store/workspaces/workspace-removal.ts'
import { testApi } from '../../../test/support/api.ts'
import { addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { dumpOf } from '../../../test/support/secret-search.ts'
import { testView } from '../../../test/support/views.ts'
import { forgetViews, keepViews, type NewView, readViews } from './views.ts'

const at = new Date('2026-05-04T12:00:00Z')
const later = new Date('2026-05-04T12:01:00Z')
const roundOf = (time: Date): number => time.getTime() * 1000

describe('views at rest', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database } = api
  const { secrets } = api.services
  const keep = (...list: NewView[]): Promise<void> => keepViews(database, secrets, list)
  const read = ({ monitorId, incidentId }: NewView) => readViews(database, secrets, { monitorId, incidentId })

  async function viewOf(parts: Partial<NewView> = {}): Promise<NewView> {
    const { id: monitorId } = await createMonitor(api)
    const plain = { incidentId: null, location: 'amsterdam', round: roundOf(at), version: 1, view: testView() }
    return { ...plain, monitorId, ...parts }
  }
  async function withIncident(): Promise<NewView> {
    const monitor = await createMonitor(api)
    const incidentId = await addRunningIncident(database, monitor, at)
    return viewOf({ monitorId: monitor.id, incidentId })
  }
  async function count(): Promise<number> {
    const { rows } = await database.pool.query('select from location_views')
    return rows.length
  }

  it('come back as they were, and show nothing of their text', async () => {
    const view = testView({ error: 'a rare sentence', addresses: { resolved: ['203.0.113.99'], dialled: [] } })
    const told = await viewOf({ view })
    await keep(told)
    const [found] = await read(told)
    assert.deepEqual([found?.location, found?.at, found?.view], ['amsterdam', at, view])
    const dumped =
      Object.entries(await dumpOf(database.pool)).find(([name]) => name.endsWith('location_views'))?.[1] ?? ''
    for (const text of ['a rare sentence', '203.0.113.99']) assert.ok(dumped !== '' && !dumped.includes(text))
  })

  it('are bound to their rows', async () => {
    const [one, other] = [await viewOf(), await viewOf()]
    await keep(one, other)
    await database.pool.query(
      `update location_views set content = (select content from location_views where monitor_id = $1)
      where monitor_id = $2`,
      [one.monitorId, other.monitorId],
    )
    await assert.rejects(read(other))
  })

  it('are the newest of each location that was down, and of each that was not', async () => {
    const told = await viewOf()
    const isDown = testView({ status: 'down' })
    await keep(told, { ...told, view: isDown }, { ...told, location: 'boston' })
    await keep({ ...told, round: roundOf(later), view: testView({ status: 'degraded', server: 'newer' }) })
    await keep({ ...told, view: testView({ server: 'older' }) })
    assert.deepEqual(
      (await read(told)).map(({ location, at: seenAt, view }) => [location, seenAt, view.status, view.server]),
      [
        ['amsterdam', later, 'degraded', 'newer'],
        ['amsterdam', at, 'down', null],
        ['boston', at, 'up', null],
      ],
    )
  })

  it('are of an incident the first of each location, beside those of its monitor', async () => {
    const told = await withIncident()
    await keep(told, { ...told, incidentId: null, view: testView({ server: 'of the monitor' }) })
    await keep({ ...told, round: roundOf(later), view: testView({ server: 'later' }) })
    await keep({ ...told, location: 'boston' })
    const ofIncident = await read(told)
    assert.deepEqual(
      ofIncident.map(({ location, view }) => [location, view.server]),
      [
        ['amsterdam', null],
        ['boston', null],
      ],
    )
    const [newest] = await read({ ...told, incidentId: null })
    assert.equal(newest?.view.server, 'of the monitor')
  })

  it('are none of a monitor or incident that is gone, and go with both', async () => {
    await database.pool.query('delete from location_views')
    await keep(await viewOf({ monitorId: randomUUID() }), await viewOf({ incidentId: randomUUID() }))
    assert.equal(await count(), 0)
    const told = await withIncident()
    await keep(told, { ...told, incidentId: null })
    await database.pool.query('delete from incidents where id = $1', [told.incidentId])
    assert.equal(await count(), 1)
    await database.pool.query('delete from monitors where id = $1', [told.monitorId])
    assert.equal(await count(), 0)
  })

  it('are not shown of a monitor that looks at something else by now', async () => {
    const told = await withIncident()
    await keep(told, { ...told, incidentId: null })
    await database.pool.query('update monitors set version = version + 1 where id = $1', [told.monitorId])
    assert.deepEqual(await read({ ...told, incidentId: null }), [])
    assert.equal((await read(told)).length, 1)
  })

  it('go after their time, the oldest first and some at once', async () => {
    await database.pool.query('delete from location_views')
    for (const location of ['a', 'b', 'c']) await keep(await viewOf({ location }))
    const soon = new Date(Date.now() + 60_000)
    assert.equal(await forgetViews(database, new Date(Date.now() - 60_000), 10), 0)
    assert.equal(await forgetViews(database, soon, 2), 2)
    assert.equal(await forgetViews(database, soon, 2), 1)
  })

  it('are the newest 10 MB of a workspace', async () => {
    await database.pool.query('delete from location_views')
    const told = await viewOf()
    await keep(told)
    await database.pool.query(
      `insert into location_views (id, monitor_id, workspace_id, location, is_down, version, round_at, content, bytes, kept_at)
      select gen_random_uuid(), monitor_id, workspace_id, 'place ' || n, false, 1, round_at, content, 1024 * 1024,
        now() - n * interval '1 minute'
      from location_views, generate_series(1, 12) as n`,
    )
    await keep({ ...told, round: roundOf(later) })
    const { rows } = await database.pool.query<{ location: string }>(
      'select location from location_views order by kept_at',
    )
    assert.deepEqual(
      rows.map(({ location }) => location),
      [9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `place ${n}`).concat('amsterdam'),
    )
  })

  it('go with their workspace', async () => {
    const told = await withIncident()
    await keep(told)
    await database.transaction((tx) => deleteWorkspace(tx, { workspaceId: api.workspaceId, at }))
    assert.equal(await count(), 0)
  })
})
