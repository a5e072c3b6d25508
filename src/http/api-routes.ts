import type { Context, Hono } from 'hono'
import type { AnyOperation, Reply } from '#operations/pipeline/operation.ts'
import { type Frame, invoke } from '#operations/pipeline/invoke.ts'
import { readJson } from './body.ts'
import { isNamed, paymentOf, sessionOf, tokensOf } from './credentials.ts'
import type { HttpEnv } from './environment.ts'
import { type Content, toContent, toEncodedResponse, toPreferredContent, toResponse } from './response.ts'

export const apiRoot = '/api/v1'

/** One route an operation. HEAD is answered as GET by the router. */
export function addApiRoutes(app: Hono<HttpEnv>, operations: readonly AnyOperation[], frame: Frame): void {
  for (const operation of operations)
    app.on(operation.method, routePath(operation), async (context) => {
      const reply = await invoke(operation, readRequest(context, frame.services.publicUrl), frame)
      if (operation.method !== 'GET') return toResponse(reply)
      return toEncodedResponse(contentOf(operation, reply, context.req.header('accept') ?? ''), context.req.raw)
    })
}

function contentOf({ success }: AnyOperation, reply: Reply, accept: string): Content {
  const { status, asMarkdown } = success
  const isPlain = asMarkdown === undefined || reply.status !== status
  return isPlain ? toContent(reply) : toPreferredContent(reply, asMarkdown, accept)
}

/** Where an operation is served, as the router writes it: `/api/v1/monitors/:id`. */
function routePath({ path }: AnyOperation): string {
  return apiRoot + path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function readRequest(context: Context<HttpEnv>, publicUrl: string): Parameters<typeof invoke>[1] {
  const { req } = context
  const tokens = tokensOf(req.raw.headers)
  const session = tokens.length > 0 ? null : sessionOf(req.raw, publicUrl)
  return {
    path: req.param(),
    query: Object.fromEntries(Object.entries(req.queries()).map(([name, values]) => [name, single(values)])),
    readBody: (maxBytes) => readJson(req.raw, maxBytes),
    idempotencyKey: req.header('idempotency-key') ?? null,
    payment: paymentOf(req.raw.headers),
    acceptPayment: req.header('accept-payment'),
    credentials: { tokens, isNamed: isNamed(req.raw.headers), session, address: context.get('addressGroup') },
  }
}

function single(values: string[]): string | string[] {
  const [first, ...others] = values
  return first === undefined || others.length > 0 ? values : first
}
