/**
 * The well-known address of a resource or an issuer: the name is inserted before the path (RFC 9728 3.1, RFC 8414 3.1).
 */
export function wellKnown(url: string, name: 'oauth-protected-resource' | 'oauth-authorization-server'): string {
  const { origin, pathname } = new URL(url)
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`
}

/** The identifier of the API as a protected resource (RFC 9728). `publicUrl` has no final slash. */
export function apiResource(publicUrl: string): string {
  return `${publicUrl}/api/v1`
}

/**
 * The identifier of the MCP endpoint, or of an address below it (a toolset, or `connect`), as a protected resource.
 * `publicUrl` has no final slash.
 */
export function mcpResource(publicUrl: string, part: string | null = null): string {
  return part === null ? `${publicUrl}/mcp` : `${publicUrl}/mcp/${part}`
}
