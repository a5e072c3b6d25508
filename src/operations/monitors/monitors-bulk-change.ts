import { AppError } from '#core/language/error.ts'
import type { ManyChange } from '#core/monitors/monitor-change.ts'
import { recordChange } from '#operations/pipeline/change-record.ts'
import { type Context, actorOf } from '#operations/pipeline/operation.ts'
import { updateWithoutPaying } from './monitor-update.ts'

export type ChangeOutcome = { monitorId: string; error: AppError | null }

/**
 * Changes monitors as if each had been changed by itself, in a transaction of its own: what one costs, and what its kind
 * and its plan allow, depends on those before it.
 */
export async function changeMonitors(
  context: Context,
  { monitorIds, changes }: { monitorIds: readonly string[]; changes: ManyChange },
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = []
  for (const monitorId of monitorIds)
    outcomes.push({ monitorId, error: await refusalOf(() => changeOne(context, monitorId, changes)) })
  return outcomes
}

async function changeOne(context: Context, monitorId: string, changes: ManyChange): Promise<AppError | null> {
  const { caller, services, now: at } = context
  const record = recordChange(services.database, {
    workspaceId: caller.workspaceId,
    actor: actorOf(caller),
    action: 'update_monitor',
    subject: 'monitor',
    at,
    known: { id: monitorId, details: { fields: Object.keys(changes) } },
  })
  const recorded = { ...context, services: { ...services, database: record.database }, noteChange: record.note }
  return updateWithoutPaying(recorded, { monitorId, change: changes })
}

/** What the caller is told of one monitor; what went wrong here ends them all. */
async function refusalOf(work: () => Promise<AppError | null>): Promise<AppError | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
