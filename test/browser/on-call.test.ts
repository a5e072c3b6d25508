// On-call schedules: who is on call, two weeks of shifts, an override, the secret address of a calendar.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('on-call schedules in the console', async () => {
  const service = await startConsole()
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  const dialog = page.getByRole('dialog')

  it('says so where there is none', async () => {
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'On call' }).click()
    await see(page, 'On call')
    await page.getByText('None yet.', { exact: false }).waitFor()
    await inspect(page, 'on call, none')
  })

  it('shows who is on call, and where nobody is', async () => {
    const contact = { kind: 'webhook', destination: 'https://hook.example/' }
    const ada = await call('POST', '/alert-channels', { ...contact, name: 'Ada' })
    const bob = await call('POST', '/alert-channels', { ...contact, name: 'Bob' })
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

  it('complains about nothing', () => assert.deepEqual(complaints, []))
})
