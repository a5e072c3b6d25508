// The command palette, by keys alone: everything of the console is found in it and done by it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { until } from '../support/until.ts'
import { password, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

describe('the command palette', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const shop = await call('POST', '/monitors', { name: 'Shop', kind: 'http', url: service.origin, tags: ['berlin'] })
  await call('POST', '/monitors', { name: 'Staging database', kind: 'tcp', url: 'localhost:1', interval_seconds: 3600 })
  await call('POST', '/status-pages', { slug: 'acme', title: 'Acme' })
  const field = page.getByRole('combobox', { name: 'Find a monitor, a page or an action' })

  /** Opens it, and types. */
  const seek = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type(text)
  }
  const choose = async (text: string, title: string): Promise<void> => {
    await seek(text)
    await activeOption(page, title).waitFor()
    await page.keyboard.press('Enter')
    await field.waitFor({ state: 'detached' })
  }

  it('leads to monitors by name, tag, kind, id and by letters in their order', async () => {
    const { id } = shop
    for (const [text, title] of [
      ['shop', 'Shop'],
      ['berlin', 'Shop'],
      ['website shop', 'Shop'],
      [id, 'Shop'],
      ['data stag', 'Staging database'],
      ['stgdb', 'Staging database'],
    ] as const) {
      await choose(text, title)
      await see(page, title)
      await page.goto('/contacts')
      await see(page, 'Contacts')
    }
  })

  it('leads to pages and settings, also by other words for them, and gives the page the focus', async () => {
    for (const [text, option, heading] of [
      ['status', 'Status pages', 'Status pages'],
      ['passkey', 'Security', 'Security'],
      ['invite', 'Members', 'Members'],
      ['settings audit', 'Audit log', 'Audit log'],
      ['acme', 'Acme', 'Acme'],
      ['new ping', 'New monitor: Ping', 'New monitor: Ping'],
    ] as const) {
      await choose(text, option)
      await see(page, heading)
      await until('the page has the focus', async () => page.locator('main').and(page.locator(':focus')).isVisible())
    }
  })

  it('shows where the person was last, before anything is typed', async () => {
    await page.goto(`/monitors/${shop.id}`)
    await see(page, 'Shop')
    await page.goto('/contacts')
    await see(page, 'Contacts')
    await seek('')
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
    await recent.first().filter({ hasText: 'Shop' }).waitFor()
    await inspect(page, 'palette')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  })

  it('checks, pauses and resumes a monitor from anywhere', async () => {
    await choose('check shop', 'Check Shop now')
    await page.getByRole('group', { name: 'Result of the check' }).waitFor()
    await inspect(page, 'palette, check now')
    await page.keyboard.press('Escape')
    await choose('pause shop', 'Pause Shop')
    const question = page.getByRole('dialog', { name: 'Pause Shop?' })
    await question.getByRole('button', { name: 'Pause' }).press('Enter')
    await question.waitFor({ state: 'detached' })
    await choose('resume shop', 'Resume Shop')
    await page.getByText('Shop is checked again.').waitFor()
    await seek('pause shop')
    await activeOption(page, 'Pause Shop').waitFor()
    await page.keyboard.press('Escape')
  })

  it('acknowledges an incident', async () => {
    await choose('check staging', 'Check Staging database now')
    await page.keyboard.press('Escape')
    await page.goto('/incidents')
    await page
      .getByRole('link', { name: /Staging database/ })
      .first()
      .waitFor()
    await choose('ack staging', 'Acknowledge: Staging database is down')
    await page.getByText('Acknowledged. The recovery alert is still sent.').waitFor()
  })

  it('changes the colours, and lists every key at "?"', async () => {
    await choose('dark', 'Colours: Dark')
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await choose('colours system', 'Colours: As the system')
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await inspect(page, 'keys')
    await page.getByLabel('Single keys such as / and ? work in this browser').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await choose('shortcuts', 'Keyboard shortcuts')
    await page.getByLabel('Single keys such as / and ? work in this browser').check()
    await page.keyboard.press('Escape')
  })

  it('goes round in its list, and says which option is the active one', async () => {
    await seek('shop')
    const options = page.getByRole('option')
    // They come last, together with what can be done with them.
    await page.getByRole('group', { name: 'Monitors' }).getByRole('option').first().waitFor()
    const active = async (): Promise<string | null> => field.getAttribute('aria-activedescendant')
    const isActive = async (option: Locator): Promise<boolean> => (await active()) === (await option.getAttribute('id'))
    await until('the first one is active', () => isActive(options.first()))
    await page.keyboard.press('ArrowUp')
    await until('the last one is active', () => isActive(options.last()))
    await page.keyboard.press('ArrowDown')
    await until('the first one is active again', () => isActive(options.first()))
    await page.keyboard.press('Control+k')
    await field.waitFor({ state: 'detached' })
  })

  it('takes a target, and keeps it out of the address of the form that it fills', async () => {
    const target = page.getByLabel('Host and port')
    for (const pasted of ['db.example.com:5432', 'cache.example.com:6379']) {
      await seek(pasted)
      await page.getByRole('option', { name: /^New monitor: TCP port/ }).click()
      await see(page, 'New monitor: TCP port')
      await until('the form is filled', async () => (await target.inputValue()) === pasted)
      assert.equal(new URL(page.url()).search, '?kind=tcp')
    }
    await page.reload()
    await see(page, 'New monitor: TCP port')
    assert.equal(await target.inputValue(), 'cache.example.com:6379')
  })

  it('asks before it leaves a form with something typed in it', async () => {
    await page.goto('/monitors/new?kind=ping')
    await page.getByLabel('Name', { exact: true }).fill('Half')
    await choose('contacts', 'Contacts')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
    await see(page, 'Contacts')
  })

  it('signs out', async () => {
    await choose('sign out', 'Sign out')
    await see(page, 'Sign in')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

function activeOption(page: Page, title: string): Locator {
  return page.getByRole('option', { selected: true }).filter({ has: page.getByText(title, { exact: true }) })
}
