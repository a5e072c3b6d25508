import { fail } from '#core/language/error.ts'
import { sizeProblem } from '#core/software/list-size.ts'
import type { Transaction } from '#store/database/database.ts'
import { forgetRevision } from '#store/software/software-scans.ts'
import type { SoftwareMonitor } from '#store/software/software-reports.ts'
import { lockSoftware, sizeOfList } from '#store/software/software.ts'
import { monitorNotFound } from '#operations/monitors/monitor-surroundings.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { assertPlanHasAlerts } from './software-target.ts'

/** `field` is the one to which a caller owes a list that is too large. */
export type ListChange = { field: string; work: (tx: Transaction) => Promise<void> }

/**
 * Changes a monitor's list under the lock of the monitor; 422 where it would become too large. The plan is looked at
 * last, since everything else that is wrong is wrong on every plan; then nothing of the change stays.
 */
export async function changeList(context: Context, target: SoftwareMonitor, change: ListChange): Promise<void> {
  const { field, work } = change
  const { key } = target
  await context.services.database.transaction(async (tx) => {
    if (!(await lockSoftware(tx, key))) monitorNotFound()
    const before = await sizeOfList(tx, key)
    await forgetRevision(tx, key)
    await work(tx)
    const problem = sizeProblem(before, await sizeOfList(tx, key))
    if (problem !== null) throw fail('limit_reached', problem, { fields: { [field]: [problem] } })
    assertPlanHasAlerts(context, target)
  })
}
