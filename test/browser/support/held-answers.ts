// Answers of the service that come late.
import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'

type HeldAnswer = {
  /** Waits for the first request. */
  asked: () => Promise<void>
  release: () => Promise<void>
}

/** Keeps answers of an address from the page until they are released. */
export async function holdAnswer(page: Page, address: RegExp): Promise<HeldAnswer> {
  const held = Promise.withResolvers<void>()
  let isAsked = false
  await page.route(address, async (route) => {
    isAsked = true
    await held.promise
    await route.continue()
  })
  // Requests that are still held have to go on before the page is without the route.
  const release = async (): Promise<void> => {
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
  }
  return { asked: () => until('it is asked for', () => isAsked), release }
}
