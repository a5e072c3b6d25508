import { apiResource, mcpResource, wellKnown } from '#core/language/well-known.ts'

/** Where everything about agents is, made from the public address, which is also the issuer (RFC 8414 2). */
export type Addresses = {
  issuer: string
  api: string
  mcp: string
  identity: string
  claim: string
  token: string
  revocation: string
  authorization: string
  device: string
  clients: string
  introspection: string
  keys: string
  recipe: string
  authorizationServer: string
}

/** `publicUrl` has no final slash. */
export function addressesOf(publicUrl: string): Addresses {
  return {
    issuer: publicUrl,
    api: apiResource(publicUrl),
    mcp: mcpResource(publicUrl),
    identity: `${publicUrl}/agent/identity`,
    claim: `${publicUrl}/agent/identity/claim`,
    token: `${publicUrl}/oauth2/token`,
    revocation: `${publicUrl}/oauth2/revoke`,
    authorization: `${publicUrl}/oauth2/authorize`,
    device: `${publicUrl}/oauth2/device_authorization`,
    clients: `${publicUrl}/oauth2/register`,
    introspection: `${publicUrl}/oauth2/introspect`,
    keys: `${publicUrl}/.well-known/jwks.json`,
    recipe: `${publicUrl}/auth.md`,
    authorizationServer: wellKnown(publicUrl, 'oauth-authorization-server'),
  }
}

/** The page on which a person lets a program in, or does not. `query` is what the program sent. */
export function consentUri(publicUrl: string, query: string): string {
  return `${publicUrl}/connect${query}`
}

/** The page on which a person types the code of a program without a browser; with the code, where it is given. */
export function deviceUri(publicUrl: string, code: string | null = null): string {
  return code === null ? `${publicUrl}/device` : `${publicUrl}/device?user_code=${code}`
}

/** The page on which a person types the code. The link is bound to one attempt and holds no code. */
export function verificationUri(publicUrl: string, attemptToken: string): string {
  return `${publicUrl}/claim?claim_attempt_token=${attemptToken}`
}
