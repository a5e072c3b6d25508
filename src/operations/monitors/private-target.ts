import { isOwnersWorkspace } from '#operations/owners-workspace.ts'
import type { Context } from '#operations/pipeline/operation.ts'

/**
 * Whether the caller may let a monitor reach private addresses: an owner who is signed in, of the workspace that the
 * installation began with, where nobody else's monitors share its network.
 */
export async function mayAllowPrivateTarget({
  caller,
  services,
}: Pick<Context, 'caller' | 'services'>): Promise<boolean> {
  if (services.ownNetwork === null || caller.role !== 'owner') return false
  return isOwnersWorkspace(services.database, caller.workspaceId)
}
