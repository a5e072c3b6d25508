// Which alerts are sent, and when: chosen at a contact and at a monitor.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'

const ownerEmail = 'owner@example.com'

describe('rules of alerts in the console', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  const dialog = page.getByRole('dialog')

  it('are folded away at a contact, refused where they are wrong, and shown', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await dialog.getByRole('radio', { name: 'Webhook', exact: true }).check()
    await fill(page, { Name: 'Night desk', URL: 'https://alerts.example/in' })
    assert.equal(await page.getByLabel('Quiet hours').isVisible(), false)
    await dialog.getByText('Which alerts, and when').click()
    await dialog.getByRole('checkbox', { name: /^recoveries/ }).uncheck()
    await fill(page, { 'Alert about an outage once it has lasted (minutes)': 'soon' })
    await dialog.getByRole('checkbox', { name: /^Quiet hours/ }).check()
    await fill(page, { 'Quiet from': '22:00', 'Quiet until': '22:00', 'Time zone': 'Europe/Sofia' })
    await press(page, 'Add')
    await until('the hours are refused', async () => {
      return (await page.getByLabel('Quiet until', { exact: true }).getAttribute('aria-invalid')) === 'true'
    })
    await inspect(page, 'rules of a contact, refused')
    await fill(page, { 'Alert about an outage once it has lasted (minutes)': '10', 'Quiet until': '07:00' })
    await dialog.getByRole('checkbox', { name: 'Sunday', exact: true }).uncheck()
    await press(page, 'Add')
    await press(page, 'Done')
    await page.getByRole('link', { name: 'Night desk', exact: true }).click()
    await see(page, 'Night desk')
    await page
      .getByText(/outages once they have lasted 10 min; quiet from 22:00 to 07:00 \(Europe\/Sofia\) on/)
      .waitFor()
    await inspect(page, 'a contact with rules')
  })

  it('stay as they are when a contact is edited, and can be cleared', async () => {
    await press(page, 'Edit')
    assert.equal(await page.getByLabel('Quiet from', { exact: true }).inputValue(), '22:00')
    assert.equal(await dialog.getByRole('checkbox', { name: 'Sunday', exact: true }).isChecked(), false)
    await fill(page, { Name: 'Day desk' })
    await press(page, 'Save')
    await see(page, 'Day desk')
    await page.getByText(/lasted 10 min/).waitFor()
    await press(page, 'Edit')
    await dialog.getByRole('checkbox', { name: /^recoveries/ }).check()
    await dialog.getByRole('checkbox', { name: /^Quiet hours/ }).uncheck()
    await fill(page, { 'Alert about an outage once it has lasted (minutes)': '' })
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/lasted 10 min/).waitFor({ state: 'detached' })
  })

  it('have several alerts leave as one message, unless a new contact does not want that', async () => {
    await page.getByText(/several at once as one message/).waitFor()
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    const choice = dialog.getByRole('checkbox', { name: /^Several alerts as one message/ })
    await dialog.getByRole('radio', { name: 'PagerDuty', exact: true }).check()
    assert.equal(await choice.count(), 0)
    await dialog.getByRole('radio', { name: 'Webhook', exact: true }).check()
    assert.equal(await choice.isChecked(), true)
    await choice.uncheck()
    await fill(page, { Name: 'Program', URL: 'https://alerts.example/each' })
    await press(page, 'Add')
    await press(page, 'Done')
    await page.getByRole('link', { name: 'Program', exact: true }).click()
    await see(page, 'Program')
    assert.equal(await page.getByText(/several at once as one message/).count(), 0)
  })

  it('tell of maintenance where that is chosen, which no program that keeps alerts may', async () => {
    const maintenance = dialog.getByRole('checkbox', { name: /planned maintenance$/ })
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await dialog.getByText('Which alerts, and when').click()
    await dialog.getByRole('radio', { name: 'PagerDuty', exact: true }).check()
    await dialog.getByRole('checkbox', { name: /^recoveries/ }).waitFor()
    assert.equal(await maintenance.count(), 0)
    await dialog.getByRole('radio', { name: 'Webhook', exact: true }).check()
    assert.equal(await maintenance.isChecked(), false)
    await maintenance.check()
    await fill(page, { Name: 'Planner', URL: 'https://alerts.example/plans' })
    await press(page, 'Add')
    await press(page, 'Done')
    await page.getByRole('link', { name: 'Planner', exact: true }).click()
    await see(page, 'Planner')
    await page.getByText(/everything, including planned maintenance/).waitFor()
    await press(page, 'Edit')
    assert.equal(await maintenance.isChecked(), true)
    await press(page, 'Cancel')
  })

  it('of a monitor stand in its form and on its page', async () => {
    await page.goto('/monitors/new?kind=http')
    await see(page, /^New monitor: /)
    await fill(page, { Name: 'Shop', Address: 'https://shop.example' })
    await page.getByText('Alerts', { exact: true }).click()
    await page.getByText('Which alerts, and when').click()
    await fill(page, { 'Alert about an outage once it has lasted (minutes)': '721' })
    await page.getByRole('checkbox', { name: /^Critical/ }).check()
    await page.getByRole('checkbox', { name: /^Alert once that it is unstable/ }).check()
    await fill(page, { 'Beginnings and ends of outages': '4', 'Within (minutes)': '20' })
    await press(page, 'Create the monitor')
    await until('the minutes are refused', async () => {
      const minutes = page.getByLabel('Alert about an outage once it has lasted (minutes)', { exact: true })
      return (await minutes.getAttribute('aria-invalid')) === 'true'
    })
    await fill(page, { 'Alert about an outage once it has lasted (minutes)': '3' })
    await inspect(page, 'new monitor with rules')
    await press(page, 'Create the monitor')
    await see(page, 'Shop')
    await page.getByRole('navigation', { name: 'Of this monitor' }).getByRole('link', { name: 'Settings' }).click()
    await page
      .getByText(
        /outages once they have lasted 3 min; as one alert from 4 changes within 20 min on; critical: at any hour/,
      )
      .waitFor()
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))
})
