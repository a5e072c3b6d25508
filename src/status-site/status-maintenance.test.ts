import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { planAnew } from '#store/maintenance/maintenance-plan.ts'
import { tellMaintenance } from '#jobs/status-chores.ts'
import { testApi } from '../../test/support/api.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { addIncident, addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { addPage, visit } from '../../test/support/status.ts'

const now = new Date('2026-11-21T10:00:00Z')
const hourMs = 3_600_000
const at = (hours: number): Date => new Date(now.getTime() + hours * hourMs)
const lasting = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) })

const atomSchema = z.object({
  feed: z.object({
    entry: z.array(z.object({ id: z.string(), title: z.string(), published: z.string(), content: z.looseObject({}) })),
  }),
})

describe('maintenance on a status page', async () => {
  const api = await testApi({ now: () => now })
  const { database, workspaceId } = api
  const ids: string[] = []
  for (let count = 1; count <= 12; count += 1)
    ids.push((await createMonitor(api, { name: count === 1 ? 'Shop & co' : `Site ${count}` })).id)
  await addPage(database, { workspaceId, slug: 'acme', monitorIds: ids, createdAt: at(-1000) })
  const planAt = at(-2000)
  const plan = (occurrences: { startsAt: Date; endsAt: Date }[], monitorIds?: string[]) =>
    planMaintenance(database, { workspaceId, occurrences, now: planAt, ...(monitorIds ? { monitorIds } : {}) })
  await plan([lasting(-1, 1), lasting(24, 25), lasting(9 * 24, 9 * 24 + 1), lasting(-40 * 24, -40 * 24 + 2)])
  const { text } = await visit(api, '/status/acme')

  it('is apart: what is under way and what is to come, with the names of some of its monitors', () => {
    const headings = [...text.matchAll(/<h2>([^<]+)<\/h2>\n<article/g)].map(([, heading]) => heading)
    assert.deepEqual(headings, ['Maintenance under way', 'Planned maintenance'])
    assert.equal([...text.matchAll(/<h3>Upgrade<\/h3>/g)].length, 2)
    assert.match(text, /<p class="t">Shop &amp; co, Site 2, .*, Site 10 and 2 more<\/p>/)
  })

  it('is in the history once it is over', async () => {
    const october = await visit(api, '/status/acme/history?month=2026-10')
    assert.match(october.text, /<h4>Maintenance: Upgrade<\/h4>/)
    assert.match(october.text, /12 Oct 2026, 10:00 UTC<\/time> to <time[^>]*>12 Oct 2026, 12:00 UTC/)
    assert.match((await visit(api, '/status/acme/history')).text, /Nothing happened in this month/)
    assert.equal((await visit(api, '/status/acme/history?month=2026-09')).status, 404)
  })

  it('is in the JSON, for programs', async () => {
    const schema = z.object({
      maintenance: z.array(z.object({ starts_at: z.string(), monitors: z.array(z.string()) })),
    })
    const { maintenance } = schema.parse(JSON.parse((await visit(api, '/status/acme.json')).text))
    assert.deepEqual(
      maintenance.map((each) => [each.starts_at, each.monitors.length]),
      [
        [at(-1).toISOString(), 12],
        [at(24).toISOString(), 12],
      ],
    )
  })

  it('is in the feeds from when it is announced, each time under an id of its own', async () => {
    const parser = new XMLParser({ isArray: (name) => name === 'entry', ignoreAttributes: false })
    const atom = await visit(api, '/status/acme/feed.atom')
    assert.equal(XMLValidator.validate(atom.text), true)
    const { entry } = atomSchema.parse(parser.parse(atom.text)).feed
    assert.deepEqual(
      entry.map(({ title, published }) => [title, published]),
      [
        ['Maintenance: Upgrade', at(24 - 7 * 24).toISOString()],
        ['Maintenance: Upgrade', at(-1 - 7 * 24).toISOString()],
      ],
    )
    assert.equal(new Set(entry.map(({ id }) => id)).size, 2)
    for (const { id } of entry) assert.match(id, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
    assert.match((await visit(api, '/status/acme/feed.rss')).text, /<title>Maintenance: Upgrade<\/title>/)
  })
})

describe('a monitor in maintenance', async () => {
  const api = await testApi({ now: () => now })
  const { database, workspaceId } = api
  const [shop, mail] = [await createMonitor(api, { name: 'Shop' }), await createMonitor(api, { name: 'Mail' })]
  await database.pool.query(`update monitor_state set current_status = 'up'`)
  const fail = () =>
    database.pool.query(
      `update monitor_state set current_status = 'down' from monitors m where m.key = monitor_key and m.id = $1`,
      [shop.id],
    )
  /** Pages are kept for some seconds, so each look is at another one. */
  let pages = 0
  async function look() {
    pages += 1
    const slug = `acme-${pages}`
    await addPage(database, { workspaceId, slug, monitorIds: [shop.id, mail.id], createdAt: at(-1000) })
    const ask = async (path: string) => (await visit(api, `/status/${slug}${path}`)).text
    return { ask, page: await ask(''), json: stateSchema.parse(JSON.parse(await ask('.json'))) }
  }
  const stateSchema = z.object({
    status: z.object({ indicator: z.string(), description: z.string() }),
    sections: z.array(
      z.object({ monitors: z.array(z.object({ state: z.string(), down_since: z.string().nullable() })) }),
    ),
    incidents: z.array(z.object({ monitor_name: z.string() })),
  })
  const plan = (from: number, to: number) =>
    planMaintenance(database, {
      workspaceId,
      monitorIds: [shop.id],
      occurrences: [lasting(from, to)],
      now: at(-2000),
    })

  it('is in maintenance and not down, on the page and all that is made of it', async () => {
    await plan(-2, 1)
    await addRunningIncident(database, shop, at(-1))
    await fail()
    const { ask, page, json } = await look()
    assert.match(page, /<title>Acme: 1 of 2 systems is under maintenance<\/title>/)
    assert.match(page, /<div class="st maintenance">/)
    assert.match(page, /<h3>Shop<\/h3><p class="s maintenance">Under maintenance<\/p>/)
    assert.doesNotMatch(page, /[Dd]own/)
    assert.deepEqual(json.status, { indicator: 'maintenance', description: '1 of 2 systems is under maintenance' })
    assert.deepEqual(json.sections[0]?.monitors, [
      { state: 'maintenance', down_since: null },
      { state: 'up', down_since: null },
    ])
    assert.deepEqual(json.incidents, [])
    assert.match(await ask('/embed'), /<span class="s maintenance">Under maintenance<\/span>/)
    assert.match(await ask(`/badge/${shop.id}/state.svg`), /Shop: Under maintenance/)
    assert.match(await ask('/badge.svg'), /1 of 2 systems is under maintenance/)
    assert.doesNotMatch(await ask('/feed.atom'), /is down/)
    assert.doesNotMatch(await ask('/history'), /is down/)
  })

  it('is paused where it is paused, and degraded nowhere', async () => {
    await database.pool.query(`update monitors set status = 'paused' where id = $1`, [shop.id])
    assert.match((await look()).page, /<h3>Shop<\/h3><p class="s plain">Paused/)
    await database.pool.query(`update monitors set status = 'enabled' where id = $1`, [shop.id])
  })

  it('is down when that is over, and has the incident that outlasted it', async () => {
    await database.pool.query('delete from maintenance_windows')
    await plan(-2, -0.5)
    const { ask, page, json } = await look()
    assert.match(page, /<h3>Shop<\/h3><p class="s bad">Down<\/p>/)
    assert.match(page, /<h3>Shop is down<\/h3>/)
    assert.equal(json.status.indicator, 'bad')
    assert.match(await ask('/feed.atom'), /Shop is down/)
  })

  it('has the incidents that began before, and none that it began and ended', async () => {
    await database.pool.query('delete from maintenance_windows; delete from incidents')
    await plan(-30, -20)
    const ended = (from: number, to: number, of = shop) =>
      addIncident(database, of, { startedAt: at(from).toISOString(), resolvedAt: at(to).toISOString() })
    await ended(-31, -29)
    await ended(-28, -27)
    await ended(-25, -20)
    await ended(-28, -27, mail)
    const { ask, json } = await look()
    assert.deepEqual(
      json.incidents.map(({ monitor_name: name }) => name),
      ['Shop', 'Mail', 'Shop'],
    )
    assert.equal([...(await ask('/history')).matchAll(/was down/g)].length, 3)
  })

  it('is in the feeds with what came of what was announced', async () => {
    await database.pool.query('delete from maintenance_windows; delete from incidents')
    const { key } = await plan(2, 3)
    const slug = 'told'
    await addPage(database, { workspaceId, slug, monitorIds: [shop.id] })
    const tell = (hours: number) => tellMaintenance({ database, now: () => at(hours) }, new AbortController().signal)
    await tell(-5)
    await database.transaction((tx) => planAnew(tx, { key, occurrences: [lasting(-4, -3)], now: at(-5) }))
    for (const hours of [-4.5, -4, -3]) await tell(hours)
    const rss = await visit(api, `/status/${slug}/feed.rss`)
    assert.equal(XMLValidator.validate(rss.text), true)
    const titles = [...rss.text.matchAll(/<item>.*?<title>(.*?)<\/title>/g)].map(([, title]) => title)
    assert.deepEqual(titles, [
      'Maintenance ended: Upgrade',
      'Maintenance started: Upgrade',
      'Maintenance changed: Upgrade',
    ])
    assert.match(rss.text, /From 21 Nov 2026, 06:00 UTC to 21 Nov 2026, 07:00 UTC/)
  })
})
