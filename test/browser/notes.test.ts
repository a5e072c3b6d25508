// Notes and the runbook of a monitor, from its form to its page, and a monitor that is made like another one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { signUp, startConsole } from './support/console.ts'
import { callerOf, workspaceIdOf } from './support/workspace-calls.ts'

const notes = [
  '# Checkout',
  '',
  'Ask **Ann**, or [the team](https://chat.example.com/shop).',
  '',
  '1. restart `shop-api`',
  '2. look at the queue',
  '',
  '| queue | most |',
  '| ----- | ---- |',
  '| mail  | 100  |',
  '',
  '<script>document.title = "taken"</script><b>bold</b>',
  '',
  '![a picture](https://images.example.com/a.png) [run](javascript:document.title=1)',
].join('\n')

describe('notes of a monitor', async () => {
  const service = await startConsole({})
  const { visitor, inspect } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)

  it('are written in its form, which refuses a runbook that is no web page', async () => {
    await page.goto('/monitors/new?kind=heartbeat')
    await page.getByLabel('Name').fill('Nightly backup')
    await page.getByText('Notes and runbook').click()
    await page.getByLabel('Notes').fill(notes)
    await page.getByLabel('Runbook').fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.getByText('Must be an address that begins with https:// or http://').waitFor()
    await inspect(page, 'form with notes')
    await page.getByLabel('Runbook').fill('https://wiki.example.com/backup#restart')
    await page.getByLabel('Runbook').press('Tab')
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.getByRole('heading', { name: 'Nightly backup' }).waitFor()
  })

  it('are shown on its page as Markdown: no HTML, no pictures, no scripts', async () => {
    const shown = page.locator('section', { has: page.getByRole('heading', { name: 'Notes' }) })
    await shown.getByRole('listitem').first().waitFor()
    assert.equal(await shown.getByRole('listitem').count(), 2)
    assert.equal(await shown.getByRole('cell').count(), 4)
    assert.equal(await shown.locator('script, b, img').count(), 0)
    assert.ok((await shown.textContent())?.includes('<script>document.title = "taken"</script>'))
    const links = [
      'https://wiki.example.com/backup#restart',
      'https://chat.example.com/shop',
      'https://images.example.com/a.png',
    ]
    assert.equal(await shown.getByRole('link').count(), links.length)
    for (const link of links) assert.equal(await shown.locator(`a[href="${link}"]`).count(), 1)
    assert.match(await page.title(), /Nightly backup/)
    await inspect(page, 'monitor with notes')
  })

  it('are emptied again', async () => {
    await page.getByRole('link', { name: 'Change' }).click()
    await page.getByText('Notes and runbook').click()
    await page.getByLabel('Notes').fill('')
    await page.getByLabel('Runbook').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Nightly backup', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Notes' }).waitFor({ state: 'detached' })
  })

  it('are there in a copy, whose form says that secrets are not', async () => {
    const { id } = await call('POST', '/monitors', {
      name: 'Shop',
      url: 'https://shop.example.com/',
      interval_seconds: 600,
      keyword: 'Basket',
      request_headers: { authorization: 'Bearer secret' },
      tags: ['production'],
      notes: 'Ask Ann.',
      alert_channel_ids: [],
    })
    await page.goto(`/monitors/${id}`)
    await page.getByRole('link', { name: 'Clone' }).click()
    await page.getByText('Secrets are not copied').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Copy of Shop')
    await inspect(page, 'form of a copy')
    await page.getByRole('button', { name: 'Create the monitor' }).click()
    await page.getByRole('heading', { name: 'Copy of Shop' }).waitFor()
    const copyId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const [own, copied] = [await settingsOf(id), await settingsOf(copyId)]
    assert.deepEqual(copied, { ...own, name: 'Copy of Shop' })
  })

  const settingsOf = async (id: string) => {
    const headers = { 'X-Perigee-Workspace': await workspaceIdOf(page) }
    return shown.parse(await (await page.request.get(`/api/v1/monitors/${id}`, { headers })).json()).data
  }
})

const shown = z.object({
  data: z.object({
    name: z.string(),
    url: z.string(),
    interval_seconds: z.int(),
    keyword: z.string(),
    tags: z.array(z.string()),
    notes: z.string(),
    alert_channel_ids: z.array(z.string()),
  }),
})
