// An outage that a policy tells of: its alert, its reminder, and the link in that.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

const ownerEmail = 'owner@example.com'
const readerEmail = 'reader@example.com'
const acknowledgePath = '/incidents/acknowledge/'

describe('an outage that a policy tells of', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, linkTo, change, complaints, origin } = service
  const target = await httpServer((_request, response) => {
    response.statusCode = 503
    response.end()
  })
  const { page } = await visitor()
  const { page: phone } = await visitor()
  const dialog = page.getByRole('dialog')
  const timeline = page.getByRole('list', { name: 'Timeline' })
  const alerts = page.locator('section', { has: page.getByRole('heading', { name: 'Alerts', exact: true }) })

  /** The link to acknowledge of a mail; the secret in it is one that must be kept. */
  async function acknowledgeLink(subject: RegExp): Promise<string> {
    const link = await linkTo(readerEmail, subject, acknowledgePath)
    service.collected.note(`${origin}/?token=${new URL(link).pathname.split('/').at(-1)}`)
    return link
  }

  it('begins with a contact that is reminded and may acknowledge', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await dialog.getByRole('radio', { name: 'Email', exact: true }).check()
    await fill(page, { Name: 'Night desk', Address: readerEmail })
    await dialog.getByRole('checkbox', { name: /^Link to acknowledge/ }).check()
    await dialog.getByText('Which alerts, and when').click()
    await fill(page, { 'Remind of an outage every (minutes)': '5' })
    await press(page, 'Add')
    await phone.goto(await linkTo(readerEmail, /Confirm/))
    await press(phone, 'Confirm')
    await see(phone, 'This address is confirmed')
  })

  it('goes on with a policy that tells it at once, and a monitor that names the policy', async () => {
    await page.goto('/contacts')
    await press(page, 'Add an escalation policy')
    await fill(page, { Name: 'Operations' })
    await dialog.getByRole('region', { name: 'Step 1' }).getByRole('checkbox', { name: 'Night desk' }).check()
    await press(page, 'Add')
    await page.getByText('at once: Night desk').waitFor()
    await page.goto('/monitors/new?kind=http')
    await see(page, /^New monitor: /)
    await fill(page, { Name: 'Shop', Address: `http://127.0.0.1:${target.port}/` })
    await page.getByText('Alerts', { exact: true }).click()
    await page.getByLabel('Escalation policy', { exact: true }).selectOption({ label: 'Operations' })
    await press(page, 'Create the monitor')
    await see(page, 'Shop')
  })

  it('is told by mail, and again after five minutes', async () => {
    await acknowledgeLink(/^Down: Shop/)
    await page.goto('/incidents')
    await page.getByRole('link', { name: /^Shop/ }).first().click()
    await timeline.getByText('Alert sent', { exact: true }).waitFor()
    // Five minutes pass, and with them the time in which another alert would wait to leave with others.
    await change('update alert_channels set bundle_until = null')
    await change(`update alert_steps set due_at = now() where type = 'reminder'`)
    await phone.goto(await acknowledgeLink(/^Still down: Shop \(for /))
    await see(phone, 'Shop')
  })

  it('is acknowledged from the reminder by its reader, who is not signed in', async () => {
    await press(phone, 'Acknowledge')
    await phone.getByText(/^This incident was acknowledged by Night desk at /).waitFor()
  })

  it('shows all of it in the console', async () => {
    await timeline.getByText('Acknowledged by Night desk, by the link in an alert.').waitFor()
    await timeline.getByText('Escalated', { exact: true }).waitFor()
    await timeline.getByText(/^Step 1 of “Operations”/).waitFor()
    assert.equal(await timeline.getByText('Alert sent', { exact: true }).count(), 2)
    await alerts.getByText('Down alert').waitFor()
    await alerts.getByText('Reminder').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Acknowledge' }).count(), 0)
    await inspect(page, 'an incident that was told by a policy and acknowledged from its reminder')
  })

  it('is kept from tables and logs, and gives no page anything to complain of', async () => {
    await assertSecretsKept(service, ['password', 'cookie', 'token'])
    assert.deepEqual(complaints, [])
  })
})
