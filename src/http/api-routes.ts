import type { Context, Hono } from 'hono'
import type { AnyOperation, Reply } from '#operations/pipeline/operation.ts'
import { type Frame, invoke } from '#operations/pipeline/invoke.ts'
import { parameterNames } from '#operations/pipeline/query.ts'
import { openFile, readJson } from './body.ts'
import { toConditionalResponse } from './conditional.ts'
import { isNamed, paymentOf, sessionOf, tokensOf } from './credentials.ts'
import type { HttpEnv } from './environment.ts'
import type { LongBodies } from './json-thread.ts'
import { createNamingMade } from './location.ts'
import { asPreferredRefusal } from './problem.ts'
import { type Content, toContent, toEncodedResponse, toPreferredContent, toResponse } from './response.ts'
import { toTextContent } from './text-forms.ts'

export const apiRoot = '/api/v1'

export type ApiRoutesOptions = { operations: readonly AnyOperation[]; frame: Frame; longBodies: LongBodies }

/** One route an operation. HEAD is answered as GET by the router. */
export function addApiRoutes(app: Hono<HttpEnv>, { operations, frame, longBodies }: ApiRoutesOptions): void {
  const { publicUrl } = frame.services
  const namingMade = createNamingMade(operations, `${publicUrl}${apiRoot}`)
  for (const operation of operations) {
    const known = parameterNames(operation)
    app.on(operation.method, routePath(operation), async (context) => {
      const request = readRequest(context, { publicUrl, longBodies })
      const accept = context.req.header('accept') ?? ''
      const answered = asPreferredRefusal(await invoke(operation, request, frame), { accept, publicUrl })
      const reply = namingIgnored(answered, Object.keys(request.query), known)
      if (operation.method !== 'GET') return toResponse(namingMade({ operation, reply, path: request.path }))
      const content = contentOf(operation, reply, accept)
      // The console is told of changes, and asks without conditions.
      const respond = operation.surface === 'console' ? toEncodedResponse : toConditionalResponse
      return respond(content, context.req.raw)
    })
  }
}

const maxNames = 20
const maxNameLength = 100

/**
 * Parameters that an operation does not know change nothing, as clients rely on (docs/versioning.md). The answer names
 * them, because a filter that is left out of account looks like an answer to it.
 */
function namingIgnored(reply: Reply, sent: readonly string[], known: ReadonlySet<string>): Reply {
  const ignored = sent.filter((name) => name !== '' && !known.has(name))
  if (reply.status >= 400 || ignored.length === 0) return reply
  const names = ignored
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()))
  return { ...reply, headers: { ...reply.headers, 'Ignored-Parameters': names.join(', ') } }
}

function contentOf({ success }: AnyOperation, reply: Reply, accept: string): Content {
  const { status, asMarkdown, texts } = success
  if (reply.status !== status) return toContent(reply)
  if (texts !== undefined) return toTextContent(reply, texts, accept)
  return asMarkdown === undefined ? toContent(reply) : toPreferredContent(reply, asMarkdown, accept)
}

/** Where an operation is served, as the router writes it: `/api/v1/monitors/:id`. */
function routePath({ path }: AnyOperation): string {
  return apiRoot + path.replaceAll(/\{(\w+)\}/g, ':$1')
}

type Reading = { publicUrl: string; longBodies: LongBodies }

function readRequest(context: Context<HttpEnv>, { publicUrl, longBodies }: Reading): Parameters<typeof invoke>[1] {
  const { req } = context
  const tokens = tokensOf(req.raw.headers)
  const session = tokens.length > 0 ? null : sessionOf(req.raw, publicUrl)
  return {
    path: req.param(),
    query: Object.fromEntries(Object.entries(req.queries()).map(([name, values]) => [name, single(values)])),
    readBody: (maxBytes) => readJson(req.raw, maxBytes, longBodies),
    openFile: (maxBytes) => openFile(req.raw, maxBytes),
    idempotencyKey: req.header('idempotency-key') ?? null,
    payment: paymentOf(req.raw.headers),
    acceptPayment: req.header('accept-payment'),
    x402: { signature: req.header('payment-signature') ?? null, resource: publicUrl + req.path },
    maxPrice: req.header('perigee-max-price'),
    projectKey: req.header('perigee-project'),
    credentials: {
      tokens,
      isNamed: isNamed(req.raw.headers),
      session,
      address: context.get('addressGroup'),
      audience: 'api',
    },
  }
}

function single(values: string[]): string | string[] {
  const [first, ...others] = values
  return first === undefined || others.length > 0 ? values : first
}
