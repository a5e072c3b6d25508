import { agentScopes } from './agent.ts'

export const codeGrant = 'authorization_code'
export const refreshGrant = 'refresh_token'
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export const oauthRules = {
  /** A code goes from the browser to the program at once (RFC 6749 4.1.2). */
  codeMs: 60_000,
  /** Of a code that a person types for a program without a browser (RFC 8628 3.2). */
  deviceCodeMs: 600_000,
  /** Of a refresh token, from its making. Each use makes another one. */
  refreshMs: 90 * 86_400_000,
  /** A registered client that asked no person in that time is forgotten. */
  unusedClientMs: 86_400_000,
  /** A client that was used is forgotten when it was not for so long. */
  idleClientMs: 365 * 86_400_000,
  maxRedirects: 10,
  maxNameLength: 100,
  maxUriLength: 1000,
  maxStateLength: 2000,
} as const

export type Scope = (typeof agentScopes)[number]

/** The part of the service that a token is for (RFC 8707); null is all of it. */
export type Audience = 'api' | 'mcp' | null

/** A program that asks people for access. Its name is its own claim. */
export type OauthClient = { id: string; name: string; redirectUris: readonly string[] }

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Where people may be sent back to: an https address, or a program on their own machine (RFC 8252 7.3). */
export function isRedirectUri(text: string): boolean {
  if (text.length > oauthRules.maxUriLength || !URL.canParse(text) || text.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname))
}

export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && loopbackHosts.has(hostname)
}

/**
 * Whether a client may be answered at an address: at exactly one that it registered, but for the port on the person's
 * own machine, which programs take as they find it free (RFC 8252 7.3).
 */
export function isRegisteredRedirect({ redirectUris }: Pick<OauthClient, 'redirectUris'>, sent: string): boolean {
  if (!isRedirectUri(sent)) return false
  return redirectUris.some((uri) => uri === sent || (isLoopback(uri) && withoutPort(uri) === withoutPort(sent)))
}

function withoutPort(uri: string): string {
  const url = new URL(uri)
  url.port = ''
  return url.href
}

/** The id of a client that is a document at its own address (draft-ietf-oauth-client-id-metadata-document). */
export function isDocumentId(id: string): boolean {
  if (id.length > 500 || !id.startsWith('https://') || !URL.canParse(id)) return false
  const { pathname, username, password, href } = new URL(id)
  // What was parsed is what was sent: no dots that climb, no letters written twice.
  return href === id && pathname !== '/' && username === '' && password === '' && !id.includes('#')
}

/** Scopes as they were asked for; all of them where none is named. `offline_access` asks for what everybody gets. */
export function readScopes(text: string | undefined): readonly Scope[] | null {
  const asked = (text ?? '').split(' ').filter((one) => one !== '' && one !== 'offline_access')
  if (asked.length === 0) return agentScopes
  if (asked.some((one) => !isScope(one))) return null
  // Who may change things may read them.
  return asked.includes('write') ? agentScopes : ['read']
}

function isScope(text: string): text is Scope {
  return text === 'read' || text === 'write'
}

/** The form of SHA-256 in base64url (RFC 7636 4.2). */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** RFC 7636 4.1. */
export function isVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text)
}

/** A name of a client as people are shown it: one line of bounded length. */
export function shownName(name: string): string {
  const line = name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, oauthRules.maxNameLength)
    .toWellFormed()
  return line === '' ? 'A program without a name' : line
}

/** The address that takes an answer to the program which asked (RFC 6749 4.1.2), with the name of who answers (RFC 9207). */
export function answerUri(redirectUri: string, members: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(members)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Letters that are read and typed without doubt, and spell no words (RFC 8628 6.1). */
const typedLetters = 'BCDFGHJKLMNPQRSTVWXZ'
const typedLength = 8
/** The largest multiple of their number below 256; bytes from there on are drawn again. */
const fairBytes = 256 - (256 % typedLetters.length)

/** A code for a person to type: eight letters, 35 bits. `randomBytes` has to be a CSPRNG. */
export function createTypedCode(randomBytes: (count: number) => Uint8Array): string {
  let code = ''
  while (code.length < typedLength)
    for (const byte of randomBytes(typedLength - code.length))
      if (byte < fairBytes) code += typedLetters.charAt(byte % typedLetters.length)
  return code
}

/** As people see it. */
export function shownCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

const typedCode = new RegExp(`^[${typedLetters}]{${typedLength}}$`)

/** The letters of a code as it was typed: in small letters too, with spaces or dashes. Null when it is none. */
export function readTypedCode(typed: string): string | null {
  const letters = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  return typedCode.test(letters) ? letters : null
}
