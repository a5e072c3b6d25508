/** The well-known address of a resource or an issuer: inserted before its path (RFC 9728 3.1, RFC 8414 3.1). */
export function wellKnown(url: string, name: 'oauth-protected-resource' | 'oauth-authorization-server'): string {
  const { origin, pathname } = new URL(url)
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`
}

/** What the API is called as a protected resource. `publicUrl` has no final slash. */
export function apiResource(publicUrl: string): string {
  return `${publicUrl}/api/v1`
}

/** What the MCP endpoint is called, likewise. */
export function mcpResource(publicUrl: string): string {
  return `${publicUrl}/mcp`
}
