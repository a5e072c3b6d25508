// Photographs pages in Debian's Chromium: light and dark, at a desk and on a phone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import type { InstallationRecord } from '#core/people/access.ts'
import { executablePath, quietly, settled, watch } from '../../test/browser/support/chromium.ts'
import { fill, press } from '../../test/browser/support/console.ts'
import { mara, newcomer, password, publicUrl, storyNow } from './company.ts'
import { encode } from './encode.ts'
import type { Shot } from './pages.ts'

export const schemes = ['light', 'dark'] as const
export const devices = ['desktop', 'phone'] as const
type Device = (typeof devices)[number]

/**
 * A picture of a page is as high as the page, within these limits; `tall` limits pictures that documents show large.
 */
const sizes: Readonly<Record<Device, { width: number; least: number; most: number; tall: number }>> = {
  desktop: { width: 1280, least: 640, most: 900, tall: 1340 },
  phone: { width: 390, least: 700, most: 900, tall: 1400 },
}
const waitMs = 20_000
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

export type Camera = { shoot: (shot: Shot) => Promise<Picture[]>; close: () => Promise<void> }
export type Picture = { file: string; bytes: number }

export async function startCamera(folder: string, frontPort: number): Promise<Camera> {
  const { host } = new URL(publicUrl)
  const rules = `--host-resolver-rules=MAP ${host}:443 127.0.0.1:${frontPort}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`
  const browser = await chromium.launch({ executablePath, args: [...quietly, rules], timeout: 60_000 })
  try {
    const darkroom = await browser.newPage()
    const lookers = {
      owner: await openContext(browser),
      newcomer: await openContext(browser),
      stranger: await openContext(browser),
    }
    await enter(lookers.owner, mara)
    await enter(lookers.newcomer, newcomer.email)
    return {
      shoot: (shot) => shoot(shot, { ...lookers[shot.by ?? 'owner'], darkroom, folder }),
      close: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}

type Looking = { context: BrowserContext; complaints: string[] }

/** One person's browser, whose time stands still as well. */
async function openContext(browser: Browser): Promise<Looking> {
  const context = await browser.newContext({
    baseURL: publicUrl,
    ignoreHTTPSErrors: true,
    // A browser takes no worker from a certificate that it does not know.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'Europe/Amsterdam',
    reducedMotion: 'reduce',
    userAgent,
    extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.10' },
  })
  context.setDefaultTimeout(waitMs)
  await context.clock.setFixedTime(storyNow)
  await hideTroubles(context)
  const complaints: string[] = []
  watch(context, { origin: publicUrl, complaints })
  context.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} of ${response.url()}`)
  })
  return { context, complaints }
}

/** The service of the story has no engine and reads no feeds. What it tells its operator of that is not the company's. */
async function hideTroubles(context: BrowserContext): Promise<void> {
  const data: InstallationRecord = { sends_mail: true, troubles: [], has_private_target_choice: false }
  await context.route('**/api/v1/installation', (route) => route.fulfill({ json: { data } }))
}

async function enter({ context }: Looking, email: string): Promise<void> {
  const page = await context.newPage()
  await page.goto('/sign-in')
  await fill(page, { Email: email, Password: password })
  await press(page, 'Sign in')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
  await page.close()
}

type Shooting = Looking & { darkroom: Page; folder: string }

async function shoot(shot: Shot, { context, complaints, darkroom, folder }: Shooting): Promise<Picture[]> {
  complaints.length = 0
  const pictures: Picture[] = []
  const page = await context.newPage()
  try {
    for (const device of devices) {
      const { width, least } = sizes[device]
      await page.setViewportSize({ width, height: least })
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(shot.path)
      await ready(page)
      await shot.first?.(page)
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        await fit(page, device, shot)
        const bytes = await encode(darkroom, await page.screenshot({ animations: 'disabled' }))
        const file = `${shot.name}-${scheme}-${device}.webp`
        writeFileSync(join(folder, file), bytes)
        pictures.push({ file, bytes: bytes.length })
      }
    }
    await assertWell(page)
  } finally {
    await page.close()
  }
  const ofPage = complaints.filter((complaint) => !complaint.startsWith(ofClock))
  if (ofPage.length > 0) throw new Error(ofPage.join('\n'))
  return pictures
}

/** The clock that stands still is a script, which the preview of a status page rightly refuses to run. */
const ofClock = "Blocked script execution in 'about:srcdoc'"

/** Has a heading, says nowhere that it loads, and asks for nothing any more. */
async function ready(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor()
  await page.evaluate(quiet)
  await page.evaluate(settled)
}

const lookMs = 50

/**
 * Resolves when for half a second nothing was loaded, and nothing says that it loads. Counted, because the time of the
 * page stands still. Evaluated by the browser's tools, which the page's policy does not rule.
 */
const quiet = `new Promise((resolve, reject) => {
  let [loaded, looks, quietLooks] = [-1, 0, 0]
  const look = () => {
    const now = performance.getEntriesByType('resource').length
    const isLoading = [...document.querySelectorAll('[role=status]')].some((each) => /Loading/.test(each.textContent))
    quietLooks = now === loaded && !isLoading ? quietLooks + 1 : 0
    loaded = now
    looks += 1
    if (quietLooks === ${500 / lookMs}) resolve()
    else if (looks > ${waitMs / lookMs}) reject(new Error('The page goes on loading.'))
    else setTimeout(look, ${lookMs})
  }
  look()
})`

/** The window as high as the page. */
async function fit(page: Page, device: Device, { isTall = false }: Shot): Promise<void> {
  const { width, least, most, tall } = sizes[device]
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(isTall ? tall : most, Math.max(least, height)) })
  await page.evaluate('document.activeElement.blur()')
  await page.mouse.move(0, 0)
  await page.evaluate(settled)
}

/** A page that shows an error, or that is wider than the window, is nothing to show. */
async function assertWell(page: Page): Promise<void> {
  const alerts = await page.getByRole('alert').allTextContents()
  if (alerts.some((text) => text.trim() !== '')) throw new Error(`It says: ${alerts.join(' ')}`)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) throw new Error(`It is ${overflow} px wider than the window.`)
}
