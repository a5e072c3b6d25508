import type { BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import { addPast, owner, signIn } from './console.ts'
import { percentile, whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { type Service, pause, withService } from './support/service.ts'
import { installPackages } from '../scripts/debian-packages.ts'

const rounds = 5
const changesASecond = 100
const changingMs = 10_000
/** How long the page has nothing long to do until it counts as ready. */
const quietMs = 500
const readyLimitMs = 30_000

/** The console in Chromium with 5,000 monitors, and as a reference with 50, each time without a cache. */
export async function consoleBrowser(): Promise<void> {
  await import('../scripts/install-suites.ts')
  installPackages(['chromium'])
  const reference = await measureWith(50)
  const many = await measureWith(5000)
  const line = (what: string, of: (measured: Measured) => number, goal: number): string =>
    `${what} ${whole(of(many))} ms, goal ${whole(goal)} (with 50: ${whole(of(reference))})`
  console.log(
    `console-browser: ${line('the overview of 5,000 monitors ready in', ({ overviewMs }) => overviewMs, 1500)}; ` +
      `${line('a monitor in', ({ monitorMs }) => monitorMs, 600)}; ` +
      `${line('the longest task over 50 ms while scrolling', ({ scrollingMs }) => scrollingMs, 50)}; ` +
      line(`while ${changesASecond} states change a second`, ({ changingMs: ms }) => ms, 50),
  )
}

/** Medians. */
type Measured = { overviewMs: number; monitorMs: number; scrollingMs: number; changingMs: number }

async function measureWith(count: number): Promise<Measured> {
  return await withService(
    {
      environment: { PERIGEE_OWNER_EMAIL: owner.email, PERIGEE_OWNER_PASSWORD: owner.password },
      seed: async (seed) => {
        await addMonitors(seed, count, (index) => ({
          name: `Shop of customer ${index}`,
          url: `https://shop-${index}.customers.example.com/health`,
          interval_seconds: 86_400,
        }))
        await addPast(seed.database, new Date())
      },
    },
    (service) => measure(service, count),
  )
}

async function measure(service: Service, count: number): Promise<Measured> {
  const { chromium } = await import('playwright-core')
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
  try {
    const { Cookie: cookies = '' } = await signIn(service)
    const measured: Measured[] = []
    for (let round = 0; round < rounds; round += 1) {
      // A context has a cache of its own, with nothing in it.
      const open = async (): Promise<BrowserContext> => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' })
        await context.addCookies(cookies.split('; ').map((cookie) => cookieOf(cookie, service.url)))
        return context
      }
      measured.push(await measureOnce(service, open))
    }
    const median = (of: (each: Measured) => number): number => percentile(measured.map(of), 0.5)
    const result = {
      overviewMs: median(({ overviewMs }) => overviewMs),
      monitorMs: median(({ monitorMs }) => monitorMs),
      scrollingMs: median(({ scrollingMs }) => scrollingMs),
      changingMs: median(({ changingMs: ms }) => ms),
    }
    console.log(`with ${whole(count)} monitors, medians of ${rounds}: ${JSON.stringify(result)}`)
    console.log(`  each: ${JSON.stringify(measured)}`)
    return result
  } finally {
    await browser.close()
  }
}

function cookieOf(cookie: string, url: string): { name: string; value: string; url: string } {
  const [name = '', ...value] = cookie.split('=')
  return { name, value: value.join('='), url }
}

async function measureOnce(service: Service, open: () => Promise<BrowserContext>): Promise<Measured> {
  const first = await open()
  const page = await first.newPage()
  const row = '[role="grid"] [role="row"] a[href^="/monitors/"]'
  const overviewMs = await readyMs(page, `${service.url}/monitors`, row)
  const scrollingMs = await longestTask(page, () => page.evaluate(scrollThrough))
  const changing = await longestTask(page, () => changeStates(service))
  const address = await page.locator(row).first().getAttribute('href')
  await first.close()
  const second = await open()
  const monitorMs = await readyMs(await second.newPage(), `${service.url}${address}`, '[aria-label="Figures"] dd')
  await second.close()
  return {
    overviewMs: Math.round(overviewMs),
    monitorMs: Math.round(monitorMs),
    scrollingMs: Math.round(scrollingMs),
    changingMs: Math.round(changing),
  }
}

/** Notes tasks of 50 ms and more, which a browser tells, and when something is shown. */
const watching = (selector: string): string => `
  globalThis.bench = { tasks: [], shownAt: null }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) bench.tasks.push({ endsAt: startTime + duration, duration })
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look)
    else bench.shownAt = performance.now()
  }
  requestAnimationFrame(look)`

/** From the navigation until something is shown and no long task follows. */
async function readyMs(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript(watching(selector))
  await page.goto(url, { waitUntil: 'commit' })
  const ready = 'Math.max(bench.shownAt, ...bench.tasks.map(({ endsAt }) => endsAt))'
  // Asked from here: the policy of the console lets no text be run as a script of the page.
  const isReady = `bench.shownAt !== null && performance.now() - ${ready} > ${quietMs}`
  const until = performance.now() + readyLimitMs
  while (!z.boolean().parse(await page.evaluate(isReady))) {
    if (performance.now() > until) throw new Error(`${url} was not ready in ${readyLimitMs} ms`)
    await pause(50)
  }
  return z.number().parse(await page.evaluate(ready))
}

/** The longest of the tasks of 50 ms and more, in milliseconds; 0 where there was none. */
async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate('bench.tasks.length = 0')
  await work()
  // The browser tells of a task a moment after it.
  await pause(quietMs)
  return z.number().parse(await page.evaluate('Math.max(0, ...bench.tasks.map(({ duration }) => duration))'))
}

/** From top to bottom in 200 frames, 25 lines of 5,000 in each. */
const scrollThrough = `new Promise((resolve) => {
  const frames = 200
  const all = document.documentElement.scrollHeight - innerHeight
  let frame = 0
  const step = () => {
    frame += 1
    scrollTo(0, (all * frame) / frames)
    if (frame < frames) requestAnimationFrame(step)
    else resolve()
  }
  requestAnimationFrame(step)
})`

/** A tenth of a second's changes ten times a second. */
async function changeStates({ database }: Service): Promise<void> {
  const everyMs = 100
  const startedAt = performance.now()
  for (let batch = 0; batch * everyMs < changingMs; batch += 1) {
    const count = (changesASecond * everyMs) / 1000
    await database.pool.query(changeSome, [batch * count, count])
    await pause(Math.max(0, startedAt + (batch + 1) * everyMs - performance.now()))
  }
}

const changeSome = `
update monitor_state
set
  current_status = case current_status when 'up' then 'degraded' else 'up' end,
  last_checked_at = now()
where monitor_key in (
  select key
  from monitors
  order by key
  offset $1::integer % (select count(*) from monitors)
  limit $2
)`
