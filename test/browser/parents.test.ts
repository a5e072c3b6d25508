// What a monitor depends on: proposed in its form, shown on the pages of both, and named by an incident held back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const ownerEmail = 'owner@example.com'

describe('what a monitor depends on', async () => {
  const { visitor, inspect, complaints } = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  let status = 200
  const { port } = await httpServer((_, response) => {
    response.statusCode = status
    response.end('Tea')
  })
  const receiver = await startReceiver()
  const { page } = await visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const settings = { interval_seconds: 10, failure_threshold: 1, recovery_threshold: 1 }
  const shop = await call('POST', '/monitors', { name: 'Shop', url: `http://127.0.0.1:${port}/`, ...settings })
  const host = await call('POST', '/monitors', { name: 'Port', kind: 'tcp', url: `127.0.0.1:${port}`, ...settings })
  const router = await call('POST', '/monitors', {
    name: 'Router',
    url: `http://127.0.0.1:${port}/router`,
    ...settings,
  })
  const hook = { name: 'Hook', kind: 'webhook', destination: receiver.url }
  await call('POST', '/alert-channels', hook)

  it('is proposed with the evidence, and taken by one click', async () => {
    await page.goto(`/monitors/${shop.id}/edit`)
    await page.getByText('Alerts', { exact: true }).click()
    const proposals = page.getByRole('list', { name: 'Proposals' })
    await proposals.getByText('Both check 127.0.0.1.').waitFor()
    await inspect(page, 'proposals of what a monitor depends on')
    await press(page, 'Depend on Port')
    await proposals.waitFor({ state: 'detached' })
    await page
      .getByRole('list', { name: 'Monitors to depend on' })
      .getByRole('checkbox', { name: /^Router/ })
      .check()
    await press(page, 'Save')
    await see(page, 'Shop')
  })

  it('is shown on the pages of both', async () => {
    await page.goto(`/monitors/${shop.id}?tab=settings`)
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Dependencies' }) })
    await section.getByRole('link', { name: 'Port' }).waitFor()
    await inspect(page, 'what a monitor depends on')
    await section.getByRole('link', { name: 'Router' }).click()
    await page.goto(`/monitors/${router.id}?tab=settings`)
    await section.getByText('Monitors that depend on it').waitFor()
    await section.getByRole('link', { name: 'Shop' }).waitFor()
  })

  it('keeps alerts back, and the incident says so', { timeout: 120_000 }, async () => {
    status = 503
    await page.goto(`/monitors/${shop.id}?tab=incidents`)
    await page
      .getByRole('link', { name: /Shop is down/ })
      .first()
      .click({ timeout: 60_000 })
    await page.getByText('Alert held back', { exact: true }).waitFor({ timeout: 60_000 })
    await page.getByText('held back while what its monitor depends on is down').waitFor()
    await inspect(page, 'an incident whose alerts are held back')
    await page.getByRole('link', { name: 'by the outage of what it depends on' }).click()
    await see(page, 'Router is down')
  })

  it('gives no page anything to complain of', () => assert.deepEqual([complaints, host.id === ''], [[], false]))
})
