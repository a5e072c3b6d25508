import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { GenericEndpointContext } from 'better-auth'
import { z } from 'zod'
import { AppError } from '#core/language/error.ts'
import { passwordLength } from '#core/people/person.ts'
import { joinWorkspace, readInvitation } from '#operations/people/joining.ts'
import { findPersonByEmail, insertPerson } from '#store/people/people.ts'
import { takeSetUpToken } from '#store/people/set-up-links.ts'
import { nameSchema } from './names.ts'
import { insertOwner } from './owner.ts'
import type { PeopleParts } from './people-parts.ts'

const token = z.string().min(1).max(200)
const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())
const password = z.string().min(passwordLength.min).max(passwordLength.max)

/** Ways in that need no verification mail, because the link itself proves enough: set-up links and invitations. */
export function createDoor(parts: Pick<PeopleParts, 'database' | 'now'>) {
  return {
    id: 'perigee-door',
    endpoints: {
      setUp: createAuthEndpoint(
        '/set-up',
        { method: 'POST', body: z.object({ token, email, name: nameSchema, password }) },
        async (context) => {
          const personId = await refusing(() => setUp(context, parts))
          return signIn(context, personId)
        },
      ),
      readInvitation: createAuthEndpoint(
        '/invitation',
        { method: 'POST', body: z.object({ token }) },
        async (context) => context.json(await refusing(() => showInvitation(context.body.token, parts))),
      ),
      signUpInvited: createAuthEndpoint(
        '/invitation/sign-up',
        { method: 'POST', body: z.object({ token, name: nameSchema, password }) },
        async (context) => {
          const personId = await refusing(() => signUpInvited(context, parts))
          return signIn(context, personId)
        },
      ),
    },
  } satisfies BetterAuthPlugin
}

type Parts = Pick<PeopleParts, 'database' | 'now'>
type Hashing = { context: { password: { hash: (password: string) => Promise<string> } } }
type SetUp = Hashing & { body: { token: string; email: string; name: string; password: string } }

async function setUp({ body, context }: SetUp, { database, now }: Parts): Promise<string> {
  const passwordHash = await context.password.hash(body.password)
  return database.transaction(async (tx) => {
    const at = now()
    const workspaceId = await takeSetUpToken(tx, { token: body.token, now: at })
    if (workspaceId === null)
      throw new APIError('BAD_REQUEST', {
        code: 'INVALID_TOKEN',
        message: 'This link is unknown, used or over. "perigee workspace setup-link" makes another.',
      })
    const actor = { kind: 'operator', id: null, name: 'Set-up link' } as const
    const owner = { workspaceId, email: body.email, name: body.name, passwordHash, actor, at }
    return (await insertOwner(tx, owner)) ?? addressTaken()
  })
}

async function showInvitation(given: string, { database, now }: Parts): Promise<Record<string, unknown>> {
  const { email: to, role, workspaceName, invitedBy } = await readInvitation(database, { token: given, now: now() })
  const hasAccount = (await findPersonByEmail(database, to)) !== null
  return { email: to, role, workspace: workspaceName, invited_by: invitedBy, has_account: hasAccount }
}

type SignUp = Hashing & { body: { token: string; name: string; password: string } }

/** Whoever has the link has the mailbox: the address is verified. */
async function signUpInvited({ body, context }: SignUp, { database, now }: Parts): Promise<string> {
  const at = now()
  await readInvitation(database, { token: body.token, now: at })
  const passwordHash = await context.password.hash(body.password)
  return database.transaction(async (tx) => {
    const invitation = await readInvitation(tx, { token: body.token, now: at })
    const person = { email: invitation.email, name: body.name, passwordHash, at }
    const id = (await insertPerson(tx, person)) ?? addressTaken()
    await joinWorkspace(tx, { invitation, person: { id, name: body.name }, at })
    return id
  })
}

function addressTaken(): never {
  throw new APIError('UNPROCESSABLE_ENTITY', {
    code: 'ACCOUNT_EXISTS',
    message: 'This address has an account already. Sign in with it.',
  })
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
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const status = error.status === 404 ? 'NOT_FOUND' : 'UNPROCESSABLE_ENTITY'
    throw new APIError(status, { code: error.code.toUpperCase(), message: error.message })
  }
}
