/** Alphabet of the tokens we make. 248 is the largest multiple of its size below 256: bytes above it are drawn again. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const fairBytes = 256 - (256 % alphabet.length)
const length = 40

/** Workspace API tokens, access tokens of agents, claim tokens, and the tokens in links to the claim page. */
export type TokenPrefix = 'pgk_' | 'pga_' | 'clm_' | 'cat_'

/** A new token: its prefix and 40 letters and digits, 238 bits. `randomBytes` is a CSPRNG. */
export function createTokenText(randomBytes: (count: number) => Uint8Array, prefix: TokenPrefix = 'pgk_'): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length - text.length))
      if (byte < fairBytes) text += alphabet.charAt(byte % alphabet.length)
  return prefix + text
}

/** Whether a text can be a workspace API token. Configured ones have 32 to 128 letters and digits. */
export function isTokenText(text: string): boolean {
  return /^pgk_[A-Za-z0-9]{32,128}$/.test(text)
}

/** Whether a text can be an access token of an agent. */
export function isAgentTokenText(text: string): boolean {
  return /^pga_[A-Za-z0-9]{40}$/.test(text)
}
