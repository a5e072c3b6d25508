import { mailboxOf } from '#contacts/email.ts'
import { fail } from '#core/language/error.ts'
import type { MemberRole } from '#core/people/person.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import { forgiveConfirmationMails } from '#store/contacts/confirmation-mails.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { type Invitation, findInvitation, takeInvitation } from '#store/people/invitations.ts'
import { addMember, memberLimit } from '#store/people/members.ts'
import { hashToken } from '#store/database/secrets.ts'

export type WaitingInvitation = Invitation & { workspaceName: string }

/** The invitation behind a link; refuses with `not_found`, whether the link is unknown, used, revoked or over. */
export async function readInvitation(
  reader: Reader,
  { token, now }: { token: string; now: Date },
): Promise<WaitingInvitation> {
  const found = await findInvitation(reader, { tokenHash: hashToken(token), now })
  if (found === null) throw fail('not_found', 'This invitation does not exist, was used or revoked, or has expired.')
  return found
}

type Joining = { invitation: Invitation; person: { id: string; name: string }; at: Date }

/** Uses the invitation up and makes the person a member. One who is a member already keeps the role. */
export async function joinWorkspace(tx: Transaction, { invitation, person, at }: Joining): Promise<void> {
  const { id, workspaceId, role } = invitation
  const taken = await takeInvitation(tx, { id, workspaceId })
  if (taken === null) throw fail('not_found', 'This invitation was already used or revoked.')
  const outcome = await addMember(tx, { workspaceId, personId: person.id, role, at })
  if (outcome === 'full') throw fail('limit_reached', `A workspace can have at most ${memberLimit} members.`)
  await forgiveConfirmationMails(tx, { mailbox: mailboxOf(invitation.email) })
  if (outcome === 'added') await tellJoined(tx, { workspaceId, person, role, at })
}

type Joined = { workspaceId: string; person: { id: string; name: string }; role: MemberRole; at: Date }

async function tellJoined(tx: Transaction, { workspaceId, person, role, at }: Joined): Promise<void> {
  await insertAuditEntry(tx, {
    workspaceId,
    at,
    actor: { kind: 'person', ...person },
    action: 'accept_invitation',
    target: { kind: 'member', ...person },
    details: { role },
  })
}

/** Accepts for a person who is signed in with the address that was invited. */
export async function acceptInvitation(
  database: Database,
  { token, person, now }: { token: string; person: { id: string; name: string; email: string }; now: Date },
): Promise<WaitingInvitation> {
  return database.transaction(async (tx) => {
    const invitation = await readInvitation(tx, { token, now })
    if (invitation.email !== person.email)
      throw fail('wrong_person', 'This invitation was sent to another email address. Sign in with that address.')
    await joinWorkspace(tx, { invitation, person: { id: person.id, name: person.name }, at: now })
    return invitation
  })
}
