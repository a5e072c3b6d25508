import { t } from '@lingui/core/macro'
import { ApiError, ask } from './ask.ts'

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
    const message = t`This address is not confirmed yet, and this installation sends no mail: the operator finds the link in the folder outbox of its data.`
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
    // The words load with the first refusal: most pages meet none.
    throw (await import('./auth-refusals.ts')).explain(error)
  }
}

async function signingIn(answer: Promise<{ twoFactorRedirect?: boolean } | null>): Promise<SignedIn> {
  return { needsSecondFactor: (await answer)?.twoFactorRedirect === true }
}
