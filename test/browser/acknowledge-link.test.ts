// An outage that is acknowledged from its mail, by a reader who has no account.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

const ownerEmail = 'owner@example.com'
const readerEmail = 'reader@example.com'
const workspacesSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid() })) })

describe('an outage and the link in its mail', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, linkTo, complaints, origin } = service
  const target = await httpServer((_request, response) => {
    response.statusCode = 503
    response.end()
  })
  const { page } = await visitor()
  const { page: phone } = await visitor()
  const dialog = page.getByRole('dialog')
  const choice = dialog.getByRole('checkbox', { name: /^Link to acknowledge/ })

  it('is proposed for a new contact that reaches one person', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    for (const [kind, isProposed] of [
      ['Webhook', false],
      ['Slack', false],
      ['ntfy', true],
      ['Email', true],
    ] as const) {
      await dialog.getByRole('radio', { name: kind, exact: true }).check()
      assert.equal(await choice.isChecked(), isProposed, kind)
    }
    await inspect(page, 'a new contact with a link that acknowledges')
    await fill(page, { Name: 'Night desk', Address: readerEmail })
    await press(page, 'Add')
    await phone.goto(await linkTo(readerEmail, /Confirm/))
    await press(phone, 'Confirm')
    await see(phone, 'This address is confirmed')
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'Night desk', exact: true }).click()
    await page.getByText('with a link to acknowledge').waitFor()
  })

  it('is opened by the reader, and pressed', async () => {
    const answer = await page.request.get('/api/v1/workspaces', { headers: { 'X-Perigee-Workspace': 'mine' } })
    const workspaceId = workspacesSchema.parse(await answer.json()).data[0]?.id ?? assert.fail('no workspace')
    const made = await page.request.post('/api/v1/monitors', {
      headers: { 'X-Perigee-Workspace': workspaceId, Origin: origin },
      data: { name: 'Shop', kind: 'http', url: `http://127.0.0.1:${target.port}/`, failure_threshold: 1 },
    })
    assert.equal(made.status(), 201)
    const link = await linkTo(readerEmail, /^Down: Shop/, '/incidents/acknowledge/')
    service.collected.note(`${origin}/?token=${new URL(link).pathname.split('/').at(-1)}`)
    await phone.goto(link)
    await see(phone, 'Shop')
    await phone.getByText(/^This incident is open\./).waitFor()
    await inspect(phone, 'the page of a link that acknowledges')
    await press(phone, 'Acknowledge')
    await phone.getByText(/^This incident was acknowledged by Night desk at /).waitFor()
    assert.equal(await phone.getByRole('button').count(), 0)
  })

  it('stands on the timeline, with the name of the contact', async () => {
    await page.goto('/incidents')
    await page.getByRole('link', { name: /^Shop/ }).first().click()
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByText('Acknowledged by Night desk, by the link in an alert.').waitFor()
    await inspect(page, 'an incident that was acknowledged by the link in an alert')
  })

  it('is kept from tables and logs, and gives no page anything to complain of', async () => {
    await assertSecretsKept(service, ['password', 'cookie', 'token'])
    assert.deepEqual(complaints, [])
  })
})
