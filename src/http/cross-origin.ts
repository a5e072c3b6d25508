import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { HttpEnv } from './environment.ts'

/** Where programs show a token, or need none. What takes a session lies elsewhere, or needs a header not allowed here. */
const open = /^\/(?:api\/v1|mcp|agent|oauth2)(?:\/|$)/

const answer = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Accept',
    'Accept-Payment',
    // The public client of x402 sends it, beside its payment.
    'Access-Control-Expose-Headers',
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-None-Match',
    'Last-Event-ID',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'PAYMENT-SIGNATURE',
    'Perigee-Max-Price',
    'Perigee-Project',
    'X-API-Key',
    'X-Request-Id',
  ],
  exposeHeaders: [
    'ETag',
    'Ignored-Parameters',
    'Link',
    'Location',
    'Mcp-Session-Id',
    'PAYMENT-REQUIRED',
    'PAYMENT-RESPONSE',
    'Payment-Receipt',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
  maxAge: 86_400,
})

/**
 * Lets pages of other origins ask as any other client does (https://fetch.spec.whatwg.org/#http-cors-protocol). For every
 * origin, and so never with cookies: a browser gives no page an answer for `*` that it asked for with credentials.
 */
export const admitOrigins: MiddlewareHandler<HttpEnv> = async (context, next) => {
  const { req } = context
  const isPreflight = req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined
  const isCrossed = req.header('origin') !== undefined && open.test(req.path)
  return isCrossed && (isPreflight || req.method !== 'OPTIONS') ? answer(context, next) : next()
}
