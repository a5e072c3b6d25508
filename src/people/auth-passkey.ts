import { passkey } from '@better-auth/passkey'
import { APIError, createAuthMiddleware } from 'better-auth/api'

/** The limit of one person. */
export const maxPasskeys = 20

/**
 * A passkey signs in without a second factor, so it has to be two: the device, and that it knows its person by a PIN,
 * a finger or a face (WebAuthn 6.1, flag UV). No address is asked for before, so the device has to keep the passkey
 * itself.
 */
export function passkeys({ hostname, origin }: { hostname: string; origin: string }) {
  const plugin = passkey({
    rpID: hostname,
    rpName: 'Perigee',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: async ({ ctx, verification, user }) => {
        const { registrationInfo } = verification
        if (registrationInfo?.userVerified !== true) throw unverified()
        const count = (field: string, value: string): Promise<number> =>
          ctx.context.adapter.count({ model: 'passkey', where: [{ field, value }] })
        // WebAuthn 7.1: the id is all that tells whose a passkey is.
        if ((await count('credentialID', registrationInfo.credential.id)) > 0) throw taken()
        if ((await count('userId', user.id)) >= maxPasskeys) throw tooMany()
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw unverified()
      },
    },
  })
  return { ...plugin, hooks: { after: [{ matcher: isQuestion, handler: insistOnVerification }] } }
}

/** Where a page is told what to ask the device of a person who signs in. */
function isQuestion({ path }: { path?: string | undefined }): boolean {
  return path === '/passkey/generate-authenticate-options'
}

/** better-auth has a setting for this where passkeys are made, and none where they are used. */
const insistOnVerification = createAuthMiddleware(async (context) => {
  const { returned } = context.context
  if (typeof returned !== 'object' || returned === null || returned instanceof Error) return undefined
  return context.json({ ...returned, userVerification: 'required' })
})

function unverified(): APIError {
  const message = 'Your device did not verify who you are. Use one that asks for a PIN, a fingerprint or your face.'
  return new APIError('UNAUTHORIZED', { code: 'USER_VERIFICATION_REQUIRED', message })
}

function taken(): APIError {
  return new APIError('BAD_REQUEST', { code: 'PASSKEY_EXISTS', message: 'This passkey is already registered.' })
}

function tooMany(): APIError {
  const message = `You can have at most ${maxPasskeys} passkeys. Remove one first.`
  return new APIError('UNPROCESSABLE_ENTITY', { code: 'LIMIT_REACHED', message })
}
