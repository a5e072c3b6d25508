import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { maxScreenMonitors } from '#core/screen.ts'
import { createLimits } from '#operations/pipeline/limits.ts'
import { deleteScreen, insertScreen } from '#store/overview/screens.ts'
import { testApi } from '../../../test/support/api.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { addIncident, addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { createScreenRoutes } from './screen-routes.ts'

const rates = { failuresPerMinute: 1, registrationsPerMinute: 1, anonymousPerDay: 1 }

async function screenBench(publicUrl = 'https://up.example.com') {
  let now = new Date()
  const database = await testDatabase({ maxConnections: 5, hasDays: true })
  const secrets = createSecrets(randomBytes(32))
  const limits = createLimits({ readsPerMinute: 1, writesPerMinute: 1, ...rates })
  const routes = createScreenRoutes({ services: { database, secrets, publicUrl }, limits, now: () => now })
  const api = await testApi({ database, http: { addRoutes: (whole) => whole.route('/', routes) } })
  const ask = async (path: string, { cookie, address = '192.0.2.1' }: { cookie?: string; address?: string } = {}) => {
    const headers = cookie === undefined ? {} : { Cookie: cookie }
    const response = await api.app.request(path, { headers }, { address })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const add = async ({ tags = [], workspaceId = api.workspaceId }: { tags?: string[]; workspaceId?: string } = {}) => {
    const input = { name: 'Office', tags, look: 'dark', createdBy: 'Olga', workspaceId } as const
    return database.transaction((tx) => insertScreen(tx, input, now))
  }
  const open = async (token: string) => {
    const { status, headers } = await ask(`/screen/open/${token}`)
    const cookie = headers.get('set-cookie') ?? ''
    return { status, headers, cookie, pass: cookie.split(';')[0] ?? '', path: headers.get('location') ?? '' }
  }
  return { api, database, ask, add, open, passTime: (ms: number) => (now = new Date(now.getTime() + ms)) }
}

/** The names and states of a page, in their order. */
function tilesOf(page: string): string[] {
  const tiles = page.matchAll(/<li class="(\w+)[ \w]*"><span>([^<]*)<\/span>/g)
  return Array.from(tiles, ([, state, name]) => `${name}: ${state}`)
}

describe('the address of a screen', async () => {
  const { api, database, ask, add, open } = await screenBench()

  it('is exchanged for a cookie of this screen alone, and left at once', async () => {
    const { screen, token } = await add()
    const opened = await open(token)
    assert.deepEqual([opened.status, opened.path], [303, `/screen/${screen.id}`])
    assert.ok(!opened.cookie.includes(token), 'what is kept does not open the address')
    const attributes = opened.cookie.split('; ').slice(1).toSorted()
    assert.deepEqual(attributes, [
      'HttpOnly',
      'Max-Age=34560000',
      `Path=/screen/${screen.id}`,
      'SameSite=Lax',
      'Secure',
    ])
    assert.deepEqual(
      [opened.headers.get('referrer-policy'), opened.headers.get('cache-control')],
      ['no-referrer', 'no-store'],
    )
    const { rows } = await database.pool.query('select last_used_at from screens where id = $1', [screen.id])
    assert.deepEqual(rows, [{ last_used_at: null }], 'a mail scanner that opens it changes nothing')
  })

  it('sets a cookie without Secure where the service has no https', async () => {
    const plain = await screenBench('http://up.example.com')
    const { token } = await plain.add()
    assert.doesNotMatch((await plain.open(token)).cookie, /Secure/)
  })

  it('shows the wall to the browser that has its cookie, and begins the cookie anew', async () => {
    const { token } = await add()
    const { pass, path } = await open(token)
    const page = await ask(path, { cookie: pass })
    assert.equal(page.status, 200)
    assert.ok((page.headers.get('set-cookie') ?? '').startsWith(pass))
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    for (const [, asset = ''] of page.text.matchAll(/(?:href|src)="(\/screen-assets\/[^"]+)"/g)) {
      const file = await ask(asset)
      assert.deepEqual([file.status, file.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
    }
    assert.equal((await ask('/screen-assets/screen-x.js')).status, 404)
  })

  it('opens no other screen, and tells the same of each that is not there', async () => {
    const [one, other] = [await add(), await add()]
    const { pass } = await open(one.token)
    const refused = [
      await ask(`/screen/${other.screen.id}`, { cookie: pass }),
      await ask(`/screen/${one.screen.id}`),
      await ask(`/screen/${one.screen.id}`, { cookie: 'perigee_screen=x' }),
      await ask(`/screen/${one.screen.id}`, { cookie: `perigee_screen=${one.token}` }),
      await ask(`/screen/${randomUUID()}`, { cookie: pass }),
      await ask('/screen/nonsense', { cookie: pass }),
      await ask(`/screen/open/${randomBytes(32).toString('base64url')}`),
      await ask('/screen/open/nonsense'),
    ]
    for (const { status, text, headers } of refused) {
      assert.deepEqual([status, text], [404, refused[0]?.text])
      assert.equal(headers.get('set-cookie'), null)
    }
    assert.match(refused[0]?.text ?? '', /There is nothing to show here/)
  })

  it('ends with its row, and with its workspace', async () => {
    const { screen, token } = await add()
    const { pass, path } = await open(token)
    assert.equal((await ask(path, { cookie: pass })).status, 200)
    await database.transaction((tx) => deleteScreen(tx, { workspaceId: api.workspaceId, id: screen.id }))
    assert.equal((await ask(path, { cookie: pass })).status, 404)
    assert.equal((await open(token)).status, 404)
    const { workspaceId } = await api.addWorkspace()
    const elsewhere = await add({ workspaceId })
    const opened = await open(elsewhere.token)
    assert.equal((await ask(opened.path, { cookie: opened.pass })).status, 200)
    await database.pool.query(`update workspaces set closed_at = now(), closed_reason = 'revoked' where id = $1`, [
      workspaceId,
    ])
    assert.equal((await ask(opened.path, { cookie: opened.pass })).status, 404)
    assert.equal((await open(elsewhere.token)).status, 404)
  })

  it('is not guessed at: strangers of one place are stopped, screens go on', async () => {
    const { token } = await add()
    const { pass, path } = await open(token)
    const address = '192.0.2.77'
    const statuses = []
    for (let tried = 0; tried < 121; tried++) statuses.push((await ask('/screen/open/nonsense', { address })).status)
    assert.deepEqual([statuses.at(0), statuses.at(119), statuses.at(120)], [404, 404, 429])
    assert.equal((await ask(path, { cookie: pass, address })).status, 200)
  })

  it('is read so many times a minute and no more', async () => {
    const { token } = await add()
    const { pass, path } = await open(token)
    let last = 200
    for (let read = 0; read < 241; read++) last = (await ask(path, { cookie: pass })).status
    assert.equal(last, 429)
    const other = await open((await add()).token)
    assert.equal((await ask(other.path, { cookie: other.pass })).status, 200)
  })
})

describe('the wall of a screen', async () => {
  const bench = await screenBench()
  const { api, database, ask, add, open } = bench
  const pageOf = async (more: Parameters<typeof add>[0] = {}) => {
    const { screen, token } = await add(more)
    const { pass, path } = await open(token)
    return { id: screen.id, read: async () => (await ask(path, { cookie: pass })).text }
  }

  it('has names and states of the workspace, and nothing else of a monitor', async () => {
    const { workspaceId, token } = await api.addWorkspace()
    const secret = 'topsecret'
    const shop = await createMonitor(
      api,
      {
        name: 'Shop <b>&',
        url: `https://${secret}.example/${secret}`,
        tags: [secret],
        keyword: secret,
        notes: secret,
        request_headers: { 'X-Key': secret },
      },
      token,
    )
    const blog = await createMonitor(api, { name: 'Blog' }, token)
    await createMonitor(api, { name: 'Elsewhere' })
    await addRunningIncident(database, shop, new Date('2026-03-01T10:04:30Z'))
    await database.pool.query('update incidents set cause = $2, title = $2 where monitor_id = $1', [shop.id, secret])
    await database.pool.query(
      `update monitor_state set current_status = 'up', round_at = now()
      where monitor_key = (select key from monitors where id = $1)`,
      [blog.id],
    )
    const page = await (await pageOf({ workspaceId })).read()
    assert.deepEqual(tilesOf(page), ['Shop &lt;b&gt;&amp;: down', 'Blog: up'])
    assert.match(page, /<h1>1 down<\/h1><p>1 up<\/p><p>Since <time datetime="2026-03-01T10:04:30Z">/)
    assert.doesNotMatch(page, /topsecret|Elsewhere|Office|refused|amsterdam/i)
    for (const id of [shop.id, blog.id, workspaceId]) assert.ok(!page.includes(id))
    assert.doesNotMatch(page, / style=|<style|<script>/)
  })

  it('follows its tags, whatever their case', async () => {
    const { workspaceId, token } = await api.addWorkspace()
    await createMonitor(api, { name: 'Shop', tags: ['Web'] }, token)
    await createMonitor(api, { name: 'Mail', tags: ['post'] }, token)
    await createMonitor(api, { name: 'Bare' }, token)
    const page = await pageOf({ workspaceId, tags: ['web', 'other'] })
    assert.deepEqual(tilesOf(await page.read()), ['Shop: pending'])
  })

  it('says that all are up, and since when', async () => {
    const { workspaceId, token } = await api.addWorkspace()
    const page = await pageOf({ workspaceId })
    assert.match(await page.read(), /<h1>No monitors<\/h1>/)
    const [shop] = [await createMonitor(api, { name: 'Shop' }, token), await createMonitor(api, { name: 'B' }, token)]
    await database.pool.query(
      `update monitor_state set current_status = 'up', round_at = now()
      where monitor_key in (select key from monitors where workspace_id = $1)`,
      [workspaceId],
    )
    assert.match(await page.read(), /<title>All 2 are up<\/title>/)
    assert.doesNotMatch(await page.read(), /No outage/)
    await addIncident(database, shop, { startedAt: '2026-03-01T10:00:00Z', resolvedAt: '2026-03-01T11:30:00Z' })
    assert.match(await page.read(), /No outage since <time datetime="2026-03-01T11:30:00Z">/)
    bench.passTime(3_600_000)
    assert.match(await page.read(), /<h1>2 not known<\/h1>/, 'old states are not shown as if they were fresh')
  })

  it('says when it was read, and to ten minutes when it was used', async () => {
    const page = await pageOf()
    const usedAt = async () =>
      (await database.query.selectFrom('screens').select('last_used_at').where('id', '=', page.id).executeTakeFirst())
        ?.last_used_at
    await page.read()
    const first = await usedAt()
    assert.ok(first instanceof Date)
    bench.passTime(590_000)
    await page.read()
    assert.deepEqual(await usedAt(), first)
    bench.passTime(10_000)
    const text = await page.read()
    assert.equal((await usedAt())?.getTime(), first.getTime() + 600_000)
    const at = new Date(first.getTime() + 600_000).toISOString().slice(0, 19)
    assert.ok(
      text.includes(`As of <time datetime="${at}Z">`) && text.includes(`Not updated since <time datetime="${at}Z">`),
    )
  })

  it('of thousands is one number, and says where it looks at some of them', async () => {
    const { workspaceId } = await api.addWorkspace()
    await addPendingMonitors(database, { workspaceId, count: maxScreenMonitors + 1 })
    await database.pool.query(
      `update monitor_state set current_status = 'up', round_at = now() + interval '2 days'
      where monitor_key in (select key from monitors where workspace_id = $1)`,
      [workspaceId],
    )
    const page = await pageOf({ workspaceId })
    const text = await page.read()
    assert.deepEqual(tilesOf(text), [])
    assert.match(text, /<h1>All 5,000 are up<\/h1><p>The oldest 5,000 of 5,001 monitors<\/p>/)
    await database.pool.query(
      `update monitor_state set current_status = 'down'
      where monitor_key in (select key from monitors where workspace_id = $1 order by created_at, id limit 40)`,
      [workspaceId],
    )
    const troubled = await page.read()
    assert.equal(tilesOf(troubled).length, 30)
    assert.match(troubled, /<h1>40 down<\/h1><p>4,960 up<\/p><p>Not shown: 10 down<\/p>/)
  })
})
