import { CookieJar as Jar } from 'tough-cookie'
import type { CookieJar } from './http-request.ts'

/** Longer ones no browser keeps either (RFC 6265 6.1 asks for at least so much). */
const maxCookieLength = 4096
/** Taken from one run's answers, all together. */
const maxKeptLength = 256 * 1024

/** What a request can carry; anything else in a cookie is a fault of the server's. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** An empty jar: public suffixes set no cookies, what is too long or broken is left out, expiry is by this clock. */
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
