// The pages of the console that its own links lead to, one of each form.
import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'

/** Opens each page once, from these on, and has `visit` look at it with everything unfolded. Gives their paths. */
export async function everyPage(
  page: Page,
  from: readonly string[],
  visit: (path: string) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const waiting = [...from]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    await openPage(page, path)
    await visit(path)
    waiting.push(...(await linksOf(page)).filter(isOfConsole))
  }
  return seen
}

/** Waits for what the page reads, and opens what is folded: it has words and buttons as well. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await until(`${path} is read`, async () => (await page.getByText('Loading …').count()) === 0)
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`)
}

function linksOf(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('a[href]')]
    .map((link) => new URL(link.href))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname, search }) => pathname + search)`)
}

function isOfConsole(path: string): boolean {
  return /^\/(monitors|incidents|contacts|objectives|maintenance|reports|status-pages|settings|welcome)\b/.test(path)
}
