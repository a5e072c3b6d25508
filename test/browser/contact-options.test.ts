// A contact whose kind has options, in the console.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'

const ownerEmail = 'owner@example.com'

describe('contacts with options in the console', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, complaints } = service
  const receiver = await startReceiver()
  // By its usual 204 an Apprise API server would say that it has no such configuration.
  receiver.react(() => ({ status: 200 }))
  const { page } = await visitor()
  const dialog = page.getByRole('dialog')

  async function test(): Promise<void> {
    await press(page, 'Test')
    await page
      .getByRole('status')
      .getByText(/^The test alert was accepted/)
      .waitFor()
  }

  /** However many kinds there are, the fields begin in the first window, on a phone as well. */
  async function assertRoomBelowKinds(): Promise<void> {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const name = await dialog.getByLabel('Name', { exact: true }).boundingBox()
      assert.ok(name !== null && name.y < 700, `${width} px: the name stands at ${name?.y}`)
    }
  }

  it('of kinds with options are asked for them, and keep their secrets', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await assertRoomBelowKinds()
    await dialog.getByRole('radio', { name: 'ntfy', exact: true }).check()
    await fill(page, { Name: 'Phone', Topic: 'a b', Server: receiver.url, Token: 'tk_hunter2hunter2' })
    await press(page, 'Add')
    await until('the topic is refused', async () => {
      return (await page.getByLabel('Topic', { exact: true }).getAttribute('aria-invalid')) === 'true'
    })
    await inspect(page, 'add a contact of ntfy, refused')
    await fill(page, { Topic: 'alerts' })
    await press(page, 'Add')
    await page.getByRole('link', { name: 'Phone', exact: true }).click()
    await see(page, 'Phone')
    await test()
    assert.equal(receiver.received.at(-1)?.headers['authorization'], 'Bearer tk_hunter2hunter2')
    await press(page, 'Edit')
    assert.equal(await page.getByLabel('Server', { exact: true }).inputValue(), receiver.url)
    await inspect(page, 'edit a contact of ntfy')
    await fill(page, { Priority: '5' })
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await test()
    assert.equal(receiver.received.at(-1)?.headers['authorization'], 'Bearer tk_hunter2hunter2', 'it is kept')
    await press(page, 'Delete')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await see(page, 'Contacts')
  })

  const telegramToken = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'
  /** Where no path is expected, the provider has one address on the internet, to which no test sends anything. */
  const kinds: [title: string, values: Record<string, string>, path: RegExp | null][] = [
    ['Gotify', { 'Shown as': 'Phone', Server: receiver.url, Token: 'Ahunter2hunter2' }, /^\/message$/],
    ['Microsoft Teams', { 'Shown as': '#ops', 'Webhook URL': `${receiver.url}/flow?sig=s` }, /^\/flow\?sig=s$/],
    ['Telegram', { Chat: '@perigee', Token: telegramToken, Server: receiver.url }, /^\/bot123456:.*\/sendMessage$/],
    ['Discord', { 'Shown as': '#ops', 'Webhook URL': 'https://discord.com/api/webhooks/1/t' }, null],
    [
      'Google Chat',
      { 'Shown as': 'Ops', 'Webhook URL': 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t' },
      null,
    ],
    ['PagerDuty', { 'Shown as': 'Shop', 'Routing key': 'R0123456789abcdef0123456789abcde' }, null],
    ['Mattermost', { Channel: 'town-square', 'Webhook URL': `${receiver.url}/hooks/x1` }, /^\/hooks\/x1$/],
    [
      'Matrix',
      { Room: '!AbCdEf:example.com', Homeserver: receiver.url, 'Access token': 'syt_hunter2' },
      /^\/_matrix\/client\/v3\/rooms\/!AbCdEf%3Aexample\.com\/send\/m\.room\.message\//,
    ],
    ['Pushover', { 'Shown as': 'Ada', 'App token': 'a'.repeat(30), 'User key': 'u'.repeat(30) }, null],
    [
      'SMS by Twilio',
      { Number: '+491701234567', 'Account SID': `AC${'0'.repeat(32)}`, 'Auth token': 'a'.repeat(32), From: 'Perigee' },
      null,
    ],
    [
      'Apprise',
      { 'Shown as': 'All', Server: receiver.url, 'Config key': 'hunter2hunter2' },
      /^\/notify\/hunter2hunter2$/,
    ],
  ]
  for (const [title, values, path] of kinds)
    it(`of ${title} are added${path === null ? '' : ' and tested'} in their form`, async () => {
      await page.goto('/contacts')
      await press(page, 'Add a contact')
      await dialog.getByRole('radio', { name: title, exact: true }).check()
      await fill(page, { Name: `To ${title}`, ...values })
      await inspect(page, `add a contact of ${title}`)
      await press(page, 'Add')
      await page.getByRole('link', { name: `To ${title}`, exact: true }).click()
      await see(page, `To ${title}`)
      if (path === null) return
      await test()
      assert.match(receiver.received.at(-1)?.path ?? '', path)
    })

  it('take names with their values, where their kind has some', async () => {
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await dialog.getByRole('radio', { name: 'Alertmanager', exact: true }).check()
    await fill(page, { Name: 'Routes', Label: 'on-call', Server: receiver.url })
    await press(page, 'Add to Labels')
    await fill(page, { 'Name 1 of Labels': 'severity', 'Value 1 of Labels': 'page' })
    await press(page, 'Add')
    await dialog.getByText('Must not have alertname, severity').waitFor()
    await fill(page, { 'Name 1 of Labels': 'team', 'Value 1 of Labels': 'shop' })
    await inspect(page, 'add a contact of Alertmanager')
    await press(page, 'Add')
    await page.getByRole('link', { name: 'Routes', exact: true }).click()
    await see(page, 'Routes')
    await test()
    assert.match(receiver.received.at(-1)?.body ?? '', /"team":"shop".*"contact":"on-call"/)
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))
})
