import { invalidFields } from '#core/language/error.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'
import { keyNewObject, type NewKey } from '#store/projects/project-keys.ts'
import type { BesideChange } from './change-record.ts'

/**
 * Has the key of a project stand for what an operation makes, in the transaction that makes it. A program that is ended
 * between the two could otherwise make it again, since it would find a key that stands for nothing.
 */
export function ownNew(key: NewKey): BesideChange {
  return {
    // The workspace is locked before all that the operation locks.
    before: (tx) => lockWorkspace(tx, key.workspaceId),
    after: async (tx, id) => {
      if (!(await keyNewObject(tx, key, id)))
        throw invalidFields({ 'Perigee-Project': [`The key ${key.key} of the project stands for something else.`] })
    },
  }
}
