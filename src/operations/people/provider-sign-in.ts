import { fail } from '#core/language/error.ts'
import type { MemberRole } from '#core/people/person.ts'
import { domainOfMail, roleOfGroups, signOnLimits } from '#core/people/single-sign-on.ts'
import type { Transaction } from '#store/database/database.ts'
import { type IdentityProvider, findIdentityProvider, findProviderOfDomain } from '#store/people/identity-providers.ts'
import { addMember, changeRole, findMember, memberLimit } from '#store/people/members.ts'
import { findPersonByEmail, insertPerson, lockPerson } from '#store/people/people.ts'
import {
  type ProviderSubject,
  findPersonOfSubject,
  insertProviderSession,
  insertSubject,
  listSubjects,
  touchSubject,
} from '#store/people/provider-subjects.ts'
import { hasProved } from '#store/people/sign-in-domains.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'
import type { Services } from '#operations/pipeline/services.ts'

type SignInServices = Pick<Services, 'database' | 'secrets'>

/** What a provider says of a person. `email` is in lower case, and null where the provider says that it is not sure. */
export type ProvidedPerson = ProviderSubject & { email: string | null; name: string; groups: readonly string[] }

/** The provider by which people of a mail address sign in. It does not matter whether anybody has the address. */
export async function findSignInProvider(
  { database, secrets }: SignInServices,
  email: string,
): Promise<IdentityProvider | null> {
  const domain = domainOfMail(email)
  return domain === null ? null : findProviderOfDomain(database, secrets, domain)
}

/** The provider of a workspace as it is now; null where it was deleted meanwhile. */
export function readSignInProvider(
  { database, secrets }: SignInServices,
  workspaceId: string,
): Promise<IdentityProvider | null> {
  return findIdentityProvider(database, secrets, workspaceId)
}

/** Why somebody whom a provider knows is not let in, or whom it lets in. */
export type Entered =
  | { type: 'entered'; personId: string }
  /** The provider does not vouch for an address of a domain that its workspace has proved. */
  | { type: 'not_admitted' }
  /** Somebody has the address here, and has not said to be the provider's person. */
  | { type: 'not_linked' }

type Entry = { provider: IdentityProvider; person: ProvidedPerson; at: Date }

/** Lets a person in by a provider. One who is new gets an account, and one who is no member yet becomes one. */
export function enterByProvider({ database }: SignInServices, entry: Entry): Promise<Entered> {
  return database.transaction(async (tx): Promise<Entered> => {
    const { provider, person, at } = entry
    await lockWorkspace(tx, provider.workspaceId)
    await assertOpen(tx, provider.workspaceId)
    const email = await admittedMail(tx, entry)
    if (email === null) return { type: 'not_admitted' }
    const known = (await findPersonOfSubject(tx, person)) ?? (await newPerson(tx, entry, email))
    if (known === null) return { type: 'not_linked' }
    await touchSubject(tx, person, at)
    await keepMember(tx, entry, known)
    await note(tx, entry, { action: 'sign_in_by_provider', person: known, details: {} })
    return { type: 'entered', personId: known.id }
  })
}

export type Linked = { type: 'linked' | 'not_admitted' | 'other_address' | 'taken' | 'too_many' }

/** Says that a person who is signed in is the provider's person. Only for the address that the person has here. */
export function linkByProvider(
  { database }: SignInServices,
  { personId, email: ownEmail, ...entry }: Entry & { personId: string; email: string },
): Promise<Linked> {
  return database.transaction(async (tx): Promise<Linked> => {
    const { provider, person, at } = entry
    await lockWorkspace(tx, provider.workspaceId)
    await assertOpen(tx, provider.workspaceId)
    const email = await admittedMail(tx, entry)
    if (email === null) return { type: 'not_admitted' }
    if (email !== ownEmail) return { type: 'other_address' }
    const name = await lockPerson(tx, personId)
    const holder = await findPersonOfSubject(tx, person)
    if (holder !== null) return { type: holder.id === personId ? 'linked' : 'taken' }
    if ((await listSubjects(tx, personId)).length >= signOnLimits.subjects) return { type: 'too_many' }
    if (!(await insertSubject(tx, { ...person, personId, at }))) return { type: 'taken' }
    await note(tx, entry, { action: 'link_provider', person: { id: personId, name }, details: {} })
    return { type: 'linked' }
  })
}

/** A session that began by a provider leads to workspaces that ask for it. */
export function keepProviderSession(
  { database }: SignInServices,
  session: { sessionId: string; workspaceId: string },
): Promise<void> {
  return insertProviderSession(database, session)
}

async function admittedMail(tx: Transaction, { provider, person }: Entry): Promise<string | null> {
  const domain = person.email === null ? null : domainOfMail(person.email)
  const { workspaceId } = provider
  return domain !== null && (await hasProved(tx, { workspaceId, domain })) ? person.email : null
}

/** Null where the address belongs to somebody who was here before. */
async function newPerson(
  tx: Transaction,
  { person, at }: Entry,
  email: string,
): Promise<{ id: string; name: string } | null> {
  if ((await findPersonByEmail(tx, email)) !== null) return null
  const { issuer, subject, name } = person
  const personId = await insertPerson(tx, { email, name, passwordHash: null, at })
  if (personId === null) return null
  return (await insertSubject(tx, { issuer, subject, personId, at })) ? { id: personId, name } : subjectTakenMeanwhile()
}

/** The role of everybody but owners follows the groups, where groups have roles. */
async function keepMember(tx: Transaction, entry: Entry, person: { id: string; name: string }): Promise<void> {
  const { provider, at } = entry
  const scope = { workspaceId: provider.workspaceId, personId: person.id }
  const role = roleOfGroups(provider, entry.person.groups)
  const member = await findMember(tx, scope)
  if (member === null) {
    if ((await addMember(tx, { ...scope, role, at })) === 'full')
      throw fail('limit_reached', `The workspace has ${memberLimit} members, which is as many as it can have.`)
    await note(tx, entry, { action: 'join_by_provider', person, details: { role } })
    return
  }
  if (member.role === 'owner' || member.role === role || provider.groupRoles.length === 0) return
  await changeRole(tx, { ...scope, role })
  await note(tx, entry, { action: 'follow_groups', person, details: { from: member.role, role } })
}

type Noted = {
  action: 'sign_in_by_provider' | 'join_by_provider' | 'follow_groups' | 'link_provider'
  person: { id: string; name: string }
  details: { from?: MemberRole; role?: MemberRole }
}

async function note(tx: Transaction, { provider, at }: Entry, { action, person, details }: Noted): Promise<void> {
  await insertAuditEntry(tx, {
    workspaceId: provider.workspaceId,
    at,
    actor: { kind: 'person', ...person },
    action,
    target: { kind: 'member', ...person },
    details: { provider: provider.name, ...details },
  })
}

/** Two providers of one issuer, in two workspaces, at the same moment: the second finds the person when it tries again. */
function subjectTakenMeanwhile(): never {
  throw fail('unavailable', 'You signed in twice at the same moment. Try again.')
}
