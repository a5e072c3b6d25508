// The overview of more monitors than one page has, which here are two.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
const names = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Foxtrot', 'Golf']

describe('an overview of several pages', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  for (const name of names) {
    const monitor = { name, kind: 'heartbeat', interval_seconds: 86_400 }
    const { id } = await call('POST', '/monitors', monitor)
    await call('POST', `/monitors/${id}/pause`)
  }
  const gate = createGate()
  let pages = 0
  await page.route(
    (url) => url.pathname === '/api/v1/overview',
    async (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '2')
      pages += 1
      if (url.searchParams.has('cursor')) await gate.passed()
      await route.continue({ url: url.href })
    },
  )
  const rows = page.getByRole('grid').getByRole('row')
  const row = (name: string) => rows.filter({ has: page.getByRole('link', { name }) })

  it('shows the first page while others are to come, and says that they are', async () => {
    gate.close()
    await page.reload()
    await row('Bravo').waitFor()
    await page.getByText('2 of 7 monitors so far, the others are being loaded.').waitFor()
    assert.equal(await row('Charlie').count(), 0)
    await inspect(page, 'overview, some of several pages')
    await page.getByRole('searchbox').fill('Golf')
    await row('Bravo').waitFor({ state: 'detached' })
    assert.equal(await page.getByText('No monitor matches').count(), 0)
    gate.open()
    await row('Golf').waitFor()
    await page.getByRole('searchbox').fill('')
    for (const name of names) await row(name).waitFor()
    await page.getByText('0 monitors watched, none down').waitFor()
    assert.equal(pages, 4)
  })

  it('reads no further once another page is open, and all when it is open again', async () => {
    gate.close()
    await page.reload()
    await page.getByText('2 of 7 monitors so far', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Incidents' }).click()
    await see(page, 'Incidents')
    const before = pages
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/overview'))
    gate.open()
    await answered
    await page.getByRole('link', { name: 'Status pages' }).click()
    await see(page, 'Status pages')
    assert.equal(pages, before)
    await page.getByRole('link', { name: 'Monitors' }).click()
    for (const name of names) await row(name).waitFor()
    await page.getByText('0 monitors watched, none down').waitFor()
    assert.equal(pages, before + 4)
  })

  it('keeps all of them in place while they are read again', async () => {
    gate.close()
    const before = pages
    await page.getByRole('checkbox', { name: 'Select Alpha' }).check()
    await press(page, 'Resume 1')
    await page.getByRole('dialog').getByRole('button', { name: 'Resume 1 monitor' }).click()
    await page.getByText('1 monitor resumed.').waitFor()
    await row('Alpha').getByText('Paused').waitFor({ state: 'detached' })
    assert.ok(pages > before)
    for (const name of names) assert.equal(await row(name).count(), 1)
    gate.open()
    await page.getByText('1 monitor watched, none down').waitFor()
    for (const name of names) await row(name).waitFor()
  })

  it('causes no complaint of the browser', () => assert.deepEqual(complaints, []))
})

/** Holds what comes while it is closed. */
function createGate() {
  let waiting = Promise.withResolvers<void>()
  waiting.resolve()
  return {
    passed: () => waiting.promise,
    open: () => waiting.resolve(),
    close: () => {
      waiting = Promise.withResolvers()
    },
  }
}
