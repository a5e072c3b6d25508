// A browser that gets alerts as push messages.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { startPushService } from '../support/push-service.ts'
import { until } from '../support/until.ts'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

const ownerEmail = 'owner@example.com'
const publicKey = z.object({ key: z.string() })
const notifications = z.array(
  z.object({
    title: z.string(),
    body: z.string(),
    tag: z.string(),
    data: z.object({ path: z.string(), acknowledgePath: z.string().optional() }),
    actions: z.array(z.object({ action: z.string(), title: z.string() })),
  }),
)

describe('a browser that gets alerts', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, complaints, origin } = service
  const { key } = publicKey.parse(await (await fetch(`${origin}/console/push-key.json`)).json())
  const pushService = await startPushService(() => key)
  const { subscription } = pushService
  const { context, page } = await visitor({ hasWorkers: true })
  const dialog = page.getByRole('dialog')
  /** The push service of the browser's maker cannot be reached from here: the page is handed a subscription of ours. */
  const { endpoint, p256dh, auth } = subscription
  await page.addInitScript(`
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly || applicationServerKey !== ${JSON.stringify(key)}) throw new Error('not as it has to be')
      return { toJSON: () => (${JSON.stringify({ endpoint, keys: { p256dh, auth } })}) }
    }`)

  it('is asked for leave, and says why it is no contact without', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await page.goto('/contacts')
    await context.clearPermissions()
    await press(page, 'Push to this browser')
    await page.getByText('does not let this page show notifications').waitFor()
  })

  it('is a contact then, which a test reaches', async () => {
    await context.grantPermissions(['notifications'], { origin })
    await inspect(page, 'contacts, with a browser that can be one')
    await press(page, 'Push to this browser')
    const link = page.getByRole('link', { name: /^Chrome on / })
    await link.waitFor()
    await until(
      'the button to go',
      async () => (await page.getByRole('button', { name: 'Push to this browser' }).count()) === 0,
    )
    await link.click()
    await see(page, /^Chrome on /)
    await press(page, 'Test')
    await page
      .getByRole('status')
      .getByText(/^The test alert was accepted/)
      .waitFor()
    assert.equal(pushService.pushed.length, 1)
  })

  it('shows what reaches it', async () => {
    const session = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [one] = registrations
        if (one !== undefined) resolve(one.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    const registrationId = await registered
    const deliver = (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    const read = async () =>
      notifications.parse(
        await page.evaluate(`navigator.serviceWorker.getRegistration('/console/').then(async (registration) =>
          (await registration.getNotifications()).map(({ title, body, tag, data, actions }) =>
            ({ title, body, tag, data, actions: actions.map(({ action, title }) => ({ action, title })) })))`),
      )
    const titles = async () => (await read()).map(({ title }) => title).toSorted()
    await deliver(pushService.pushed[0]?.text ?? '')
    await until('the test', async () => (await read()).length === 1)
    const [shown] = await read()
    assert.deepEqual([shown?.title, shown?.data.path], ['Test alert from Perigee', '/'])
    assert.match(shown?.body ?? '', /^This is a test/)

    const incident = { body: '…', url: 'https://perigee.example/incidents/1', tag: 'incident' }
    await deliver(JSON.stringify({ title: 'Down: Shop', ...incident }))
    await until('the outage', async () => (await titles()).includes('Down: Shop'))
    assert.ok((await read()).some(({ data }) => data.path === '/incidents/1'))
    const acknowledge = { label: 'Acknowledge', url: 'https://perigee.example/incidents/acknowledge/token' }
    await deliver(JSON.stringify({ title: 'Still down: Shop', ...incident, acknowledge }))
    await until('the reminder, with a button', async () => {
      const reminder = (await read()).find(({ title }) => title === 'Still down: Shop')
      const button = { action: 'acknowledge', title: 'Acknowledge' }
      return (
        isDeepStrictEqual(reminder?.actions, [button]) &&
        reminder?.data.acknowledgePath === '/incidents/acknowledge/token'
      )
    })
    await deliver(JSON.stringify({ title: 'Up again: Shop', ...incident }))
    await until('the recovery, in the place of the outage', async () =>
      isDeepStrictEqual(await titles(), ['Test alert from Perigee', 'Up again: Shop']),
    )
    await deliver('nothing that this worker can read')
    await until('something all the same', async () => (await titles()).includes('Perigee'))
  })

  it('is edited without its subscription', async () => {
    await press(page, 'Edit')
    assert.equal(await page.getByText('Endpoint').count(), 0)
    await page.getByLabel('Shown as', { exact: true }).fill('At my desk')
    await inspect(page, 'edit a browser')
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('At my desk').waitFor()
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'push subscription']))
})
