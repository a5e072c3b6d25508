// What a page reads at a press of a button: until it came, the page stays as it is, and keeps the focus.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { holdAnswer } from './support/held-answers.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

describe('a page that waits for an answer', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const site = await call('POST', '/monitors', { name: 'Shop', kind: 'http', url: service.origin })
  const job = await call('POST', '/monitors', { name: 'Backup', kind: 'heartbeat', interval_seconds: 3600 })
  await call('POST', `/monitors/${job.id}/pause`)
  const statusPage = await call('POST', '/status-pages', { slug: 'acme', title: 'Acme' })

  type Case = {
    what: string
    at: string
    /** What is pressed, and keeps the focus. */
    pressed: Locator
    /** The address that answers late. */
    late: RegExp
    /** What the page had before. */
    stays: Locator
    comes: Locator
    begin?: () => Promise<void>
  }
  const cases: readonly Case[] = [
    {
      what: 'a check',
      at: `/monitors/${site.id}?tab=incidents`,
      pressed: page.getByRole('button', { name: 'Check now' }),
      late: /\/api\/v1\/locations/,
      stays: page.getByRole('heading', { name: 'Shop', exact: true }),
      comes: page.getByRole('dialog', { name: 'Check Shop' }),
    },
    {
      what: 'monitors for a status page',
      at: `/status-pages/${statusPage.id}`,
      begin: async () => {
        await press(page, 'Add a group')
        await page.getByLabel('Description').fill('Half')
      },
      pressed: page.getByRole('button', { name: 'Add monitors to Group 1' }),
      late: /\/api\/v1\/monitors(\?|$)/,
      stays: page.getByLabel('Description'),
      comes: page.getByRole('dialog', { name: 'Add monitors' }).getByLabel('Shop'),
    },
    {
      what: 'the tab of a status page',
      at: `/status-pages/${statusPage.id}?tab=embed`,
      pressed: page.getByRole('link', { name: 'Subscribers' }),
      late: /\/subscribers(\?|$)/,
      stays: page.getByRole('heading', { name: 'Acme', exact: true }),
      comes: page.getByText('No one has subscribed yet.'),
    },
    {
      what: 'the tab of a monitor',
      at: `/monitors/${site.id}?tab=incidents`,
      pressed: page.getByRole('link', { name: 'Results', exact: true }),
      late: /\/result-pages(\?|$)/,
      stays: page.getByRole('heading', { name: 'Shop', exact: true }),
      comes: page.getByRole('list', { name: 'Results' }),
    },
    {
      what: 'incidents of one state',
      at: '/incidents',
      pressed: page.getByRole('button', { name: 'Resolved' }),
      late: /\/incident-pages\?status=resolved/,
      stays: page.getByRole('heading', { level: 1, name: 'Incidents' }),
      comes: page.getByText('None has been resolved yet.'),
    },
  ]
  for (const { what, at, begin, pressed, late, stays, comes } of cases)
    it(`keeps what it had: ${what}`, async () => {
      await page.goto(at)
      await stays.waitFor()
      await begin?.()
      const answer = await holdAnswer(page, late)
      await pressed.click()
      await answer.asked()
      assert.equal(await stays.isVisible(), true)
      assert.equal(await pressed.and(page.locator(':focus')).isVisible(), true)
      await answer.release()
      await comes.first().waitFor()
    })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
