import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { testApi } from '../../test/support/api.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'
import { createMonitor } from '../../test/support/monitors.ts'
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
