// The documentation site as readers get it: below any address and from a folder, by search and by links, on a phone too.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startChromium } from './support/chromium.ts'

const builder = fileURLToPath(new URL('../../site/build.ts', import.meta.url))
const base = '/some/where/'
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

describe('the documentation site', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-site-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync(process.execPath, [builder, join(folder, 'first')], { timeout: 300_000, stdio: 'ignore' })
  const origin = await serve(join(folder, 'first'))
  const chromium = await startChromium(origin, () => {})

  it('has the same bytes each time', () => {
    execFileSync(process.execPath, [builder, join(folder, 'second')], { timeout: 300_000, stdio: 'ignore' })
    assert.deepEqual(contentsOf(join(folder, 'second')), contentsOf(join(folder, 'first')))
  })

  it('is found through by a search, and read on by links', async () => {
    const { page } = await chromium.visitor()
    await page.goto(`${base}kinds/http.html`)
    await page.keyboard.press('/')
    await page.keyboard.type('escalation policy who is told')
    await page.locator('#found a[href$="alerts.html#who-is-told-after-whom"]').click()
    await page.waitForURL(`${origin}${base}alerts.html#who-is-told-after-whom`)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'On-call schedules' }).click()
    await page.waitForURL(`${origin}${base}on-call.html`)
    await page.getByRole('searchbox').or(page.getByRole('combobox')).fill('xyzzyx')
    await page.getByText('Nothing is said of “xyzzyx”.').waitFor()
    assert.deepEqual(chromium.complaints, [])
  })

  it('is searched with the keyboard, when it is opened from a folder', async () => {
    const { page, context } = await chromium.visitor()
    const complaints: string[] = []
    context.on('weberror', (error) => complaints.push(String(error.error())))
    await page.goto(pathToFileURL(join(folder, 'first', 'index.html')).href)
    await page.keyboard.press('/')
    await page.keyboard.type('httproutes')
    await page.locator('#found [role=option]').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/discovery\.html/)
    assert.deepEqual(complaints, [])
  })

  for (const address of ['index.html', 'alerts.html', 'kinds/index.html', 'contacts/ntfy.html'])
    it(`shows ${address} on every screen`, async () => {
      const { page } = await chromium.visitor()
      await page.goto(`${base}${address}`)
      await chromium.inspect(page, `site ${address}`)
    })

  // Its hundreds of tables take axe-core minutes.
  it('shows the API reference within the width of a phone, and leads to an operation', async () => {
    const { page } = await chromium.visitor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}reference.html`)
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 390)
    await page.locator('summary', { hasText: 'On this page' }).click()
    await page.locator('.inside-narrow').getByRole('link', { name: 'Add a contact' }).click()
    await page.getByRole('heading', { name: 'Add a contact' }).waitFor()
  })
})

async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site.test').pathname
    const file = join(folder, path.slice(base.length))
    if (!path.startsWith(base) || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      return response.writeHead(404).end()
    return response.setHeader('Content-Type', types[extname(file)] ?? 'text/plain').end(readFileSync(file))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  after(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

function contentsOf(folder: string): Record<string, string> {
  const files = globSync('**/*.*', { cwd: folder }).toSorted()
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'base64')]))
}
