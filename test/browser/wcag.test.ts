// Every page by the rules of WCAG 2.2 that need another width, other spacing, or the focus on each element in turn.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { password, see, signIn, startConsole } from './support/console.ts'
import { everyPage, openPage } from './support/every-page.ts'
import { faultsOf } from './support/wcag.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
const publicPages = ['/sign-in', '/sign-up', '/forgot-password', '/status/acme', '/status/acme/history', '/reference']

describe('a page that is zoomed, spaced out, or walked by keyboard', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const shop = await call('POST', '/monitors', { name: 'Shop', kind: 'http', url: service.origin, tags: ['web'] })
  await call('POST', '/monitors', { name: 'Backup', kind: 'heartbeat', interval_seconds: 3600 })
  await call('POST', '/status-pages', {
    slug: 'acme',
    title: 'Acme',
    sections: [{ monitors: [{ monitor_id: shop.id }] }],
  })
  await call('POST', '/alert-channels', { kind: 'webhook', name: 'Ops', destination: `${service.origin}/hook` })

  it('is right on each page of the console', async () => {
    const titles = new Map<string, string>()
    const faults: string[] = []
    const seen = await everyPage(page, ['/monitors', '/welcome', '/monitors/new?kind=http'], async (path) => {
      faults.push(...(await faultsOf(page)).map((each) => `${path}: ${each}`))
      titles.set(await page.title(), path)
    })
    assert.deepEqual([...new Set(faults)], [])
    assert.ok(seen.size > 40, `${seen.size} pages`)
    assert.ok(titles.size > 25, `${titles.size} titles`)
  })

  it('is right on pages for people who are not signed in', async () => {
    const { page: stranger } = await visitor()
    for (const path of publicPages) {
      const answer = await stranger.goto(path)
      assert.equal(answer?.status(), 200, path)
      await stranger.getByRole('heading', { level: 1 }).first().waitFor()
      assert.deepEqual(
        (await faultsOf(stranger)).map((each) => `${path}: ${each}`),
        [],
      )
    }
  })

  it('is left by the key that entered it, and begins with a way past the navigation', async () => {
    await openPage(page, '/monitors')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'To the page' }).and(page.locator(':focus')).waitFor()
    const walked = new Set<string>()
    for (let count = 0; count < 200; count += 1) {
      await page.keyboard.press('Tab')
      const what = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 300)')
      if (what.startsWith('<body')) break
      walked.add(what)
    }
    assert.ok(walked.size > 20 && walked.size < 200, `${walked.size} elements`)
    await page.getByRole('link', { name: 'To the page' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'main')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
