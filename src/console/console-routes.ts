import { type Context, Hono } from 'hono'
import { type ConsoleFile, type ConsoleFiles, makeConsoleFile, readConsoleFiles } from './console-files.ts'
import { makePages } from './console-pages.ts'
import { choose, isKnown } from '#http/encoded.ts'
import type { HttpEnv } from '#http/environment.ts'
import type { ContactForms } from './contact-forms.ts'
import type { MonitorForms } from './monitor-forms.ts'

/** What the console has to know before a person signs in. */
export type ConsoleSettings = {
  sign_up: 'open' | 'invited'
  public_url: string
  /** Whether there is a mail server. Without one, mail is kept where the operator reads it. */
  sends_mail: boolean
  payments: 'off' | 'sandbox' | 'live'
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[]
  /** Whether nobody has opened the set-up link of the first start yet. */
  awaits_owner: boolean
}

export type ConsoleOptions = {
  /** The folder of the build (scripts/build-web.ts). */
  folder: string
  readSettings: () => Promise<ConsoleSettings>
  /** The forms are made and compressed when they are first asked for, which takes longer than the rest of a start. */
  monitorForms: () => MonitorForms
  contactForms: () => ContactForms
  /** The public key that browsers subscribe with (RFC 8292 4); null where there is none. */
  pushKey: string | null
}

/** Where the built files are served. `base` of web/vite.config.ts is the same. */
const consoleRoot = '/console'
/** The one worker that controls pages, which lie outside of its folder (docs/decisions/offline-page.md). */
const offlineWorker = 'offline-worker.js'

/** Addresses of the console's own pages (web/src/routes). All are the same file, which looks at the address. */
export const consolePaths = [
  '/',
  '/sign-in',
  '/sign-in/:step',
  '/sign-in/provider/:id',
  '/sign-up',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/set-up',
  '/invitation',
  '/claim',
  '/connect',
  '/device',
  '/welcome',
  '/monitors',
  '/monitors/:id',
  '/monitors/:id/edit',
  '/monitors/:id/time',
  '/incidents',
  '/incidents/:id',
  '/contacts',
  '/contacts/:id',
  '/objectives',
  '/objectives/:id',
  '/maintenance',
  '/maintenance/:id',
  '/reports',
  '/reports/:id',
  '/reports/:id/print',
  '/status-pages',
  '/status-pages/:id',
  '/settings',
  '/settings/:page',
  '/settings/payments/:id',
] as const

/**
 * The console as files: no request reaches the file system, none of its pages takes a script, style or anything else
 * from elsewhere, and what is not one of its addresses is left to others.
 */
export function createConsoleRoutes({ folder, readSettings, ...described }: ConsoleOptions): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  let loading: Promise<Build | null> | null = null
  const load = async (): Promise<Build | null> => {
    loading ??= readBuild(folder)
    const build = await loading.catch((error: unknown) => {
      loading = null
      throw error
    })
    // It may be built any moment.
    if (build === null) loading = null
    return build
  }
  for (const path of consolePaths)
    routes.get(path, async (context) => {
      const build = await load()
      const page = build?.pages.get(path) ?? build?.files.get('index.html')
      return page === undefined ? notBuilt() : answer(context, page)
    })
  routes.get(`${consoleRoot}/settings.json`, async () => Response.json(await readSettings()))
  const made = [
    ['monitor-forms.json', described.monitorForms],
    ['contact-forms.json', described.contactForms],
    ['push-key.json', () => ({ key: described.pushKey })],
  ] as const
  for (const [name, content] of made) {
    let file: ConsoleFile | undefined
    routes.get(`${consoleRoot}/${name}`, (context) =>
      answer(context, (file ??= makeConsoleFile('application/json', JSON.stringify(content())))),
    )
  }
  const serve = async (context: Context<HttpEnv>): Promise<Response> => {
    const name = context.req.path.slice(consoleRoot.length + 1)
    const file = (await load())?.files.get(name)
    if (file === undefined || name === 'index.html') return context.notFound()
    const response = answer(context, file)
    if (name === offlineWorker) addWorkerRules(response.headers)
    return response
  }
  routes.get(`${consoleRoot}/:file`, serve)
  routes.get(`${consoleRoot}/assets/:file`, serve)
  // For every method: a route of one method would have addresses that are not there refuse the others.
  routes.use(async (context, next) => {
    await next()
    const page = isMistyped(context) ? (await load())?.files.get('index.html') : undefined
    if (page !== undefined) context.res = asMissing(answer(context, page))
  })
  return routes
}

/** All files, and the page as the addresses have it that people open first. */
type Build = { files: ConsoleFiles; pages: ReadonlyMap<string, ConsoleFile> }

async function readBuild(folder: string): Promise<Build | null> {
  const files = await readConsoleFiles(folder)
  return files === null ? null : { files, pages: await makePages(folder, files, consoleRoot) }
}

/** What programs ask for, who read the JSON of a refusal. */
const forPrograms = /^\/(?:api|auth|console|mcp|oauth|\.well-known)(?:\/|$)/

/** Whether nothing is at an address that a person opened: the page then says so, and leads on. */
function isMistyped({ req, res }: Context<HttpEnv>): boolean {
  const wantsPage = req.header('accept')?.includes('text/html') ?? false
  return req.method === 'GET' && res.status === 404 && wantsPage && !forPrograms.test(req.path)
}

function asMissing({ body, headers }: Response): Response {
  const own = new Headers(headers)
  own.delete('ETag')
  own.set('Cache-Control', 'no-store')
  return new Response(body, { status: 404, headers: own })
}

/**
 * `style-src` takes no styles in the page either: the console's are in its file, or set through the DOM by its script.
 * `data:` pictures are those of status pages that readers cannot open yet.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function answer({ req }: Context<HttpEnv>, file: ConsoleFile): Response {
  const { encoding, bytes } = choose(file, req.header('accept-encoding') ?? '')
  const tag = `"${file.tag}${encoding === null ? '' : `-${encoding}`}"`
  const headers = new Headers({
    ETag: tag,
    Vary: 'Accept-Encoding',
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  // Also without a body: what a 304 says takes the place of what the browser keeps (RFC 9111 4.3.4).
  if (file.type.startsWith('text/html')) addPageRules(headers)
  if (isKnown(req.header('if-none-match') ?? '', tag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Type', file.type)
  headers.set('Content-Length', String(bytes.length))
  if (encoding !== null) headers.set('Content-Encoding', encoding)
  return new Response(bytes, { headers })
}

function addPageRules(headers: Headers): void {
  headers.set('Content-Security-Policy', consolePolicy)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
}

/** A worker asks by its own policy, not by that of a page. */
function addWorkerRules(headers: Headers): void {
  headers.set('Service-Worker-Allowed', '/')
  headers.set('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
}

/** An installation without the build is a service with an API all the same. */
function notBuilt(): Response {
  const text = 'The console is not built yet. Build it with "npm run build:web". The API is at /api/v1.\n'
  return new Response(text, { status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
