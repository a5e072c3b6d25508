import { CookieJar as Jar } from 'tough-cookie'
import type { CookieJar } from './http-request.ts'

/** Browsers keep no longer cookies either (RFC 6265 6.1 asks for at least this much). */
const maxCookieLength = 4096
/** Limit of all cookies from one run's answers together. */
const maxKeptLength = 256 * 1024

/** Characters that a request can carry; a cookie with others is a mistake of the server. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Makes an empty jar. It refuses cookies for public suffixes and drops broken or oversized ones; expiry follows this
 * machine's clock.
 */
export function createCookieJar(): CookieJar {
  const jar = new Jar()
  let keptLength = 0
  return {
    keep: (url, setCookies) => {
      for (const cookie of setCookies.split('\n')) {
        const isKept = cookie !== '' && cookie.length <= maxCookieLength && keptLength + cookie.length <= maxKeptLength
        if (!isKept || !sendable.test(cookie)) continue
        keptLength += cookie.length
        jar.setCookieSync(cookie, url.href, { ignoreError: true })
      }
    },
    headerFor: (url) => {
      const header = jar.getCookieStringSync(url.href)
      return header === '' ? null : header
    },
  }
}
