// Escalation policies: made, changed, named by a monitor, deleted.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'

const ownerEmail = 'owner@example.com'

describe('escalation in the console', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  const dialog = page.getByRole('dialog')

  async function addContact(name: string): Promise<void> {
    await press(page, 'Add a contact')
    await dialog.getByRole('radio', { name: 'Webhook', exact: true }).check()
    await fill(page, { Name: name, URL: 'https://alerts.example/in' })
    await press(page, 'Add')
    await press(page, 'Done')
    await page.getByRole('link', { name, exact: true }).waitFor()
  }

  it('is a policy of steps, refused where it is wrong', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await page.goto('/contacts')
    await addContact('Ann')
    await addContact('Bob')
    await press(page, 'Add an escalation policy')
    await fill(page, { Name: 'Operations' })
    await press(page, 'Add')
    await dialog.getByText('Must name a contact, or an on-call schedule.').waitFor()
    await inspect(page, 'add a policy, refused')
    const first = dialog.getByRole('region', { name: 'Step 1' })
    await first.getByRole('checkbox', { name: 'Ann' }).check()
    await press(page, 'Add a step')
    const second = dialog.getByRole('region', { name: 'Step 2' })
    await second.getByRole('checkbox', { name: 'Bob' }).check()
    await dialog.getByRole('checkbox', { name: /^Default of the workspace/ }).check()
    await inspect(page, 'add a policy')
    await press(page, 'Add')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('at once: Ann').waitFor()
    await page.getByText('after 10 min: Bob').waitFor()
    await inspect(page, 'contacts with a policy')
  })

  it('is changed', async () => {
    await press(page, 'Change Operations')
    await press(page, 'Remove step 2')
    await fill(page, { 'Repeat all steps (times)': '2' })
    await press(page, 'Save')
    await page.getByText('then 2 times more').waitFor()
    assert.equal(await page.getByText('after 10 min: Bob').count(), 0)
  })

  it('is chosen at a monitor', async () => {
    await page.goto('/monitors/new?kind=http')
    await see(page, /^New monitor: /)
    await fill(page, { Name: 'Shop', Address: 'https://shop.example' })
    await page.getByText('Alerts', { exact: true }).click()
    await page.getByLabel('Escalation policy', { exact: true }).selectOption({ label: 'Operations' })
    await press(page, 'Create the monitor')
    await see(page, 'Shop')
  })

  it('is deleted', async () => {
    await page.goto('/contacts')
    await press(page, 'Delete Operations')
    await press(page, 'Delete permanently')
    await until('the policy is gone', async () => (await page.getByText('at once: Ann').count()) === 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
