// What a location saw of an outage, from the form of the monitor to the page of the incident.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const hostile = '<script>document.title = "taken"</script><img src=x onerror="document.title=1">'

describe('evidence of an outage', async () => {
  const service = await startConsole({})
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
