import type { MemberRole } from '#core/people/person.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { findPersonByEmail, insertPerson } from '#store/people/people.ts'
import { takeSetUpToken } from '#store/people/set-up-links.ts'
import { joinWorkspace, readInvitation } from './joining.ts'
import { insertOwner } from './owner.ts'

type SignUpServices = Pick<Services, 'database'>

export type SignedUp = { type: 'signed_up'; personId: string } | { type: 'unknown_token' } | { type: 'address_taken' }

export type SetUp = { token: string; email: string; name: string; passwordHash: string; at: Date }

/** Makes the first owner of a workspace by its set-up link, which is used up unless the address has an account. */
export function setUp({ database }: SignUpServices, { token, ...person }: SetUp): Promise<SignedUp> {
  return unlessTaken(() =>
    database.transaction(async (tx): Promise<SignedUp> => {
      const workspaceId = await takeSetUpToken(tx, { token, now: person.at })
      if (workspaceId === null) return { type: 'unknown_token' }
      const actor = { kind: 'operator', id: null, name: 'Set-up link' } as const
      const personId = await insertOwner(tx, { ...person, workspaceId, actor })
      if (personId === null) throw new AddressTaken()
      return { type: 'signed_up', personId }
    }),
  )
}

export type InvitationPreview = {
  email: string
  role: MemberRole
  workspaceName: string
  invitedBy: string | null
  hasAccount: boolean
}

/** What the link of an invitation leads to, for the page that asks whether to accept it. */
export async function previewInvitation(
  { database }: SignUpServices,
  { token, now }: { token: string; now: Date },
): Promise<InvitationPreview> {
  const { email, role, workspaceName, invitedBy } = await readInvitation(database, { token, now })
  const hasAccount = (await findPersonByEmail(database, email)) !== null
  return { email, role, workspaceName, invitedBy, hasAccount }
}

export type InvitedSignUp = {
  token: string
  name: string
  /** Called once the invitation is known to be good: a hash takes a while. */
  hashPassword: () => Promise<string>
  at: Date
}

/** Makes an account for the address that was invited. It counts as verified: the link came to its mailbox. */
export async function signUpInvited(
  { database }: SignUpServices,
  { token, name, hashPassword, at }: InvitedSignUp,
): Promise<SignedUp> {
  await readInvitation(database, { token, now: at })
  const passwordHash = await hashPassword()
  return unlessTaken(() =>
    database.transaction(async (tx): Promise<SignedUp> => {
      const invitation = await readInvitation(tx, { token, now: at })
      const personId = await insertPerson(tx, { email: invitation.email, name, passwordHash, at })
      if (personId === null) throw new AddressTaken()
      await joinWorkspace(tx, { invitation, person: { id: personId, name }, at })
      return { type: 'signed_up', personId }
    }),
  )
}

/** Rolls the transaction back, so that the link can be used again; never seen outside. */
class AddressTaken extends Error {
  override readonly name = 'AddressTaken'
}

async function unlessTaken(work: () => Promise<SignedUp>): Promise<SignedUp> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AddressTaken) return { type: 'address_taken' }
    throw error
  }
}
