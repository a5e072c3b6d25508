import { betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { magicLink } from 'better-auth/plugins/magic-link'
import { passwordLength } from '#core/people/person.ts'
import { createDoor } from './auth-door.ts'
import { createGuard } from './auth-guard.ts'
import { type Letters, createLetters } from './auth-letters.ts'
import { passkeys } from './auth-passkey.ts'
import { createPersonHooks } from './auth-people.ts'
import { createProviderDoor } from './auth-provider.ts'
import { secondFactor } from './auth-second-factor.ts'
import { type AuthKeys, readAuthKeys } from './auth-keys.ts'
import { type PeopleParts, addressHeader, authPath, authSecrets, cookiePrefix } from './people-parts.ts'
import { withCurrentSignatures } from './signed-cookies.ts'

const minuteSeconds = 60
const hourSeconds = 3600
const daySeconds = 24 * hourSeconds
const linkSeconds = 15 * minuteSeconds

/** Answers as better-auth does; what is no refusal of it is thrown. */
export function createAuthHandler(parts: PeopleParts): (request: Request) => Promise<Response> {
  let made: { keys: AuthKeys; auth: ReturnType<typeof createAuth> } | null = null
  return async (request) => {
    const keys = await readAuthKeys(parts, made?.keys ?? null)
    if (made?.keys !== keys) made = { keys, auth: createAuth(parts, keys) }
    try {
      return await made.auth.handler(withCurrentSignatures(request, authSecrets(parts.secrets)))
    } catch (error) {
      if (!isAPIError(error)) throw error
      return Response.json(error.body ?? {}, { status: error.statusCode, headers: error.headers })
    }
  }
}

/**
 * better-auth reads BETTER_AUTH_SECRET, BASE_URL and other variables by itself where they are not given, so all of them
 * are: the only reader of the environment is config/config.ts.
 */
export function createAuth(parts: PeopleParts, keys: AuthKeys) {
  const { database, publicUrl, log } = parts
  const { origin, hostname } = new URL(publicUrl)
  const letters = createLetters(parts)
  const guard = createGuard(parts)
  const people = createPersonHooks(parts)
  return betterAuth({
    appName: 'Perigee',
    ...keys.options,
    baseURL: origin,
    basePath: authPath,
    trustedOrigins: [origin],
    database: { db: database.query, type: 'postgres', schemaName: 'people', transaction: true },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message, ...details) => note(log, level, [message, ...details]) },
    onAPIError: { throw: true },
    // Ours are counted in one place with all others: auth-guard.ts.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefix(origin),
      // The prefix is ours: better-auth's own is `__Secure-`, which any site below the same domain can set too.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: origin.startsWith('https://') },
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      backgroundTasks: {
        handler: (task) => void task.catch((error: unknown) => log.error('A mail was lost.', { error })),
      },
    },
    session: { expiresIn: 30 * daySeconds, updateAge: daySeconds },
    verification: { storeIdentifier: 'hashed' },
    account: { accountLinking: { enabled: false } },
    ...passwordOptions(letters, parts),
    user: {
      changeEmail: { enabled: true, sendChangeEmailConfirmation: letters.changeEmail },
      deleteUser: { enabled: true, beforeDelete: people.beforeDelete },
    },
    databaseHooks: people.hooks,
    hooks: { before: guard.before, after: guard.after },
    plugins: [
      magicLink({
        expiresIn: linkSeconds,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: letters.signInLink,
      }),
      secondFactor(),
      passkeys({ hostname, origin }),
      createDoor(parts),
      createProviderDoor(parts),
    ],
  })
}

function passwordOptions(letters: Letters, { passwords }: Pick<PeopleParts, 'passwords'>) {
  return {
    emailAndPassword: {
      enabled: true,
      ...(passwords === undefined ? {} : { password: passwords }),
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      resetPasswordTokenExpiresIn: hourSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: letters.resetPassword,
      onExistingUserSignUp: letters.existingAccount,
      onPasswordReset: letters.passwordChanged,
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: false,
      expiresIn: daySeconds,
      sendVerificationEmail: letters.verifyEmail,
    },
  }
}

/** Its messages may name addresses, and its details anything: only the stack of an error is kept. */
function note(log: PeopleParts['log'], level: string, [message, ...details]: unknown[]): void {
  const error = details.find((detail) => detail instanceof Error)
  if (level !== 'error') log.debug('better-auth warns.', { message })
  else log.error('better-auth failed.', { message, ...(error === undefined ? {} : { error }) })
}
