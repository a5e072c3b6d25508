// A monitor that tells when it is degraded or slow: its fields in the form, and the times on its page.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'

const ownerEmail = 'owner@example.com'

describe('a monitor that tells when it is degraded', async () => {
  const { visitor, inspect, complaints } = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  let delayMs = 1500
  const { port } = await httpServer((_, response) => setTimeout(() => response.end('Green tea'), delayMs))
  const { page } = await visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')

  async function tab(name: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Of this monitor' }).getByRole('link', { name }).click()
  }

  it('is set so in the form, and shows that what is usual is not known yet', async () => {
    await page.goto('/monitors/new?kind=http')
    await fill(page, { Name: 'Tea', Address: `http://127.0.0.1:${port}/` })
    await page.locator('[name="interval_seconds"]').fill('10')
    await page.locator('[name="interval_seconds.unit"]').selectOption('1')
    await page.getByText('What counts as up').click()
    await page.locator('[name="check_options.max_latency_ms"]').fill('1000')
    await page.getByText('Alerts', { exact: true }).click()
    await fill(page, {
      'Degraded rounds in a row that alert': '1',
      'How many times the usual response time alerts': '21',
      'Good rounds before it resolves': '1',
    })
    await press(page, 'Create the monitor')
    await page.getByText('Must be at most 20').first().waitFor()
    await fill(page, { 'How many times the usual response time alerts': '3' })
    await press(page, 'Create the monitor')
    await see(page, 'Tea')
    await tab('Settings')
    await page.getByText('after one round', { exact: true }).waitFor()
    await page.getByText('after 5 rounds in a row of 3 times the usual response time').waitFor()
    await tab('Incidents')
    await page.getByText('What is usual at this time of day is not known yet: it takes three days of checks.').waitFor()
  })

  it('shows when it was degraded, and no incident', { timeout: 120_000 }, async () => {
    const times = page.getByRole('list', { name: 'Degraded, slow, unstable' })
    await times.getByText('Degraded', { exact: true }).waitFor({ timeout: 60_000 })
    await times.getByText(/Degraded: /).waitFor()
    delayMs = 0
    await times.getByText('No longer degraded', { exact: true }).first().waitFor({ timeout: 60_000 })
    assert.equal(await page.getByRole('list', { name: 'Incidents' }).count(), 0)
    await inspect(page, 'times when a monitor was degraded')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
