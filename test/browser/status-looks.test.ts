// How a status page looks: drawn beside its form, dragged into order, with pictures and colours of its own.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import {
  iconPicture,
  iconWebpPicture,
  jpegPicture,
  losslessPicture,
  pngPicture,
  webpPicture,
} from '../support/pictures.ts'
import { until } from '../support/until.ts'
import { attributesOf } from './support/attributes.ts'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const names = ['Shop', 'Blog', 'Mail', 'Search', 'Login', 'Api', 'Files', 'Chat', 'Maps', 'Pay', 'Push', 'Docs', 'Jobs']

describe('the looks of a status page', async () => {
  const service = await startConsole({ PERIGEE_PLANS: '{"free":{"slots":20}}' })
  const { visitor, inspect, complaints, change, origin } = service
  const { page, context } = await visitor()
  await signUp(page, service, { email: 'olivia@example.com', name: 'Olivia' })
  const call = callerOf(page)
  for (const name of names) await call('POST', '/monitors', { name, kind: 'heartbeat', interval_seconds: 3600 })
  await change(
    `insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
    select key, current_date - back, 1440, case when back = 7 then 1430 else 1440 end, case when back = 7 then 10 else 0 end,
      0, 0, 0
    from monitors, generate_series(1, 89) as back`,
  )
  await change(`update monitor_state set current_status = 'up'`)
  const dialog = page.getByRole('dialog')
  const draft = page.frameLocator('iframe[title="Preview of the draft"]')
  let address = ''

  it('are drawn beside the form while they are chosen, and stored by nothing but Save', async () => {
    await page.goto('/status-pages/new')
    await see(page, 'New status page')
    await page.setViewportSize({ width: 1440, height: 900 })
    await fill(page, { Title: 'Acme', Address: 'acme', Description: 'How we are doing.' })
    await draft.getByRole('heading', { name: 'Acme' }).waitFor()
    await draft.getByText('How we are doing.').waitFor()
    await press(page, 'Add monitors to Group 1')
    for (const name of names) await dialog.getByRole('checkbox', { name, exact: true }).check()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await draft.getByRole('heading', { name: 'Jobs' }).waitFor()
    await page.getByLabel('Heading (optional)').fill('Front')
    await draft.getByRole('heading', { name: 'Front' }).waitFor()
    await page.getByLabel('Layout').selectOption({ label: 'A compact grid' })
    await draft.locator('ul.g').waitFor()
    await page.getByLabel('Accent colour', { exact: true }).fill('#ffcc00')
    await page.getByText('On light: #896e00, the nearest that can be read (4.5:1).', { exact: false }).waitFor()
    await page.getByText('On dark: your colour, with a contrast of 11.4:1.').waitFor()
    await draft.locator('link[href*="accent-ffcc00"]').waitFor({ state: 'attached' })
    assert.equal((await fetch(`${origin}/status/acme`)).status, 404)
    await inspect(page, 'status page form, new')
  })

  it('are drawn below the form on a phone, where they are asked for', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.getByTitle('Preview of the draft').count(), 0)
    await press(page, 'Show what it will look like')
    await draft.getByRole('heading', { name: 'Jobs' }).waitFor()
    await press(page, 'Hide the preview')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('have monitors that are dragged into order by a mouse, and left where they were by Escape', async () => {
    await page.setViewportSize({ width: 1440, height: 1800 })
    await press(page, 'Add a group')
    await dragged(rowOf('Shop'), page.getByRole('group', { name: 'Group 2' }))
    await page.mouse.up()
    await page.getByText('Shop is 1 of 1 in group 2.').waitFor({ state: 'attached' })
    await dragged(rowOf('Blog'), rowOf('Api'))
    await page.keyboard.press('Escape')
    await page.mouse.up()
    assert.deepEqual((await placed()).slice(0, 2), ['Api', 'Blog'])
    await dragged(rowOf('Blog'), rowOf('Api'))
    await page.mouse.up()
    await page.getByText('Blog is 1 of 12 in Front.').waitFor({ state: 'attached' })
    assert.deepEqual((await placed()).slice(0, 2), ['Blog', 'Api'])
    await dragged(page.getByRole('group', { name: 'Group 2' }), page.getByRole('group', { name: 'Front' }))
    await page.mouse.up()
    await page.getByText('Group 2 is 1 of 2 groups.').waitFor({ state: 'attached' })
    assert.deepEqual((await placed()).slice(0, 3), ['Shop', 'Blog', 'Api'])
  })

  it('have monitors that a finger drags', async () => {
    const [from, to] = [await gripOf(rowOf('Api')), await gripOf(rowOf('Blog'))]
    const session = await context.newCDPSession(page)
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number): Promise<void> => {
      const touchPoints = type === 'touchEnd' ? [] : [{ x: from.x, y }]
      await session.send('Input.dispatchTouchEvent', { type, touchPoints })
    }
    await touch('touchStart', from.y)
    await touch('touchMove', to.y)
    await touch('touchMove', to.y - 8)
    await touch('touchEnd', 0)
    await page.getByText('Api is 1 of 12 in Front.').waitFor({ state: 'attached' })
    await press(page, 'Create the page')
    await see(page, 'Acme')
    address = new URL(page.url()).pathname
    await until('the page is shown', async () => (await placed()).length > 0)
    assert.deepEqual((await placed()).slice(0, 3), ['Shop', 'Api', 'Blog'])
  })

  it('are a logo and an icon, which are refused with a reason and shown at once', async () => {
    const logo = page.getByLabel('Choose a file: Logo')
    await logo.setInputFiles(fileOf('logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))
    await page.getByText('Must be a PNG, JPEG or WebP picture.').waitFor()
    await logo.setInputFiles(fileOf('large.png', Buffer.alloc(300_000)))
    await page.getByText('This file has 293 KB. At most 200 KB are accepted.').waitFor()
    await page.getByLabel('Choose a file: Icon').setInputFiles(fileOf('wide.png', pngPicture()))
    await page.getByText('Must be as wide as it is high; this one is 48 × 24.').waitFor()
    await inspect(page, 'status page form, pictures refused')
    await logo.setInputFiles(fileOf('logo.png', pngPicture()))
    await page.getByRole('img', { name: 'The logo of the page' }).waitFor()
    await page.getByLabel('Choose a file: Icon').setInputFiles(fileOf('icon.png', iconPicture()))
    await page.getByRole('img', { name: 'The icon of the page' }).waitFor()
    await fill(page, { 'What the logo shows': 'A sun over the sea' })
    await press(page, 'Save the text')
    await page.getByText('The text of the logo is saved.').waitFor()
    await draft.getByRole('img', { name: 'A sun over the sea' }).waitFor()
    await inspect(page, 'status page form, pictures')
  })

  it('are what readers see, in every look', async () => {
    const { page: reading } = await visitor()
    await until('readers see the logo', async () => {
      await reading.goto('/status/acme')
      return (await reading.getByRole('img', { name: 'A sun over the sea' }).count()) === 1
    })
    assert.equal(await reading.evaluate<number>(`document.querySelector('img').naturalWidth`), 48)
    const [icon = ''] = await attributesOf(reading.locator('link[rel=icon]'), 'href')
    assert.equal((await reading.request.get(icon)).headers()['content-type'], 'image/png')
    await inspect(reading, 'status page, compact')
    const tall = await reading.evaluate<number>('document.querySelector("ul.g").getBoundingClientRect().height')
    assert.ok(tall < 620, `13 monitors are ${tall} px high`)
    const colour = () => reading.evaluate<string>(`getComputedStyle(document.querySelector('nav a')).color`)
    await reading.emulateMedia({ colorScheme: 'light' })
    assert.equal(await colour(), 'rgb(137, 110, 0)')
    await reading.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await colour(), 'rgb(255, 204, 0)')
  })

  it('are pictures of every form that is taken, without what was taken out of them', async () => {
    const { page: reading } = await visitor()
    const id = address.split('/').at(-1) ?? ''
    for (const [name, bytes] of Object.entries({ jpegPicture, webpPicture, losslessPicture, iconWebpPicture })) {
      await call('PUT', `/status-pages/${id}/logo`, { image: Buffer.from(bytes()).toString('base64'), alt: name })
      await until(`readers see ${name}`, async () => {
        await reading.goto('/status/acme')
        return (await reading.getByRole('img', { name, exact: true }).count()) === 1
      })
      const width = await reading.evaluate<number>(`document.querySelector('img').naturalWidth`)
      assert.equal(width, name.startsWith('icon') ? 32 : 48, name)
    }
  })

  it('are taken back', async () => {
    await page.goto(address)
    await press(page, 'Remove: Logo')
    await page.getByText('No logo').waitFor()
    await press(page, 'Remove: Icon')
    await page.getByText('The icon shows the state').waitFor()
    await fill(page, { 'Accent colour': '' })
    await page.getByLabel('Layout').selectOption({ label: 'A list, with response times' })
    await press(page, 'Save')
    await page.getByText('Acme is saved.', { exact: false }).waitFor()
    await draft.locator('ul.c:not(.g)').first().waitFor()
    assert.equal(await draft.locator('link[href*="accent"]').count(), 0)
  })

  it('are not lost by leaving', async () => {
    await fill(page, { Description: 'Not saved yet.' })
    await page.getByRole('link', { name: 'Preview', exact: true }).click()
    await page.getByRole('link', { name: 'Page', exact: true }).click()
    assert.equal(await page.getByLabel('Description').inputValue(), 'Not saved yet.')
    await page.getByRole('link', { name: 'Contacts' }).click()
    await dialog.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
    await dialog.getByRole('button', { name: 'Stay' }).click()
    assert.equal(await page.getByLabel('Description').inputValue(), 'Not saved yet.')
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))

  function rowOf(name: string): Locator {
    return page.locator('li').filter({ has: page.getByLabel(`Name of ${name} on the page`) })
  }

  async function placed(): Promise<string[]> {
    const labels = await attributesOf(page.getByLabel(/^Name of .* on the page$/), 'aria-label')
    return labels.map((label) => /^Name of (.*) on/.exec(label)?.[1] ?? '')
  }

  /** Takes hold of a row, and is above the other one; the button is still pressed. */
  async function dragged(row: Locator, other: Locator): Promise<void> {
    await other.scrollIntoViewIfNeeded()
    const from = await gripOf(row)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    const to = (await other.boundingBox()) ?? assert.fail('There is nothing to drag to.')
    await page.mouse.move(from.x, to.y + to.height / 4, { steps: 5 })
    await page.mouse.move(from.x, to.y + to.height / 4 - 1)
  }
})

function fileOf(name: string, bytes: Uint8Array): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) }
}

async function gripOf(row: Locator): Promise<{ x: number; y: number }> {
  const grip = row.locator('[data-grip]').first()
  await grip.scrollIntoViewIfNeeded()
  const box = (await grip.boundingBox()) ?? assert.fail('There is no grip.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
