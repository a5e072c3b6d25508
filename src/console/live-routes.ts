import { Hono } from 'hono'
import { horizonSchema } from '#core/overview.ts'
import { rateClass } from '#core/language/rate-limit.ts'
import { fail } from '#core/language/error.ts'
import type { Frame } from '#operations/pipeline/invoke.ts'
import type { LiveFeed, Watcher } from '#operations/overview/live-feed.ts'
import { isOwnOrigin } from '#operations/pipeline/session-credential.ts'
import type { HttpEnv } from '#http/environment.ts'

export type LiveOptions = {
  frame: Pick<Frame, 'services' | 'authenticate' | 'limits' | 'now'>
  feed: LiveFeed
  /** Default 15 s: proxies close connections on which nothing comes for a minute. */
  beatMs?: number
  /** Default 256 kB: what may wait for one reader. */
  bufferBytes?: number
}

export const livePath = '/console/live'

const defaultBeatMs = 15_000
const defaultBufferBytes = 256 * 1024
const mediaType = 'text/event-stream'

/**
 * `GET /console/live?workspace=<id>&since=<horizon>`: server-sent events of what changes in a workspace (WHATWG HTML
 * 9.2), for who is signed in. `since` may be left out. Browsers send no header of ours with these, so the workspace
 * stands in the query: pages of other origins are told apart by `Origin` and `Sec-Fetch-Site`, as for every request of a
 * session, and what an image or a link asks for names another media type. Nothing is changed by asking, and no answer
 * allows other origins to read it.
 */
export function createLiveRoutes(options: LiveOptions): Hono<HttpEnv> {
  const { services, authenticate, limits, now } = options.frame
  const routes = new Hono<HttpEnv>()
  routes.get(livePath, async ({ req, get }) => {
    const { raw } = req
    if (!(raw.headers.get('accept') ?? '').includes(mediaType))
      throw fail('bad_request', `Send ${mediaType} in the Accept header.`)
    const workspace = req.query('workspace') ?? ''
    const session = { headers: raw.headers, workspace, isOwnOrigin: isOwnOrigin(raw, services.publicUrl) }
    const credentials = { tokens: [], isNamed: true, session, address: get('addressGroup'), audience: 'api' as const }
    const { person, tokenId, workspaceId } = await authenticate(credentials, now())
    if (person === null) throw fail('not_signed_in', 'You are not signed in.')
    const { isExceeded, resetSeconds } = await limits.countRequest(rateClass('GET'), tokenId)
    if (isExceeded)
      throw fail('rate_limited', 'Too many requests within a minute.', { retryAfterSeconds: resetSeconds })
    const since = readSince(req.query('since'))
    // HEAD is answered as GET by the router, which then throws the body away.
    if (raw.method === 'HEAD') return new Response(null, { headers })
    return new Response(stream({ sessionId: tokenId, personId: person.id, workspaceId, since }, options), { headers })
  })
  return routes
}

function readSince(text: string | undefined): string | null {
  if (text === undefined) return null
  const horizon = horizonSchema.safeParse(text)
  if (!horizon.success) throw fail('bad_request', 'Set `since` to the `horizon` of an overview.')
  return horizon.data
}

/** Who reads too slowly is cut off, so that what waits is given up; the browser comes back and reads everything anew. */
function stream(
  watch: Omit<Watcher, 'send' | 'end'>,
  { feed, beatMs = defaultBeatMs, bufferBytes = defaultBufferBytes }: LiveOptions,
): ReadableStream<Uint8Array> {
  let leave: (() => void) | null = null
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const write = (text: string): boolean => {
      controller.enqueue(encoder.encode(text))
      return (controller.desiredSize ?? 0) > 0
    }
    const end = (reason: 'over' | 'slow'): void => {
      clearInterval(beat)
      if (reason === 'over') controller.close()
      else controller.error(new Error('The reader is too slow.'))
    }
    const forget = feed.join({ ...watch, send: (message) => write(`data: ${message}\n\n`), end })
    leave = () => {
      clearInterval(beat)
      forget()
    }
    const beat = setInterval(() => {
      if (write(':\n\n')) return
      forget()
      end('slow')
    }, beatMs)
    beat.unref()
    write(`retry: ${retryMs}\n\n`)
  }
  return new ReadableStream<Uint8Array>(
    { start, cancel: () => leave?.() },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
  )
}

/** How long a browser waits before it asks again. */
const retryMs = 3000
const encoder = new TextEncoder()
const headers = {
  'Content-Type': `${mediaType}; charset=utf-8`,
  // Neither kept nor gathered on the way: nginx would wait for more.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
}
