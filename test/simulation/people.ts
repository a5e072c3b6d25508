// What people do meanwhile: they change, pause and resume monitors, and plan maintenance of them.
import type { Context } from './context.ts'
import type { ModelBus } from './model-bus.ts'
import { isCalled, type ModelDatabase, ModelTransaction, type MonitorRow, type StateRow } from './model-database.ts'

/** What the last event of an incident says that ends by that. */
const endedByPerson = 'A person paused or resumed the monitor.'

/** Then no contact is told of a recovery, and the same outage may be found again. */
export function isEndedByPerson({ events }: Pick<ModelDatabase, 'events'>, id: string): boolean {
  return events.some(({ incidentId, message }) => incidentId === id && message === endedByPerson)
}

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

/** A planned time begins within, and lasts within, these times. */
const plannedMs = [1_000, 300_000] as const
const lastingMs = [30_000, 480_000] as const

/** One of them plans a maintenance, or ends one that is under way. */
export function plan({ database, random, trace }: Context): void {
  const nowMs = Math.floor(database.nowMs())
  const underWay = random.pick(
    database.maintenances.filter(({ startsMs, endsMs }) => startsMs < nowMs && endsMs > nowMs),
  )
  if (underWay !== undefined && random.happens(0.3)) {
    trace.say('a maintenance is ended')
    underWay.endsMs = nowMs
    return
  }
  const startsMs = nowMs + random.within(...plannedMs)
  const endsMs = startsMs + random.within(...lastingMs)
  const some = [...database.monitors.keys()].filter(() => random.happens(0.3))
  trace.say(`a maintenance is planned from ${startsMs} to ${endsMs}`)
  const monitorKeys = random.happens(0.1) ? null : some
  database.maintenances.push({ monitorKeys, startsMs, endsMs, excludesUptime: random.happens(0.5) })
}

/** What is paused goes on, and what is about to be. */
export async function resumeAll({ context, bus }: PeopleOptions): Promise<void> {
  for (const monitor of context.database.monitors.values()) {
    await restart(context, monitor, { isEnabled: true })
    bus.announceChange({ monitorId: monitor.id, partition: monitor.partition })
  }
}

/** As `refreshVersion`: the streaks stay as they are, and calls that are under way are folded. */
async function refresh({ database, watchdogs }: Context, monitor: MonitorRow): Promise<void> {
  const tx = new ModelTransaction(database)
  await tx.lock([monitor.partition])
  tx.atCommit(() => {
    monitor.version += 1
    const state = database.states.get(monitor.key)
    if (state === undefined) return
    const round = isCalled(monitor) ? state.round : foldedUntil(state, tx.nowMs)
    Object.assign(state, { version: monitor.version, round })
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
    Object.assign(state, { version, round, deadline: null, callStartedMs: null, runDue: null, ...fresh })
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
