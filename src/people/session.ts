import type { Person } from '#core/people/person.ts'
import type { ReadSession } from '#operations/pipeline/session-credential.ts'
import { resumeSession } from '#operations/people/sign-in.ts'
import { type PeopleParts, authSecrets, sessionCookieName, withCurrentNames } from './people-parts.ts'
import { readSigned } from './signed-cookies.ts'

type SessionParts = Pick<PeopleParts, 'database' | 'secrets' | 'publicUrl' | 'log' | 'now'>

/**
 * Reads better-auth's session cookie without better-auth, which is heavy: once a request, from the database, so that a
 * session that was revoked ends at once.
 */
export function createReadSession({ database, secrets, publicUrl, log, now }: SessionParts): ReadSession {
  const name = sessionCookieName(publicUrl)
  const onTouchFailure = (error: unknown): void => log.warn('The last use of a session could not be stored.', { error })
  return async (headers) => {
    const at = now()
    const cookies = withCurrentNames(headers.get('cookie') ?? '', { publicUrl, now: at })
    const token = readSigned(cookieOf(cookies, name) ?? '', authSecrets(secrets))?.value ?? null
    return token === null ? null : resumeSession({ database }, { token, now: at, onTouchFailure })
  }
}

/** Who sent a request with these headers; null when no person is signed in. */
export function createReadPerson(readSession: ReadSession): (headers: Headers) => Promise<Person | null> {
  return async (headers) => (await readSession(headers))?.person ?? null
}

function cookieOf(cookies: string, name: string): string | null {
  const pairs = cookies.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}
