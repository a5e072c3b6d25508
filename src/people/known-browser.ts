import { randomBytes } from 'node:crypto'
import { type PeopleParts, cookiePrefix } from './people-parts.ts'

export type KnownBrowsers = {
  /** The name of the cookie. */
  name: string
  options: { path: '/'; httpOnly: true; secure: boolean; sameSite: 'lax'; maxAge: number }
  /** The value of a new cookie for an account. */
  makeFor: (account: string) => string
  /** The browser's id; null where the account was never signed in there. `value` is what the browser sent. */
  readFor: (account: string, value: string | null) => string | null
}

const purpose = 'known-browser'
const idBytes = 16
const lifeSeconds = 365 * 86_400

/**
 * A browser in which an account was signed in keeps a cookie that says so: it signs nobody in, and is counted by itself
 * where others are counted together (docs/decisions/people-and-access.md, "Limits of signing in").
 */
export function createKnownBrowsers({ secrets, publicUrl }: Pick<PeopleParts, 'secrets' | 'publicUrl'>): KnownBrowsers {
  const isSecure = publicUrl.startsWith('https://')
  const name = `${cookiePrefix(publicUrl)}.known_browser`
  return {
    name,
    options: { path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax', maxAge: lifeSeconds },
    makeFor: (account) => {
      const id = randomBytes(idBytes).toString('base64url')
      return `${id}.${secrets.sign(purpose, textOf(id, account))}`
    },
    readFor: (account, value) => {
      const [id = '', signature = ''] = (value ?? '').split('.')
      return secrets.isSigned(purpose, textOf(id, account), signature) ? id : null
    },
  }
}

function textOf(id: string, account: string): string {
  return `${id} ${account.toLowerCase()}`
}
