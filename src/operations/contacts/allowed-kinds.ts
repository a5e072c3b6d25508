import { type ContactKindName, contactKindNames } from '#core/contacts/contact-kinds.ts'
import type { Fields } from '#core/language/error.ts'
import type { Reader } from '#store/database/database.ts'
import { readWorkspace } from '#store/workspaces/workspaces.ts'
import type { Services } from '#operations/pipeline/services.ts'

/** The kinds of contacts that the plan of a workspace has. */
export async function allowedKinds(
  reader: Reader,
  { services: { plans }, workspaceId }: { services: Pick<Services, 'plans'>; workspaceId: string },
): Promise<ContactKindName[]> {
  const workspace = await readWorkspace(reader, workspaceId)
  const allowed = plans[workspace?.plan ?? '']?.contactKinds ?? contactKindNames
  return contactKindNames.filter((name) => allowed.includes(name))
}

export function planProblem({ name }: { name: ContactKindName }, allowed: readonly ContactKindName[]): Fields {
  return allowed.includes(name) ? {} : { kind: [`This plan only allows the kinds ${allowed.join(' and ')}.`] }
}
