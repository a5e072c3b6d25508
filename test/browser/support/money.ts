// Owners at the console's pages of money.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { sellerEnvironment } from '../../support/payments.ts'
import { type Console, fill, password, press, see, signIn } from './console.ts'

export const ownerEmail = 'owner@example.com'
/** A service that has an owner and sells. */
export const owned = {
  ...sellerEnvironment,
  PERIGEE_OWNER_EMAIL: ownerEmail,
  PERIGEE_OWNER_PASSWORD: password,
  PERIGEE_OWNER_PLAN: 'free',
}

export async function owner(service: Console, path: string): Promise<Page> {
  const { page } = await service.visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')
  await page.goto(path)
  return page
}

export async function askFor(page: Page, dollars: string): Promise<void> {
  await fill(page, { 'Amount in dollars': dollars })
  await press(page, 'Show the price')
  await page.getByRole('heading', { name: /^Pay \$/ }).waitFor()
}

/** Waits until the field of this label is refused, with these words below it. */
export async function problemOf(page: Page, label: string, problem: RegExp): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await page.getByText(problem).waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  const described = (await field.getAttribute('aria-describedby'))?.split(' ')[0] ?? ''
  assert.match((await page.locator(`[id="${described}"]`).textContent()) ?? '', problem)
}

/** Below the head of a table. */
export function rowsOf(page: Page, table: string): Locator {
  return page.getByRole('table', { name: table }).locator('tbody tr')
}
