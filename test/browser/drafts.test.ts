// What was typed into a form is there again after the page was loaded anew.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { fill, password, press, see, signIn, signOut, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

describe('a form whose page is loaded anew', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const shop = await call('POST', '/monitors', { name: 'Shop', kind: 'heartbeat', interval_seconds: 3600 })
  const contact = await call('POST', '/alert-channels', {
    name: 'Duty',
    kind: 'webhook',
    destination: 'https://alerts.example.com/in',
  })
  const incident = randomUUID()
  await service.change(
    `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at)
    select '${incident}', id, gen_random_uuid(), 'Shop', 'resolved', 'Shop is down', 'It answered 503.',
      now() - interval '1 hour', now() - interval '48 minutes'
    from workspaces`,
  )
  const note = page.getByRole('status').filter({ hasText: 'Restored what you had typed' })

  it('says a monitor again as it was typed, without its secrets', async () => {
    await page.goto('/monitors/new?kind=http')
    await fill(page, { Name: 'Half' })
    await unfoldAll()
    await field('keyword').fill('Welcome')
    await field('interval_seconds').fill('7')
    await field('interval_seconds.unit').selectOption({ label: 'hours' })
    await field('keep_evidence').uncheck()
    await page.getByRole('combobox', { name: 'Alerts go to' }).selectOption({ label: 'Only these contacts' })
    await page.getByLabel(/^Duty/).check()
    await page.getByRole('list', { name: 'Monitors to depend on' }).getByLabel(/^Shop/).check()
    await press(page, 'Add to Request headers')
    await field('request_headers.names').fill('Authorization')
    await field('request_headers.values').fill('Bearer topsecret')
    await field('request_body').fill('pin=topsecret')
    await page.reload()
    await note.getByText('Passwords and other secrets are not kept: type them again.').waitFor()
    await inspect(page, 'monitor form, restored')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half')
    assert.equal(await field('keyword').inputValue(), 'Welcome')
    assert.equal(await field('keyword').isVisible(), true)
    assert.equal(await field('interval_seconds').inputValue(), '7')
    assert.equal(await field('interval_seconds.unit').inputValue(), '3600')
    assert.equal(await field('keep_evidence').isChecked(), false)
    assert.equal(await page.getByLabel(/^Duty/).isChecked(), true)
    assert.equal(await page.locator('input[name="depends_on"]').inputValue(), shop.id)
    assert.equal(await field('request_body').inputValue(), '')
    assert.doesNotMatch(await keptTexts(page), /topsecret/)
  })

  it('begins anew once that is discarded, by keyboard', async () => {
    await note.getByRole('button', { name: 'Discard' }).focus()
    await page.keyboard.press('Enter')
    await note.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '')
    assert.equal(await page.evaluate(`document.activeElement.name`), 'name')
    assert.equal(await field('keep_evidence').isChecked(), true)
    assert.equal(await page.getByLabel(/^Duty/).count(), 0)
    assert.equal(await keptTexts(page), '')
    await page.reload()
    await see(page, 'New monitor: Website')
    assert.equal(await note.count(), 0)
  })

  it('says rows again that were added', async () => {
    await page.goto('/monitors/new?kind=extended_transaction')
    await page.getByLabel('Name', { exact: true }).fill('Till')
    await press(page, /^Add to Steps/)
    const steps = page.locator('input[name^="check_options.steps."][name$=".url"]')
    const count = await steps.count()
    assert.ok(count > 1)
    await steps.last().fill('https://till.example.com/')
    await page.reload()
    await note.waitFor()
    assert.equal(await steps.count(), count)
    assert.equal(await steps.last().inputValue(), 'https://till.example.com/')
  })

  it('keeps nothing of what is left or saved', async () => {
    await page.getByRole('link', { name: 'Contacts' }).first().click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await see(page, 'Contacts')
    assert.equal(await keptTexts(page), '')
    await page.goto(`/monitors/${shop.id}/edit`)
    await fill(page, { Name: 'Big shop' })
    await page.reload()
    await note.waitFor()
    await press(page, 'Save')
    await see(page, 'Big shop')
    assert.equal(await keptTexts(page), '')
  })

  it('says a contact again whose dialog is opened', async () => {
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    const dialog = page.getByRole('dialog', { name: 'Add a contact' })
    await dialog.getByRole('radio', { name: 'Slack' }).check()
    await dialog.getByLabel('Name', { exact: true }).fill('On call')
    await field('destination').fill('https://hooks.slack.com/services/T0/B0/topsecret')
    await dialog.getByText('Which alerts, and when').click()
    await dialog.getByLabel('Quiet hours').check()
    await dialog.getByLabel('Quiet from').fill('21:30')
    await page.reload()
    assert.doesNotMatch(await keptTexts(page), /topsecret/)
    await press(page, 'Add a contact')
    await note.getByText('Passwords and other secrets are not kept: type them again.').waitFor()
    await inspect(page, 'add a contact, restored')
    assert.equal(await dialog.getByRole('radio', { name: 'Slack' }).isChecked(), true)
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'On call')
    assert.equal(await dialog.getByLabel('Quiet from').inputValue(), '21:30')
    await note.getByRole('button', { name: 'Discard' }).click()
    await note.waitFor({ state: 'detached' })
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), '')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('says a status page again, with its groups', async () => {
    await page.goto('/status-pages/new')
    await fill(page, { Title: 'Acme', Description: 'How we do.' })
    await press(page, /^Add a group/)
    await field('sections.0.name').fill('Systems')
    await page.getByRole('radio', { name: /^Anyone with a password/ }).check()
    await page.getByLabel('Password of the page').fill('topsecret-page')
    await page.reload()
    await note.getByText('type them again', { exact: false }).waitFor()
    await inspect(page, 'status page form, restored')
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Acme')
    assert.equal(await page.getByLabel('Description').inputValue(), 'How we do.')
    assert.equal(await field('sections.0.name').inputValue(), 'Systems')
    assert.equal(await page.getByLabel('Password of the page').inputValue(), '')
    assert.doesNotMatch(await keptTexts(page), /topsecret/)
    await note.getByRole('button', { name: 'Discard' }).click()
    await note.waitFor({ state: 'detached' })
  })

  it('says that a contact was changed since, and what saving would replace', async () => {
    await page.goto(`/contacts/${contact.id}`)
    await press(page, 'Edit')
    const dialog = page.getByRole('dialog', { name: /^Edit/ })
    await dialog.getByLabel('Name', { exact: true }).fill('Night')
    await page.goto('/monitors')
    await see(page, 'Monitors')
    await call('PATCH', `/alert-channels/${contact.id}`, { name: 'Day', tags: ['ops'] })
    await page.goto(`/contacts/${contact.id}`)
    await press(page, 'Edit')
    await note.getByText('It was changed since. Saving replaces what others saved: Name.').waitFor()
    await inspect(page, 'edit a contact, changed since')
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Night')
    assert.equal(await dialog.getByLabel('Tags').inputValue(), 'ops')
    await note.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Day')
    await page.keyboard.press('Escape')
  })

  const others: readonly [what: string, at: string, open: string | null, label: string, typed: string][] = [
    ['maintenance', '/maintenance/new', null, 'Description', 'New disks'],
    ['a report', '/reports/new', null, 'Name', 'Weekly'],
    ['an escalation policy', '/contacts', 'Add an escalation policy', 'Name', 'Operations'],
    ['an on-call schedule', '/contacts/on-call', 'Add a schedule', 'Name', 'Nights'],
    ['an objective', '/objectives', 'Add an objective', 'Name', 'Gold'],
  ]
  for (const [what, at, open, label, typed] of others)
    it(`says ${what} again`, async () => {
      const again = async (): Promise<void> => (open === null ? undefined : press(page, open))
      await page.goto(at)
      await again()
      await page.getByLabel(label, { exact: true }).fill(typed)
      await page.reload()
      await again()
      await note.waitFor()
      assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), typed)
      await note.getByRole('button', { name: 'Discard' }).click()
      await note.waitFor({ state: 'detached' })
    })

  it('says a comment again that was not sent, and nothing of it once it is', async () => {
    await page.goto(`/incidents/${incident}`)
    const comment = page.getByLabel('Your comment', { exact: true })
    await comment.fill('It is the disk.')
    await page.reload()
    await note.waitFor()
    await inspect(page, 'comment, restored')
    assert.equal(await comment.inputValue(), 'It is the disk.')
    await page.getByRole('button', { name: 'Comment', exact: true }).press('Enter')
    const comments = page.getByRole('list', { name: 'Comments' })
    await comments.getByText('It is the disk.').waitFor()
    await note.waitFor({ state: 'detached' })
    assert.equal(await comment.inputValue(), '')
    await page.reload()
    await comments.getByText('It is the disk.').waitFor()
    assert.equal(await comment.inputValue(), '')
    assert.equal(await keptTexts(page), '')
  })

  it('goes on with a comment while another one arrives', async () => {
    const comment = page.getByLabel('Your comment', { exact: true })
    await comment.fill('Who ')
    await call('POST', `/incidents/${incident}/comments`, { body: 'It was the network.' })
    await page.getByRole('list', { name: 'Comments' }).getByText('It was the network.').waitFor()
    assert.equal(await comment.inputValue(), 'Who ')
    await page.reload()
    await note.getByRole('button', { name: 'Discard' }).click()
    await note.waitFor({ state: 'detached' })
    assert.equal(await comment.inputValue(), '')
    assert.equal(await keptTexts(page), '')
  })

  const changes: readonly [what: string, at: string, open: string, label: string, typed: string][] = [
    ['a comment that is changed', `/incidents/${incident}`, 'Change your comment', 'Your comment', 'It is the cable.'],
    ['a post-mortem', `/incidents/${incident}`, 'Write the post-mortem', 'Text', '## Summary'],
  ]
  for (const [what, at, open, label, typed] of changes)
    it(`says ${what} again`, async () => {
      await page.goto(at)
      const dialog = page.getByRole('dialog')
      const words = dialog.getByLabel(label, { exact: true })
      await page.getByRole('button', { name: open }).first().click()
      const before = await words.inputValue()
      await words.fill(typed)
      await page.reload()
      await page.getByRole('button', { name: open }).first().click()
      await note.waitFor()
      assert.equal(await words.inputValue(), typed)
      await note.getByRole('button', { name: 'Discard' }).click()
      await note.waitFor({ state: 'detached' })
      assert.equal(await words.inputValue(), before)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await keptTexts(page), '')
    })

  it('takes nonsense in the storage of the browser for nothing', async () => {
    await page.goto('/status-pages/new')
    await fill(page, { Title: 'Acme' })
    await page.reload()
    await note.waitFor()
    await page.evaluate(`for (const key of Object.keys(localStorage).filter((each) => each.startsWith('perigee.draft.'))) {
      const [at, text] = localStorage.getItem(key).split(/ (.*)/s)
      const draft = JSON.parse(text)
      draft.typed.held = { form: { groups: [{ key: {} }], slug: 7 }, other: 1 }
      draft.typed.fields['layout#0'] = 'nonsense'
      localStorage.setItem(key, at + ' ' + JSON.stringify(draft))
    }`)
    await page.reload()
    await note.waitFor()
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Acme')
    await note.getByRole('button', { name: 'Discard' }).click()
    await note.waitFor({ state: 'detached' })
  })

  it('keeps nothing once its person signs out', async () => {
    await page.goto('/monitors/new?kind=http')
    await fill(page, { Name: 'Half' })
    await page.reload()
    await note.waitFor()
    await signOut(page)
    assert.equal(await keptTexts(page), '')
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto('/monitors/new?kind=http')
    await see(page, 'New monitor: Website')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '')
    assert.equal(await note.count(), 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  function field(name: string): Locator {
    return page.locator(`[name="${name}"]`)
  }

  async function unfoldAll(): Promise<void> {
    await page.evaluate(`for (const each of document.querySelectorAll('main details')) each.open = true`)
  }
})

/** All drafts that the browser keeps. */
function keptTexts(page: Page): Promise<string> {
  return page.evaluate<string>(
    `Object.keys(localStorage).filter((key) => key.startsWith('perigee.draft.')).map((key) => localStorage.getItem(key)).join()`,
  )
}
