import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Person } from '#core/people/person.ts'
import type { ReadSession } from '#operations/pipeline/session-credential.ts'
import { resumeSession } from '#operations/people/sign-in.ts'
import { type PeopleParts, authSecret, sessionCookieName, withCurrentNames } from './people-parts.ts'

type SessionParts = Pick<PeopleParts, 'database' | 'secrets' | 'publicUrl' | 'log' | 'now'>

/**
 * Reads better-auth's session cookie without better-auth, which is heavy: once a request, from the database, so that a
 * session that was revoked ends at once.
 */
export function createReadSession({ database, secrets, publicUrl, log, now }: SessionParts): ReadSession {
  const name = sessionCookieName(publicUrl)
  const secret = authSecret(secrets)
  const onTouchFailure = (error: unknown): void => log.warn('The last use of a session could not be stored.', { error })
  return async (headers) => {
    const at = now()
    const cookies = withCurrentNames(headers.get('cookie') ?? '', { publicUrl, now: at })
    const token = readSignedCookie(cookies, { name, secret })
    return token === null ? null : resumeSession({ database }, { token, now: at, onTouchFailure })
  }
}

/** Who sent a request with these headers; null when no person is signed in. */
export function createReadPerson(readSession: ReadSession): (headers: Headers) => Promise<Person | null> {
  return async (headers) => (await readSession(headers))?.person ?? null
}

/** The value of a cookie `value.signature`, percent-encoded, whose signature is a base64 HMAC-SHA256; null for others. */
function readSignedCookie(cookies: string, { name, secret }: { name: string; secret: string }): string | null {
  const text = decode(cookieOf(cookies, name) ?? '')
  const dot = text.lastIndexOf('.')
  if (dot < 1) return null
  const value = text.slice(0, dot)
  const given = Buffer.from(text.slice(dot + 1), 'base64')
  const expected = createHmac('sha256', secret).update(value).digest()
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
}

function cookieOf(cookies: string, name: string): string | null {
  const pairs = cookies.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
