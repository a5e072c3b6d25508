// Views of the overview that members save and choose, and monitors under their locations.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const [email, locations] = ['owner@example.com', 'frankfurt=Frankfurt,oslo=Oslo']

describe('saved views', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_LOCATIONS: locations,
  })
  const { visitor, inspect, complaints, change } = service
  const { port } = await httpServer((_, response) => response.end())
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const target = { url: `http://127.0.0.1:${port}/`, interval_seconds: 86_400 }
  await call('POST', '/monitors', { name: 'Shop', ...target, locations: ['frankfurt', 'oslo'] })
  const mail = await call('POST', '/monitors', { name: 'Mail', ...target, locations: ['oslo'] })
  await call('POST', '/monitors', { name: 'Blog', kind: 'heartbeat', interval_seconds: 3600, locations: ['oslo'] })
  await page.reload()
  const views = page.getByRole('button', { name: /^View: |^Saved views$/ })
  const rows = page.getByRole('grid').getByRole('row')
  const item = (name: string | RegExp) => page.getByRole('menuitem', { name, exact: true })
  const option = (name: string) => page.getByRole('menuitemradio', { name, exact: true })

  it('puts monitors under each of their locations, in the list and on the wall', async () => {
    await rows.filter({ hasText: 'Shop' }).getByText('Up', { exact: true }).waitFor({ timeout: 60_000 })
    await change(
      `update monitor_state set current_status = 'down' where monitor_key = (select key from monitors where id = '${mail.id}')`,
    )
    await page.goto('/monitors?group=location')
    await rows
      .filter({ hasText: /^Oslo 3/ })
      .getByText('1 down')
      .waitFor()
    assert.deepEqual(await namesIn('[role="grid"] [role="row"]'), ['Frankfurt', 'Shop', 'Oslo', 'Mail', 'Blog', 'Shop'])
    await inspect(page, 'overview, by location')
    await page.getByRole('button', { name: 'Wall' }).click()
    const wall = page.getByRole('list', { name: 'Monitors' }).getByRole('listitem')
    await wall
      .filter({ hasText: /^Oslo 3/ })
      .getByText('1 down')
      .waitFor()
    assert.equal(await wall.filter({ hasText: 'Shop' }).count(), 2)
    await inspect(page, 'overview, wall by location')
  })

  it('saves what is shown under a name, by keyboard', async () => {
    await page.goto('/monitors?group=location&state=down')
    await views.focus()
    await page.keyboard.press('Enter')
    await item('Save as a new view …').waitFor()
    await inspect(page, 'overview, menu of views, none saved')
    await item('Save as a new view …').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByLabel('Name').fill('Broken places')
    await inspect(page, 'overview, save a view')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await views.filter({ hasText: 'View: Broken places' }).waitFor()
    assert.doesNotMatch(await views.innerText(), /changed/)
  })

  it('says that the chosen view is shown otherwise, and saves over it', async () => {
    await page.getByRole('button', { name: /^All \d/ }).click()
    await views.filter({ hasText: '· changed' }).waitFor()
    await inspect(page, 'overview, a changed view')
    await page.reload()
    await views.filter({ hasText: '· changed' }).click()
    await item('Undo the changes').click()
    await page.getByRole('button', { name: /^Down \d/, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Dense' }).click()
    await views.filter({ hasText: '· changed' }).click()
    await item('Save over it').click()
    await page.getByText('Broken places is saved as it is shown.').waitFor()
    await views.filter({ hasNotText: 'changed' }).waitFor()
  })

  it('refuses a name that is taken, beside its field', async () => {
    await views.click()
    await item('Save as a new view …').click()
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await fill(page, { Name: 'BROKEN PLACES' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Another saved view has this name.').waitFor()
    await fill(page, { Name: 'Still broken' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await views.filter({ hasText: 'Still broken' }).waitFor()
  })

  it('renames one', async () => {
    await views.click()
    await inspect(page, 'overview, menu of views')
    await item('Rename it …').click()
    await fill(page, { Name: 'Night' })
    await press(page, 'Rename')
    await views.filter({ hasText: 'View: Night' }).waitFor()
  })

  it('is found in the palette by its name', async () => {
    await page.goto('/contacts')
    await see(page, 'Contacts')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('broken')
    await page.getByRole('option', { name: /Broken places/ }).waitFor()
    await page.keyboard.press('Enter')
    await see(page, 'Monitors')
    await views.filter({ hasText: 'View: Broken places' }).waitFor()
    await page.getByRole('button', { name: 'Dense', pressed: true }).waitFor()
  })

  it('is the first that opens where a person wants it so', async () => {
    await views.click()
    await item('Open it first').click()
    await page.goto('/contacts')
    await page.getByRole('link', { name: 'Monitors' }).first().click()
    await views.filter({ hasText: 'View: Broken places' }).waitFor()
    await views.click()
    await option('All monitors').click()
    await rows.filter({ hasText: 'Blog' }).waitFor()
    await page.goto('/monitors')
    await views.filter({ hasText: 'View: Broken places' }).click()
    await item('No longer open it first').click()
    await page.goto('/monitors')
    await rows.filter({ hasText: 'Blog' }).waitFor()
    assert.equal(await views.innerText(), 'Saved views')
  })

  it('is deleted, and what is shown stays', async () => {
    await views.click()
    await option('Night').click()
    await views.filter({ hasText: 'View: Night' }).click()
    await item('Delete it …').click()
    await inspect(page, 'overview, delete a view')
    await press(page, 'Delete permanently')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await views.click()
    assert.equal(await option('Night').count(), 0)
    await option('Broken places').waitFor()
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  /** The titles and the names of monitors, in their order. */
  async function namesIn(selector: string): Promise<string[]> {
    return page.evaluate<string[]>(
      `[...document.querySelectorAll('${selector}')]
        .map((row) => row.querySelector('a')?.textContent ?? row.querySelector('.font-semibold')?.firstChild?.textContent ?? '')
        .filter((name) => name !== '')`,
    )
  }
})
