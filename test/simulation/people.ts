// What people do to monitors meanwhile: they change, pause and resume them.
import type { Context } from './context.ts'
import type { ModelBus } from './model-bus.ts'
import { ModelTransaction, type MonitorRow, type StateRow } from './model-database.ts'

/** What the last event of an incident says that ends by that. */
export const endedByPerson = 'A person paused or resumed the monitor.'

export type PeopleOptions = { context: Context; bus: ModelBus }

/** One of them does something to some monitor. */
export async function act({ context, bus }: PeopleOptions): Promise<void> {
  const { database, random, trace } = context
  const monitor = random.pick([...database.monitors.values()])
  if (monitor === undefined) return
  const deed = random.pick(['change', 'pause', 'resume'] as const)
  trace.say(`${deed} ${monitor.id}`)
  await (deed === 'change' ? refresh(context, monitor) : restart(context, monitor, { isEnabled: deed === 'resume' }))
  bus.announceChange({ monitorId: monitor.id, partition: monitor.partition })
}

/** What is paused goes on. */
export async function resumeAll({ context, bus }: PeopleOptions): Promise<void> {
  for (const monitor of context.database.monitors.values()) {
    if (monitor.isEnabled) continue
    await restart(context, monitor, { isEnabled: true })
    bus.announceChange({ monitorId: monitor.id, partition: monitor.partition })
  }
}

/** As `refreshVersion`: the streaks stay as they are. */
async function refresh({ database, watchdogs }: Context, monitor: MonitorRow): Promise<void> {
  const tx = new ModelTransaction(database)
  await tx.lock([monitor.partition])
  tx.atCommit(() => {
    monitor.version += 1
    const state = database.states.get(monitor.key)
    if (state !== undefined) Object.assign(state, { version: monitor.version, round: foldedUntil(state, tx.nowMs) })
  })
  tx.touched.add(monitor.key)
  tx.commit()
  watchdogs.committed(tx)
}

/** As `restartMonitors`, where that changes anything. */
async function restart(
  { database, watchdogs }: Context,
  monitor: MonitorRow,
  { isEnabled }: { isEnabled: boolean },
): Promise<void> {
  const tx = new ModelTransaction(database)
  await tx.lock([monitor.partition])
  if (monitor.isEnabled === isEnabled) return tx.rollBack()
  const { key } = monitor
  tx.atCommit(() => {
    monitor.isEnabled = isEnabled
    monitor.version += 1
    const state = database.states.get(key)
    if (state === undefined) return
    const atMs = database.nowMs()
    endStory(state, atMs)
    const { version } = monitor
    const round = foldedUntil(state, atMs)
    const fresh = { status: 'pending', failures: 0, successes: 0, incidentId: null, problemAt: null } as const
    Object.assign(state, { version, round, ...fresh })
  })
  tx.touched.add(key)
  tx.commit()
  watchdogs.committed(tx)

  function endStory({ incidentId, problemAt }: StateRow, atMs: number): void {
    const incident = database.incidents.get(incidentId ?? '')
    if (incident !== undefined && incident.resolvedMs === null) {
      incident.resolvedMs = Math.max(incident.startedMs, atMs)
      database.events.push({
        incidentId: incident.id,
        type: 'resolved',
        atMs: incident.resolvedMs,
        message: endedByPerson,
      })
    }
    const problem = database.problems.get(`${key}/${problemAt}`)
    if (problem !== undefined) problem.endedAt = Math.max(problem.startedAt, atMs * 1000)
  }
}

function foldedUntil({ round }: StateRow, nowMs: number): number {
  return Math.max(round, nowMs * 1000)
}
