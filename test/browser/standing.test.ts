// How the workspace is, on every page of the console: in the navigation, in the window's title and in its icon.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const manifestSchema = z.object({ icons: z.array(z.object({ src: z.string(), sizes: z.string() })).min(3) })
const email = 'owner@example.com'

describe('how a workspace is', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints } = service
  let status = 200
  const { port } = await httpServer((_, response) => response.writeHead(status).end('hello'))
  const { page } = await visitor({ hasWorkers: true })
  await signIn(page, email)
  await see(page, 'Monitors')
  const icon = (): Promise<string> => page.evaluate(`document.querySelector('link[rel=icon]').getAttribute('href')`)
  const isAcknowledged = async (): Promise<boolean> => (await icon()) === '/console/favicon-acknowledged.svg'
  const shows = (title: string, file: string): Promise<void> =>
    until(
      `the window shows ${title} and ${file}`,
      async () => (await page.title()) === title && (await icon()) === `/console/${file}`,
      60_000,
    )

  it('stands in the title and the icon of the window, and beside the incidents', async () => {
    await shows('Monitors · Perigee', 'favicon.svg')
    const url = `http://127.0.0.1:${port}/`
    const input = { interval_seconds: 10, failure_threshold: 1, recovery_threshold: 1, url }
    await callerOf(page)('POST', '/monitors', { name: 'Shop', kind: 'http', ...input })
    status = 503
    // The overview hears of it at once; another page asks.
    await shows('1 down · Monitors · Perigee', 'favicon-down.svg')
    await page.goto('/contacts')
    await see(page, 'Contacts')
    await shows('1 down · Contacts · Perigee', 'favicon-down.svg')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Incidents 1 open' }).waitFor()
    await inspect(page, 'contacts, while one is down')
    assert.equal((await page.request.get('/console/favicon-down.svg')).status(), 200)
  })

  it('changes when somebody acknowledges, and when it is over', async () => {
    await page.getByRole('link', { name: 'Incidents 1 open' }).click()
    await page.getByRole('link', { name: /^Shop/ }).click()
    await press(page, 'Acknowledge: Shop is down')
    await until('nothing is open', async () => (await page.getByRole('link', { name: /open$/ }).count()) === 0, 60_000)
    await until('the icon says that somebody looks after it', isAcknowledged, 60_000)
    // The page of the incident names the window once it has the incident.
    await until(
      'the window says that it is still down',
      async () => (await page.title()).startsWith('1 down · '),
      60_000,
    )
    status = 200
    await until('the icon says that all is well', async () => (await icon()) === '/console/favicon.svg', 60_000)
    assert.doesNotMatch(await page.title(), /^\d/)
  })

  it('can be installed, and says so where there is no connection', async () => {
    const manifest = manifestSchema.parse(await (await page.request.get('/console/manifest.webmanifest')).json())
    for (const { src, sizes } of manifest.icons) {
      const bytes = await (await page.request.get(`/console/${src}`)).body()
      // The width and the height of a PNG file (W3C PNG, 11.2.1).
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src)
    }
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await page.goto('/contacts')
    await see(page, 'Contacts')
    await page.context().setOffline(true)
    await page.goto('/incidents')
    await see(page, 'No connection to the console')
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Try again' }).click()
    await see(page, 'Incidents')
    const kept = await page.evaluate<string[]>(
      `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
        .then((all) => all.flat().map(({ url }) => new URL(url).pathname).sort())`,
    )
    assert.deepEqual(kept, ['/console/favicon.svg', '/console/offline.css', '/console/offline.html'])
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
