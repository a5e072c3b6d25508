import { type PersonMailContent, localPath } from '#core/people/person-mail.ts'
import { mailPerson } from '#operations/people/sign-in.ts'
import { type PeopleParts, addressGroupHeader, authPath } from './people-parts.ts'
import { createSignInLimits } from './sign-in-limits.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export type Letters = ReturnType<typeof createLetters>

type To = { user: { email: string } }

/** The mails of signing in. */
export function createLetters({
  database,
  secrets,
  limits,
  now,
}: Pick<PeopleParts, 'database' | 'secrets' | 'limits' | 'now'>) {
  const { countMail } = createSignInLimits({ limits, secrets })
  const send = (content: PersonMailContent, lifetimeMs: number): Promise<void> =>
    mailPerson({ database, secrets }, { content, expiresAt: new Date(now().getTime() + lifetimeMs) })
  return {
    verifyEmail: async ({ user: { email: to }, token }: To & { token: string }, request?: Request) => {
      // A person who signed up with a stranger's address knows the password; auth-guard counts the other ways here.
      if (isSignIn(request) && (await countMail(to, { network: networkOf(request) })).isExceeded) return
      await send({ mail: 'verify_email', to, token }, dayMs)
    },
    changeEmail: ({ user: { email: to }, newEmail, token }: To & { newEmail: string; token: string }) =>
      send({ mail: 'change_email', to, new_email: newEmail, token }, dayMs),
    resetPassword: ({ user: { email: to }, token }: To & { token: string }) =>
      send({ mail: 'reset_password', to, token }, hourMs),
    existingAccount: ({ user: { email: to } }: To) => send({ mail: 'existing_account', to }, dayMs),
    passwordChanged: ({ user: { email: to } }: To) => send({ mail: 'password_changed', to }, dayMs),
    signInLink: ({ email, url, token }: { email: string; url: string; token: string }) => {
      const returnTo = localPath(new URL(url).searchParams.get('callbackURL'))
      return send({ mail: 'sign_in_link', to: email.toLowerCase(), token, return_to: returnTo }, 15 * minuteMs)
    },
  }
}

function networkOf(request: Request | undefined): string {
  return request?.headers.get(addressGroupHeader) ?? ''
}

function isSignIn(request: Request | undefined): boolean {
  return request !== undefined && new URL(request.url).pathname === `${authPath}/sign-in/email`
}
