import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { addDays } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { deleteStatusPage } from '#store/status-pages/status-pages.ts'
import { testApi } from '../../test/support/api.ts'
import {
  addDays as addUptime,
  addIncident,
  addResults,
  addRunningIncident,
  createMonitor,
} from '../../test/support/monitors.ts'
import { addImage, addPage, addPost, visit } from '../../test/support/status.ts'
import { until } from '../../test/support/until.ts'
import { accentStyle } from './status-assets.ts'

const now = new Date('2026-11-21T10:07:00Z')
const today = '2026-11-21'
const nasty = `<script>alert("x")</script>'&`
const secretUrl = 'https://internal-7f3a.example/health?token=topsecret'

describe('a public status page', async () => {
  const api = await testApi({ maxConnections: 5, now: () => now })
  const { database, workspaceId } = api
  const monitor = async (name: string, more: Record<string, unknown> = {}) =>
    createMonitor(api, { name, url: secretUrl, ...more })
  const shop = await monitor('Shop')
  const mail = await monitor(nasty, { charts: 'uptime' })
  const probe = await monitor('Probe', { charts: 'response' })
  const fresh = await monitor('Fresh')
  const hidden = await monitor('Hidden internal thing')
  const days = Array.from({ length: 5 }, (_, back) => addDays(today, -back))
  await addUptime(
    database,
    shop.id,
    days.map((date, index) => ({ date, up: 1439 - 19 * index, down: index * 20 })),
  )
  for (const { id } of [mail, probe, hidden])
    await addUptime(
      database,
      id,
      days.map((date) => ({ date, up: 1440 })),
    )
  for (const { id } of [shop, mail, probe])
    await addResults(database, id, [
      { at: '2026-11-21T09:40:00Z', latencyMs: 100 },
      { at: '2026-11-21T09:41:00Z', latencyMs: 300 },
      { at: '2026-11-21T09:50:00Z', status: 'down', latencyMs: null, error: 'topsecret' },
    ])
  await database.pool.query(
    `update monitor_state set current_status = 'up' where monitor_key in (select key from monitors where id = any($1))`,
    [[shop.id, mail.id, probe.id, hidden.id]],
  )
  const incidentId = await addRunningIncident(database, shop, new Date('2026-11-21T09:20:00Z'))
  await addIncident(database, mail, { startedAt: '2026-11-15T08:00:00Z', resolvedAt: '2026-11-15T08:30:00Z' })
  await addIncident(database, mail, { startedAt: '2026-09-02T08:00:00Z', resolvedAt: '2026-09-02T09:00:00Z' })
  await addIncident(database, hidden, { startedAt: '2026-11-15T08:00:00Z', resolvedAt: '2026-11-15T08:30:00Z' })
  const post = await addPost(database, {
    workspaceId,
    incidentId,
    state: 'identified',
    body: `We know.\nSee https://example.com/a?b=1&c=2. ${nasty}`,
    postedAt: new Date('2026-11-21T09:30:00Z'),
  })
  const sections = [
    {
      name: 'Front <b>',
      monitors: [
        { monitorId: shop.id, name: 'Our shop' },
        { monitorId: fresh.id, name: null },
      ],
    },
    {
      name: '',
      monitors: [
        { monitorId: mail.id, name: null },
        { monitorId: probe.id, name: null },
      ],
    },
  ]
  const page = await addPage(database, {
    workspaceId,
    slug: 'acme',
    domain: 'status.acme.example',
    title: `Acme ${nasty}`,
    description: `What we do ${nasty}`,
    homepage: 'https://acme.example/?a=1&b="2"',
    sections,
  })
  await database.pool.query(`update status_pages set created_at = '2026-01-01T00:00:00Z'`)
  const announcement = await addPost(database, {
    workspaceId,
    pageId: page.id,
    title: nasty,
    body: 'Closed on Sunday.',
    postedAt: new Date('2026-11-20T09:30:00Z'),
  })
  const get = (path: string, headers: Record<string, string> = {}) => visit(api, path, { headers })

  const value = async (path: string): Promise<string> => {
    const { status, headers, text } = await get(`/status/acme${path}`)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'], path)
    assert.equal(XMLValidator.validate(text), true)
    return /<title>(.*)<\/title>/.exec(text)?.[1] ?? ''
  }
  const at = (path: string, host = 'status.acme.example') => visit(api, path, { host })

  it('is HTML that runs nothing of its own and may stand in no frame', async () => {
    const { status, headers, text } = await get('/status/acme')
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(rule), rule)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.doesNotMatch(text, / style=|<style|<script>|javascript:|onclick|onerror=/i)
    assert.equal(text.match(/<script/g)?.length, 1)
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=5, stale-while-revalidate=\d+/)
  })

  it('says how everything is, in words', async () => {
    const { text } = await get('/status/acme')
    assert.match(text, /<h2>1 of 3 systems is down<\/h2>/)
    assert.match(text, /<h3>Our shop<\/h3><p class="s bad">Down<\/p>/)
    assert.match(text, /<h3>Fresh<\/h3><p class="s plain">No data yet<\/p><\/div><p class="a"><span>No checks yet/)
    assert.match(text, /Down since <time datetime="2026-11-21T09:20:00Z">21 Nov 2026, 09:20 UTC<\/time>/)
    assert.match(text, /17 Nov: 94.\d\d %, 80 of 1,443 failed/)
    assert.match(text, /24 Aug to 16 Nov: not watched yet/)
    assert.match(text, /Response .*200 ms/)
    assert.equal(text.match(/Response/g)?.length, 2, 'of Our shop and Probe alone')
    assert.match(text, /<h3>Our shop is down<\/h3>/)
    assert.match(text, /We know\.<br>See <a href="https:\/\/example\.com\/a\?b=1&amp;c=2"/)
    assert.match(text, /<h3 class="y">15 Nov 2026<\/h3>/)
    assert.doesNotMatch(text, /2 Sep 2026</)
  })

  it('shows text as text', async () => {
    for (const path of ['/status/acme', '/status/acme/embed', '/status/acme/history']) {
      const { text } = await get(path)
      assert.doesNotMatch(text, /<script>alert|<b>/)
      assert.match(text, /&lt;script&gt;alert\(&quot;x&quot;\)/, path)
    }
  })

  it('tells nothing of targets, errors, other monitors and its workspace', async () => {
    const paths = ['', '/embed', '/history', '/history?month=2026-09', '/feed.atom', '/feed.rss', '/badge.svg']
    for (const path of [...paths.map((end) => `/status/acme${end}`), '/status/acme.json']) {
      const { status, text } = await get(path)
      assert.equal(status, 200, path)
      for (const secret of [
        'topsecret',
        'internal-7f3a',
        'Hidden',
        hidden.id,
        workspaceId,
        'refused',
        'Olivia',
        'amsterdam',
      ])
        assert.ok(!text.includes(secret), `${path} tells ${secret}`)
    }
  })

  it('is answered in the smallest coding, and not again to who has it', async () => {
    const plain = await get('/status/acme')
    const ask = (headers: Record<string, string>) =>
      api.app.request('/status/acme', { headers: { Host: 'perigee.test', ...headers } }, { address: '192.0.2.1' })
    for (const [accepted, coding, decode] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const answer = await ask({ 'Accept-Encoding': accepted })
      assert.equal(answer.headers.get('content-encoding'), coding)
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding')
      assert.equal(decode(Buffer.from(await answer.arrayBuffer())).toString(), plain.text)
      const known = await ask({ 'Accept-Encoding': accepted, 'If-None-Match': answer.headers.get('etag') ?? '' })
      assert.deepEqual([known.status, await known.text()], [304, ''])
      assert.ok(known.headers.get('content-security-policy') !== null)
    }
    const head = await visit(api, '/status/acme', { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  it('may stand in a frame as /embed alone', async () => {
    const { headers, text } = await get('/status/acme/embed')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors \*$/)
    assert.equal(headers.get('x-frame-options'), null)
    assert.match(text, /href="http:\/\/perigee\.test\/status\/acme" target="_blank" rel="noopener"/)
  })

  it('loads its style, script and icon from files that never change', async () => {
    const { text } = await get('/status/acme')
    const files = [...text.matchAll(/"(\/status-assets\/[^"]+)"/g)].map(([, file = '']) => file)
    assert.equal(files.length, 3)
    for (const file of files) {
      const { status, headers } = await get(file)
      assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
    }
    assert.equal((await get('/status-assets/other.css')).status, 404)
  })

  it('has a history by months', async () => {
    const current = await get('/status/acme/history')
    assert.match(current.text, /November 2026/)
    assert.match(current.text, /href="\/status\/acme\/history\?month=2026-10">October 2026/)
    assert.match((await get('/status/acme/history?month=2026-10')).text, /Nothing happened in this month/)
    assert.match((await get('/status/acme/history?month=2026-09')).text, /2 Sep 2026, 08:00 UTC/)
    for (const wrong of ['2026-08', '2026-12', '2026-13', 'x', '', '2026-11-01'])
      assert.equal((await get(`/status/acme/history?month=${wrong}`)).status, 404, wrong)
  })

  it('is JSON for programs of any site', async () => {
    const { headers, text } = await get('/status/acme.json')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    const monitorShape = z.object({
      id: z.uuid(),
      name: z.string(),
      state: z.string(),
      uptime: z.number().nullable(),
      response_ms: z.int().nullable(),
    })
    const read = z
      .object({
        page: z.object({ title: z.string(), url: z.url(), updated_at: z.iso.datetime() }),
        status: z.object({ indicator: z.string(), description: z.string() }),
        sections: z.array(z.object({ name: z.string(), monitors: z.array(monitorShape) })),
        incidents: z.array(
          z.object({ id: z.uuid(), monitor_name: z.string(), posts: z.array(z.object({ body: z.string() })) }),
        ),
        announcements: z.array(z.object({ title: z.string() })),
        maintenance: z.array(z.never()),
      })
      .parse(JSON.parse(text))
    assert.deepEqual(
      read.sections[0]?.monitors.map(({ name, state, uptime, response_ms: ms }) => [name, state, uptime, ms]),
      [
        ['Our shop', 'down', 97.21, 200],
        ['Fresh', 'pending', null, null],
      ],
    )
    assert.equal(read.incidents[0]?.id, incidentId)
    assert.equal(read.incidents.length, 2)
  })

  it('has feeds whose entries have ids for ever', async () => {
    const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => ['entry', 'item'].includes(name) })
    const expected = [incidentId, post.id, announcement.id]
    const atom = await get('/status/acme/feed.atom')
    assert.match(atom.headers.get('content-type') ?? '', /^application\/atom\+xml/)
    assert.equal(XMLValidator.validate(atom.text), true)
    const atomSchema = z.object({
      feed: z.object({
        id: z.string(),
        title: z.string(),
        updated: z.iso.datetime(),
        entry: z.array(
          z.object({ id: z.string(), title: z.string(), updated: z.iso.datetime(), published: z.iso.datetime() }),
        ),
      }),
    })
    const { feed } = atomSchema.parse(parser.parse(atom.text))
    const ids = feed.entry.map(({ id }) => id)
    assert.equal(new Set(ids).size, 5)
    for (const id of ids)
      assert.match(id, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    for (const id of expected) assert.ok(ids.includes(`urn:uuid:${id}`))
    assert.equal(feed.title, `Acme ${nasty}`)
    assert.equal(feed.updated, '2026-11-21T09:30:00.000Z')
    const rss = await get('/status/acme/feed.rss')
    assert.equal(XMLValidator.validate(rss.text), true)
    const items = z
      .object({
        rss: z.object({
          channel: z.object({
            title: z.string(),
            link: z.string(),
            item: z.array(z.object({ guid: z.object({ '#text': z.string() }), pubDate: z.string() })),
          }),
        }),
      })
      .parse(parser.parse(rss.text)).rss.channel.item
    assert.deepEqual(
      items.map(({ guid }) => guid['#text']),
      ids,
    )
    for (const { pubDate } of items) assert.ok(!Number.isNaN(Date.parse(pubDate)))
    assert.deepEqual(
      ids,
      [...(await get('/status/acme/feed.atom')).text.matchAll(/<entry><id>([^<]+)/g)].map(([, id]) => id),
    )
  })

  it('has badges, of what it shows alone', async () => {
    assert.match(await value('/badge.svg'), /: 1 of 3 systems is down$/)
    assert.equal(await value(`/badge/${shop.id}/state.svg`), 'Our shop: Down')
    assert.equal(await value(`/badge/${shop.id}/uptime.svg?days=1`), 'Our shop uptime today: 99.93 %')
    assert.equal(await value(`/badge/${shop.id}/uptime.svg`), 'Our shop uptime, watched for 4 d 10 h: 97.21 %')
    assert.equal(
      await value(`/badge/${probe.id.toUpperCase()}/response.svg?days=90`),
      'Probe response, watched for 4 d 10 h: 200 ms',
    )
    assert.equal(await value(`/badge/${fresh.id}/uptime.svg`), 'Fresh uptime 30 d: No data')
    // No number of milliseconds is good or bad in itself.
    assert.match((await get(`/status/acme/badge/${probe.id}/response.svg`)).text, /height="20" fill="#5b626b"/)
    for (const none of [
      `/badge/${mail.id}/response.svg`,
      `/badge/${probe.id}/uptime.svg`,
      `/badge/${hidden.id}/state.svg`,
      `/badge/${shop.id}/other.svg`,
      `/badge/${shop.id}/uptime.svg?days=0`,
      `/badge/${shop.id}/uptime.svg?days=91`,
      `/badge/${shop.id}/uptime.svg?days=x`,
      '/badge/x/state.svg',
    ])
      assert.equal((await get(`/status/acme${none}`)).status, 404, none)
  })

  it('stands at its own domain, where nothing else is', async () => {
    const { status, text } = await at('/')
    assert.equal(status, 200)
    assert.match(text, /href="\/feed\.atom"/)
    assert.doesNotMatch(text, /\/status\/acme/)
    assert.equal((await at('/', 'STATUS.ACME.example:8443')).status, 200)
    for (const path of ['/history', '/embed', '/feed.rss', '/status.json', '/badge.svg', `/badge/${shop.id}/state.svg`])
      assert.equal((await at(path)).status, 200, path)
    assert.match((await at('/feed.atom')).text, /href="https:\/\/status\.acme\.example\/history\?month=2026-11"/)
    const file = /\/status-assets\/[^"]+\.css/.exec(text)?.[0] ?? ''
    assert.equal((await at(file)).status, 200)
    for (const path of ['/status/acme', '/monitors', '/sign-in', '/auth/sign-in/email', '/other'])
      assert.equal((await at(path)).status, 404, path)
    assert.equal((await at('/', 'other.acme.example')).status, 404, 'of nobody: the console is not part of this test')
  })

  it('has pictures that can do nothing but be seen', async () => {
    const { bytes, hash } = await addImage(database, page, 'logo')
    const path = `/images/${hash}.png`
    await until('the page has its logo', async () => (await get('/status/acme')).text.includes(`/status/acme${path}`))
    const { status, headers } = await get(`/status/acme${path}`)
    assert.deepEqual(
      [
        status,
        ...['content-type', 'x-content-type-options', 'cache-control', 'content-length'].map(headers.get, headers),
      ],
      [200, 'image/png', 'nosniff', 'public, max-age=86400', String(bytes.length)],
    )
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
    const again = await get(`/status/acme${path}`, { 'If-None-Match': headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
    assert.equal((await at(path)).status, 200)
    await until('the domain shows it too', async () => (await at('/')).text.includes(`src="${path}"`))
    for (const wrong of [
      path.replace('.png', '.svg'),
      path.replace('.png', ''),
      '/images/x',
      `/images/${'0'.repeat(32)}.png`,
    ])
      assert.equal((await get(`/status/acme${wrong}`)).status, 404, wrong)
    assert.equal((await visit(api, `/status/acme${path}`, { method: 'DELETE' })).status, 405)
  })

  it('has its accent in a file of its own', async () => {
    const { name, text } = accentStyle('#8a2be2')
    const file = await get(`/status-assets/${name}`)
    assert.deepEqual([file.status, file.text, file.headers.get('content-type')], [200, text, 'text/css; charset=utf-8'])
    assert.equal((await get('/status-assets/accent-8a2be2-000000000000.css')).status, 404)
  })

  it('has its domain confirmed to who makes certificates', async () => {
    assert.equal((await get('/status-domain?domain=status.acme.example')).text, 'OK')
    for (const wrong of ['?domain=other.example', '?domain=', '?domain=a%00b', ''])
      assert.equal((await get(`/status-domain${wrong}`)).status, 404)
  })

  it('is not there where there is none, as a page', async () => {
    for (const path of [
      '/status/other',
      '/status/a%00b',
      '/status/other/history',
      '/status/other.json',
      '/status/ACME',
    ]) {
      const { status, headers } = await get(path)
      assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
    }
    assert.equal((await visit(api, '/status/acme', { method: 'DELETE' })).status, 405)
  })

  it('is made once for readers who come at once', async () => {
    const many = await addPage(database, { workspaceId, slug: 'busy', monitorIds: [shop.id] })
    const sent = countStatements(database)
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/status/busy')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ headers }) => headers.get('etag'))).size, 1)
    assert.equal(sent.get('status_pasts'), 1)
    await database.transaction((tx) => deleteStatusPage(tx, { workspaceId, id: many.id }))
  })
})

/** How often each named statement is sent from now on by what reads pages. */
function countStatements({ planned }: Pick<Database, 'planned'>): Map<string, number> {
  const counts = new Map<string, number>()
  planned.query = new Proxy(planned.query.bind(planned), {
    apply: (query, self, values: [{ name?: string }]) => {
      const { name = '' } = values[0]
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return Reflect.apply(query, self, values)
    },
  })
  return counts
}
