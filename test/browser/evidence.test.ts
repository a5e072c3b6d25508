// What a location saw of an outage, from the form of the monitor to the page of the incident.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { openDatabase } from '#store/database/database.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { keepRoute } from '#store/incidents/routes.ts'
import { httpServer } from '../support/http-server.ts'
import { see, signUp, startConsole } from './support/console.ts'
import { testHop, testRoute } from '../support/routes.ts'
import { callerOf } from './support/workspace-calls.ts'

const secretKey = randomBytes(32)
const hostile = '<script>document.title = "taken"</script><img src=x onerror="document.title=1">'

describe('evidence of an outage', async () => {
  const service = await startConsole({ PERIGEE_SECRET_KEY: secretKey.toString('base64') })
  const { visitor, inspect } = service
  const { port } = await httpServer((_, response) => {
    response.setHeader('set-cookie', 'session=very-secret-session')
    response.writeHead(503, 'Out of order', { 'content-type': 'text/html' }).end(hostile)
  })
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)

  it('is proposed for a new monitor', async () => {
    await page.goto('/monitors/new?kind=http')
    await page.getByText('More', { exact: true }).first().click()
    assert.equal(await page.getByLabel('Keep evidence of failures').isChecked(), true)
    await inspect(page, 'form with evidence')
  })

  it('stands on the incident, as text', async () => {
    const input = { interval_seconds: 300, failure_threshold: 1, url: `http://127.0.0.1:${port}/`, keep_evidence: true }
    await call('POST', '/monitors', { name: 'Web shop', ...input })
    await page.goto('/incidents')
    await page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link', { name: /Web shop/ })
      .click({ timeout: 60_000 })
    await see(page, 'Web shop is down')
    const evidence = page.getByRole('list', { name: 'Evidence' })
    const head = evidence.getByRole('textbox', { name: 'Status and headers' })
    await head.waitFor({ timeout: 60_000 })
    const shown = await head.inputValue()
    assert.match(shown, /^HTTP\/1\.1 503 Out of order\n/)
    assert.ok(shown.includes('set-cookie: ••••••••') && !shown.includes('very-secret-session'))
    assert.equal(await evidence.getByRole('textbox', { name: 'Body' }).inputValue(), hostile)
    await page.getByText('The server answers with an error of its own (503).').waitFor()
    assert.match(await page.title(), /Web shop is down/)
    await inspect(page, 'incident with evidence')
  })

  it('shows the way to the target beside what it was before', async () => {
    await page.goto('/incidents')
    await page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link', { name: /Web shop/ })
      .click()
    const routes = page.getByRole('list', { name: 'Routes' })
    // The location looked for it itself; where no socket is permitted it says so.
    await routes.getByText(/The target answers probes|Routes are not permitted/).waitFor({ timeout: 60_000 })
    await keepRoutes(service.dataFolder)
    await page.reload()
    const taken = routes.getByRole('listitem').filter({ hasText: 'Nothing answers behind hop 3.' })
    await taken.getByText('At hop 3 the way is another one: 192.0.2.77 in place of 198.51.100.3.').waitFor()
    await taken.getByText('Before, the target answered probes.').waitFor()
    const [third, fourth] = [3, 4].map((row) => taken.getByRole('row').nth(row))
    assert.match((await third?.innerText()) ?? '', /192\.0\.2\.77.*another router.*198\.51\.100\.3/s)
    assert.match((await fourth?.innerText()) ?? '', /no answer.*silent from here on/s)
    await inspect(page, 'incident with routes')
  })

  it('shows what a visitor saw of a page that a browser visited', async () => {
    const input = { interval_seconds: 300, failure_threshold: 1, url: `http://127.0.0.1:${port}/`, keep_evidence: true }
    await call('POST', '/monitors', { name: 'Front page', kind: 'browser', ...input })
    await page.goto('/incidents')
    await page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link', { name: /Front page/ })
      .click({ timeout: 90_000 })
    await page.getByText('The page answered with the status 503').first().waitFor()
    const picture = page.getByRole('img', { name: 'What a visitor saw' })
    await picture.waitFor({ timeout: 60_000 })
    assert.equal(await picture.evaluate((shown) => Reflect.get(shown, 'naturalWidth')), 1280)
    await inspect(page, 'incident with a picture')
  })

  it('says that nothing is kept where a monitor keeps none', async () => {
    const input = { interval_seconds: 300, failure_threshold: 1, url: `http://127.0.0.1:${port}/` }
    await call('POST', '/monitors', { name: 'Mail', ...input })
    await page.goto('/incidents')
    await page.getByRole('list', { name: 'Incidents' }).getByRole('link', { name: /Mail/ }).click({ timeout: 60_000 })
    await page.getByText('No evidence was kept for this incident.').waitFor()
    // It is one line, not a card with a heading and nothing in it.
    assert.equal(await page.getByRole('heading', { name: 'Evidence' }).count(), 0)
  })
})

/** What a location would tell of a way that broke. */
async function keepRoutes(dataFolder: string): Promise<void> {
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
  const secrets = createSecrets(secretKey)
  try {
    const { rows } = await database.pool.query<{ id: string; location: string }>(
      `select id, locations[1] as location from monitors where name = 'Web shop'`,
    )
    const [{ id: monitorId, location } = assert.fail('no monitor')] = rows
    const hops = [1, 2, 3, 4, 5, 6].map((ttl) => testHop(ttl, ttl === 2 ? { received: 1 } : {}))
    const broken = hops.map((hop) =>
      Object.assign({}, hop, hop.ttl < 3 ? {} : hop.ttl === 3 ? { address: '192.0.2.77' } : silent),
    )
    const kept = { monitorId, location }
    const yesterday = new Date(Date.now() - 20 * 3_600_000)
    const target = '2001:db8:85a3:0:1234:8a2e:370:7334'
    const before = testRoute({ address: target, hops })
    const now = testRoute({ address: target, hops: broken, end: 'silent' })
    await keepRoute(database, secrets, { ...kept, isFailure: false, takenAt: yesterday, route: before })
    await keepRoute(database, secrets, { ...kept, isFailure: true, takenAt: new Date(), route: now })
  } finally {
    await database.close()
  }
}

const silent = { address: null, received: 0, best_ms: null, median_ms: null }
