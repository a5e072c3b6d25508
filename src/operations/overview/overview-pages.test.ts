import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Overview, overviewSchema } from '#core/overview.ts'
import { addMember } from '#store/people/members.ts'
import { addDays, addResults, addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'

const now = new Date()
const pageSchema = overviewSchema.extend({ next_cursor: z.string().nullable() })
type Page = z.infer<typeof pageSchema>

function idsOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ monitors }) => monitors.map(([id]) => id))
}

describe('the overview by pages', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const { browser, personId } = await people.newcomer('viewer@example.com')
  await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'viewer', at: now }))
  const get = (path: string, workspace = workspaceId) => browser.api('GET', path, { workspace })

  async function readWhole(): Promise<Overview> {
    return overviewSchema.parse((await get('/overview')).body)
  }
  async function readPage(limit: number, cursor: string | null): Promise<Page> {
    const behind = cursor === null ? '' : `&cursor=${cursor}`
    return pageSchema.parse((await get(`/overview?limit=${limit}${behind}`)).body)
  }
  async function readPages(limit: number): Promise<Page[]> {
    const pages: Page[] = []
    let cursor: string | null = null
    do {
      const page: Page = await readPage(limit, cursor)
      pages.push(page)
      cursor = page.next_cursor
    } while (cursor !== null)
    return pages
  }
  const monitors = []
  for (let count = 0; count < 6; count += 1) monitors.push(await createMonitor(api, { name: `Monitor ${count}` }))
  const [first, second] = monitors
  if (first === undefined || second === undefined) throw new Error('There are six.')
  const grouped = { kind: 'group', url: undefined }
  await createMonitor(api, {
    ...grouped,
    check_options: { member_ids: [first.id], group_policy: 'all' },
  })
  // Several of one moment, as an import makes them: their ids decide.
  await database.pool.query('update monitors set created_at = $1', [now])
  const late = await createMonitor(api, {
    ...grouped,
    check_options: { member_ids: [first.id, second.id], group_policy: 'all' },
  })
  await database.pool.query('update monitors set created_at = $1 where id = $2', [new Date(now.getTime() + 1), late.id])
  await addResults(database, first.id, [{ at: new Date(now.getTime() - 60_000), latencyMs: 70 }])
  await addDays(database, second.id, [{ date: now.toISOString().slice(0, 10), up: 9, down: 1 }])
  const incidentId = await addRunningIncident(database, first, now)

  it('has in any size the same rows as the whole, in the same order', async () => {
    const whole = await readWhole()
    assert.equal(whole.monitors.length, 8)
    for (let limit = 1; limit <= 9; limit += 1) {
      const pages = await readPages(limit)
      assert.deepEqual(
        pages.flatMap((page) => page.monitors),
        whole.monitors,
        `pages of ${limit}`,
      )
      assert.deepEqual(
        pages.flatMap((page) => page.groups),
        whole.groups,
      )
      assert.equal(pages.length, Math.ceil(8 / limit))
      assert.ok(pages.every((page) => page.monitors.length <= limit))
    }
  })

  it('has incidents on the first page only, and says of each page when it was so', async () => {
    const { incidents, quiet_since: quietSince } = await readWhole()
    const pages = await readPages(3)
    assert.deepEqual(
      pages.map((page) => page.incidents.map(({ id }) => id)),
      [[incidentId], [], []],
    )
    assert.deepEqual([pages[0]?.incidents, pages[0]?.quiet_since], [incidents, quietSince])
    for (const [place, page] of pages.entries()) {
      const before = pages[place - 1]
      assert.ok(before === undefined || (page.at >= before.at && BigInt(page.horizon) >= BigInt(before.horizon)))
    }
  })

  it('is whole, and has no cursor, where nothing is asked for', async () => {
    const { body } = await get('/overview')
    assert.deepEqual(Object.keys(z.record(z.string(), z.unknown()).parse(body)), [
      'at',
      'today',
      'horizon',
      'monitors',
      'groups',
      'incidents',
      'quiet_since',
    ])
  })

  it('repeats nothing and leaves nothing out when monitors are made and deleted between pages', async () => {
    const shown = await readPage(3, null)
    const [gone] = idsOf([shown]).slice(-1)
    const whole = await readWhole()
    const unseen = whole.monitors.map(([id]) => id).slice(3)
    const [alsoGone, ...left] = unseen
    for (const id of [gone, alsoGone]) assert.equal((await api.request('DELETE', `/monitors/${id}`)).status, 204)
    const added = await createMonitor(api, { name: 'Added' })
    await database.pool.query('update monitors set created_at = $1 where id = $2', [
      new Date(now.getTime() + 2),
      added.id,
    ])
    const others: Page[] = []
    let cursor = shown.next_cursor
    while (cursor !== null) {
      const page = await readPage(2, cursor)
      others.push(page)
      cursor = page.next_cursor
    }
    assert.deepEqual(idsOf(others), [...left, added.id])
  })

  it('refuses a cursor that was not made for this list of this workspace, and a size beyond what is allowed', async () => {
    const { next_cursor: cursor } = await readPage(1, null)
    const elsewhere = await api.addWorkspace()
    await database.transaction((tx) =>
      addMember(tx, { workspaceId: elsewhere.workspaceId, personId, role: 'viewer', at: now }),
    )
    const ofOthers = await get(`/overview?limit=1&cursor=${cursor}`, elsewhere.workspaceId)
    assert.deepEqual(refusalOf(ofOthers), [400, 'validation_failed', 'cursor'])
    // Which of the others are left depends on their ids.
    await addRunningIncident(database, await createMonitor(api, { name: 'Fresh' }), now)
    await addRunningIncident(database, await createMonitor(api, { name: 'Fresher' }), now)
    const list = z.object({ next_cursor: z.string() }).parse((await get('/incident-pages?limit=1')).body)
    const [place = '', signature = ''] = (cursor ?? '').split('.')
    for (const wrong of [list.next_cursor, '1', `${place}.`, place, `.${signature}`, `${place}x.${signature}`])
      assert.deepEqual(refusalOf(await get(`/overview?cursor=${wrong}`)), [400, 'validation_failed', 'cursor'], wrong)
    for (const wrong of ['0', '5001', '-1', '1.5', 'all', ''])
      assert.deepEqual(refusalOf(await get(`/overview?limit=${wrong}`)), [400, 'validation_failed', 'limit'], wrong)
    assert.equal((await get('/overview?limit=5000')).status, 200)
  })
})
