import { type Browser, type BrowserContext, chromium, errors, type Page, type Request } from 'playwright-core'
import type { PageOrder, PageScript, PageSight } from '#net/browser/page-words.ts'
import { takePicture } from './picture.ts'
import { runScript } from './script.ts'
import { makeStep, stepProblem } from './steps.ts'
import { hasPainted, readVitals, watchVitals } from './vitals.ts'

export type Means = { executablePath: string; proxyPort: number }

// As in page-words.ts, of which the box has only the types.
const maxTold = 10
const maxTextLength = 300

/** How long a page that has loaded may take until it paints something, and how long it is looked at after that. */
const paintMs = 1_000
const settleMs = 300

/**
 * Chromium speaks to no service of its own, and nothing leaves but through the proxy, which also is asked for this
 * machine's own addresses.
 */
const chromiumOptions = [
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--disable-gpu',
  '--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater',
  '--js-flags=--max-old-space-size=256',
]

export async function visit(order: PageOrder, means: Means): Promise<PageSight> {
  const untilMs = performance.now() + order.wholeMs
  const browser = await launch(means, order.wholeMs)
  const context = await openContext(browser, order)
  await watchVitals(context)
  const page = await context.newPage()
  const seen = watch(page)
  const left = (): number => Math.max(1, Math.min(order.timeoutMs, untilMs - performance.now()))
  const opened = await open(page, order.url, left())
  seen.opened()
  if (opened.failure === null) await settle(page, left())
  const vitals = await readVitals(page, left())
  const made = opened.failure === null ? await makeSteps(page, order, left) : noSteps
  const isFine = opened.failure === null && made.stepFailure === null
  const run = isFine && order.script !== undefined ? await play(order.script, { page, context, order, untilMs }) : unrun
  const picture = order.takesPicture ? await takePicture(page) : null
  const { status, failure } = opened
  return { status, failure, url: page.url().slice(0, 2_048), ...vitals, ...made, ...run, ...seen.found(), picture }
}

function launch({ executablePath, proxyPort }: Means, timeoutMs: number): Promise<Browser> {
  return chromium.launch({
    executablePath,
    chromiumSandbox: true,
    args: chromiumOptions,
    // A page could open any number of windows.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    // Else Chromium would dial addresses of this machine itself.
    proxy: { server: `http://127.0.0.1:${proxyPort}`, bypass: '<-loopback>' },
    timeout: timeoutMs,
  })
}

function openContext(browser: Browser, { viewport, acceptsAnyCertificate }: PageOrder): Promise<BrowserContext> {
  const { width, height, isPhone } = viewport
  return browser.newContext({
    viewport: { width, height },
    isMobile: isPhone,
    hasTouch: isPhone,
    ignoreHTTPSErrors: acceptsAnyCertificate,
    acceptDownloads: false,
    locale: 'en-US',
    timezoneId: 'UTC',
  })
}

async function settle(page: Page, leftMs: number): Promise<void> {
  await page.waitForFunction(hasPainted, undefined, { timeout: Math.min(paintMs, leftMs) }).catch(() => {})
  await page.waitForTimeout(Math.min(settleMs, leftMs))
}

type Opened = Pick<PageSight, 'status' | 'failure'>

async function open(page: Page, url: string, timeout: number): Promise<Opened> {
  let request: Request | null = null
  page.once('request', (first) => void (request = first))
  try {
    const response = await page.goto(url, { waitUntil: 'load', timeout })
    return { status: response?.status() ?? null, failure: null }
  } catch (error) {
    return { ...(await answerOf(request)), failure: failureOf(error) }
  }
}

/** A page that did not load to its end may have begun to. */
async function answerOf(request: Request | null): Promise<Pick<PageSight, 'status'>> {
  const nothing = new Promise<null>((resolve) => void setTimeout(resolve, 0, null))
  const response = (await Promise.race([request?.response().catch(() => null), nothing])) ?? null
  return { status: response?.status() ?? null }
}

function failureOf(error: unknown): string {
  if (error instanceof errors.TimeoutError) return 'timeout'
  const told = error instanceof Error ? error.message : String(error)
  return /\bERR_[A-Z0-9_]{1,80}/.exec(told)?.[0] ?? shortened(told)
}

type Made = Pick<PageSight, 'steps' | 'stepFailure'>

const noSteps: Made = { steps: [], stepFailure: null }

async function makeSteps(page: Page, { steps }: PageOrder, left: () => number): Promise<Made> {
  const took: number[] = []
  for (const step of steps) {
    const beganMs = performance.now()
    try {
      await makeStep(page, step, left())
    } catch (error) {
      took.push(Math.round(performance.now() - beganMs))
      return { steps: took, stepFailure: shortened(stepProblem(step, error)) }
    }
    took.push(Math.round(performance.now() - beganMs))
  }
  return { steps: took, stepFailure: null }
}

type Run = Pick<PageSight, 'scriptMs' | 'scriptFailure'>

const unrun: Run = { scriptMs: null, scriptFailure: null }

type Scene = { page: Page; context: BrowserContext; order: PageOrder; untilMs: number }

async function play(script: PageScript, { page, context, order, untilMs }: Scene): Promise<Run> {
  const beganMs = performance.now()
  const leftMs = Math.max(1, untilMs - beganMs)
  const problem = await runScript(script, { page, context, timeoutMs: order.timeoutMs, leftMs })
  const scriptMs = Math.round(performance.now() - beganMs)
  return { scriptMs, scriptFailure: problem === null ? null : shortened(problem) }
}

function named(request: Request, why: string): string {
  return `${request.method()} ${request.url()}: ${why}`
}

/** Chromium repeats in the console which requests failed, that of the icon as well. */
const isOfRequest = /^Failed to load resource:/

type Found = Pick<PageSight, 'hasCrashed' | 'consoleErrors' | 'failedRequests' | 'requests'>

function watch(page: Page): { opened: () => void; found: () => Found } {
  const consoleErrors = createList()
  const failedRequests = createList()
  let requests = 0
  let hasCrashed = false
  let isFirst = true
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfRequest.test(message.text())) consoleErrors.add(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.add(error.message))
  page.on('crash', () => void (hasCrashed = true))
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
  page.on('popup', (popup) => void popup.close().catch(() => {}))
  page.on('request', () => void (requests += 1))
  // What becomes of the first document is told by itself.
  const isOther = (request: Request): boolean =>
    !isFirst || !request.isNavigationRequest() || request.frame() !== page.mainFrame()
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText.replace(/^net::/, '') ?? 'failed'
    // A page that goes on elsewhere ends its own requests.
    if (isOther(request) && why !== 'ERR_ABORTED') failedRequests.add(named(request, why))
  })
  page.on('response', (response) => {
    const request = response.request()
    if (response.status() >= 400 && isOther(request)) failedRequests.add(named(request, `${response.status()}`))
  })
  return {
    opened: () => void (isFirst = false),
    found: () => ({ hasCrashed, consoleErrors: consoleErrors.list, failedRequests: failedRequests.list, requests }),
  }
}

function createList(): { list: PageSight['consoleErrors']; add: (problem: string) => void } {
  const list: PageSight['consoleErrors'] = { count: 0, first: [] }
  return {
    list,
    add: (problem) => {
      list.count = Math.min(list.count + 1, 1_000_000)
      if (list.first.length < maxTold) list.first.push(shortened(problem))
    },
  }
}

function shortened(given: string): string {
  return given.slice(0, maxTextLength).toWellFormed()
}
