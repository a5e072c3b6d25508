// Locations that disagree: from what an incident says of them to what each of them saw.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const waitMs = 90_000

describe('locations that disagree', async () => {
  const service = await startConsole({
    PERIGEE_LOCATIONS: 'fra=Frankfurt,iad=Virginia,syd=Sydney',
    PERIGEE_PLANS: JSON.stringify({ free: { slots: 10, minIntervalSeconds: 10 } }),
  })
  const { visitor, inspect } = service
  let asked = 0
  const { port } = await httpServer((request, response) => {
    if (request.url === '/maintenance') response.writeHead(503, { server: 'spare' }).end('later')
    // One of three locations is sent elsewhere in each round.
    else if (asked++ % 3 === 0) response.writeHead(302, { location: '/maintenance' }).end()
    else response.writeHead(200, { server: '<b>shop</b>' }).end('welcome')
  })
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  const input = {
    url: `http://127.0.0.1:${port}/`,
    interval_seconds: 10,
    keep_evidence: true,
    locations: ['fra', 'iad', 'syd'],
  }
  const sentence = /ended at http:\/\/127\.0\.0\.1:\d+\/maintenance, .* at http:\/\/127\.0\.0\.1:\d+\/\./

  it('are compared on the page of the monitor, without any incident', async () => {
    await call('POST', '/monitors', { name: 'Web shop', ...input, confirmation_threshold: 2 })
    await page.goto('/')
    await page.getByRole('link', { name: 'Web shop' }).first().click({ timeout: waitMs })
    await page.getByText(sentence).waitFor({ timeout: waitMs })
    await page.getByRole('heading', { name: 'Why locations disagree' }).waitFor()
    const table = page.getByRole('table', { name: 'What each location saw' })
    assert.equal(await table.getByRole('columnheader').count(), 4)
    const row = table.getByRole('row', { name: /Server.*differs/ })
    assert.equal(await row.getByText('<b>shop</b>').count(), 2)
    assert.equal(await table.getByRole('row', { name: /Dialled.*differs/ }).count(), 0)
    await inspect(page, 'monitor whose locations disagree')
    const link = page.getByRole('link', { name: '1 of 3 locations saw it down' })
    await link.focus()
    await page.keyboard.press('Enter')
    assert.equal(new URL(page.url()).hash, '#views')
  })

  it('are compared on the page of an incident that one of them opened', async () => {
    await call('POST', '/monitors', { name: 'Till', ...input, confirmation_threshold: 1, failure_threshold: 1 })
    await page.goto('/incidents')
    await page.getByRole('list', { name: 'Incidents' }).getByRole('link', { name: /Till/ }).click({ timeout: waitMs })
    await page.getByText(sentence).first().waitFor({ timeout: waitMs })
    await page.getByRole('region', { name: 'What each location saw' }).waitFor()
    await inspect(page, 'incident whose locations disagree')
    await page.setViewportSize({ width: 390, height: 844 })
    const cards = page.getByRole('list', { name: 'What each location saw' })
    await cards.waitFor()
    assert.equal(await cards.locator('> li').count(), 3)
  })
})
