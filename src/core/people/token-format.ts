/**
 * Alphabet of the tokens that the service makes. 248 is the largest multiple of its size below 256: bytes from there on
 * are drawn again, so that all letters are equally likely.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const fairBytes = 256 - (256 % alphabet.length)
const length = 40

/**
 * In this order: API tokens of a workspace, access tokens of agents, claim tokens, tokens in links to the claim page,
 * codes that a browser takes to a program, refresh tokens, and codes of programs without a browser.
 */
export type TokenPrefix = 'pgk_' | 'pga_' | 'clm_' | 'cat_' | 'pgc_' | 'pgr_' | 'pgd_'

/** How long the token lasts that the first start prints (docs/decisions/people-and-access.md). */
export const firstTokenHours = 24

/** A new token: its prefix and 40 letters and digits, which have 238 bits. `randomBytes` has to be a CSPRNG. */
export function createTokenText(randomBytes: (count: number) => Uint8Array, prefix: TokenPrefix = 'pgk_'): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length - text.length))
      if (byte < fairBytes) text += alphabet.charAt(byte % alphabet.length)
  return prefix + text
}

/**
 * Whether the text has the form of a workspace API token. Tokens from the configuration have 32 to 128 letters and
 * digits.
 */
export function isTokenText(text: string): boolean {
  return /^pgk_[A-Za-z0-9]{32,128}$/.test(text)
}

/** Whether the text has the form of an agent's access token. */
export function isAgentTokenText(text: string): boolean {
  return /^pga_[A-Za-z0-9]{40}$/.test(text)
}

/** Whether the text has the form of a refresh token. */
export function isRefreshTokenText(text: string): boolean {
  return /^pgr_[A-Za-z0-9]{40}$/.test(text)
}
