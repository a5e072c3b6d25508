import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { z } from 'zod'
import { statusLimits } from '#core/status-pages/status-page.ts'
import { testApi } from '../../../test/support/api.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { addPage, visit } from '../../../test/support/status.ts'
import { listNotices } from '#store/maintenance/maintenance-notices.ts'
import { readNames } from './page-reports.ts'
import { replaceSections } from './status-pages.ts'

const shownSchema = z.object({
  sections: z.array(z.object({ name: z.string(), monitors: z.array(z.looseObject({})) })),
})

describe('a status page of monitors with a tag', async () => {
  const api = await testApi({ plan: 'pro' })
  const { database, workspaceId } = api
  const { pool } = database
  const now = new Date()

  afterEach(() => pool.query('delete from status_pages; delete from maintenance_windows; delete from monitors'))

  const namesOn = async (pageId: string): Promise<string[]> =>
    (await readNames(database, { pageId, workspaceId, now })).map(({ name }) => name)
  /** As operations change them: a transaction that meets another one is made again. */
  const tag = async (id: string, tags: string[]): Promise<void> => {
    await database.transaction(({ client }) => client.query('update monitors set tags = $2 where id = $1', [id, tags]))
  }

  it('shows them after those of its sections, the oldest first, as long as they have it', async () => {
    const [late, early] = [
      await createMonitor(api, { name: 'Late', tags: ['web'] }),
      await createMonitor(api, { name: 'Early', tags: ['Web'] }),
    ]
    await pool.query(`update monitors set created_at = created_at - interval '1 day' where id = $1`, [early.id])
    const listed = await createMonitor(api, { name: 'Listed', tags: ['web'] })
    const other = await createMonitor(api, { name: 'Other', tags: ['internal'] })
    const sections = [{ name: 'Shop', monitors: [{ monitorId: listed.id, name: 'Our shop' }] }]
    const { id } = await addPage(database, { workspaceId, slug: 'acme', sections, monitor_tags: ['WEB', 'public'] })
    assert.deepEqual(await namesOn(id), ['Our shop', 'Early', 'Late'])
    const shown = shownSchema.parse(JSON.parse((await visit(api, '/status/acme.json')).text))
    assert.deepEqual(
      shown.sections.map(({ name, monitors }) => [name, monitors.length]),
      [
        ['Shop', 1],
        ['', 2],
      ],
    )
    await tag(other.id, ['Public'])
    await tag(early.id, [])
    await createMonitor(api, { name: 'New', tags: ['web'] })
    assert.deepEqual(await namesOn(id), ['Our shop', 'Late', 'Other', 'New'])
    await pool.query('delete from monitors where id = $1', [late.id])
    assert.deepEqual(await namesOn(id), ['Our shop', 'Other', 'New'])
    await tag(listed.id, [])
    assert.deepEqual(await namesOn(id), ['Our shop', 'Other', 'New'])
  })

  it('shows each once, whatever happens to its sections and its tags', async () => {
    const shop = await createMonitor(api, { name: 'Shop', tags: ['web'] })
    const blog = await createMonitor(api, { name: 'Blog' })
    const { id } = await addPage(database, { workspaceId, slug: 'acme', monitor_tags: ['web'] })
    const place = (...ids: string[]) =>
      database.transaction((tx) =>
        replaceSections(tx, {
          pageId: id,
          sections: [{ name: '', monitors: ids.map((monitorId) => ({ monitorId, name: 'Named' })) }],
        }),
      )
    assert.deepEqual(await namesOn(id), ['Shop'])
    await place(blog.id, shop.id)
    assert.deepEqual(await namesOn(id), ['Named', 'Named'])
    await place(blog.id)
    assert.deepEqual(await namesOn(id), ['Named', 'Shop'])
    await pool.query(`update status_pages set monitor_tags = '{}' where id = $1`, [id])
    assert.deepEqual(await namesOn(id), ['Named'])
    await pool.query(`update status_pages set monitor_tags = '{web}' where id = $1`, [id])
    assert.deepEqual(await namesOn(id), ['Named', 'Shop'])
  })

  it('shows none of another workspace', async () => {
    const other = await api.addWorkspace()
    const { id } = await addPage(database, { workspaceId, slug: 'acme', monitor_tags: ['web'] })
    await createMonitor(api, { name: 'Theirs', tags: ['web'] }, other.token)
    await addPage(database, { workspaceId, slug: 'beta', monitor_tags: ['web'] })
    const { rows } = await pool.query('select from status_monitors')
    assert.deepEqual([await namesOn(id), rows], [[], []])
  })

  it('tells its subscribers of their incidents, and names them in maintenance', async () => {
    const shop = await createMonitor(api, { name: 'Shop', tags: ['web'] })
    const page = await addPage(database, { workspaceId, slug: 'told', monitor_tags: ['web'] })
    await planMaintenance(database, {
      workspaceId,
      occurrences: [{ startsAt: new Date(now.getTime() + 3_600_000), endsAt: new Date(now.getTime() + 7_200_000) }],
    })
    const notices = await listNotices(database, { pageId: page.id, workspaceId, now })
    assert.deepEqual(
      notices.map(({ monitors }) => monitors),
      [['Shop']],
    )
    await pool.query(
      `insert into status_subscribers (id, page_id, kind, destination, confirmed_at, created_at)
      values (gen_random_uuid(), $1, 'email', 'reader@example.com', now(), now())`,
      [page.id],
    )
    await addRunningIncident(database, shop, now)
    const { rows } = await pool.query('select type from status_events where page_id = $1', [page.id])
    assert.deepEqual(rows, [{ type: 'opened' }])
    assert.match((await visit(api, '/status/told.json')).text, /"incidents":\[\{/)
    await tag(shop.id, [])
    assert.deepEqual(await namesOn(page.id), [])
  })

  it('shows as many as a page may have, those of its sections first', async () => {
    const listed = await createMonitor(api, { name: 'Listed' })
    const first = await createMonitor(api, { name: 'First', tags: ['web'] })
    const page = await addPage(database, {
      workspaceId,
      slug: 'acme',
      monitorIds: [listed.id],
      monitor_tags: ['web'],
    })
    const others = async (table: string, own: string[]): Promise<string> => {
      const { rows } = await pool.query<{ names: string }>(
        `select string_agg(quote_ident(column_name), ', ') as names
        from information_schema.columns
        where table_name = $1 and column_name <> all($2)`,
        [table, own],
      )
      return rows[0]?.names ?? assert.fail(table)
    }
    const settings = await others('monitors', ['id', 'key', 'name', 'created_at'])
    const state = await others('monitor_state', ['monitor_key'])
    await pool.query(
      `insert into monitors (id, name, created_at, ${settings})
      select gen_random_uuid(), 'More', now() + interval '1 hour', ${settings}
      from monitors, generate_series(1, $2)
      where id = $1`,
      [first.id, statusLimits.monitors + 10],
    )
    await pool.query(
      `insert into monitor_state (monitor_key, ${state})
      select more.key, state.*
      from (select key from monitors where name = 'More') as more,
        (select ${state} from monitor_state where monitor_key = (select key from monitors where id = $1)) as state`,
      [first.id],
    )
    const shown = await namesOn(page.id)
    assert.deepEqual([shown.length, shown.slice(0, 3)], [statusLimits.monitors, ['Listed', 'First', 'More']])
  })

  it('misses no tag that is given while the page is made or changed', { timeout: 120_000 }, async () => {
    const { id } = await createMonitor(api, { name: 'Shop' })
    const { id: pageId } = await addPage(database, { workspaceId, slug: 'acme', monitor_tags: ['web'] })
    for (let turn = 0; turn < 20; turn += 1) {
      const tags = turn % 3 === 0 ? ['internal'] : ['web']
      const sections = [{ name: '', monitors: turn % 2 === 0 ? [{ monitorId: id, name: null }] : [] }]
      const [made] = await Promise.all([
        addPage(database, { workspaceId, slug: `page-${turn}`, monitor_tags: ['web'] }),
        tag(id, turn % 2 === 0 ? ['web'] : ['other']),
        database.transaction(async (tx) => {
          await tx.client.query('update status_pages set monitor_tags = $2 where id = $1', [pageId, tags])
          await replaceSections(tx, { pageId, sections })
        }),
      ])
      const { rows } = await pool.query<{ is_shown: boolean; shares: boolean }>(
        `select
          exists (select from status_monitors where page_id = p.id and monitor_id = m.id) as is_shown,
          has_common_tag(p.monitor_tags, m.tags) or (p.id = $2 and $4) as shares
        from monitors m, status_pages p where m.id = $1 and p.id = any(array[$2, $3]::uuid[])`,
        [id, pageId, made.id, turn % 2 === 0],
      )
      for (const { is_shown: isShown, shares } of rows) assert.equal(isShown, shares, `turn ${turn}`)
    }
  })
})
