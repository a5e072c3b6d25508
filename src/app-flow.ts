import { availableParallelism, hostname } from 'node:os'
import { createMemoryBus } from '#bus/memory.ts'
import type { EngineBus } from '#bus/bus.ts'
import type { Result } from '#core/result.ts'
import { noteIntake } from '#store/calls.ts'
import type { Database } from '#store/database.ts'
import { readCheckConfigurations } from '#store/monitors.ts'
import type { Foundation } from './app-store.ts'
import type { Config } from './config.ts'
import { type Engine, type EngineObserver, startEngine } from './engine/engine.ts'
import { createPresenceBook } from './engine/presence.ts'
import type { Log } from './log.ts'
import { startProberThreads } from './prober/threads.ts'

/** Schedule, probe and evaluate, joined by a bus in memory. */
export type Flow = {
  engine: Engine
  bus: EngineBus
  isOnline: (locationCode: string) => boolean
  publishResult: (result: Result) => Promise<void>
}

export type FlowOptions = {
  config: Config
  log: Log
  foundation: Foundation
  observer: EngineObserver
  /** Given each part's end as soon as the part runs, in the order of starting. */
  onStarted: (end: () => Promise<void>) => void
}

const onlineWithinMs = 5_000

export async function startFlow({ config, log, foundation, observer, onStarted }: FlowOptions): Promise<Flow> {
  const { engineDatabase: database, secrets } = foundation
  const name = `${hostname()}-${process.pid}`
  const bus = createMemoryBus()
  onStarted(bus.close)
  onStarted(await keepIntake(foundation.database, { name, log }))
  const presence = createPresenceBook()
  bus.onPresence((message) => presence.note(message, Date.now()))
  const isOnline = (location: string): boolean => presence.isOnline(location, Date.now())
  const engine = await startEngine({
    database,
    bus,
    presence,
    name,
    readConfigurations: (location, ids) => readCheckConfigurations(foundation.database, secrets, { location, ids }),
    observer,
    log,
  })
  onStarted(() => engine.stop())
  const probers = startProberThreads({
    threads: config.proberThreads ?? Math.max(1, availableParallelism() - 1),
    name,
    locations: config.locations.map(({ code }) => code),
    allowPrivate: config.allowPrivateTargets,
    dnsServers: config.dnsServers,
    services: config.services,
    references: config.referenceTargets,
    attach: bus.attach,
    log,
  })
  onStarted(probers.stop)
  const until = Date.now() + onlineWithinMs
  while (!config.locations.every(({ code }) => isOnline(code)) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5))
  const publishResult = (result: Result): Promise<void> => bus.publishResults(result.location, [result])
  return { engine, bus, isOnline, publishResult }
}

const intakeMs = 3_000

/** Says again and again that calls are taken here; before the engine reads deadlines that a gap has put off. */
async function keepIntake(database: Database, { name, log }: { name: string; log: Log }): Promise<() => Promise<void>> {
  const note = async (): Promise<void> => {
    const gapSeconds = await noteIntake(database, name)
    if (gapSeconds !== null) log.info('Deadlines were put off: no calls could be taken.', { seconds: gapSeconds })
  }
  await note()
  const timer = setInterval(() => {
    note().catch((error: unknown) => log.warn('The intake of calls could not be noted.', { error: String(error) }))
  }, intakeMs)
  return async () => clearInterval(timer)
}
