import { insertAuditEntry } from '#store/workspaces/audit.ts'
import { listMemberships, removeMember, removeMemberships } from '#store/people/members.ts'
import { lockPerson } from '#store/people/people.ts'
import { foundWorkspace } from '#operations/workspaces/founding.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Parts = Pick<Services, 'database' | 'signUp'> & { now: () => Date }

/** Where sign-up is open, a person without a workspace is given one when signing in. */
export async function ensureWorkspace({ database, signUp, now }: Parts, personId: string): Promise<void> {
  if (signUp === 'invited' || (await listMemberships(database, personId)).length > 0) return
  await database.transaction(async (tx) => {
    const name = await lockPerson(tx, personId)
    if ((await listMemberships(tx, personId)).length > 0) return
    await foundWorkspace(tx, { name: 'My workspace', plan: 'free', owner: { id: personId, name }, at: now() })
  })
}

/** The names of workspaces that would be left without an owner; if there are any, the person has left none. */
export async function leaveAllWorkspaces(
  { database, now }: Pick<Parts, 'database' | 'now'>,
  person: { id: string; name: string },
): Promise<string[]> {
  const leaving = database.transaction(async (tx) => {
    const stuck: string[] = []
    await lockPerson(tx, person.id)
    const memberships = (await listMemberships(tx, person.id)).toSorted((a, b) =>
      a.workspaceId < b.workspaceId ? -1 : 1,
    )
    for (const { workspaceId, name, role } of memberships) {
      if ((await removeMember(tx, { workspaceId, personId: person.id })) === 'last_owner') stuck.push(name)
      await insertAuditEntry(tx, {
        workspaceId,
        at: now(),
        actor: { kind: 'person', ...person },
        action: 'remove_member',
        target: { kind: 'member', ...person },
        details: { role },
      })
    }
    if (stuck.length > 0) throw new Stuck(stuck)
    // A closed workspace needs no owner.
    await removeMemberships(tx, person.id)
  })
  return leaving.then(
    () => [],
    (error: unknown) => {
      if (error instanceof Stuck) return error.workspaces
      throw error
    },
  )
}

/** Rolls a transaction back; never seen outside. */
class Stuck extends Error {
  override readonly name = 'Stuck'
  readonly workspaces: string[]

  constructor(workspaces: string[]) {
    super()
    this.workspaces = workspaces
  }
}
