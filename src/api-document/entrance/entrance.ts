import { type Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { isKnown, textTag } from '#http/encoded.ts'
import type { HttpEnv } from '#http/environment.ts'
import { type DocumentOptions, documentsOf, indexJson, indexMarkdown } from './documents.ts'
import { linkHeader } from './places.ts'
import { securityText } from './security-text.ts'

export type EntranceOptions = DocumentOptions & {
  /** Where the operator hears of weaknesses: a `mailto:` or `https:` address; null where none is named. */
  securityContact: string | null
  now: () => Date
}

type Sent = { type: string; text: string; headers?: Readonly<Record<string, string>> }

/** The same for every reader; pages of other origins may read it too. */
const shared = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' } as const

/**
 * What leads a program from the bare address to everything else. At `/` browsers, and programs that take anything, get
 * the page of the console that comes after this, with the same links in its headers.
 */
export function createEntrance(options: EntranceOptions): Hono<HttpEnv> {
  const { publicUrl, securityContact, now } = options
  const routes = new Hono<HttpEnv>()
  const link = { Link: linkHeader(publicUrl) }
  const indexes: Readonly<Record<string, Sent>> = {
    'application/json': { type: 'application/json; charset=utf-8', text: indexJson(options), headers: link },
    'text/markdown': { type: 'text/markdown; charset=utf-8', text: indexMarkdown(publicUrl), headers: link },
  }
  routes.get('/', async (context, next) => {
    const supports = ['text/html', ...Object.keys(indexes)]
    const index = indexes[accepts(context, { header: 'Accept', supports, default: 'text/html' })]
    if (index === undefined) {
      await next()
      context.res.headers.append('Link', link.Link)
    } else context.res = send(context, index)
    context.res.headers.append('Vary', 'Accept')
  })
  for (const { path, ...document } of documentsOf(options)) routes.get(path, (context) => send(context, document))
  if (securityContact !== null)
    routes.get('/.well-known/security.txt', (context) =>
      send(context, {
        type: 'text/plain; charset=utf-8',
        text: securityText({ publicUrl, contact: securityContact, now: now() }),
      }),
    )
  return routes
}

function send({ req }: Context<HttpEnv>, { type, text, headers = {} }: Sent): Response {
  const tag = textTag(text)
  const sent = { ...shared, ...headers, ETag: tag }
  if (isKnown(req.header('if-none-match') ?? '', tag)) return new Response(null, { status: 304, headers: sent })
  return new Response(text, { headers: { ...sent, 'Content-Type': type } })
}
