// Messages of a contact in words of its own, written in the console.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'

const ownerEmail = 'owner@example.com'
const text = z.looseObject({ text: z.string() })

describe('words of a contact in the console', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, complaints, change } = service
  const receiver = await startReceiver()
  const { page } = await visitor()
  const dialog = page.getByRole('dialog')
  const preview = dialog.getByRole('region', { name: 'Preview' }).getByRole('status')

  it('are written with the fields beside them, and shown on an incident', async () => {
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    await change(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at)
      select gen_random_uuid(), id, gen_random_uuid(), 'Shop <b>', 'resolved', 'Shop is down', 'It answered 503.',
        now() - interval '1 hour', now() - interval '48 minutes'
      from workspaces`,
    )
    await page.goto('/contacts')
    await press(page, 'Add a contact')
    await dialog.getByRole('radio', { name: 'Slack', exact: true }).check()
    await fill(page, { Name: 'Chat', URL: receiver.url })
    await press(page, 'Add')
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await see(page, 'Chat')
    await press(page, 'Message text')
    await preview.getByText('Down: Shop', { exact: true }).waitFor()
    await fill(page, { Title: 'Own: ' })
    await dialog.getByLabel('Title', { exact: true }).focus()
    await press(page, 'Insert monitor.name')
    assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Own: {{ monitor.name }}')
    await preview.getByText('Own: Shop', { exact: true }).waitFor()
    await fill(page, { Text: 'Lasted: ' })
    await dialog.getByLabel('Text', { exact: true }).focus()
    await press(page, 'Insert incident.duration')
    await dialog.getByLabel('Shown on', { exact: true }).selectOption({ index: 1 })
    await dialog.getByLabel('When it', { exact: true }).selectOption('up')
    await preview.getByText('Own: Shop <b>', { exact: true }).waitFor()
    await preview.getByText('Lasted: 12 min', { exact: true }).waitFor()
    await inspect(page, 'words of a contact')
  })

  it('are refused at their field, and kept once they are right', async () => {
    await fill(page, { Text: 'a\n{{ monitor.nmae }}' })
    await preview.getByText('There is no field monitor.nmae.', { exact: false }).waitFor()
    await press(page, 'Save')
    await until('the text is refused', async () => {
      return (await page.getByLabel('Text', { exact: true }).getAttribute('aria-invalid')) === 'true'
    })
    await inspect(page, 'words of a contact, refused')
    await fill(page, { Text: 'One\n\nTwo' })
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('its own', { exact: true }).waitFor()
    await press(page, 'Test')
    await page
      .getByRole('status')
      .getByText(/^The test alert was accepted/)
      .waitFor()
    assert.equal(text.parse(JSON.parse(receiver.received.at(-1)?.body ?? '{}')).text, '*Own:*\nOne\n\nTwo')
    await press(page, 'Message text')
    assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'One\n\nTwo')
    await fill(page, { Title: '', Text: '' })
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('its own', { exact: true }).waitFor({ state: 'detached' })
  })

  it('are there again after a reload, until they are discarded', async () => {
    const note = dialog.getByRole('status').filter({ hasText: 'Restored what you had typed' })
    const title = dialog.getByLabel('Title', { exact: true })
    const body = dialog.getByLabel('Text', { exact: true })
    await press(page, 'Message text')
    await title.fill('Look: ')
    await press(page, 'Insert monitor.name')
    await body.fill('One\n\nTwo')
    await page.reload()
    await press(page, 'Message text')
    await note.waitFor()
    assert.deepEqual([await title.inputValue(), await body.inputValue()], ['Look: {{ monitor.name }}', 'One\n\nTwo'])
    await preview.getByText('Look: Shop', { exact: true }).waitFor()
    await inspect(page, 'words of a contact, restored')
    await note.getByRole('button', { name: 'Discard' }).click()
    await note.waitFor({ state: 'detached' })
    assert.deepEqual([await title.inputValue(), await body.inputValue()], ['', ''])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))
})
