// Moving in from another tool: a file is read, its checks are tried, it is imported, and the import is undone.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { writeKumaDatabase } from '../support/kuma-database.ts'
import { kumaExample } from '../support/kuma-example.ts'
import { startReceiver } from '../support/receiver.ts'
import { shopAccount, startShopSite } from '../support/shop-site.ts'
import { holdAnswer } from './support/held-answers.ts'
import { press, see, signUp, startConsole } from './support/console.ts'

function kumaFile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-kuma-'))
  try {
    writeKumaDatabase(join(folder, 'kuma.db'), 2, kumaExample).close()
    return readFileSync(join(folder, 'kuma.db'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Signs in at a shop and orders there, in a window of its own. */
async function recordVisit(page: Page): Promise<Buffer> {
  const { url } = await startShopSite()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-visit-'))
  try {
    const path = join(folder, 'visit.har')
    const context = await page
      .context()
      .browser()
      ?.newContext({ recordHar: { path, content: 'embed' } })
    assert.ok(context !== undefined)
    const shop = await context.newPage()
    await shop.goto(url)
    for (const [name, value] of Object.entries(shopAccount)) await shop.locator(`[name=${name}]`).fill(value)
    await shop.getByRole('button', { name: 'Sign in' }).click()
    await shop.getByText('Ordered').waitFor()
    await context.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('moving in from another tool in the console', async () => {
  const site = await startReceiver()
  after(() => site.close())
  const service = await startConsole()
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const lines = [`${site.url} Shop`, 'http://127.0.0.1:1/ Old shop']
  const list = { name: 'sites.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) }
  const file = page.getByLabel('File', { exact: true })
  const arriving = page.getByRole('table', { name: 'Monitors to import' })

  it('is offered where nothing is watched yet', async () => {
    await page.goto('/monitors')
    await page.getByRole('link', { name: 'Move in from another tool' }).click()
    await see(page, 'Move in from another tool')
    await inspect(page, 'moving in')
  })

  it('says what is wrong with a file', async () => {
    await press(page, 'Read the file')
    await page.getByText('Choose a file first.').waitFor()
    await file.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
    await press(page, 'Read the file')
    await page.getByText('The source was not recognized.', { exact: false }).waitFor()
    await inspect(page, 'moving in, a file that does not tell')
  })

  it('shows what of a file arrives, and tries it', async () => {
    await file.setInputFiles(list)
    await press(page, 'Read the file')
    await page.getByRole('heading', { name: 'What is imported from sites.txt' }).waitFor()
    await press(page, 'Try 2 checks first')
    await page.getByText('2 of 2 tried, 1 down.').waitFor()
    await arriving
      .getByRole('row', { name: /Old shop/ })
      .getByText('Down')
      .waitFor()
    await arriving.getByRole('row', { name: /^Shop/ }).getByText('Up').waitFor()
    await inspect(page, 'moving in, tried')
  })

  it('brings it in, and takes it back', async () => {
    await press(page, 'Import 2 monitors')
    await page.getByRole('heading', { name: 'sites.txt is imported' }).waitFor()
    await page.getByText('2 created', { exact: true }).waitFor()
    await inspect(page, 'moving in, imported')
    await press(page, 'Undo the import …')
    await inspect(page, 'moving in, undo')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click()
    await page.getByRole('heading', { name: 'The import of sites.txt is undone' }).waitFor()
    await page.getByText('2 removed', { exact: true }).waitFor()
    await press(page, 'Close')
    await page.getByText('2 deleted').waitFor()
  })

  it('goes on with an import that was left', async () => {
    await file.setInputFiles({ name: 'kuma.db', mimeType: 'application/octet-stream', buffer: kumaFile() })
    // A keyboard does all of it.
    await page.getByRole('button', { name: 'Read the file' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What is imported from kuma.db' }).waitFor()
    assert.equal(await arriving.getByRole('row').count(), 33)
    await inspect(page, 'moving in, what arrives')
    const held = await holdAnswer(page, /\/continue$/)
    await page.getByRole('button', { name: 'Import 32 monitors' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Importing kuma.db' }).waitFor()
    await held.asked()
    await inspect(page, 'moving in, under way')
    await press(page, 'Stop here')
    await held.release()
    await page.reload()
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'kuma.db is imported' }).waitFor()
    await page.getByText('The plan has no free slot.', { exact: false }).first().waitFor()
    await inspect(page, 'moving in, kuma imported')
    await page.getByRole('link', { name: 'See the monitors' }).click()
    await see(page, 'Monitors')
  })

  it('names what stays, because it was changed', async () => {
    await service.change("update monitors set name = 'Changed' where name = 'Login page'")
    await page.goto('/settings/import')
    await press(page, 'Show kuma.db')
    await press(page, 'Undo the import …')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click()
    await page.getByRole('heading', { name: 'The import of kuma.db is undone' }).waitFor()
    const told = page.getByRole('region', { name: 'What needs your attention' })
    await told.getByText('Changed since: name.').waitFor()
    await inspect(page, 'moving in, undone')
  })

  it('takes a visit as the browser recorded it', async () => {
    const visit = await recordVisit(page)
    await page.goto('/settings/import')
    await file.setInputFiles({ name: 'visit.har', mimeType: 'application/json', buffer: visit })
    await press(page, 'Read the file')
    await page.getByRole('heading', { name: 'What is imported from visit.har' }).waitFor()
    await arriving.getByRole('row', { name: /^Shop .*transaction/i }).waitFor()
    await page
      .getByText('Step 2 sends secrets that were recorded, kept encrypted: "password".', { exact: false })
      .waitFor()
    await inspect(page, 'moving in, a recorded visit')
    await press(page, 'Import 1 monitor')
    await page.getByText('1 created', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'See the monitors' }).click()
    await page.getByRole('link', { name: 'Shop', exact: true }).first().waitFor()
  })

  it('leaves no complaint', () => assert.deepEqual(complaints, []))
})
