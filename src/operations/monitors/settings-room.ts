import { invalidFields } from '#core/language/error.ts'
import type { MonitorInput, MonitorSettings } from '#core/monitors/monitor.ts'
import { growsBeyond, largestField, roomProblem } from '#core/monitors/settings-size.ts'
import type { Transaction } from '#store/database/database.ts'
import { readBytesBeside } from '#store/monitors/settings-room.ts'

type Wanted = {
  workspaceId: string
  monitorId: string
  input: MonitorInput
  before: MonitorSettings | null
  after: MonitorSettings
}

/**
 * Answers show all monitors of a workspace at once, so what it may keep bounds their bytes
 * (docs/decisions/api-surface.md, "How large an answer may be"). Under the lock of the plan.
 */
export async function assertRoomForSettings(tx: Transaction, wanted: Wanted): Promise<void> {
  const { workspaceId, monitorId, input, before, after } = wanted
  if (!growsBeyond(before, after)) return
  const problem = roomProblem({ before, after, besideOthers: await readBytesBeside(tx, { workspaceId, monitorId }) })
  if (problem !== null) throw invalidFields({ [largestField(input)]: [problem] })
}
