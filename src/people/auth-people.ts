import { APIError } from 'better-auth/api'
import { ensureWorkspace, leaveAllWorkspaces } from '#operations/people/membership.ts'
import { readName } from './names.ts'
import type { PeopleParts } from './people-parts.ts'

type Fields = Record<string, unknown>

/** What happens around better-auth's rows: names are checked, and a person gets a workspace or leaves them. */
export function createPersonHooks(parts: Pick<PeopleParts, 'database' | 'signUp' | 'now'>) {
  const hooks = {
    user: {
      create: { before: async (user: Fields) => ({ data: { ...user, ...soundName(user), image: null } }) },
      update: {
        before: async (user: Fields) => ({
          data: { ...user, ...soundName(user), ...('image' in user ? { image: null } : {}) },
        }),
      },
    },
    session: {
      create: { before: async ({ userId }: { userId: string }) => ensureWorkspace(parts, userId) },
    },
  }
  return {
    hooks,
    /** Refuses while a workspace would be left without an owner. */
    beforeDelete: async ({ id, name }: { id: string; name: string }): Promise<void> => {
      const owned = await leaveAllWorkspaces(parts, { id, name })
      if (owned.length === 0) return
      const names = owned.map((workspace) => `"${workspace}"`).join(', ')
      const message = `Make someone else an owner of ${names} first, or delete the workspaces that are no longer needed.`
      throw new APIError('UNPROCESSABLE_ENTITY', { code: 'LAST_OWNER', message })
    },
  }
}

function soundName(user: Fields): { name?: string } {
  return 'name' in user ? { name: readName(user['name']) } : {}
}
