// Alerts on this device, offered where a person acknowledges.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { httpServer } from '../support/http-server.ts'
import { startPushService } from '../support/push-service.ts'
import { until } from '../support/until.ts'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const ownerEmail = 'owner@example.com'

describe('the offer to get incidents on this device', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: ownerEmail, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints, origin } = service
  const { port } = await httpServer((_, response) => response.writeHead(503).end('Out of order'))
  const answer = await fetch(`${origin}/console/push-key.json`)
  const text = /"key":"([^"]+)"/.exec(await answer.text())?.[1] ?? assert.fail('no key')
  const { subscription } = await startPushService(() => text)
  const { endpoint, p256dh, auth } = subscription

  /** Signed in, and able to be told: the push service of the browser's maker cannot be reached from here. */
  async function browser(): Promise<Page> {
    const { context, page } = await visitor({ hasWorkers: true })
    await context.grantPermissions(['notifications'], { origin })
    await page.addInitScript(`
      window.asked = 0
      Notification.requestPermission = async () => { window.asked += 1; return 'granted' }
      PushManager.prototype.subscribe = async () =>
        ({ toJSON: () => (${JSON.stringify({ endpoint, keys: { p256dh, auth } })}) })`)
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    return page
  }

  const page = await browser()
  const call = callerOf(page)
  /** Another incident, which is acknowledged on the page of all of them. */
  async function acknowledge(of: Page, name: string): Promise<void> {
    const input = { interval_seconds: 300, failure_threshold: 1, url: `http://127.0.0.1:${port}/${name}` }
    await call('POST', '/monitors', { name, ...input })
    await of.goto('/incidents')
    await of.getByRole('button', { name: new RegExp(`^Acknowledge: .*${name}`) }).click({ timeout: 60_000 })
    await of.getByText('Acknowledged. The recovery alert is still sent.').waitFor()
  }

  it('comes after an acknowledgement, and asks nothing of the browser yet', async () => {
    await page.goto('/incidents')
    await see(page, 'Incidents')
    assert.equal(await offer(page).count(), 0)
    await acknowledge(page, 'Shop')
    await accept(page).waitFor()
    assert.equal(await page.evaluate('window.asked'), 0)
    await inspect(page, 'incidents, push is offered')
    await page.getByRole('link', { name: /Shop/ }).first().click()
    await page.waitForURL(/\/incidents\/./)
    await see(page, /Shop/)
    await accept(page).waitFor()
    await inspect(page, 'incident, push is offered')
    await page.getByRole('link', { name: 'Monitors', exact: true }).click()
    await see(page, 'Monitors')
    await accept(page).waitFor()
    await inspect(page, 'monitors, push is offered')
  })

  it('makes a contact of the browser, by keyboard alone, and is gone then', async () => {
    await accept(page).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^Chrome on .* gets alerts from now on\.$/).waitFor()
    assert.equal(await page.evaluate('window.asked'), 1)
    await offer(page).waitFor({ state: 'detached' })
    await until('the focus is on the page', async () => (await page.locator('main:focus').count()) === 1)
    await acknowledge(page, 'Bakery')
    assert.equal(await offer(page).count(), 0)
    await page.goto('/contacts')
    await page.getByRole('link', { name: /^Chrome on / }).waitFor()
  })

  it('is dismissed for good', async () => {
    const other = await browser()
    await acknowledge(other, 'Library')
    await accept(other).waitFor()
    await press(other, 'Do not offer this again')
    await offer(other).waitFor({ state: 'detached' })
    await acknowledge(other, 'Museum')
    assert.equal(await offer(other).count(), 0)
    assert.equal(await other.evaluate('window.asked'), 0)
  })

  it('is not made where the browser was told not to ask', async () => {
    const other = await browser()
    await other.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`)
    await acknowledge(other, 'Harbour')
    assert.equal(await offer(other).count(), 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

function offer(of: Page): Locator {
  return of.getByRole('region', { name: 'Incidents on this device' })
}

function accept(of: Page): Locator {
  return offer(of).getByRole('button', { name: 'Get incidents on this device' })
}
