import { errors, type Locator, type Page } from 'playwright-core'
import type { PageStep } from '#net/browser/page-words.ts'

/** Throws where the step cannot be made, or what it expects is not there in time. */
export async function makeStep(
  page: Page,
  { action, selector = '', value = '' }: PageStep,
  timeout: number,
): Promise<void> {
  const element = (): Locator => page.locator(selector).first()
  switch (action) {
    case 'open':
      return void (await page.goto(new URL(value, page.url()).href, { waitUntil: 'load', timeout }))
    case 'click':
      return element().click({ timeout })
    case 'fill':
      return element().fill(value, { timeout })
    case 'select':
      return void (await element().selectOption(value, { timeout }))
    case 'press':
      return selector === '' ? page.keyboard.press(value) : element().press(value, { timeout })
    case 'expect_visible':
      return element().waitFor({ state: 'visible', timeout })
    case 'expect_hidden':
      return element().waitFor({ state: 'hidden', timeout })
    case 'expect_text':
      return within(page, selector).filter({ hasText: value }).first().waitFor({ state: 'visible', timeout })
    case 'expect_no_text':
      return within(page, selector).filter({ hasText: value }).first().waitFor({ state: 'detached', timeout })
    case 'expect_url':
      return page.waitForURL((url) => url.href.includes(value), { waitUntil: 'commit', timeout })
    case 'expect_title':
      return void (await page.waitForFunction(`document.title.includes(${JSON.stringify(value)})`, undefined, {
        timeout,
      }))
  }
}

function within(page: Page, selector: string): Locator {
  return page.locator(selector === '' ? 'body' : selector)
}

/** Without the values of the step, which may be secret. */
export function stepProblem({ action, selector }: PageStep, error: unknown): string {
  const isLate = error instanceof errors.TimeoutError
  if (action === 'open')
    return isLate ? 'the page did not load in time' : `the page did not load: ${firstLineOf(error)}`
  if (action.startsWith('expect_') && isLate) return 'what it expects did not come in time'
  if (isLate) return `no element could be used for ${selector ?? 'it'} in time`
  return firstLineOf(error)
}

function firstLineOf(error: unknown): string {
  const told = error instanceof Error ? error.message : String(error)
  return told.replace(/^[\w.]+: (?:net::)?/, '').split('\n', 1)[0] ?? ''
}
