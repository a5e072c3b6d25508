import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { maxListBytes } from '#core/software/list-size.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { entryOf, listed, reportIn } from '../../../test/support/software.ts'
import { scanSoftware } from './software-scans.ts'

const dayMs = 86_400_000

/** A website that shows what `headers` say when it is asked. */
async function site(headers: Record<string, string>) {
  const shown = { headers, status: 200, isAnswering: true }
  const asked: IncomingMessage['headers'][] = []
  const { port } = await httpServer((request, response) => {
    if (request.url === '/') asked.push(request.headers)
    if (!shown.isAnswering) return void response.destroy()
    response.writeHead(request.url === '/' ? shown.status : 404, shown.headers)
    response.end('<html></html>')
  })
  return { url: `http://127.0.0.1:${port}/`, shown, asked }
}

function scan(
  { database, services }: TestApi,
  now: () => Date = () => new Date(),
  signal = new AbortController().signal,
) {
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  return scanSoftware(
    { database, carriers: testCarriers(), privateNet: null, secrets: services.secrets, log, now },
    signal,
  )
}

async function following(api: TestApi, url: string, input: Record<string, unknown> = {}) {
  const { id } = await createMonitor(api, { url, vulnerability_alerts: true, ...input })
  return {
    id,
    report: async () => reportIn(await api.get(`/monitors/${id}/vulnerabilities`)),
    ask: async () => reportIn(await api.post(`/monitors/${id}/vulnerabilities/scan`), 202),
    change: (body: object) => api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url, ...body } }),
    due: () => api.database.pool.query(`update software_scans set due_at = now()`),
  }
}

describe('a scan', async () => {
  const api = await testApi({ maxConnections: 5 })

  it('finds the software of a website at once, with what its monitor sends', async () => {
    const { url, asked } = await site({ server: 'nginx/1.26.1', 'x-powered-by': 'PHP/8.2.26' })
    const { report } = await following(api, url, { request_headers: { 'x-key': 'secret' } })
    await scan(api)
    const found = await report()
    assert.deepEqual(listed(found), ['nginx 1.26.1', 'php 8.2.26'])
    const { source, evidence, name } = entryOf(found, 'nginx')
    assert.deepEqual([source, name, found.scan_error], ['detected', 'nginx', null])
    assert.match(evidence ?? '', /server/i)
    assert.notEqual(found.scanned_at, null)
    assert.equal(asked[0]?.['x-key'], 'secret')
  })

  it('comes again after a week and not before, and keeps what it finds in another version', async () => {
    const { url, shown, asked } = await site({ server: 'nginx/1.26.1' })
    const { report } = await following(api, url)
    await scan(api)
    const before = entryOf(await report(), 'nginx')
    await scan(api)
    assert.equal(asked.length, 1)
    shown.headers = { server: 'nginx/1.27.4', 'x-powered-by': 'PHP/8.2.26' }
    const { rows } = await api.database.pool.query<{ days: number }>(
      `select round(extract(epoch from max(due_at) - now()) / 86400)::integer as days from software_scans`,
    )
    assert.equal(rows[0]?.days, 7)
    await api.database.pool.query(`update software_scans set due_at = now()`)
    await scan(api)
    const after = await report()
    assert.deepEqual([listed(after), entryOf(after, 'nginx').id], [['nginx 1.27.4', 'php 8.2.26'], before.id])
  })

  it('is made when it is asked for, of a monitor without alerts as well', async () => {
    const { url } = await site({ server: 'nginx/1.26.1' })
    const { report, ask } = await following(api, url, { vulnerability_alerts: false })
    await scan(api)
    assert.deepEqual([listed(await report()), (await ask()).pending], [[], true])
    await scan(api)
    assert.deepEqual(listed(await report()), ['nginx 1.26.1'])
    assert.equal((await report()).scan_error, null)
  })

  it('leaves out what finds no room in the list, says so, and takes it in once there is room', async () => {
    const { url } = await site({ server: 'nginx/1.26.1', 'x-powered-by': 'PHP/8.2.26' })
    const { id, report, ask } = await following(api, url, { vulnerability_alerts: false })
    await api.post(`/monitors/${id}/software/import`, { content: 'redis 7.2.1' })
    const room = (bytes: number) =>
      api.database.pool.query(
        `update monitor_software set evidence = repeat('x', $2::integer)
        where source = 'import' and monitor_key = (select key from monitors where id = $1)`,
        [id, bytes],
      )
    await room(maxListBytes - 60)
    await ask()
    await scan(api)
    const full = await report()
    assert.deepEqual(listed(full), ['redis 7.2.1'])
    assert.equal(full.scan_error, 'The list has no room for all of its software, so some is left out.')
    await room(1)
    await ask()
    await scan(api)
    assert.deepEqual(listed(await report()), ['nginx 1.26.1', 'php 8.2.26', 'redis 7.2.1'])
    assert.equal((await report()).scan_error, null)
  })

  it('that fails says why, keeps what is known, and is tried again the next day', async () => {
    const { url, shown } = await site({ server: 'nginx/1.26.1' })
    const { report, ask } = await following(api, url)
    await scan(api)
    shown.isAnswering = false
    await ask()
    await scan(api)
    const failed = await report()
    assert.deepEqual(listed(failed), ['nginx 1.26.1'])
    assert.notEqual(failed.scan_error, null)
    const { rows } = await api.database.pool.query<{ hours: number }>(
      `select round(extract(epoch from min(due_at) - now()) / 3600)::integer as hours from software_scans
      where scan_error is not null`,
    )
    assert.equal(rows[0]?.hours, 24)
    shown.isAnswering = true
    await ask()
    await scan(api)
    assert.equal((await report()).scan_error, null)
  })

  it('of a website that is out of order changes nothing of what is known', async () => {
    const { url, shown } = await site({ server: 'nginx/1.26.1', 'x-powered-by': 'PHP/8.2.26' })
    const { report, ask } = await following(api, url)
    await scan(api)
    shown.headers = { server: 'stand-in/1.0' }
    for (const status of [503, 500, 429]) {
      shown.status = status
      await ask()
      await scan(api)
      const seen = await report()
      assert.deepEqual(listed(seen), ['nginx 1.26.1', 'php 8.2.26'])
      assert.equal(seen.scan_error, `The website answered with HTTP status ${status}.`)
    }
  })

  it('of an address that refuses says so, and is over', async () => {
    const { report, ask } = await following(api, `http://127.0.0.1:${await freePort()}/`)
    await ask()
    await scan(api)
    const { scan_error: error, scanned_at: at } = await report()
    assert.match(error ?? '', /refused/)
    assert.notEqual(at, null)
  })

  it('brings nothing back that is ignored, nor what was given a version by hand', async () => {
    const { url } = await site({ server: 'nginx', 'x-powered-by': 'PHP/8.2.26' })
    const { id, report, ask } = await following(api, url)
    await scan(api)
    const first = await report()
    const at = (product: string): string => `/monitors/${id}/software/${entryOf(first, product).id}`
    await api.request('DELETE', at('php'))
    await api.request('PATCH', at('nginx'), { body: { version: '1.20.1' } })
    await ask()
    await scan(api)
    const second = await report()
    assert.deepEqual(
      second.software.map(({ product, version, source, ignored }) => [product, version, source, ignored]),
      [
        ['nginx', '1.20.1', 'manual', false],
        ['php', '8.2.26', 'detected', true],
      ],
    )
  })

  it('counts for nothing where the monitor watches something else by now', async () => {
    const other = await site({ server: 'Apache/2.4.62' })
    const changed = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const { port } = await httpServer((_request, response) => {
      asked.resolve()
      void changed.promise.finally(() => response.writeHead(200, { server: 'nginx/1.26.1' }).end())
    })
    const { change, report } = await following(api, `http://127.0.0.1:${port}/`)
    const scanning = scan(api)
    await asked.promise
    await change({ url: other.url })
    changed.resolve()
    await scanning
    await scan(api)
    assert.deepEqual(listed(await report()), ['apache-http-server 2.4.62'])
  })

  it('is not of monitors that are paused or not followed any more', async () => {
    const { url, asked } = await site({ server: 'nginx/1.26.1' })
    const paused = await following(api, url)
    const silent = await following(api, url)
    await scan(api)
    assert.equal(asked.length, 2)
    await api.post(`/monitors/${paused.id}/pause`)
    await silent.change({ vulnerability_alerts: false })
    await paused.due()
    await scan(api)
    assert.equal(asked.length, 2)
  })

  it('is made once, whoever makes scans', async () => {
    const { url, asked } = await site({ server: 'nginx/1.26.1' })
    await following(api, url)
    await Promise.all([scan(api), scan(api), scan(api)])
    assert.equal(asked.length, 1)
  })

  it('is left to others when the process stops', async () => {
    const stopping = new AbortController()
    const { port } = await httpServer((_request, response) => {
      stopping.abort()
      response.writeHead(200, { server: 'nginx/1.26.1' })
      response.end()
    })
    const { report } = await following(api, `http://127.0.0.1:${port}/`)
    await scan(api, () => new Date(), stopping.signal)
    assert.deepEqual([listed(await report()), (await report()).pending], [[], true])
    await scan(api)
    assert.deepEqual(listed(await report()), ['nginx 1.26.1'])
  })

  it('that nobody ends is made anew when its time is over', async () => {
    const { url, asked } = await site({ server: 'nginx/1.26.1' })
    await following(api, url)
    await api.database.pool.query(
      `update software_scans set claimed_until = now() + interval '1 minute' where is_requested`,
    )
    await scan(api)
    assert.equal(asked.length, 0)
    await api.database.pool.query(`update software_scans set claimed_until = now() where is_requested`)
    await scan(api, () => new Date(Date.now() + dayMs))
    assert.equal(asked.length, 1)
  })
})
