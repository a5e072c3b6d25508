// The steps of the set-up as people go through them.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { fill, press } from './console.ts'

/** The width of a small phone. */
export const phone = 375

/** Waits for a step, whose heading has the focus. */
export async function seeStep(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 2, name: title }).waitFor()
  await until(`the focus is on ${title}`, async () => (await page.locator('h2:focus').textContent()) === title)
  const present = page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]')
  assert.match((await present.textContent()) ?? '', new RegExp(title))
}

export function goOn(page: Page, name: string): Promise<void> {
  return page.getByRole('link', { name, exact: true }).click()
}

export function watched(page: Page): Locator {
  return page.getByRole('list', { name: 'Watched now' }).getByRole('listitem')
}

export async function check(page: Page, lines: readonly string[]): Promise<void> {
  await fill(page, { Addresses: lines.join('\n') })
  await press(page, 'Check them')
}
