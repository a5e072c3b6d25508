// The steps of the set-up as people go through them.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { type Console, fill, password, press, see } from './console.ts'

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

/** By the list of the steps. */
export async function goTo(page: Page, title: string): Promise<void> {
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByRole('link', { name: new RegExp(`^${title}`) }).click()
  await seeStep(page, title)
}

export function watched(page: Page): Locator {
  return page.getByRole('list', { name: 'Watched now' }).getByRole('listitem')
}

export async function check(page: Page, lines: readonly string[]): Promise<void> {
  await fill(page, { Addresses: lines.join('\n') })
  await press(page, 'Check them')
}

/** Another person of the workspace, by the link of an invitation, and signed in. */
export async function join({ visitor, linkTo }: Console, owner: Page, role: string): Promise<Page> {
  const email = `${role}@example.com`
  await owner.goto('/settings/members')
  await press(owner, 'Invite someone')
  await fill(owner, { Email: email })
  await owner.getByLabel('Role', { exact: true }).selectOption(role)
  await press(owner, 'Send the invitation')
  const { page } = await visitor()
  await page.goto(await linkTo(email, /invited/))
  await fill(page, { 'Your name': role, Password: password })
  await press(page, 'Create the account and join')
  await see(page, 'Monitors')
  return page
}
