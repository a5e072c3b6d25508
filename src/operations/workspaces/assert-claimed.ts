import { fail } from '#core/language/error.ts'
import type { Transaction } from '#store/database/database.ts'
import { isOfStranger, isTakenByNobody } from '#store/people/workspace-moves.ts'

/**
 * Refuses what reaches others under the name of the installation while nobody answers for the workspace: agents get one
 * without showing anything of themselves. `what` begins the sentence, in the plural.
 */
export async function assertClaimed(tx: Transaction, workspaceId: string, what: string): Promise<void> {
  if (!(await isOfStranger(tx, workspaceId))) return
  throw fail(
    'claim_required',
    `${what} are only available in workspaces that a person has claimed or that were paid for.`,
  )
}

/**
 * Refuses what covers monitors that are not named while a person may still claim the workspace: it becomes a part of
 * another one then, whose monitors nobody meant.
 */
export async function assertNamesMonitors(tx: Transaction, workspaceId: string, what: string): Promise<void> {
  if (!(await isTakenByNobody(tx, workspaceId))) return
  throw fail(
    'claim_required',
    `${what} are only available in workspaces that a person has claimed. Name the monitors instead.`,
  )
}
