import { type Context, Hono } from 'hono'
import { fail } from '#core/language/error.ts'
import { createFreshCache } from '#operations/status-pages/fresh-cache.ts'
import { addressGroup } from '#http/client-address.ts'
import type { HttpEnv } from '#http/environment.ts'
import { type StatusBody, sendBody, toBody, weightOf } from './status-bodies.ts'
import { findAccentStyle } from './status-assets.ts'
import { addStatusForms } from './status-forms.ts'
import { addStatusImages } from './status-images.ts'
import { isByBrowser, nothingAnswer, readingOf } from './status-reading.ts'
import type { StatusView } from './status-site.ts'
import {
  type Find,
  type StatusParts,
  type StatusRoutesOptions,
  type Visit,
  htmlAnswer,
  mayRead,
} from './status-visit.ts'

/** Bytes of all bodies that are kept, in all their codings. */
const maxBytes = 64 * 1024 * 1024
/** Readers may keep a page for five seconds, and show it while they ask for a newer one, or when there is none. */
const shared = 'public, max-age=5, stale-while-revalidate=30, stale-if-error=300'
const ages = { freshMs: 2_000, staleMs: 6_000, failingMs: 300_000 }

/**
 * Public status pages, below /status and at domains of their own. Answers are kept: a page is made once in a few
 * seconds, whatever the number of its readers.
 */
export function createStatusRoutes(options: StatusRoutesOptions): Hono<HttpEnv> {
  const { site, services } = options
  const bodies = createFreshCache<StatusBody | null>({
    ...ages,
    maxWeight: maxBytes,
    weightOf: (body) => (body === null ? 1000 : weightOf(body)),
  })
  const parts = { ...options, bodies }
  const root = '/status/:slug'
  const routes = new Hono<HttpEnv>()
  routes.use(atDomain(parts))
  addAssets(routes, parts)
  const bySlug = async (context: Context<HttpEnv>): Promise<Visit | null> => {
    const slug = (context.req.param('slug') ?? '').replace(/\.json$/, '')
    const page = slug === '' ? null : await site.find({ slug })
    return page && { page, address: { base: `/status/${page.slug}`, url: `${services.publicUrl}/status/${page.slug}` } }
  }
  routes.get('/status/:slug{[a-z0-9-]+\\.json}', (context) =>
    answer(context, parts, { find: bySlug, view: { view: 'json' } }),
  )
  addPageRoutes(routes, parts, { root, find: bySlug })
  // A reverse proxy asks whether it may have a certificate made for a name.
  routes.get('/status-domain', async (context) => {
    const domain = (context.req.query('domain') ?? '').toLowerCase()
    const page = domain === '' ? null : await site.find({ domain })
    if (page === null) throw fail('not_found', 'No status page has this domain.')
    return context.text('OK')
  })
  return routes
}

function addPageRoutes(routes: Hono<HttpEnv>, parts: StatusParts, { root, find }: { root: string; find: Find }): void {
  const add = (path: string, viewOf: (context: Context<HttpEnv>) => StatusView | null): void => {
    routes.get(root + path === '' ? '/' : root + path, (context) =>
      answer(context, parts, { find, view: viewOf(context) }),
    )
  }
  add('', () => ({ view: 'page' }))
  add('/embed', () => ({ view: 'embed' }))
  add('/history', historyView)
  add('/feed.atom', () => ({ view: 'atom' }))
  add('/feed.rss', () => ({ view: 'rss' }))
  add('/badge.svg', () => ({ view: 'badge' }))
  add('/badge/:monitor/:file', badgeView)
  addStatusImages(routes, parts, { root, find })
  addStatusForms(routes, parts, { root, find })
}

function historyView({ req }: Context<HttpEnv>): StatusView | null {
  const month = req.query('month')
  if (month === undefined) return { view: 'history', month: null }
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) ? { view: 'history', month: `${month}-01` } : null
}

const maxBadgeDays = 90
const defaultBadgeDays = 30

function badgeView({ req }: Context<HttpEnv>): StatusView | null {
  const [, kind] = /^(state|uptime|response)\.svg$/.exec(req.param('file') ?? '') ?? []
  const monitorId = (req.param('monitor') ?? '').toLowerCase()
  const days = Number(/^\d{1,2}$/.exec(req.query('days') ?? String(defaultBadgeDays))?.[0] ?? 0)
  if (kind !== 'state' && kind !== 'uptime' && kind !== 'response') return null
  return days < 1 || days > maxBadgeDays ? null : { view: 'monitor_badge', monitorId, kind, days }
}

const types: Readonly<Record<StatusView['view'], string>> = {
  page: 'text/html; charset=utf-8',
  embed: 'text/html; charset=utf-8',
  history: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  badge: 'image/svg+xml',
  monitor_badge: 'image/svg+xml',
}

type Asking = { find: Find; /** Null for an address that no page has. */ view: StatusView | null }

async function answer(context: Context<HttpEnv>, parts: StatusParts, { find, view }: Asking): Promise<Response> {
  const { site, bodies } = parts
  const visit = await find(context)
  if (visit === null || view === null) return nothingAnswer(context, site)
  const { page } = visit
  const reading = readingOf(context, page.language)
  const at = { ...visit.address, ...reading }
  const isPage = view.view === 'page' || view.view === 'embed' || view.view === 'history'
  const policy = view.view === 'embed' ? site.policies.embed : site.policies.page
  if (!mayRead(context, visit, parts)) {
    if (isPage) return page403(site.door(page, at, null), policy)
    throw fail('not_found', 'This page asks for a password.')
  }
  // The host is in the address, so that no reader is handed links that another one's request made up.
  const key = [page.id, at.url, at.language, at.chosen ?? '', ...Object.values(view)].join(' ')
  const body = await bodies.get(key, async () => {
    const text = await site.render(page, view, at)
    return text === null ? null : toBody(text, types[view.view])
  })
  if (body === null) return nothingAnswer(context, site)
  const headers = new Headers()
  const isPublic = page.visibility === 'public'
  headers.set('Cache-Control', isPublic ? shared : 'private, no-store')
  if (isByBrowser(reading, page.language)) headers.set('Vary', 'Accept-Language')
  if (isPage) headers.set('Content-Security-Policy', policy)
  // Badges are shown, and the rest is read, by other sites; what is behind a password is not theirs.
  else if (isPublic) headers.set('Access-Control-Allow-Origin', '*')
  const { req } = context
  const asked = { acceptEncoding: req.header('accept-encoding') ?? '', ifNoneMatch: req.header('if-none-match') ?? '' }
  return sendBody(body, headers, asked)
}

function page403(html: string, policy: string): Response {
  return htmlAnswer(html, { status: 403, policy })
}

function addAssets(routes: Hono<HttpEnv>, { site }: StatusParts): void {
  const files = new Map(site.assets.map(({ name, type, text }) => [name, toBody(text, type)]))
  routes.get('/status-assets/:file', async (context) => {
    const name = context.req.param('file')
    const accent = files.has(name) ? null : findAccentStyle(name)
    const body = accent === null ? files.get(name) : toBody(accent.text, accent.type)
    if (body === undefined) return context.notFound()
    const headers = new Headers({ 'Cache-Control': 'public, max-age=31536000, immutable' })
    const { req } = context
    return sendBody(body, headers, {
      acceptEncoding: req.header('accept-encoding') ?? '',
      ifNoneMatch: req.header('if-none-match') ?? '',
    })
  })
}

/** What is asked of a host that is the domain of a page is answered with that page, and nothing else is there. */
function atDomain(parts: StatusParts) {
  const { site, services } = parts
  const own = new URL(services.publicUrl).host
  const found = new WeakMap<Request, Visit>()
  const pages = new Hono<HttpEnv>()
  pages.use(async (context, next) => {
    context.set('address', context.env.address)
    context.set('addressGroup', addressGroup(context.env.address))
    await next()
  })
  addAssets(pages, parts)
  const find: Find = async ({ req }) => found.get(req.raw) ?? null
  pages.get('/status.json', (context) => answer(context, parts, { find, view: { view: 'json' } }))
  addPageRoutes(pages, parts, { root: '', find })
  pages.notFound((context) => nothingAnswer(context, site))
  pages.onError((error) => {
    throw error
  })
  return async (context: Context<HttpEnv>, next: () => Promise<void>): Promise<Response | void> => {
    const domain = domainOf(context.req.header('host') ?? '', own)
    const page = domain === null ? null : await site.find({ domain })
    if (domain === null || page === null) return next()
    const { raw } = context.req
    found.set(raw, { page, address: { base: '', url: `https://${domain}/` } })
    return pages.fetch(raw, { address: context.get('address') })
  }
}

/** A name with a dot that is not the installation's own; addresses and names of this machine are no pages. */
function domainOf(host: string, own: string): string | null {
  if (host === own) return null
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  return /^(?=.{4,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(name) ? name : null
}
