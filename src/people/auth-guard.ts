import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { z } from 'zod'
import type { RateState } from '#core/language/rate-limit.ts'
import { isUuid } from '#core/language/uuid.ts'
import { spendCode } from '#operations/people/sign-in.ts'
import { createLetters } from './auth-letters.ts'
import { createKnownBrowsers } from './known-browser.ts'
import { readName } from './names.ts'
import { type PeopleParts, addressGroupHeader } from './people-parts.ts'
import { createSignInLimits } from './sign-in-limits.ts'

/** Where a caller without a session gives a password or what stands for one, or has a row written. */
const openDoors = new Set([
  '/sign-in/email',
  '/sign-up/email',
  '/sign-in/magic-link',
  '/magic-link/verify',
  '/verify-email',
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
  '/set-up',
  '/invitation',
  '/invitation/sign-up',
  '/provider/start',
  '/provider/response',
  '/provider/finish',
])
/** Where a mail goes to any address that the caller gives. */
const mailSenders = new Set(['/sign-up/email', '/sign-in/magic-link', '/send-verification-email'])
/** Where a person who is signed in gives the password again. */
const passwordChecks = new Set([
  '/change-password',
  '/delete-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
])

const addressed = z.looseObject({ email: z.string().transform((email) => email.trim().toLowerCase()) })
const coded = z.looseObject({ code: z.string() })
/** Where a passkey of one's own is chosen, and where one is given a name. */
const passkeyChanges = new Set(['/passkey/update-passkey', '/passkey/delete-passkey'])
const passkeyNamings = new Set(['/passkey/verify-registration', '/passkey/update-passkey'])
const named = z.looseObject({ id: z.string().refine(isUuid) })
const members = z.looseObject({ response: z.record(z.string(), z.unknown()).optional().catch(undefined) })

/** What stands around better-auth's own endpoints: how often they may be tried, and that a code is good once. */
export function createGuard(parts: PeopleParts) {
  const { now } = parts
  const letters = createLetters(parts)
  const limits = createSignInLimits(parts)
  const browsers = createKnownBrowsers(parts)
  return {
    before: createAuthMiddleware(async (context) => {
      const { path } = context
      assertReadable(path, context.body)
      if (passkeyNamings.has(path)) assertNamed(context.body)
      const email = addressed.safeParse(context.body).data?.email
      const browser = email === undefined ? null : browsers.readFor(email, context.getCookie(browsers.name))
      const from = browser === null ? { network: context.headers?.get(addressGroupHeader) ?? '' } : { browser }
      if (openDoors.has(path)) within(await limits.countTry(from))
      if (path === '/sign-in/email' && email !== undefined) within(await limits.countPassword(email, from))
      if (path === '/request-password-reset' && email !== undefined) within(await limits.countReset(email, from))
      if (mailSenders.has(path) && email !== undefined) within(await limits.countMail(email, from))
      if (!passwordChecks.has(path) && path !== '/change-email') return
      const session = await getSessionFromCtx(context)
      if (session === null) return
      const count = path === '/change-email' ? limits.countMail : limits.countPassword
      // Nobody else can ask with the session of this person, so nobody else uses this up.
      within(await count(session.user.email, { browser: session.user.id }))
    }),
    after: createAuthMiddleware(async (context) => {
      const { path, context: auth } = context
      if (path === '/two-factor/verify-totp' && auth.newSession !== null) {
        const { user, session } = auth.newSession
        const code = coded.safeParse(context.body).data?.code ?? ''
        if (!(await spendCode(parts, { personId: user.id, code, at: now() }))) {
          await auth.internalAdapter.deleteSession(session.token)
          throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'This code was already used.' })
        }
      }
      const signedIn = auth.newSession
      if (signedIn !== null && !isAskedForCode(path, signedIn.user))
        context.setCookie(browsers.name, browsers.makeFor(signedIn.user.email), browsers.options)
      if (path === '/change-password' && isSuccess(auth.returned)) {
        const session = auth.newSession ?? (await getSessionFromCtx(context))
        if (session !== null) await letters.passwordChanged(session)
      }
    }),
  }
}

/** A session that begins with a password or a link ends at once where a code has to follow. */
function isAskedForCode(path: string, user: Record<string, unknown>): boolean {
  return user['twoFactorEnabled'] === true && ['/sign-in/email', '/magic-link/verify'].includes(path)
}

/** better-auth leaves these to the database, which refuses them as a bug of ours. */
function assertReadable(path: string, body: unknown): void {
  const { success: isObject, data: { response, ...texts } = {} } = members.safeParse(body)
  const isStorable = [...Object.values(texts), ...Object.values(response ?? {})].every(
    (text) => typeof text !== 'string' || !text.includes('\0'),
  )
  const isNamed = !passkeyChanges.has(path) || !isObject || named.safeParse(body).success
  // A device that is trusted would need no code for a month, even after the password was changed.
  const trusts = isObject && texts['trustDevice'] === true
  if (!isStorable || !isNamed || trusts)
    throw new APIError('BAD_REQUEST', {
      code: 'INVALID_REQUEST',
      message: 'The request has an invalid field.',
    })
}

const naming = z.looseObject({ name: z.unknown() })

/** A name may be left out, as by devices that have no better one. */
function assertNamed(body: unknown): void {
  const { data } = naming.safeParse(body)
  if (data?.name !== undefined) readName(data.name)
}

function isSuccess(returned: unknown): boolean {
  return !(returned instanceof Error)
}

function within({ isExceeded, resetSeconds }: RateState): void {
  if (!isExceeded) return
  const body = { code: 'RATE_LIMITED', message: `Too many attempts. Try again in ${resetSeconds} s.` }
  throw new APIError('TOO_MANY_REQUESTS', body, { 'Retry-After': String(resetSeconds) })
}
