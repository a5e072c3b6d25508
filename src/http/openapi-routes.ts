import type { Hono } from 'hono'
import type { HttpEnv } from './environment.ts'

/** The whole document as JSON; see openapi.ts. */
export type OpenApiSource = () => Promise<string>

/** The same bytes at both addresses. Public: agents read it before they have a token. */
export function addOpenApiRoutes(app: Hono<HttpEnv>, source: OpenApiSource): void {
  for (const path of ['/openapi.json', '/api/v1/openapi.json'])
    app.get(path, async () => {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=60' }
      return new Response(await source(), { headers: { ...headers, 'Access-Control-Allow-Origin': '*' } })
    })
}
