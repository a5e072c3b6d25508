// Every form of the console: what was typed into it is not lost without a question.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { holdAnswer } from './support/held-answers.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
const incidentId = 'a3a1c1de-3f0f-4a86-8d0e-0a4f5f1d2c44'

type FormCase = { what: string; at: string; field: string; typed: string }
type DialogCase = FormCase & { open: string }

describe('what was typed', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints, change } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const site = await call('POST', '/monitors', {
    name: 'Shop',
    kind: 'http',
    url: service.origin,
    vulnerability_alerts: true,
  })
  const contact = await call('POST', '/alert-channels', {
    name: 'Duty',
    kind: 'webhook',
    destination: 'https://alerts.example.com/in',
  })
  await call('POST', '/on-call-schedules', {
    name: 'Nights',
    time_zone: 'UTC',
    layers: [
      {
        participants: [contact.id],
        rotation: { every: 1, unit: 'weeks' },
        hand_over: '09:00',
        start_date: '2026-01-01',
      },
    ],
  })
  const statusPage = await call('POST', '/status-pages', {
    slug: 'acme',
    title: 'Acme',
    sections: [{ name: '', monitors: [{ monitor_id: site.id, name: null }] }],
  })
  await change(
    `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
    select '${incidentId}', workspace_id, id, name, 'open', name || ' is down', now() - interval '1 hour'
    from monitors
    where id = '${site.id}'`,
  )
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })

  const forms: readonly FormCase[] = [
    { what: 'a monitor', at: '/monitors/new?kind=http', field: 'Name', typed: 'Half' },
    { what: 'a status page', at: '/status-pages/new', field: 'Description', typed: 'How we do.' },
    { what: 'maintenance', at: '/maintenance/new', field: 'Description', typed: 'New disks' },
    { what: 'the name of an account', at: '/settings/account', field: 'Your name', typed: 'Ola' },
    { what: 'the address of an account', at: '/settings/account', field: 'New address', typed: 'ola@example.com' },
    { what: 'the name of a workspace', at: '/settings/workspace', field: 'Name of the workspace', typed: 'Half' },
    { what: 'billing details', at: '/settings/billing', field: 'Address', typed: '1 Long Street' },
    { what: 'the set-up, name', at: '/welcome?step=workspace', field: 'Name of the workspace', typed: 'Half' },
    { what: 'the set-up, addresses', at: '/welcome?step=monitors', field: 'Addresses', typed: 'example.com' },
    { what: 'the set-up, contact', at: '/welcome?step=contacts', field: 'Name', typed: 'On call' },
  ]
  for (const { what, at, field, typed } of forms)
    it(`is kept until that is answered: ${what}`, async () => {
      await page.goto(at)
      await page.getByLabel(field, { exact: true }).fill(typed)
      assert.equal(await isTabHeld(page), true)
      await goToStatusPages()
      await question.getByRole('button', { name: 'Stay' }).click()
      assert.equal(await page.getByLabel(field, { exact: true }).inputValue(), typed)
      await goToStatusPages()
      await question.getByRole('button', { name: 'Leave' }).click()
      await see(page, 'Status pages')
      assert.equal(await question.count(), 0)
    })

  const dialogs: readonly DialogCase[] = [
    { what: 'a contact', at: '/contacts', open: 'Add a contact', field: 'Name', typed: 'On call' },
    { what: 'a change of a contact', at: `/contacts/${contact.id}`, open: 'Edit', field: 'Name', typed: 'Night' },
    {
      what: 'an escalation policy',
      at: '/contacts',
      open: 'Add an escalation policy',
      field: 'Name',
      typed: 'Operations',
    },
    {
      what: 'an override of an on-call schedule',
      at: '/contacts/on-call',
      open: 'Override Nights',
      field: 'Ends (UTC)',
      typed: '2036-01-01T09:00',
    },
    {
      what: 'an announcement',
      at: `/status-pages/${statusPage.id}?tab=announcements`,
      open: 'Announce something',
      field: 'Text',
      typed: 'We move.',
    },
    {
      what: 'an update of an incident',
      at: `/incidents/${incidentId}`,
      open: 'Write an update',
      field: 'Text',
      typed: 'A disk is full.',
    },
    {
      what: 'a subscriber',
      at: `/status-pages/${statusPage.id}?tab=subscribers`,
      open: 'Add a webhook',
      field: 'Address',
      typed: 'https://hooks.example.com/in',
    },
    {
      what: 'an invitation',
      at: '/settings/members',
      open: 'Invite someone',
      field: 'Email',
      typed: 'mia@example.com',
    },
    { what: 'a token', at: '/settings/tokens', open: 'Create a token', field: 'Name', typed: 'Deploys' },
    { what: 'software', at: `/monitors/${site.id}?tab=software`, open: 'Add', field: 'Name', typed: 'nginx' },
    {
      what: 'a list of software',
      at: `/monitors/${site.id}?tab=software`,
      open: 'Import a list',
      field: 'Or a list',
      typed: 'nginx 1.25.3\nopenssl 3.0.1',
    },
  ]
  for (const each of dialogs)
    it(`is kept until that is answered: ${each.what}`, async () => {
      const { dialog, field } = await openDialog(each)
      await field.fill(each.typed)
      assert.equal(await isTabHeld(page), true)
      // A second Escape at once answers the question. A third one asks again: browsers close a dialog by force then.
      for (const isAsked of [true, false, true]) {
        await page.keyboard.press('Escape')
        await question.waitFor({ state: isAsked ? 'visible' : 'detached' })
      }
      await question.getByRole('button', { name: 'Stay' }).click()
      assert.equal(await field.inputValue(), each.typed)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await question.getByRole('button', { name: 'Leave' }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await isTabHeld(page), false)
    })

  it('is kept until that is answered: the set-up, status page', async () => {
    await call('DELETE', `/status-pages/${statusPage.id}`)
    await page.goto('/welcome?step=status-page')
    await page.getByRole('checkbox', { name: 'Shop' }).click()
    await goToStatusPages()
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('checkbox', { name: 'Shop' }).click()
    await goToStatusPages()
    await see(page, 'Status pages')
  })

  it('is kept while the browser goes back, too', async () => {
    await page.goto('/maintenance')
    await page.getByRole('link', { name: 'Contacts' }).click()
    await see(page, 'Contacts')
    await press(page, 'Add a contact')
    await page.getByLabel('Name', { exact: true }).fill('On call')
    await page.goBack()
    await question.waitFor()
    await inspect(page, 'dialog, leave without saving')
    await question.getByRole('button', { name: 'Stay' }).click()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'On call')
    await page.goBack()
    await question.getByRole('button', { name: 'Leave' }).click()
    await see(page, 'Maintenance')
  })

  it('is kept when a second form of the page was changed, after one question', async () => {
    await page.goto('/settings/account')
    await page.getByLabel('Your name', { exact: true }).fill('Ola')
    await page.getByLabel('New address', { exact: true }).fill('ola@example.com')
    await goToStatusPages()
    await question.getByRole('button', { name: 'Leave' }).click()
    await see(page, 'Status pages')
    assert.equal(await question.count(), 0)
  })

  it('is kept while another workspace is looked at', async () => {
    await page.goto('/settings/billing')
    await page.getByLabel('Address', { exact: true }).fill('1 Long Street')
    await press(page, /^Workspace:/)
    await page.getByRole('menuitem', { name: 'Create a workspace' }).click()
    await question.getByRole('button', { name: 'Stay' }).click()
    assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), '1 Long Street')
  })

  const brief: readonly DialogCase[] = [
    {
      what: 'a password',
      at: '/settings/security',
      open: 'Set up',
      field: 'Your password',
      typed: 'correct horse battery',
    },
    { what: 'the name of a passkey', at: '/settings/security', open: 'Add a passkey', field: 'Name', typed: 'Key' },
  ]
  for (const each of brief)
    it(`is dropped where it is typed again at once: ${each.what}`, async () => {
      await page.goto('about:blank')
      const { dialog, field } = await openDialog(each)
      await field.fill(each.typed)
      assert.equal(await isTabHeld(page), false)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await question.count(), 0)
    })

  it('is not asked about while it is being saved', async () => {
    await page.goto('/welcome?step=monitors')
    await page.getByLabel('Addresses', { exact: true }).fill(`${service.origin}/healthz`)
    await press(page, 'Check them')
    const watch = page.getByRole('button', { name: 'Watch it' })
    await watch.waitFor()
    const answer = await holdAnswer(page, /\/api\/v1\/monitors$/)
    await watch.click()
    await answer.asked()
    await goToStatusPages()
    await see(page, 'Status pages')
    await answer.release()
  })

  it('is asked about no more once it is saved', async () => {
    await page.goto('/settings/billing')
    await page.getByLabel('Address', { exact: true }).fill('2 Long Street')
    await press(page, 'Save')
    await page.getByText('The billing details are saved.').waitFor()
    await goToStatusPages()
    await see(page, 'Status pages')
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await page.getByLabel('Name', { exact: true }).fill('On call')
    await page.getByLabel('Address', { exact: true }).fill('two words')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByLabel('Address', { exact: true }).fill('duty@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await isTabHeld(page), false)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  function goToStatusPages(): Promise<void> {
    return page.getByRole('link', { name: 'Status pages', exact: true }).click()
  }

  async function openDialog({ at, open, field }: DialogCase): Promise<{ dialog: Locator; field: Locator }> {
    await page.goto(at)
    await press(page, open)
    const dialog = page.getByRole('dialog')
    return { dialog, field: dialog.getByLabel(field, { exact: true }) }
  }
})

/** Whether the browser asks before it closes the tab. */
function isTabHeld(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
}
