import type { Call } from '#operations/pipeline/operation.ts'
import { readSetting } from '#store/installation/settings.ts'
import { readRole } from '#store/people/members.ts'

/**
 * Whether the caller may see the links that mails carry. Whoever opens one shows to have the address that it was made
 * for, so nobody sees them while mail leaves; where none does, the owners of the installation do, in person
 * (docs/decisions/people-and-access.md, "Where no mail leaves").
 */
export async function maySeeMailedLinks({
  caller: { person },
  services: { database, sendsMail },
}: Pick<Call, 'caller' | 'services'>): Promise<boolean> {
  if (sendsMail || person === null) return false
  const workspaceId = await readSetting(database, 'owner_workspace')
  return typeof workspaceId === 'string' && (await readRole(database, { workspaceId, personId: person.id })) === 'owner'
}
