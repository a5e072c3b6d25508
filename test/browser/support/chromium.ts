// Debian's Chromium, which reaches nothing but this machine.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { z } from 'zod'

export const executablePath = '/usr/bin/chromium'
/** The same engine without a window, for two thirds of the processor's time. It shows no notifications. */
const shellPath = '/usr/bin/chromium-headless-shell'
const waitMs = 20_000
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const shots = process.env['PERIGEE_SCREENSHOTS']

/** Switches off the browser's own traffic: look-ups, updates and reports. */
export const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
]
const args = [...quietly, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1']

/** Wide and narrow, light and dark. */
const looks: readonly { width?: number; height: number; scheme: 'light' | 'dark' }[] = [
  { width: 1280, height: 900, scheme: 'light' },
  { width: 1280, height: 900, scheme: 'dark' },
  { height: 844, scheme: 'light' },
  { height: 844, scheme: 'dark' },
]

/** One person's browser: cookies of its own, and an address of its own as the service sees it. */
export type Visitor = { context: BrowserContext; page: Page }

export type Chromium = {
  /** `hasWorkers`: with the service workers of the console, of whose requests Playwright tells less. */
  visitor: (options?: { hasWorkers: boolean }) => Promise<Visitor>
  /**
   * Shows the page in every look: accessible (axe-core: no violation), within its width, and photographed if asked.
   * `narrow` is the width of the phone, 390 if not said.
   */
  inspect: (page: Page, name: string, narrow?: number) => Promise<void>
  /** Complaints of pages: requests that their policy refused, errors, and requests to other origins. */
  complaints: string[]
}

/** `onVisitor` is told of each browser before it asks for anything. */
export async function startChromium(origin: string, onVisitor: (context: BrowserContext) => void): Promise<Chromium> {
  const browsers = new Map<string, Promise<Browser>>()
  after(async () => {
    for (const browser of browsers.values()) await (await browser).close()
  })
  const complaints: string[] = []
  let visitors = 0
  return {
    complaints,
    visitor: async ({ hasWorkers } = { hasWorkers: false }) => {
      visitors += 1
      const browser = await launchOnce(browsers, hasWorkers ? executablePath : shellPath)
      const context = await browser.newContext({
        baseURL: origin,
        reducedMotion: 'reduce',
        serviceWorkers: hasWorkers ? 'allow' : 'block',
        viewport: { width: 1280, height: 900 },
        // The service trusts this machine as a proxy: limits for an address do not count all visitors as one.
        extraHTTPHeaders: { 'X-Forwarded-For': `198.51.100.${visitors}` },
      })
      context.setDefaultTimeout(waitMs)
      onVisitor(context)
      const page = await context.newPage()
      watch(context, { origin, complaints })
      return { context, page }
    },
    inspect,
  }
}

function launchOnce(browsers: Map<string, Promise<Browser>>, path: string): Promise<Browser> {
  const browser = browsers.get(path) ?? chromium.launch({ executablePath: path, args, timeout: 60_000 })
  browsers.set(path, browser)
  return browser
}

/** Notes what pages complain of, and what they ask of others than `origin`. */
export function watch(context: BrowserContext, { origin, complaints }: { origin: string; complaints: string[] }): void {
  context.on('console', (message) => {
    // An answer such as 401 or 422 is part of the stories.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`)
  })
}

/** Looks at a page that has arrived: what waits in the place of a page has no heading, for one. */
async function inspect(page: Page, name: string, narrow = 390): Promise<void> {
  await page.locator('[data-waiting]').first().waitFor({ state: 'detached' })
  await page.evaluate(axe)
  for (const { width = narrow, height, scheme } of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.evaluate(settled)
    const look = `${name}, ${width} px, ${scheme}`
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    assert.ok(overflow <= 0, `${look}: ${overflow} px wider than the window`)
    assert.deepEqual(await violations(page, scheme), [], look)
    if (shots !== undefined) await shoot(page, `${name.replaceAll(/\W+/g, '-')}-${width}-${scheme}.png`)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  // Parts that look different on a phone are drawn again with the next frame.
  await page.evaluate(settled)
}

/**
 * Colours change over a moment, however short, when the scheme or what the pointer is on does: until two frames are
 * drawn and what has an end has ended, a second at most, they are read halfway.
 */
export const settled = `new Promise((resolve) => {
  setTimeout(resolve, 1000)
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)
    Promise.allSettled(ending.map((each) => each.finished)).then(resolve)
  }))
})`

async function shoot(page: Page, file: string): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, file), fullPage: true, animations: 'disabled' })
}

const axeSchema = z.array(
  z.object({
    id: z.string(),
    help: z.string(),
    nodes: z.array(z.object({ html: z.string(), target: z.array(z.any()) })),
  }),
)

/** What colours decide. All other rules say the same of the dark page as of the light one. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Violations of WCAG 2.2 AA and good practice. The browser's tools evaluate the script, so the page's policy does not
 * block it.
 */
async function violations(page: Page, scheme: 'light' | 'dark'): Promise<string[]> {
  const options = JSON.stringify({ preload: false, ...(scheme === 'dark' ? { runOnly: rulesOfColour } : {}) })
  const found: unknown = await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)
  return axeSchema
    .parse(found)
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
}
