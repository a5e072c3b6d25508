import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Occurrence } from '#core/maintenance.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { testApi } from '../../../test/support/api.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { addPage } from '../../../test/support/status.ts'
import { findFirstMaintenance, listNotices, listPastMaintenance } from './maintenance-notices.ts'

const now = new Date('2026-11-21T10:00:00Z')
const hourMs = 3_600_000

function at(hours: number): Date {
  return new Date(now.getTime() + hours * hourMs)
}

function lasting(from: number, to: number): Occurrence {
  return { startsAt: at(from), endsAt: at(to) }
}

describe('the maintenance that a status page tells of', async () => {
  const api = await testApi({ now: () => now })
  const { database, workspaceId } = api
  const other = await api.addWorkspace()
  const [shop, blog, hidden] = [
    await createMonitor(api, { name: 'Shop' }),
    await createMonitor(api, { name: 'Blog' }),
    await createMonitor(api, { name: 'Hidden' }),
  ]
  const page = await addPage(database, {
    workspaceId,
    slug: 'acme',
    sections: [
      { name: 'First', monitors: [{ monitorId: shop.id, name: 'Our shop' }] },
      { name: 'Second', monitors: [{ monitorId: blog.id, name: null }] },
    ],
  })
  const of = { pageId: page.id, workspaceId, now }
  const plan = (occurrences: Occurrence[], monitorIds?: string[], workspace = workspaceId) =>
    planMaintenance(database, {
      workspaceId: workspace,
      occurrences,
      // A plan made long before its occurrences keeps all of them; none counts as over.
      now: at(-100 * 24),
      ...(monitorIds === undefined ? {} : { monitorIds }),
    })
  const clear = () => database.pool.query('delete from maintenance_windows')
  const hoursOf = (found: { startsAt: Date; endsAt: Date }[]) =>
    found.map(({ startsAt, endsAt }) => [startsAt, endsAt].map((time) => (time.getTime() - now.getTime()) / hourMs))

  it('is what covers a monitor of the page, under the names of the page and in its order', async () => {
    await clear()
    const { id } = await plan([lasting(-1, 1)])
    await plan([lasting(0, 2)], [blog.id, hidden.id])
    await plan([lasting(1, 2)], [hidden.id])
    await plan([lasting(1, 2)], undefined, other.workspaceId)
    const found = await listNotices(database, of)
    assert.deepEqual(
      found.map(({ monitors }) => monitors),
      [['Our shop', 'Blog'], ['Blog']],
    )
    assert.deepEqual(found[0], {
      id,
      title: 'Upgrade',
      description: '',
      startsAt: at(-1),
      endsAt: at(1),
      createdAt: at(-100 * 24),
      monitors: ['Our shop', 'Blog'],
    })
    assert.deepEqual(await listNotices(database, { ...of, workspaceId: other.workspaceId }), [])
  })

  it('is what covers a monitor of the page by a tag: where it is over, while the monitor had it', async () => {
    await clear()
    const tagged = (occurrences: Occurrence[]) =>
      planMaintenance(database, { workspaceId, occurrences, monitorTags: ['web'], now: at(-100 * 24) })
    await database.pool.query(`update monitors set tags = '{web}' where id = any($1)`, [[blog.id, hidden.id]])
    await tagged([lasting(-5, -3), lasting(-1, 1), lasting(2, 3)])
    const shown = async () => (await listNotices(database, of)).map(({ monitors }) => monitors)
    const past = async () =>
      (await listPastMaintenance(database, { ...of, from: at(-24), until: at(24) })).map(({ monitors }) => monitors)
    assert.deepEqual(await shown(), [['Blog'], ['Blog']])
    assert.deepEqual([await past(), await findFirstMaintenance(database, of)], [[['Blog']], at(-5)])
    await database.pool.query(`update monitors set tags = '{}' where id = $1`, [blog.id])
    await database.pool.query(`update maintenance_tagged set until = $1 where until < 'infinity'`, [at(-0.5)])
    assert.deepEqual(await shown(), [])
    assert.deepEqual([await past(), await findFirstMaintenance(database, of)], [[['Blog']], at(-5)])
    await database.pool.query(`update maintenance_tagged set until = $1 where until < 'infinity'`, [at(-6)])
    assert.deepEqual([await past(), await findFirstMaintenance(database, of)], [[], null])
  })

  const week = 7 * 24
  for (const [name, occurrence, isShown] of [
    ['ended this moment', lasting(-1, 0), false],
    ['ends a moment later', lasting(-1, 1 / hourMs), true],
    ['is under way for thirty days', lasting(-30 * 24, 1), true],
    ['begins this moment', lasting(0, 1), true],
    ['begins just within seven days', lasting(week - 1 / hourMs, week + 1), true],
    ['begins in seven days', lasting(week, week + 1), false],
  ] as const)
    it(`${isShown ? 'shows' : 'leaves out'} what ${name}`, async () => {
      await clear()
      await plan([occurrence])
      assert.equal((await listNotices(database, of)).length, isShown ? 1 : 0)
    })

  it('is three times of a window, and twenty in all', async () => {
    await clear()
    await plan(Array.from({ length: 50 }, (_, index) => lasting(index, index + 0.5)))
    assert.deepEqual(hoursOf(await listNotices(database, of)), [
      [0, 0.5],
      [1, 1.5],
      [2, 2.5],
    ])
    for (let count = 0; count < 8; count += 1) await plan([lasting(3, 4), lasting(5, 6), lasting(7, 8)])
    const found = await listNotices(database, of)
    assert.equal(found.length, 20)
    assert.deepEqual(
      found.map(({ startsAt }) => startsAt),
      found.map(({ startsAt }) => startsAt).toSorted((one, two) => one.getTime() - two.getTime()),
    )
  })

  it('has a past by months, which begins with the first that is over', async () => {
    await clear()
    assert.equal(await findFirstMaintenance(database, of), null)
    await plan([lasting(-60 * 24, -60 * 24 + 1), lasting(-48, -47), lasting(-1, 1), lasting(30, 31)])
    await plan([lasting(-80 * 24, -80 * 24 + 1)], [hidden.id])
    assert.deepEqual(await findFirstMaintenance(database, of), at(-60 * 24))
    const during = (from: number, until: number) =>
      listPastMaintenance(database, { ...of, from: at(from), until: at(until) })
    assert.deepEqual(hoursOf(await during(-48, 24)), [[-48, -47]])
    assert.deepEqual(hoursOf(await during(-47.5, 24)), [])
    assert.deepEqual(hoursOf(await during(-72, -48)), [])
    assert.deepEqual(
      (await during(-61 * 24, 0)).map(({ startsAt }) => startsAt.getTime()),
      [at(-60 * 24), at(-48)].map((time) => time.getTime()),
    )
  })

  it('is nothing of a page without monitors', async () => {
    await clear()
    const empty = await addPage(database, { workspaceId, slug: 'empty' })
    await plan([lasting(-1, 1), lasting(dayMs / hourMs, 25)])
    assert.deepEqual(await listNotices(database, { ...of, pageId: empty.id }), [])
  })
})
