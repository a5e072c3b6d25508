import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { serialize } from 'hono/utils/cookie'
import { createTexts } from '#core/language/texts.ts'
import { openScreenPath } from '#operations/overview/screens.ts'
import { openScreen, readScreen } from '#operations/overview/screen-visit.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { tooManyVisits } from '#http/acknowledge-pages.ts'
import { type Shown, answer } from '#http/contact-pages.ts'
import type { HttpEnv } from '#http/environment.ts'
import { toEncodedResponse } from '#http/response.ts'
import { renderScreen, screenAssetRoot, screenAssets, screenPolicy } from './screen-page.ts'

export type ScreenRoutesOptions = {
  services: Pick<Services, 'database' | 'secrets' | 'publicUrl'>
  limits: Pick<Limits, 'countLink' | 'countScreen'>
  now: () => Date
}

const screenCookie = 'perigee_screen'
/** Browsers keep no cookie longer than 400 days (RFC 6265bis 5.6.1), and each reading begins them anew. */
const passSeconds = 400 * 86_400
const unchanging = 'public, max-age=31536000, immutable'

/**
 * Screens, which have no account. The address with the secret is exchanged for a cookie of one screen, and left at once,
 * so that it stands in no history and on no picture of the screen (docs/decisions/screens.md). Opening it changes nothing
 * here, because mail scanners open every link. Those who guess are counted by their address.
 */
export function createScreenRoutes({ services, limits, now }: ScreenRoutesOptions): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  const i18n = createTexts()
  const cookieOf = cookieWriter(services.publicUrl)
  const refused = (page: Shown, resetSeconds: number | null = null): Response => {
    const response = answer(i18n, page)
    if (resetSeconds !== null) response.headers.set('Retry-After', String(resetSeconds))
    return response
  }
  const refuse = async (addressGroup: string): Promise<Response> => {
    const { isExceeded, resetSeconds } = await limits.countLink(addressGroup)
    return isExceeded ? refused(tooManyVisits(i18n), resetSeconds) : refused(nothingHere(i18n))
  }
  addAssets(routes)
  routes.get(`${openScreenPath}:token`, async (context) => {
    const opened = await openScreen(services, context.req.param('token'))
    if (opened === null) return refuse(context.get('addressGroup'))
    const headers = { Location: pathOf(opened.id), 'Set-Cookie': cookieOf(opened) }
    return new Response(null, { status: 303, headers })
  })
  routes.get('/screen/:id', async (context) => {
    const { req } = context
    const visit = { id: req.param('id'), pass: getCookie(context, screenCookie) ?? '' }
    const read = await readScreen(services, limits, { ...visit, now: now(), locale: i18n.locale })
    switch (read.is) {
      case 'unknown':
        return refuse(context.get('addressGroup'))
      case 'too_often':
        return refused(tooManyVisits(i18n), read.resetSeconds)
      case 'shown': {
        const headers = { ...pageHeaders, 'Set-Cookie': cookieOf({ id: visit.id, pass: read.pass }) }
        return toEncodedResponse({ status: 200, text: renderScreen(read.screen, i18n), headers }, req.raw)
      }
    }
  })
  return routes
}

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': screenPolicy,
  'X-Robots-Tag': 'noindex, nofollow',
}

function pathOf(id: string): string {
  return `/screen/${id}`
}

/** Lax, not Strict: a link in a mail or a chat is followed across sites, and what it leads to needs the cookie. */
function cookieWriter(publicUrl: string): (of: { id: string; pass: string }) => string {
  const secure = publicUrl.startsWith('https://')
  return ({ id, pass }) =>
    serialize(screenCookie, pass, { path: pathOf(id), httpOnly: true, sameSite: 'Lax', secure, maxAge: passSeconds })
}

function addAssets(routes: Hono<HttpEnv>): void {
  const files = new Map(screenAssets.map((asset) => [asset.name, asset]))
  routes.get(`${screenAssetRoot}/:file`, async (context) => {
    const file = files.get(context.req.param('file'))
    if (file === undefined) return context.notFound()
    const headers = { 'Content-Type': file.type, 'Cache-Control': unchanging }
    return toEncodedResponse({ status: 200, text: file.text, headers }, context.req.raw)
  })
}

/** The same for what never was, what was deleted and a browser without the cookie. */
export function nothingHere(i18n: ReturnType<typeof createTexts>): Shown {
  const title = i18n._('There is nothing to show here')
  const text = i18n._('Open the whole link of the screen, or ask the people who made it for a new one.')
  return { status: 404, page: { title, text, button: null } }
}
