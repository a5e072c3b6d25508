import type { MiddlewareHandler } from 'hono'
import { AppError } from '#core/language/error.ts'
import type { Texts } from '#core/language/texts.ts'
import { createPageLanguages, preferredLanguage } from '#core/status-pages/page-languages.ts'
import type { Admission } from '#operations/admission/admission.ts'
import { readBytes } from './body.ts'
import { type Shown, answer } from './contact-pages.ts'
import type { HttpEnv } from './environment.ts'

/** Addresses whose routes see to places themselves, and files that are served from memory. */
const apart = /^\/(?:auth|saml|mcp|agent|oauth2|\.well-known|console\/assets)(?:\/|$)/
/** More than any form of a page takes. */
const maxFormBytes = 64 * 1024

/**
 * Places for whatever routes behind it serve: status pages, badges and feeds, links of messages, calendars, and what
 * opens the console. A form is here before it takes a place, which a slow sender would hold.
 */
export function admitPages({ within }: Pick<Admission, 'within'>): MiddlewareHandler<HttpEnv> {
  const texts = createPageLanguages()
  return async (context, next) => {
    const { req } = context
    if (apart.test(req.path)) return next()
    if (mayHaveForm(req.raw)) req.raw = await withForm(req.raw)
    try {
      await within({ surface: 'pages', caller: context.get('addressGroup') }, () => next())
      return undefined
    } catch (error) {
      const isForPerson = req.header('accept')?.includes('text/html') ?? false
      if (!(error instanceof AppError) || !isForPerson) throw error
      return busyAnswer(texts(preferredLanguage(req.header('accept-language') ?? '')), error)
    }
  }
}

function mayHaveForm({ method, headers }: Request): boolean {
  return method === 'POST' && Number(headers.get('content-length') ?? 0) <= maxFormBytes
}

async function withForm(request: Request): Promise<Request> {
  const { url, method, headers } = request
  const body = Buffer.from(await readBytes(request, maxFormBytes))
  return new Request(url, { method, headers, body })
}

function busyAnswer(i18n: Texts, { retryAfterSeconds = 1 }: AppError): Response {
  const response = answer(i18n, busyPage(i18n))
  response.headers.set('Retry-After', String(retryAfterSeconds))
  return response
}

export function busyPage(i18n: Texts): Shown {
  const title = i18n._('This page is busy right now')
  const text = i18n._('Reload it in a few seconds.')
  return { status: 503, page: { title, text, button: null } }
}
