import type { Context, Hono } from 'hono'
import { imagePath } from '#core/status-pages/page-image.ts'
import { readPageImage } from '#operations/status-pages/public-page.ts'
import { isKnown } from '#http/encoded.ts'
import type { HttpEnv } from '#http/environment.ts'
import { toBody } from './status-bodies.ts'
import { nothingAnswer } from './status-reading.ts'
import { type Find, type StatusParts, mayRead } from './status-visit.ts'

/** A picture is what its page says it is and nothing more, also where it is opened by itself. */
const policy = "default-src 'none'; sandbox; frame-ancestors 'none'"
/** Its address changes with its bytes. After a day a page that is public no more is forgotten by caches, too. */
const shared = 'public, max-age=86400'

/** The pictures of a page, for those who may read the page. */
export function addStatusImages(
  routes: Hono<HttpEnv>,
  parts: StatusParts,
  { root, find }: { root: string; find: Find },
): void {
  routes.get(`${root}/images/:file`, async (context) => {
    const visit = await find(context)
    const file = context.req.param('file')
    const { page } = visit ?? {}
    const image = [page?.logo, page?.favicon].find((each) => each && imagePath(each) === `/images/${file}`)
    if (!visit || !page || !image || !mayRead(context, visit, parts)) return nothingAnswer(context, parts.site)
    const body = await parts.bodies.get(`${page.id} image ${image.hash}`, async () => {
      const bytes = await readPageImage(parts.services, page, image.hash)
      return bytes && toBody(bytes, image.mediaType)
    })
    return body === null ? nothingAnswer(context, parts.site) : send(context, body, page.visibility === 'public')
  })
}

function send({ req }: Context<HttpEnv>, { type, tag, plain }: ReturnType<typeof toBody>, isPublic: boolean): Response {
  const headers = {
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': isPublic ? shared : 'private, no-store',
    ETag: `"${tag}"`,
  }
  if (isKnown(req.header('if-none-match') ?? '', headers.ETag)) return new Response(null, { status: 304, headers })
  // Pictures are packed already.
  return new Response(plain, { headers: { ...headers, 'Content-Length': String(plain.length) } })
}
