import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { GenericEndpointContext } from 'better-auth'
import { z } from 'zod'
import { AppError } from '#core/language/error.ts'
import { passwordLength } from '#core/people/person.ts'
import {
  type InvitationPreview,
  type SignedUp,
  previewInvitation,
  setUp,
  signUpInvited,
} from '#operations/people/sign-up.ts'
import { nameSchema } from './names.ts'
import type { PeopleParts } from './people-parts.ts'

const token = z.string().min(1).max(200)
const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())
const password = z.string().min(passwordLength.min).max(passwordLength.max)

/** Ways in that need no verification mail, because the link itself proves enough: set-up links and invitations. */
export function createDoor({ database, now }: Pick<PeopleParts, 'database' | 'now'>) {
  return {
    id: 'perigee-door',
    endpoints: {
      setUp: createAuthEndpoint(
        '/set-up',
        { method: 'POST', body: z.object({ token, email, name: nameSchema, password }) },
        async (context) => {
          const { password: given, ...wanted } = context.body
          const passwordHash = await context.context.password.hash(given)
          const made = await refusing(() => setUp({ database }, { ...wanted, passwordHash, at: now() }))
          return signIn(context, personOf(made))
        },
      ),
      readInvitation: createAuthEndpoint(
        '/invitation',
        { method: 'POST', body: z.object({ token }) },
        async (context) => {
          const asked = { token: context.body.token, now: now() }
          return context.json(toPreview(await refusing(() => previewInvitation({ database }, asked))))
        },
      ),
      signUpInvited: createAuthEndpoint(
        '/invitation/sign-up',
        { method: 'POST', body: z.object({ token, name: nameSchema, password }) },
        async (context) => {
          const { password: given, ...wanted } = context.body
          const hashPassword = (): Promise<string> => context.context.password.hash(given)
          const made = await refusing(() => signUpInvited({ database }, { ...wanted, hashPassword, at: now() }))
          return signIn(context, personOf(made))
        },
      ),
    },
  } satisfies BetterAuthPlugin
}

function toPreview({ email: to, role, workspaceName, invitedBy, hasAccount }: InvitationPreview) {
  return { email: to, role, workspace: workspaceName, invited_by: invitedBy, has_account: hasAccount }
}

function personOf(outcome: SignedUp): string {
  switch (outcome.type) {
    case 'signed_up':
      return outcome.personId
    case 'unknown_token':
      throw new APIError('BAD_REQUEST', {
        code: 'INVALID_TOKEN',
        message:
          'This link does not exist, was already used or has expired. Make a new one with "perigee workspace setup-link".',
      })
    case 'address_taken':
      throw new APIError('UNPROCESSABLE_ENTITY', {
        code: 'ACCOUNT_EXISTS',
        message: 'This address already has an account. Sign in with it.',
      })
  }
}

async function signIn(context: GenericEndpointContext, personId: string) {
  const { internalAdapter } = context.context
  const user = await internalAdapter.findUserById(personId)
  const session = await internalAdapter.createSession(personId)
  if (user === null || session === null) throw new Error('A person who was just made could not be signed in.')
  await setSessionCookie(context, { session, user })
  return context.json({ user: { id: user.id, email: user.email, name: user.name } })
}

/** Refusals of our own operations, as better-auth tells its own. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const status = error.status === 404 ? 'NOT_FOUND' : 'UNPROCESSABLE_ENTITY'
    throw new APIError(status, { code: error.code.toUpperCase(), message: error.message })
  }
}
