// A monitor that is told numbers, from its form to its results.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signUp, startConsole } from './support/console.ts'

describe('a monitor that is told numbers', async () => {
  const service = await startConsole({})
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })

  async function tab(name: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Of this monitor' }).getByRole('link', { name }).click()
  }

  it('says how it is called, and shows a number that is 0', async () => {
    await page.goto('/monitors/new?kind=push_metric')
    await page.getByLabel('Name').fill('Queue')
    await page.getByLabel('Degraded below this number').fill('0')
    await page.getByLabel('Unit', { exact: true }).fill('%')
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.getByRole('heading', { name: 'Queue' }).waitFor()
    await page.getByLabel('How to call it').getByText('?value=12.5').waitFor()
    const address = (await page.getByLabel('Address to call', { exact: true }).textContent()) ?? ''
    assert.equal((await page.request.get(address)).status(), 400)
    assert.equal((await page.request.get(`${address}?value=0`)).status(), 200)
    await page.getByText('Up', { exact: true }).first().waitFor()
    await tab('Results')
    const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first()
    await result.locator('summary').click()
    assert.match((await result.textContent()) ?? '', /Unit%Value0/)
    await inspect(page, 'results of numbers by call')
    await tab('Settings')
    await page.getByText('every hour').waitFor()
    const settings = (await page.getByRole('main').textContent()) ?? ''
    assert.match(settings, /Degraded below0/)
  })

  it('leaves no complaint', () => assert.deepEqual(complaints, []))
})
