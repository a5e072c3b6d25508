// Contacts of every kind in the console, from their first test message on.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { z } from 'zod'
import { contactKinds } from '#contacts/index.ts'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { addDownAlert } from '../support/alerts.ts'
import { httpServer } from '../support/http-server.ts'
import { startReceiver, verifiers } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { fill, password, press, reloadUntilShown, see, signIn, startConsole } from './support/console.ts'
import { holdAnswer } from './support/held-answers.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { exampleOf } from './support/signing-example.ts'

const ownerEmail = 'owner@example.com'
const readerEmail = 'reader@example.com'
const madeSchema = z.object({ data: z.object({ id: z.uuid() }) })
const workspacesSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid() })) })

describe('contacts in the console', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
    PERIGEE_WRITES_PER_MINUTE: '2000',
  })
  const { visitor, inspect, linkTo, complaints, origin } = service
  const database = openDatabase({ connection: runningConnection(service.dataFolder), maxConnections: 2 })
  after(() => database.close())
  const receiver = await startReceiver()
  const target = await httpServer((_request, response) => response.end('Green tea'))
  const secrets: string[] = []

  const { page } = await visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')
  const answer = await page.request.get('/api/v1/workspaces', { headers: { 'X-Perigee-Workspace': 'mine' } })
  const workspaceId = workspacesSchema.parse(await answer.json()).data[0]?.id ?? assert.fail('no workspace')
  const dialog = page.getByRole('dialog')
  const outcome = page.getByRole('status')
  const log = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem')

  async function open(name: string): Promise<string> {
    await page.goto('/contacts')
    await page.getByRole('list', { name: 'Contacts' }).getByRole('link', { name, exact: true }).click()
    await see(page, name)
    return new URL(page.url()).pathname.split('/').at(-1) ?? ''
  }

  async function add(kind: string, name: string, destination: string): Promise<void> {
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await dialog.getByRole('radio', { name: kind, exact: true }).check()
    await fill(page, { Name: name, [kind === 'Email' ? 'Address' : 'URL']: destination })
    // The log is looked at alert by alert.
    await dialog.getByRole('checkbox', { name: /^Several alerts as one message/ }).uncheck()
    await press(page, 'Add')
  }

  /** A monitor that alerts this contact alone, and its first alert, written as the engine writes it. */
  async function alert(contactId: string, monitor: string): Promise<void> {
    const made = await page.request.post('/api/v1/monitors', {
      headers: { 'X-Perigee-Workspace': workspaceId, Origin: origin },
      data: { name: monitor, kind: 'http', url: `http://127.0.0.1:${target.port}/`, alert_channel_ids: [contactId] },
    })
    const { id: monitorId } = madeSchema.parse(await made.json()).data
    await addDownAlert(database, { workspaceId, monitorId })
  }

  const reloadUntil = (what: Locator): Promise<void> => reloadUntilShown(page, what)

  async function secretShown(): Promise<string> {
    const secret = (await page.getByLabel('Signing secret', { exact: true }).textContent()) ?? ''
    assert.match(secret, /^whsec_[\w+/=]{40,}$/)
    secrets.push(secret)
    return secret
  }

  async function test(): Promise<void> {
    await press(page, 'Test')
    await outcome.getByText(/^The test alert was accepted/).waitFor()
  }

  it('are none at first, and are added by keyboard', async () => {
    await page.getByRole('link', { name: 'Contacts' }).click()
    await see(page, 'Contacts')
    await page.getByText(/^None yet\. No one is alerted when a monitor goes down\./).waitFor()
    await inspect(page, 'contacts, none')
    const button = page.getByRole('button', { name: 'Add a contact' })
    await button.focus()
    await page.keyboard.press('Enter')
    const radios = await dialog.getByRole('radio').all()
    const kinds = await Promise.all(radios.map((radio) => radio.getAttribute('value')))
    // A browser subscribes itself, by a button of the page.
    const typed = Object.keys(contactKinds).filter((name) => name !== 'web_push')
    assert.deepEqual(new Set(kinds), new Set(typed), 'every kind that people can fill in')
    await dialog.getByRole('radio', { name: 'Email' }).focus()
    await page.keyboard.press('ArrowDown')
    assert.ok(await dialog.getByRole('radio', { name: 'Webhook' }).isChecked())
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Leave' }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await isFocused(button), 'the focus is back')
  })

  it('say what is wrong with them where it is', async () => {
    const isRefused = (label: string): Promise<void> =>
      until(`${label} is refused`, async () => {
        return (await page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')) === 'true'
      })
    await add('Webhook', '', 'http://alerts.example.com/in')
    await isRefused('Name')
    await fill(page, { Name: 'On call' })
    await press(page, 'Add')
    await isRefused('URL')
    await inspect(page, 'add a contact, refused')
    await press(page, 'Cancel')
  })

  it('of webhooks show their secret once, with an example that takes their messages', async () => {
    await add('Webhook', 'On call', receiver.url)
    const secret = await secretShown()
    await inspect(page, 'signing secret')
    const example = await page.getByLabel('Example', { exact: true }).inputValue()
    await press(page, 'Done')
    await page.getByText('Untested', { exact: true }).waitFor()
    assert.equal(await page.getByText('Works', { exact: true }).count(), 0)
    const button = page.getByRole('button', { name: 'Test On call' })
    const held = await holdAnswer(page, /\/test$/)
    await button.press('Enter')
    await outcome.getByText(/^A test alert is on its way to http.*, in one attempt of at most 15 seconds/).waitFor()
    assert.equal(await button.getAttribute('aria-disabled'), 'true')
    await button.press('Enter')
    await inspect(page, 'test of a contact, under way')
    await held.release()
    await outcome.getByText(/^The test alert was accepted with 204/).waitFor()
    assert.equal(receiver.received.length, 1, 'another press does nothing meanwhile')
    assert.ok(await isFocused(button), 'the button keeps the focus')
    await page.getByText('Works', { exact: true }).waitFor()
    await inspect(page, 'test of a contact')
    const message = receiver.received.at(-1) ?? assert.fail('nothing came')
    assert.deepEqual(verifiers(message, [secret]), [secret])
    const isGenuine = await exampleOf(example, secret)
    assert.deepEqual(
      [isGenuine(message.headers, message.body), isGenuine(message.headers, `${message.body} `), isGenuine({}, '')],
      [true, false, false],
    )
    await page.reload()
    assert.equal(await page.getByText(secret).count(), 0)
  })

  it('say why a test was not accepted', async () => {
    receiver.react(() => ({ status: 503 }))
    await open('On call')
    await press(page, 'Test')
    await outcome.getByText(/^The test alert was not accepted\..*503/).waitFor()
    await inspect(page, 'test of a contact, refused')
    receiver.react(() => ({ status: 204 }))
    await press(page, 'Test')
    await outcome.getByText(/^The test alert was accepted with 204/).waitFor()
    assert.equal(await outcome.getByText(/not accepted/).count(), 0, 'only the last test is told')
  })

  it('have a log of what was sent, which can be filtered', async () => {
    const id = await open('On call')
    await page.getByText(/^Nothing was sent in the last 90 days/).waitFor()
    await alert(id, 'Shop')
    await reloadUntil(log.getByText(/delivered .* with 204/))
    await log.getByRole('link', { name: 'Shop API' }).waitFor()
    await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Failed' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing failed in the last 90 days.').waitFor()
    const failed = page.getByRole('button', { name: 'Failed', pressed: true })
    assert.ok(await isFocused(failed), 'the focus stays')
    await page.reload()
    await failed.waitFor()
    assert.equal(new URL(page.url()).search, '?state=failed')
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await log.getByRole('link', { name: 'Incident' }).click()
    await see(page, 'Shop API is down')
  })

  it('that are gone for good are switched off, and begin again with what they missed', async () => {
    receiver.react(() => ({ status: 410 }))
    const id = await open('On call')
    await alert(id, 'Tea room')
    await reloadUntil(page.getByText(/^It was switched off because the destination no longer exists/))
    await page.getByText('Switched off', { exact: true }).waitFor()
    await log.getByText(/failed after 1 attempt: .*410/).waitFor()
    for (const name of ['Test', 'Pause', /^Send again/])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    await inspect(page, 'contact, switched off')
    const refused = receiver.received.at(-1)?.headers['webhook-id']
    receiver.react(() => ({ status: 204 }))
    await press(page, 'Switch on')
    await dialog.getByText('It gets alerts from now on. Earlier failures no longer count.').waitFor()
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('Works', { exact: true }).waitFor()
    await press(page, 'Send again: Down Shop API')
    await page.getByText('It is being sent again.').waitFor()
    await reloadUntil(log.getByText(/delivered .* with 204, on attempt 2/))
    assert.equal(receiver.received.at(-1)?.headers['webhook-id'], refused)
    assert.equal(await page.getByRole('button', { name: /^Send again/ }).count(), 0, 'nothing is left to send')
  })

  it('show that they fail, since when, and when the next attempt comes', async () => {
    receiver.react(() => ({ status: 500 }))
    const id = await open('On call')
    await alert(id, 'Kitchen')
    await reloadUntil(page.getByText('Failing', { exact: true }))
    await page
      .getByRole('alert')
      .getByText(/^Nothing has arrived since .*500/)
      .waitFor()
    await page.getByRole('button', { name: 'On their way' }).click()
    await log.getByText(/attempts? failed: .*500.* Next/).waitFor()
    await inspect(page, 'contact, failing')
    receiver.react(() => ({ status: 204 }))
    await test()
    await page.getByText('Works', { exact: true }).waitFor()
  })

  it('of webhooks get another secret, and sign with both for a day', async () => {
    await open('On call')
    await press(page, 'Replace the secret')
    await inspect(page, 'replace the secret')
    await press(page, 'Replace')
    await page.getByText('It is shown only once.', { exact: false }).waitFor()
    await secretShown()
    await press(page, 'Done')
    await page.getByText(/^with two secrets, the previous one until/).waitFor()
    await test()
    assert.equal(new Set(secrets).size, 2)
    assert.deepEqual(verifiers(receiver.received.at(-1), secrets), secrets)
    await press(page, 'Replace the secret')
    await dialog.getByText(/^It was replaced before, and two secrets sign until/).waitFor()
    await press(page, 'Cancel')
  })

  it('are edited, paused and switched on', async () => {
    await open('On call')
    await press(page, 'Edit')
    await dialog.getByRole('group', { name: 'Kind' }).getByText('Webhook', { exact: true }).waitFor()
    assert.equal(await dialog.getByRole('radio').count(), 0, 'the kind stays')
    assert.equal(await page.getByLabel('URL', { exact: true }).inputValue(), receiver.url)
    await inspect(page, 'edit a contact')
    await fill(page, { Name: '' })
    await press(page, 'Save')
    await until('the name is refused', async () => {
      return (await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')) === 'true'
    })
    await fill(page, { Name: 'Night watch', URL: 'http://alerts.example.com/in' })
    await press(page, 'Save')
    await until('the address is refused', async () => {
      return (await page.getByLabel('URL', { exact: true }).getAttribute('aria-invalid')) === 'true'
    })
    await fill(page, { URL: `${receiver.url}/night` })
    await press(page, 'Save')
    await see(page, 'Night watch')
    await page.getByText('Untested', { exact: true }).waitFor()
    await test()
    assert.equal(receiver.received.at(-1)?.path, '/night')
    assert.deepEqual(verifiers(receiver.received.at(-1), secrets), secrets, 'the secret stays')
    await press(page, 'Pause')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('It is paused: no alerts are sent to it.').waitFor()
    await page.getByText('Paused', { exact: true }).waitFor()
    await press(page, 'Switch on')
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('Works', { exact: true }).waitFor()
  })

  it('of mail are confirmed by their reader, who can end the alerts and is then asked again', async () => {
    await add('Email', 'Duty mailbox', readerEmail)
    await page.getByText('Awaiting confirmation', { exact: true }).waitFor()
    await inspect(page, 'contacts')
    await open('Duty mailbox')
    await page.getByText(/^Alerts start once the link in the mail to reader@example\.com is opened/).waitFor()
    const reader = (await visitor()).page
    const confirm = async (): Promise<void> => {
      await reader.goto(await linkTo(readerEmail, /Confirm that you want alerts/))
      await press(reader, 'Confirm')
      await see(reader, 'This address is confirmed')
    }
    await linkTo(readerEmail, /Confirm that you want alerts/)
    await press(page, 'Send the mail again')
    await page.getByText('Another mail is on its way to reader@example.com.').waitFor()
    await confirm()
    await reloadUntil(page.getByText('Works', { exact: true }))
    await test()
    await reader.goto(await linkTo(readerEmail, /Test alert/))
    await press(reader, 'Unsubscribe')
    await see(reader, 'You are unsubscribed')
    await reloadUntil(page.getByText(/^Its reader unsubscribed\./))
    await press(page, 'Switch on')
    await dialog.getByText(/^reader@example\.com gets another confirmation mail/).waitFor()
    await inspect(page, 'switch on a contact')
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('Awaiting confirmation', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Test', exact: true }).count(), 0)
    await service.change(`update alert_channels set confirmation_expires_at = now() - interval '1 h'
      where destination = '${readerEmail}'`)
    await reloadUntil(page.getByText('Not confirmed', { exact: true }))
    await page.getByText(/^The link in the mail to reader@example\.com was not opened in time/).waitFor()
    await linkTo(readerEmail, /Confirm that you want alerts/)
    await press(page, 'Send the mail again')
    await confirm()
    await reloadUntil(page.getByText('Works', { exact: true }))
    await press(page, 'Edit')
    await fill(page, { Address: 'deputy@example.com' })
    await press(page, 'Save')
    await page.getByText('A confirmation mail is on its way to deputy@example.com.').waitFor()
    await page.getByText('Awaiting confirmation', { exact: true }).waitFor()
    await reader.goto(await linkTo('deputy@example.com', /Confirm that you want alerts/))
    await press(reader, 'Confirm')
    await see(reader, 'This address is confirmed')
    await reloadUntil(page.getByText('Works', { exact: true }))
  })

  it('of a kind that the plan has not are refused at the kind', async () => {
    await service.change(`update workspaces set plan = 'pay_as_you_go'`)
    await add('Slack', 'Kitchen channel', `${receiver.url}/services/x`)
    await dialog
      .getByRole('group', { name: 'Kind' })
      .getByText('This plan only allows the kinds email and webhook.')
      .waitFor()
    assert.ok(await isFocused(dialog.getByRole('radio', { name: 'Slack' })), 'the choice is to be mended')
    assert.equal(await dialog.getByRole('alert').count(), 0, 'it is said once')
    await inspect(page, 'add a contact, not of the plan')
    await press(page, 'Cancel')
    await service.change(`update workspaces set plan = 'pro'`)
  })

  it('of chats get what people read', async () => {
    await add('Slack', 'Kitchen channel', `${receiver.url}/services/x`)
    await dialog.waitFor({ state: 'detached' })
    await open('Kitchen channel')
    assert.equal(await page.getByRole('button', { name: 'Replace the secret' }).count(), 0)
    await test()
    assert.match(receiver.received.at(-1)?.body ?? '', /"text":"\*Test alert from Perigee\*/)
  })

  it('are shown page by page', async () => {
    const id = await open('Kitchen channel')
    await service.change(`insert into deliveries (id, workspace_id, alert_channel_id, alert, state, due_at, created_at, ended_at)
      select gen_random_uuid(), '${workspaceId}', '${id}',
        jsonb_build_object('type', 'certificate.expiring', 'data',
          jsonb_build_object('monitor', jsonb_build_object('id', gen_random_uuid(), 'name', 'Shop ' || n))),
        'delivered', now(), now() - n * interval '1 h', now() - n * interval '1 h'
      from generate_series(1, 60) as n`)
    await page.reload()
    await until('the first are shown', async () => (await log.count()) === 50)
    await press(page, 'Show older ones')
    await until('all are shown', async () => (await log.count()) === 60)
    assert.equal(await page.getByRole('button', { name: 'Show older ones' }).count(), 0)
    await log.last().getByText('Certificate expires: Shop 60').waitFor()
  })

  it('show viewers how they do, and no buttons', async () => {
    await service.change(
      `update alert_channels set enabled = false, switched_off_by = 'people' where name = 'Night watch'`,
    )
    await service.change(`update members set role = 'viewer'`)
    await page.goto('/contacts')
    await page.getByText('Paused', { exact: true }).waitFor()
    const main = page.getByRole('main').getByRole('button')
    assert.equal(await main.count(), 0)
    await inspect(page, 'contacts, for a viewer')
    await page.getByRole('link', { name: 'Night watch', exact: true }).click()
    await page.getByText('It is paused: no alerts are sent to it.').waitFor()
    assert.deepEqual(await main.allTextContents(), ['All', 'Delivered', 'Failed', 'On their way'])
    await inspect(page, 'contact, for a viewer')
    await service.change(`update members set role = 'owner'`)
  })

  it('are deleted, after saying which monitors alert nobody else', async () => {
    await open('Night watch')
    await page.getByText('3 monitors that alert no one else').waitFor()
    await press(page, 'Delete')
    await dialog.getByText('3 monitors alert only this contact. They will alert all contacts instead:').waitFor()
    assert.deepEqual(await dialog.getByRole('listitem').allTextContents(), ['Kitchen', 'Shop', 'Tea room'])
    await inspect(page, 'delete a contact')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await see(page, 'Contacts')
    await page.getByRole('link', { name: 'Night watch' }).waitFor({ state: 'detached' })
    for (const name of ['Kitchen channel', 'Duty mailbox']) {
      await open(name)
      await press(page, 'Delete')
      const isLast = dialog.getByText('It is the only contact. Without it, no one is alerted.')
      await dialog.getByText(/^Its log is deleted permanently/).waitFor()
      assert.equal(await isLast.count(), name === 'Duty mailbox' ? 1 : 0)
      await dialog.getByRole('button', { name: 'Delete permanently' }).click()
      await see(page, 'Contacts')
    }
    await page.getByText(/^None yet/).waitFor()
  })

  it('that there are not are told apart from those that cannot be read', async () => {
    await page.goto(`/contacts/${workspaceId}`)
    await see(page, 'There is no such contact')
    await inspect(page, 'contact, missing')
    await page.getByRole('link', { name: 'To the contacts' }).click()
    await see(page, 'Contacts')
    await page.route('**/api/v1/contact-states', (route) => route.abort())
    await page.goto('/contacts')
    await see(page, 'This page could not be shown')
    await page.unroute('**/api/v1/contact-states')
    await press(page, 'Try again')
    await see(page, 'Contacts')
    assert.match(complaints.splice(0).join(), /^ApiError: The service does not answer\./)
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leave no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'signing secret']))
})

async function isFocused(what: Locator): Promise<boolean> {
  return (await what.and(what.page().locator(':focus')).count()) === 1
}
