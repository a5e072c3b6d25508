// On-call schedules: who is on call, two weeks of shifts, an override, the secret address of a calendar, and the form.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { pagerdutyExport } from '../support/on-call-exports.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('on-call schedules in the console', async () => {
  const service = await startConsole()
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  const dialog = page.getByRole('dialog')
  const webhook = { kind: 'webhook', destination: 'https://hook.example/' }

  it('says so where there is none', async () => {
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'On call' }).click()
    await see(page, 'On call')
    await page.getByText('None yet.', { exact: false }).waitFor()
    await inspect(page, 'on call, none')
  })

  it('shows who is on call, and where nobody is', async () => {
    const ada = await call('POST', '/alert-channels', { ...webhook, name: 'Ada' })
    const bob = await call('POST', '/alert-channels', { ...webhook, name: 'Bob' })
    const layer = { participants: [ada.id, bob.id], hand_over: '09:00', start_date: '2026-01-01' }
    const office = { weekdays: [1, 2, 3, 4, 5], starts: '08:00', ends: '18:00' }
    await call('POST', '/on-call-schedules', {
      name: 'Shop',
      time_zone: 'Europe/Sofia',
      layers: [{ ...layer, rotation: { every: 2, unit: 'days' }, restrictions: [office] }],
    })
    await call('POST', '/on-call-schedules', {
      name: 'Warehouse',
      time_zone: 'UTC',
      layers: [
        { ...layer, participants: [ada.id], rotation: { every: 1, unit: 'weeks' } },
        {
          ...layer,
          name: 'Days',
          participants: [bob.id],
          rotation: { every: 1, unit: 'days' },
          restrictions: [office],
        },
      ],
    })
    await page.goto('/contacts/on-call')
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor()
    const [shop, warehouse] = [
      page.getByRole('list', { name: 'On call' }).first(),
      page.getByRole('list', { name: 'Days' }),
    ]
    await shop.getByText('No one').first().waitFor()
    assert.ok((await warehouse.getByRole('listitem').filter({ hasText: 'Bob' }).count()) >= 10)
    await inspect(page, 'on call')
  })

  it('takes an override', async () => {
    await press(page, 'Override Warehouse')
    await dialog.getByLabel('On call').selectOption('No one')
    await inspect(page, 'on call, override')
    await dialog.getByRole('button', { name: 'Add the override' }).click()
    await page.getByRole('list', { name: 'On call' }).last().getByText('No one').waitFor()
  })

  it('shows the address of a calendar once', async () => {
    await press(page, 'Calendar address of Shop')
    const address = (await dialog.getByLabel('Address', { exact: true }).textContent()) ?? ''
    const answer = await fetch(address)
    assert.deepEqual([answer.status, (await answer.text()).startsWith('BEGIN:VCALENDAR')], [200, true])
    await press(page, 'Done')
    await page.getByText('New calendar address').waitFor()
  })

  it('is made by a form, refused where it is wrong', async () => {
    const cy = await call('POST', '/alert-channels', { ...webhook, name: 'Cy' })
    await page.reload()
    await press(page, 'Add a schedule')
    const first = dialog.getByRole('region', { name: 'Layer 1' })
    await first.getByLabel('Participant 1', { exact: true }).selectOption('Ada')
    await press(page, 'Add a participant')
    await first.getByLabel('Participant 2', { exact: true }).selectOption('Cy')
    await press(page, 'Add a participant')
    await first.getByLabel('Participant 3', { exact: true }).selectOption('Bob')
    await fill(page, { 'Time zone': 'Europe/Sofia', 'A turn lasts': '400', 'First day': '2026-01-01' })
    await first.getByLabel('Hours, days or weeks', { exact: true }).selectOption('days')
    await press(page, 'Add a time')
    await first.getByLabel('From', { exact: true }).fill('')
    await dialog.getByText('It is shown once all fields are filled in.').waitFor()
    await press(page, 'Add')
    await dialog.getByText('Must be at most 366 days.').waitFor()
    await dialog.getByText('Must be a time of day, HH:MM.').waitFor()
    assert.equal(await dialog.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'true')
    await inspect(page, 'on call, add a schedule, refused')
    await fill(page, { Name: 'Night', 'A turn lasts': '1' })
    await press(page, 'Remove time 1')
    await call('DELETE', `/alert-channels/${cy.id}`)
    await press(page, 'Add')
    const gone = 'There is no such contact in this workspace.'
    await first.getByText(gone).waitFor()
    const second = first.getByLabel('Participant 2', { exact: true })
    assert.equal(await second.getAttribute('aria-invalid'), 'true')
    await press(page, 'Remove participant 2')
    await press(page, 'Move participant 2 up')
    const preview = dialog.getByRole('region', { name: 'Preview of two weeks' })
    const shifts = preview.getByRole('list', { name: 'On call' }).getByRole('listitem')
    assert.deepEqual((await shifts.allTextContents()).includes('Cy'), false)
    await inspect(page, 'on call, add a schedule')
    await press(page, 'Add')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Two weeks of Night' }).waitFor()
  })

  it('previews what the service then computes', async () => {
    const drawn = await namesIn(page.getByRole('region', { name: 'Two weeks of Night' }))
    await press(page, 'Change Night')
    assert.deepEqual(await namesIn(dialog.getByRole('region', { name: 'Preview of two weeks' })), drawn)
  })

  it('is changed', async () => {
    await press(page, 'Add a layer')
    const second = dialog.getByRole('region', { name: 'Layer 2' })
    await second.getByLabel('Name of layer 2 (optional)', { exact: true }).fill('Nights')
    await second.getByRole('button', { name: 'Add a time' }).click()
    await second.getByRole('checkbox', { name: 'Saturday', exact: true }).check()
    await second.getByLabel('From', { exact: true }).fill('20:00')
    await press(page, 'Move layer 2 up')
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    const lines = page.getByRole('region', { name: 'Two weeks of Night' }).getByRole('list')
    await lines
      .first()
      .and(page.getByRole('list', { name: 'Nights' }))
      .waitFor()
    await inspect(page, 'on call, changed')
  })

  it('is moved sideways on phones, where names keep their place', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const bar = page.getByRole('region', { name: 'Two weeks of Shop' }).getByText('Bob').nth(1)
    assert.ok(((await bar.boundingBox())?.width ?? 0) >= 30)
    // An hour of each day is of another contact than the rest of it.
    const bars = page.getByRole('list', { name: 'Days' }).getByRole('listitem')
    const boxes = await Promise.all((await bars.all()).map((each) => each.boundingBox()))
    const edges = boxes.flatMap((box) => (box === null ? [] : [box.x, box.x + box.width]))
    assert.deepEqual(
      edges,
      edges.toSorted((one, other) => one - other),
    )
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('loses an override', async () => {
    const overrides = page.getByRole('list', { name: 'Overrides of Warehouse' })
    await overrides.getByRole('button', { name: /^Delete the override of No one/ }).click()
    await press(page, 'Delete permanently')
    await overrides.waitFor({ state: 'detached' })
  })

  it('is deleted after a question', async () => {
    await press(page, 'Delete Night')
    await inspect(page, 'on call, delete')
    await press(page, 'Delete permanently')
    await page.getByRole('heading', { name: 'Night', exact: true }).waitFor({ state: 'detached' })
  })

  it('is made of an export, once everybody in it has a contact', async () => {
    await call('POST', '/alert-channels', { kind: 'email', destination: 'regina@example.com', name: 'Regina' })
    await page.reload()
    await press(page, 'Import')
    await dialog.getByLabel('Exported from', { exact: true }).selectOption('PagerDuty')
    await dialog.getByLabel('Or paste its text').fill('{}')
    await press(page, 'Check')
    await dialog.getByText('schedule: Invalid input', { exact: false }).waitFor()
    await inspect(page, 'on call, import, refused')
    const file = { name: 'pagerduty.json', mimeType: 'application/json' }
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ ...file, buffer: Buffer.from(JSON.stringify(pagerdutyExport)) })
    await press(page, 'Check')
    await dialog.getByRole('cell', { name: 'Daily Engineering Rotation' }).waitFor()
    await dialog.getByText('It ended on 2026-09-09', { exact: false }).waitFor()
    const regina = dialog.getByLabel('Regina Phalange', { exact: true })
    assert.equal(await regina.locator('option:checked').textContent(), 'Regina')
    await dialog.getByLabel('Alan B. Shepard', { exact: true }).selectOption('Ada')
    await press(page, 'Create the schedules')
    const missing = dialog.getByLabel('Earline Greenholt', { exact: true })
    await dialog.getByText('Earline Greenholt has no contact yet', { exact: false }).waitFor()
    assert.equal(await missing.getAttribute('aria-invalid'), 'true')
    await inspect(page, 'on call, import')
    await missing.selectOption('Leave out')
    await press(page, 'Create the schedules')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Two weeks of Daily Engineering Rotation' }).waitFor()
  })

  it('complains about nothing', () => assert.deepEqual(complaints, []))
})

async function namesIn(twoWeeks: Locator): Promise<string[]> {
  return twoWeeks.getByRole('list', { name: 'On call' }).getByRole('listitem').allTextContents()
}
