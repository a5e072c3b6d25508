// An installation that sends no mail: nothing says that one is on its way.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { check, goOn, phone, seeStep, watched } from './support/welcome.ts'

describe('the set-up of an installation without mail, on a small plan', async () => {
  const ownerEmail = 'owner@example.com'
  const { visitor, inspect, complaints } = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'free',
    PERIGEE_PLANS: JSON.stringify({ free: { slots: 1 } }),
    PERIGEE_PAYMENTS: 'sandbox',
    PERIGEE_SMTP_URL: '',
  })
  const shop = await httpServer((_request, response) => response.end('Green tea'))
  const { page, context } = await visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')

  it('says what the monitors beyond the plan cost, and makes those that it can', async () => {
    await page.goto('/welcome?step=monitors')
    await seeStep(page, 'What to watch')
    await check(page, [`http://127.0.0.1:${shop.port}/a`, `http://127.0.0.1:${shop.port}/b`])
    await page.getByText('2 of 2 answer.').waitFor()
    await page.getByText('$0.01 for 30 days, taken from your credit of $0.00.').waitFor()
    await page.getByLabel('It is paid').selectOption('lifetime')
    await page.getByText('$0.10 once, for life, taken from your credit of $0.00.').waitFor()
    await page.getByText('$0.10 of credit is missing.', { exact: false }).waitFor()
    await inspect(page, 'welcome, price', phone)
    await press(page, 'Watch these 2')
    await watched(page).filter({ hasText: '/a' }).first().getByText('Up').waitFor()
    await page.getByText('Credit does not cover this. Top it up first.').waitFor()
    assert.equal(await watched(page).count(), 1)
    const left = `http://127.0.0.1:${shop.port}/b`
    await until('it is left', async () => (await page.getByLabel('Addresses').inputValue()) === left)
    await inspect(page, 'welcome, credit is missing', phone)
  })

  it('offers what arrives, and says what to set before mails do', async () => {
    await goOn(page, 'Next')
    // An address that is not watched yet is still in the form.
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
    await seeStep(page, 'Who to alert')
    assert.ok(await page.getByRole('radio', { name: 'Webhook' }).isChecked())
    const settings = page.getByText('it keeps mails in the folder outbox of its data', { exact: false })
    assert.equal(await settings.count(), 0)
    await page.getByText('so alerts reach no one', { exact: false }).waitFor()
    assert.equal(await page.getByText('with a link in a mail').count(), 0)
    await page.getByRole('radio', { name: 'Email' }).check()
    await settings.waitFor()
    await inspect(page, 'welcome, no mail', phone)
    await press(page, 'Add')
    await page
      .getByText('This installation sends no mail, so alerts to owner@example.com reach no one', { exact: false })
      .waitFor()
    await page.getByText('No mail is sent', { exact: true }).waitFor()
    assert.equal(await page.getByText('in the mail').count(), 0)
    assert.equal(await page.getByText('on its way').count(), 0)
    await inspect(page, 'welcome, added without mail', phone)
  })

  it('has the reader agree by a link that is handed on', async () => {
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'owner', exact: true }).click()
    await see(page, 'owner')
    const link = (await page.getByLabel('Link for the reader').textContent()) ?? ''
    for (const name of ['Test', 'Send the mail again'])
      assert.equal(await page.getByRole('button', { name }).count(), 0)
    await inspect(page, 'contact, no mail', phone)
    const reader = await context.newPage()
    await reader.goto(link)
    await press(reader, 'Confirm')
    await reader.getByText('This address is confirmed').first().waitFor()
    await reader.close()
    await page.reload()
    await page.getByText('No mail is sent', { exact: true }).waitFor()
    await page.getByLabel('Link for the reader').waitFor({ state: 'detached' })
  })

  it('invites by a link that is handed on', async () => {
    await page.goto('/settings/members')
    await press(page, 'Invite someone')
    await fill(page, { Email: 'mia@example.com' })
    await press(page, 'Invite')
    const link = (await page.getByLabel('Invitation link').textContent()) ?? ''
    await inspect(page, 'invitation without mail', phone)
    await press(page, 'Done')
    const { page: guest } = await visitor()
    await guest.goto(link)
    await fill(guest, { 'Your name': 'Mia', Password: password })
    await press(guest, 'Create the account and join')
    await see(guest, 'Monitors')
    await guest.goto('/welcome?step=contacts')
    await guest.getByRole('radio', { name: 'Email' }).check()
    await guest.getByText('so alerts to an address reach no one', { exact: false }).waitFor()
    await guest.goto('/contacts')
    await guest.getByRole('link', { name: 'owner', exact: true }).waitFor()
  })

  it('promises no mail to people who are not signed in', async () => {
    const { page: stranger } = await visitor()
    await stranger.goto('/sign-in')
    await see(stranger, 'Sign in')
    assert.equal(await stranger.getByRole('button', { name: 'Send me a link instead' }).count(), 0)
    await stranger.getByRole('link', { name: 'Forgot it?' }).click()
    await see(stranger, 'Choose a new password')
    await fill(stranger, { Email: ownerEmail })
    await press(stranger, 'Ask for the link')
    await see(stranger, 'Ask the operator of this installation')
    await inspect(stranger, 'forgot password, no mail', phone)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
