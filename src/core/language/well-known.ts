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
 * The identifier of the MCP endpoint, or of one of its toolsets, as a protected resource. `publicUrl` has no final slash.
 */
export function mcpResource(publicUrl: string, toolset: string | null = null): string {
  return toolset === null ? `${publicUrl}/mcp` : `${publicUrl}/mcp/${toolset}`
}
