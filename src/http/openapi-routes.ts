import type { Hono } from 'hono'
import { isKnown, textTag } from './encoded.ts'
import type { HttpEnv } from './environment.ts'

/** The whole document as JSON; see openapi.ts. */
export type OpenApiSource = () => Promise<string>

const shared = { 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' } as const

/** The same bytes at both addresses. Public: agents read it before they have a token. */
export function addOpenApiRoutes(app: Hono<HttpEnv>, source: OpenApiSource): void {
  let known: { of: string; tag: string } | null = null
  const tagOf = (text: string): string => {
    if (known?.of !== text) known = { of: text, tag: textTag(text) }
    return known.tag
  }
  for (const path of ['/openapi.json', '/api/v1/openapi.json'])
    app.get(path, async ({ req }) => {
      const text = await source()
      const headers = { ...shared, ETag: tagOf(text) }
      if (isKnown(req.header('if-none-match') ?? '', headers.ETag)) return new Response(null, { status: 304, headers })
      return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } })
    })
}
