// What was typed is not lost without a question.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attributesOf } from './support/attributes.ts'
import { fill, password, press, see, signIn, signOut, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

describe('a form that is left', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })

  it('asks before a half-filled form is left, and only then', async () => {
    const isTabHeld = (): Promise<boolean> =>
      page.evaluate<boolean>(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
    await page.goto('/monitors/new')
    await page
      .getByRole('link', { name: /^Website/ })
      .first()
      .click()
    await see(page, 'New monitor: Website')
    await page.getByLabel('Name', { exact: true }).click()
    assert.equal(await isTabHeld(), false)
    await fill(page, { Name: 'Half' })
    assert.equal(await isTabHeld(), true)
    await page.getByRole('link', { name: 'Contacts' }).click()
    await question.waitFor()
    await inspect(page, 'leave without saving')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half')
    await page.goBack()
    await question.getByRole('button', { name: 'Stay' }).click()
    await see(page, 'New monitor: Website')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half')
    await fill(page, { Name: '' })
    assert.equal(await isTabHeld(), false)
    await page.getByRole('link', { name: 'Contacts' }).click()
    await see(page, 'Contacts')
    await page.goBack()
    await see(page, 'New monitor: Website')
    await fill(page, { Name: 'Half' })
    await page.getByRole('link', { name: 'Choose another kind' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await see(page, 'A new monitor')
  })

  it('keeps what was typed about a status page while other tabs are looked at', async () => {
    const shop = await call('POST', '/monitors', { name: 'Shop', kind: 'heartbeat', interval_seconds: 3600 })
    const blog = await call('POST', '/monitors', { name: 'Blog', kind: 'heartbeat', interval_seconds: 3600 })
    const monitors = [blog, shop].map(({ id }) => ({ monitor_id: id, name: null }))
    const made = await call('POST', '/status-pages', {
      slug: 'acme',
      title: 'Acme',
      sections: [{ name: '', monitors }],
    })
    await page.goto(`/status-pages/${made.id}`)
    const description = page.getByLabel('Description')
    await page.getByRole('link', { name: 'Preview', exact: true }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Acme' }).waitFor()
    assert.equal(await page.getByText('are not saved yet', { exact: false }).count(), 0)
    await page.getByRole('link', { name: 'Page', exact: true }).click()
    await description.fill('How our shop does.')
    await page.getByRole('link', { name: 'Preview', exact: true }).click()
    await page.getByText('Your changes under “Page” are not saved yet', { exact: false }).waitFor()
    await inspect(page, 'status page, preview of what is not saved')
    await page.getByRole('link', { name: 'Contacts' }).click()
    await question.waitFor()
    await inspect(page, 'status page, leave without saving')
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('link', { name: 'Page', exact: true }).click()
    assert.equal(await description.inputValue(), 'How our shop does.')
    await press(page, 'Save')
    await page.getByText('Acme is saved.', { exact: false }).waitFor()
    await press(page, 'Move Blog down')
    await page.goBack()
    await page.goBack()
    await page.getByRole('link', { name: 'Contacts' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await see(page, 'Contacts')
    await page.goto('/status-pages')
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    assert.equal(await description.inputValue(), 'How our shop does.')
    assert.deepEqual(await placed(), ['Blog', 'Shop'])
    await page.getByRole('link', { name: 'Contacts' }).click()
    await see(page, 'Contacts')
  })

  it('asks before a maintenance window is left half planned', async () => {
    await page.goto('/maintenance/new')
    await see(page, 'Plan maintenance')
    await press(page, 'Every week')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await see(page, 'Maintenance')
  })

  it('signs out all the same', async () => {
    await page.goto('/monitors/new?kind=http')
    await fill(page, { Name: 'Half' })
    await signOut(page)
    assert.equal(await question.count(), 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  async function placed(): Promise<string[]> {
    const labels = await attributesOf(page.getByLabel(/^Name of .* on the page$/), 'aria-label')
    return labels.map((label) => /^Name of (.*) on/.exec(label)?.[1] ?? '')
  }
})
