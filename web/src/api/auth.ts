import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { ApiError, ask, type Fields } from './ask.ts'

/** Who is signed in. */
export type Me = { id: string; name: string; email: string; twoFactorEnabled: boolean }

/** Signed in, or a code of the authenticator app is still to be given. */
export type SignedIn = { needsSecondFactor: boolean }

export type TwoFactorSetUp = { totpURI: string; backupCodes: string[] }
export type Invitation = {
  email: string
  role: 'owner' | 'member' | 'viewer'
  workspace: string
  invited_by: string
  has_account: boolean
}

export async function readMe(): Promise<Me | null> {
  const session = await auth<{ user: Me & { twoFactorEnabled?: boolean | null } } | null>('GET', '/get-session')
  if (session === null) return null
  const { id, name, email, twoFactorEnabled } = session.user
  return { id, name, email, twoFactorEnabled: twoFactorEnabled ?? false }
}

export const signUp = (given: { email: string; name: string; password: string }): Promise<unknown> =>
  auth('POST', '/sign-up/email', given)

/** Whether mail leaves decides how an address that was never confirmed is explained. */
export async function signIn(
  given: { email: string; password: string },
  { sendsMail }: { sendsMail: boolean },
): Promise<SignedIn> {
  try {
    return await signingIn(auth('POST', '/sign-in/email', given))
  } catch (error) {
    if (sendsMail || !(error instanceof ApiError) || error.code !== 'email_not_verified') throw error
    const message = t`This address is not confirmed yet, and this installation sends no mail: whoever runs it finds the link in the folder outbox of its data.`
    throw new ApiError({ status: error.status, code: error.code, message })
  }
}

export const openSignInLink = (token: string): Promise<SignedIn> =>
  signingIn(auth('GET', `/magic-link/verify?token=${encodeURIComponent(token)}`))

/** `returnTo` is a path of the console, where the link leads in the end. */
export const sendSignInLink = (email: string, returnTo: string): Promise<unknown> =>
  auth('POST', '/sign-in/magic-link', { email, callbackURL: returnTo })

export const confirmTotp = (code: string): Promise<unknown> => auth('POST', '/two-factor/verify-totp', { code })

export const confirmBackupCode = (code: string): Promise<unknown> =>
  auth('POST', '/two-factor/verify-backup-code', { code })

export const enableTwoFactor = (password: string): Promise<TwoFactorSetUp> =>
  auth('POST', '/two-factor/enable', { password })

export const disableTwoFactor = (password: string): Promise<unknown> =>
  auth('POST', '/two-factor/disable', { password })

export const newBackupCodes = (password: string): Promise<{ backupCodes: string[] }> =>
  auth('POST', '/two-factor/generate-backup-codes', { password })

export const signOut = (): Promise<unknown> => auth('POST', '/sign-out', {})

export const verifyEmail = (token: string): Promise<unknown> =>
  auth('GET', `/verify-email?token=${encodeURIComponent(token)}`)

export const sendVerification = (email: string): Promise<unknown> => auth('POST', '/send-verification-email', { email })

export const requestPasswordReset = (email: string): Promise<unknown> =>
  auth('POST', '/request-password-reset', { email })

export const resetPassword = (given: { newPassword: string; token: string }): Promise<unknown> =>
  auth('POST', '/reset-password', given)

export const changePassword = (given: { currentPassword: string; newPassword: string }): Promise<unknown> =>
  auth('POST', '/change-password', { ...given, revokeOtherSessions: true })

export const changeEmail = (newEmail: string): Promise<unknown> => auth('POST', '/change-email', { newEmail })

export const rename = (name: string): Promise<unknown> => auth('POST', '/update-user', { name })

export const deleteAccount = (password: string): Promise<unknown> => auth('POST', '/delete-user', { password })

export const setUp = (given: { token: string; email: string; name: string; password: string }): Promise<unknown> =>
  auth('POST', '/set-up', given)

export const readInvitation = (token: string): Promise<Invitation> => auth('POST', '/invitation', { token })

export const signUpInvited = (given: { token: string; name: string; password: string }): Promise<unknown> =>
  auth('POST', '/invitation/sign-up', given)

/** Below /auth. Refusals name the field that they are about, where there is one. */
export async function auth<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  try {
    return await ask<T>(`/auth${path}`, { method, body })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw explain(error)
  }
}

async function signingIn(answer: Promise<{ twoFactorRedirect?: boolean } | null>): Promise<SignedIn> {
  return { needsSecondFactor: (await answer)?.twoFactorRedirect === true }
}

/**
 * The meaning of a refusal, and which field of a form it concerns, whatever the form calls it. Codes that are not
 * listed are shown as they are.
 */
const explanations: Readonly<Record<string, { fields?: readonly string[]; message: MessageDescriptor }>> = {
  invalid_email_or_password: { message: msg`Email and password do not match.` },
  email_not_verified: {
    message: msg`This address is not confirmed yet. We have sent the link again: look into your mail.`,
  },
  invalid_email: { fields: ['email'], message: msg`This is no email address.` },
  invalid_password: { fields: ['password', 'currentPassword'], message: msg`This is not your password.` },
  password_too_short: { fields: ['password', 'newPassword'], message: msg`Use at least 10 characters.` },
  password_too_long: { fields: ['password', 'newPassword'], message: msg`Use at most 128 characters.` },
  account_exists: { fields: ['email'], message: msg`This address has an account already. Sign in with it.` },
  invalid_name: { fields: ['name'], message: msg`A name has 1 to 160 characters, in one line.` },
  invalid_code: { fields: ['code'], message: msg`This code is not right, or was used before.` },
  invalid_backup_code: { fields: ['code'], message: msg`This is none of your backup codes, or it was used before.` },
  invalid_two_factor_cookie: { message: msg`This took too long. Sign in again.` },
  invalid_token: { message: msg`This link is unknown, used or over.` },
  token_expired: { message: msg`This link is over. Ask for another one.` },
  not_found: { message: msg`This link is unknown, used or over.` },
  session_not_fresh: { message: msg`For this, sign out and in again first.` },
}

function explain({ status, code, message, fields }: ApiError): ApiError {
  const known = explanations[code]
  if (known === undefined) return new ApiError({ status, code, message, fields: { ...fields, ...fieldsOf(message) } })
  const words = i18n._(known.message)
  const named: Fields = Object.fromEntries((known.fields ?? []).map((field) => [field, [words]]))
  return new ApiError({ status, code, message: words, fields: named })
}

/** A body that is not as it should be is told as "[body.email] Invalid email address; [body.name] …". */
function fieldsOf(message: string): Fields {
  const found = [...message.matchAll(/\[body\.(\w+)\] ([^;]+)/g)]
  return Object.fromEntries(
    found.map(([, field = '', problem = '']) => {
      const rule = rules[field]
      return [field, [rule === undefined ? `${problem}.` : i18n._(rule)]]
    }),
  )
}

const rules: Readonly<Record<string, MessageDescriptor>> = {
  email: msg`This is no email address.`,
  name: msg`A name has 1 to 160 characters, in one line.`,
  password: msg`Use 10 to 128 characters.`,
  newPassword: msg`Use 10 to 128 characters.`,
}
