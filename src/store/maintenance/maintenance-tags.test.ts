import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { isInMaintenance } from './maintenance-cover.ts'
import { forgetTagged } from './maintenance-plan.ts'

const hour = 3_600_000

function ago(hours: number): Date {
  return new Date(Date.now() - hours * hour)
}

function now(): Date {
  return new Date()
}

describe('maintenance of monitors with a tag', async () => {
  const api = await testApi({ maxConnections: 5, plan: 'pro' })
  const { database, workspaceId } = api
  const { pool } = database

  const plan = (tags: string[], monitorIds?: string[], workspace = workspaceId) =>
    planMaintenance(database, {
      workspaceId: workspace,
      occurrences: [{ startsAt: ago(5), endsAt: ago(-5) }],
      monitorTags: tags,
      now: ago(6),
      ...(monitorIds === undefined ? {} : { monitorIds }),
    })
  /** As operations change them: a transaction that meets another one is made again. */
  const again = (text: string, values: unknown[]) => database.transaction(({ client }) => client.query(text, values))
  const clear = () => pool.query('delete from maintenance_windows')
  const tag = async (id: string, tags: string[]): Promise<void> => {
    const answer = await api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', tags } })
    assert.equal(answer.status, 200, answer.text)
  }
  /** Whether each of the moments is in a maintenance of the monitor. */
  const isHeld = async (id: string, ...moments: Date[]): Promise<boolean[]> => {
    const { rows } = await pool.query<{ held: boolean[] }>(
      `select array(
        select ${isInMaintenance('moment.at')}
        from unnest($2::timestamptz[]) with ordinality as moment (at, place)
        order by moment.place
      ) as held
      from monitors m
      where m.id = $1`,
      [id, moments],
    )
    return rows[0]?.held ?? assert.fail('no such monitor')
  }
  /** Moves what a tag change wrote last, as if it had been made at that time. */
  const dated = (column: 'since' | 'until', at: Date) =>
    pool.query(
      `update maintenance_tagged set ${column} = $1 where ${column} > now() - interval '1 minute'
      and ${column} < 'infinity'`,
      [at],
    )

  it('covers what has the tag, in any case, since ever, and nothing else', async () => {
    await clear()
    const shop = await createMonitor(api, { name: 'Shop', tags: ['Disks'] })
    const blog = await createMonitor(api, { name: 'Blog', tags: ['web'] })
    const named = await createMonitor(api, { name: 'Named' })
    await plan(['DISKS', 'tapes'], [named.id])
    const made = await createMonitor(api, { name: 'Made since', tags: ['tapes'] })
    for (const { id } of [shop, named, made]) assert.deepEqual(await isHeld(id, ago(4), now()), [true, true])
    assert.deepEqual(await isHeld(blog.id, ago(4), now()), [false, false])
    const other = await api.addWorkspace()
    await clear()
    await plan(['disks'], undefined, other.workspaceId)
    assert.deepEqual(await isHeld(shop.id, now()), [false])
  })

  it('covers what gets the tag from then on, and what lost it until then', async () => {
    await clear()
    const { id } = await createMonitor(api, { name: 'Shop', tags: ['web'] })
    await plan(['disks'])
    await tag(id, ['web', 'disks'])
    await dated('since', ago(3))
    assert.deepEqual(await isHeld(id, ago(4), ago(2), now()), [false, true, true])
    await tag(id, ['disks', 'web'])
    await tag(id, ['web'])
    await dated('until', ago(1))
    assert.deepEqual(await isHeld(id, ago(4), ago(2), ago(0.5), now()), [false, true, false, false])
    await tag(id, ['Disks'])
    assert.deepEqual(await isHeld(id, ago(2), ago(0.5), now()), [true, false, true])
  })

  it('follows the tags of the window in the same way', async () => {
    await clear()
    const { id } = await createMonitor(api, { name: 'Shop', tags: ['web'] })
    const { key } = await plan(['web'])
    const choose = (tags: string[]) =>
      pool.query('update maintenance_windows set monitor_tags = $2, covers_all = false where key = $1', [key, tags])
    await choose(['disks'])
    await dated('until', ago(2))
    assert.deepEqual(await isHeld(id, ago(3), ago(1), now()), [true, false, false])
    await choose(['disks', 'Web'])
    await choose(['web'])
    assert.deepEqual(await isHeld(id, ago(3), ago(1), now()), [true, false, true])
  })

  it('holds from one time to another only without a gap', async () => {
    await clear()
    const { id } = await createMonitor(api, { name: 'Shop', tags: ['web'] })
    await plan(['web'])
    await tag(id, [])
    await dated('until', ago(2))
    await tag(id, ['web'])
    await dated('since', ago(1))
    const { rows } = await pool.query<{ whole: boolean; across: boolean }>(
      `select ${isInMaintenance('$2::timestamptz', '$3::timestamptz')} as whole,
        ${isInMaintenance('$2::timestamptz', '$4::timestamptz')} as across
      from monitors m where m.id = $1`,
      [id, ago(4), ago(3), now()],
    )
    assert.deepEqual(rows, [{ whole: true, across: false }])
  })

  it('misses no tag that is given while the window is made or changed', { timeout: 120_000 }, async () => {
    await clear()
    const { id } = await createMonitor(api, { name: 'Shop' })
    const { key } = await plan(['web'])
    for (let turn = 0; turn < 20; turn += 1) {
      const tags = turn % 3 === 0 ? ['disks'] : ['web']
      const [made] = await Promise.all([
        plan(['web']),
        tag(id, turn % 2 === 0 ? ['web'] : ['disks', 'tapes']),
        again('update maintenance_windows set monitor_tags = $2 where key = $1', [key, tags]),
      ])
      const { rows } = await pool.query(
        `select
          w.key in (select window_key from maintenance_tagged where monitor_key = m.key and until = 'infinity') as covers,
          has_common_tag(w.monitor_tags, m.tags) as shares
        from monitors m, maintenance_windows w
        where m.id = $1 and w.key = any($2::bigint[])`,
        [id, [key, made.key]],
      )
      for (const { covers, shares } of rows) assert.equal(covers, shares, `turn ${turn}`)
    }
  })

  it('survives monitors and windows that are deleted meanwhile', async () => {
    await clear()
    for (let turn = 0; turn < 10; turn += 1) {
      const { id } = await createMonitor(api, { name: 'Shop', tags: ['web'] })
      const { key } = await plan(['disks'])
      await Promise.all([
        tag(id, ['disks']),
        again('delete from maintenance_windows where key = $1', [key]),
        plan(['web']),
      ])
      await Promise.all([api.request('DELETE', `/monitors/${id}`), plan(['disks'])])
    }
    const { rows } = await pool.query(
      'select from maintenance_tagged c where c.monitor_key not in (select key from monitors)',
    )
    assert.deepEqual(rows, [])
  })

  it('goes on where a workspace moves, and covers what it finds there from then on', async () => {
    await clear()
    const other = await api.addWorkspace()
    const theirs = await createMonitor(api, { name: 'Theirs', tags: ['web'] }, other.token)
    const mine = await createMonitor(api, { name: 'Mine', tags: ['web'] })
    await plan(['web'])
    const { rows: before } = await pool.query('select * from maintenance_tagged where until = $1', ['infinity'])
    await database.transaction(async ({ client }) => {
      for (const table of ['monitors', 'maintenance_windows'])
        await client.query(`update ${table} set workspace_id = $2 where workspace_id = $1`, [
          workspaceId,
          other.workspaceId,
        ])
    })
    assert.deepEqual(await isHeld(mine.id, ago(4), now()), [true, true])
    assert.deepEqual(await isHeld(theirs.id, ago(4), now()), [false, true])
    const { rows: after } = await pool.query('select * from maintenance_tagged where until = $1', ['infinity'])
    assert.equal(after.length, before.length + 1)
    await pool.query('update monitors set workspace_id = $1 where id <> $2', [workspaceId, theirs.id])
  })

  it('is forgotten with the times of maintenance', async () => {
    await clear()
    const { id } = await createMonitor(api, { name: 'Shop', tags: ['web'] })
    await plan(['web'])
    await tag(id, [])
    await dated('until', ago(3))
    assert.equal(await forgetTagged(database, ago(4), 10), 0)
    assert.equal(await forgetTagged(database, ago(2), 10), 1)
    assert.equal(await forgetTagged(database, ago(2), 10), 0)
  })
})
