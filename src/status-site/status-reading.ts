import type { Context } from 'hono'
import { findPageLanguage, preferredLanguage } from '#core/status-pages/page-languages.ts'
import type { PublicPage } from '#operations/status-pages/public-page.ts'
import type { HttpEnv } from '#http/environment.ts'
import { htmlAnswer } from './status-visit.ts'
import type { Reading, StatusSite } from './status-site.ts'

/**
 * The language in which a reader gets a page: the one that the address names, or else the page's own, or on a page
 * without one that of the reader's browser.
 */
export function readingOf(context: Context<HttpEnv>, usual: PublicPage['language']): Reading {
  const chosen = findPageLanguage(context.req.query('lang') ?? '')
  if (chosen !== null) return { language: chosen, chosen }
  return { language: usual === 'auto' ? browserLanguage(context) : usual, chosen }
}

/** Whether the answer depends on what the browser asks for, which caches have to know. */
export function isByBrowser({ chosen }: Reading, usual: PublicPage['language']): boolean {
  return chosen === null && usual === 'auto'
}

function browserLanguage({ req }: Context<HttpEnv>): Reading['language'] {
  return preferredLanguage(req.header('accept-language') ?? '')
}

/** Where there is no page, and so none that has a language. */
export function nothingAnswer(context: Context<HttpEnv>, { nothing, policies }: StatusSite): Response {
  return htmlAnswer(nothing(readingOf(context, 'auto').language), { status: 404, policy: policies.page })
}
