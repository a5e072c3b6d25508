import type { BrowserContext, Page } from 'playwright-core'
import type { PageSight } from '#net/browser/page-words.ts'

export type Vitals = Pick<PageSight, 'times' | 'cls'>

/**
 * Runs in each page before its own scripts. The layout shift is that of the worst session window (web.dev, "Cumulative
 * Layout Shift").
 */
const watchInPage = `(() => {
  if (window.top !== window) return
  const seen = { lcp: undefined, cls: undefined }
  let shifts = { sum: 0, firstMs: 0, lastMs: -Infinity }
  Object.defineProperty(window, '__perigeeVitals', { value: seen })
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  observe('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime })
  seen.cls = 0
  observe('layout-shift', ({ startTime, value, hadRecentInput }) => {
    if (hadRecentInput) return
    const goesOn = startTime - shifts.lastMs < 1000 && startTime - shifts.firstMs < 5000
    shifts = goesOn ? { ...shifts, sum: shifts.sum + value, lastMs: startTime } : { sum: value, firstMs: startTime, lastMs: startTime }
    seen.cls = Math.max(seen.cls, shifts.sum)
  })
})()`

export const hasPainted = `window.__perigeeVitals?.lcp !== undefined`

const readInPage = `(() => {
  const [navigation] = performance.getEntriesByType('navigation')
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  const { lcp, cls } = window.__perigeeVitals ?? {}
  return {
    ttfb: navigation?.responseStart,
    content: navigation?.domContentLoadedEventEnd || undefined,
    load: navigation?.loadEventEnd || undefined,
    fcp: paint?.startTime,
    lcp,
    cls,
  }
})()`

/** Watches what the Performance Timeline tells of each page from its beginning on. */
export function watchVitals(context: BrowserContext): Promise<unknown> {
  return context.addInitScript({ content: watchInPage })
}

/**
 * Times of the page that is open, as the page's own browser tells them (W3C: Navigation Timing, Paint Timing, Largest
 * Contentful Paint, Layout Instability). A page can falsify them.
 */
export async function readVitals(page: Page, timeoutMs: number): Promise<Vitals> {
  const late = page.waitForTimeout(timeoutMs).catch(() => null)
  const found: unknown = await Promise.race([page.evaluate(readInPage).catch(() => null), late])
  const told = new Map<string, unknown>(typeof found === 'object' && found !== null ? Object.entries(found) : [])
  const time = (name: string): number | null => within(told.get(name), { most: 3_600_000, digits: 0 })
  const times = {
    ttfbMs: time('ttfb'),
    contentMs: time('content'),
    loadMs: time('load'),
    fcpMs: time('fcp'),
    lcpMs: time('lcp'),
  }
  return { times, cls: within(told.get('cls'), { most: 1_000, digits: 3 }) }
}

function within(value: unknown, { most, digits }: { most: number; digits: number }): number | null {
  return typeof value === 'number' && value >= 0 && value <= most ? Number(value.toFixed(digits)) : null
}
