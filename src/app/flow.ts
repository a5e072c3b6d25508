import { randomUUID } from 'node:crypto'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { takeOffer } from '#store/results/countersignatures.ts'
import type { CountersignHandler } from '#bus/bus.ts'
import type { Bus } from '#bus/bus.ts'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { keepViews } from '#store/incidents/views.ts'
import { keepRoute } from '#store/incidents/routes.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { openBus } from './open-bus.ts'
import { startProbers } from './start-probers.ts'
import type { Foundation } from './foundation.ts'
import type { Tracing } from './tracing.ts'
import type { Config } from '#config/config.ts'
import { type Engine, startEngine } from '#engine/engine.ts'
import { registerLocations } from '#engine/locations/location-register.ts'
import { createRouteKeeper } from '#engine/results/route-keeper.ts'
import { createTrials } from '#engine/locations/trials.ts'
import { createPresenceBook, type PresenceBook } from '#engine/locations/presence.ts'
import type { Log } from './log.ts'
import type { Metrics } from '#metrics/metrics.ts'
import type { ProberProcess } from '#prober/prober-process.ts'
import type { ProberThreads } from '#prober/threads.ts'
import type { Roles } from '#config/roles.ts'
import { createEngineStore, createLocationStore } from '#store/engine-store.ts'
import { followClockJumps } from '#store/installation/own-troubles.ts'
import { systemTime, type Time } from '#time/time.ts'

/** Schedule, probe and evaluate, as far as this process does them, joined by a bus. */
export type Flow = {
  /** Null where other processes evaluate. */
  engine: Engine | null
  /** Null where other processes check. */
  probers: Pick<ProberThreads, 'missing'> | null
  bus: Bus
  presence: PresenceBook
  isOnline: (locationCode: string) => boolean
  /**
   * Waits for the probers of this process, so that a monitor created right after the start is checked at once, and begins
   * what would find no location before. Called once.
   */
  online: () => Promise<void>
  /** Null while a location has no prober. */
  witnessOf: (locationCode: string) => string | null
  tryCheck: (trial: AskedTrial) => Promise<TrialOutcome>
}

export type FlowOptions = {
  config: Config
  roles: Roles
  /** No process of the installation ever had the same. */
  name: string
  log: Log
  foundation: Foundation
  /** At which this process listens. */
  port: number
  metrics: Pick<Metrics, 'engine' | 'checks'>
  /** Null where nothing is traced. */
  tracing: Tracing | null
  /** For the probers; null where they are threads of this process, or of others. */
  apart: ProberProcess | null
  /** Given each part's end as soon as the part runs, in the order of starting. */
  onStarted: (end: () => Promise<void>) => void
}

const onlineWithinMs = 5_000
/**
 * On the embedded database, where a start frees at once what a killed process held. An engine that says less often that
 * it lives would look as if it did not (`store/installation/cluster-status`).
 */
const longHold = { seconds: 15, renewMs: 5_000 }

export async function startFlow(options: FlowOptions): Promise<Flow> {
  const { config, roles, name, log, foundation, port, metrics, tracing, apart, onStarted } = options
  const { bus, forProbers } = await openBus(config, { name, log })
  onStarted(bus.close)
  const presence = createPresenceBook()
  bus.onPresence((message) => presence.note(message, foundation.now()))
  const isOnline = (location: string): boolean => presence.isOnline(location, foundation.now())
  // Both take a while to come up, and do so side by side. What probers found last is stored before the engine ends.
  const engineStart = roles.has('engine') ? startEngineRole(options, { bus, presence }) : Promise.resolve(null)
  onStarted(async () => (await engineStart.catch(() => null))?.stop())
  let probers: ProberThreads | null = null
  if (roles.has('prober')) {
    probers = startProbers({ config, name, port, bus: forProbers, log, observer: metrics.checks, tracing, apart })
    onStarted(probers.stop)
  }
  const engine = await engineStart
  const tryCheck = createTrials({ bus, presence, now: foundation.now })
  const witnessOf = (location: string): string | null => presence.witnessOf(location, foundation.now())
  const online = async (): Promise<void> => {
    if (probers !== null) await untilOnline(config, isOnline)
    if (engine === null || config.canary === null) return
    const { startCanary } = await import('./canary.ts')
    const { announceChange } = bus
    onStarted(startCanary({ canary: config.canary, foundation, isOnline, tryCheck, announceChange, log }))
  }
  return { engine, probers, bus, presence, isOnline, online, witnessOf, tryCheck }
}

type Joined = { bus: Bus; presence: PresenceBook }

async function startEngineRole(options: FlowOptions, { bus, presence }: Joined): Promise<Engine> {
  const { config, name, log, foundation, metrics, tracing, onStarted } = options
  const time = { ...systemTime, nowMs: foundation.now }
  const lostNetworkMs = (location: string): number | null => presence.lostNetworkMs(location, foundation.now())
  onStarted(registerLocations({ store: createLocationStore(foundation.database), bus, name, lostNetworkMs, log, time }))
  onStarted(keepRoutesOf(bus, foundation, { log, time }))
  const endAnswering = bus.onCountersigning(answerCountersigners(foundation, log))
  onStarted(async () => endAnswering())
  const noteClockJump = await followClockJumps(foundation.engineDatabase)
  const hold = config.databaseUrl === null ? longHold : null
  return startEngine({
    store: createEngineStore(foundation.engineDatabase, {
      ...(hold === null ? {} : { holdSeconds: hold.seconds }),
      onWork: foundation.commits.note,
    }),
    ...(hold === null ? {} : { renewMs: hold.renewMs }),
    bus,
    presence,
    name,
    readConfigurations: (location, ids) =>
      readCheckConfigurations(foundation.database, foundation.secrets, { location, ids }),
    keepEvidence: (list) => keepEvidence(foundation.database, foundation.secrets, list),
    keepViews: (list) => keepViews(foundation.database, foundation.secrets, list),
    observer: metrics.engine,
    log,
    tracer: tracing?.tracer ?? null,
    time,
    newId: randomUUID,
    random: Math.random,
    onClockJump: (jumpMs) => noteClockJump(Math.round(jumpMs / 1000)),
  })
}

/** Returns what ends it: nothing more is taken then, and what waits is written. */
function keepRoutesOf(
  bus: Pick<Bus, 'onRoutes'>,
  { database, secrets }: Foundation,
  { log, time }: { log: Log; time: Time },
): () => Promise<void> {
  const keeper = createRouteKeeper({
    keep: (route) => keepRoute(database, secrets, route),
    onLost: (details) => log.warn('Routes to targets were lost.', details),
    time,
  })
  const end = bus.onRoutes(keeper.note)
  return () => {
    end()
    return keeper.close()
  }
}

/** A location that signs the history as well is shown the heads, and its signatures are stored. */
function answerCountersigners({ database, secrets }: Foundation, log: Log): CountersignHandler {
  const keys = signingKeys(database, secrets)
  return async (location, offer) => {
    const { reply, stored, refused } = await takeOffer(database, { location, offer, keys })
    if (stored > 0) log.info('A location signed heads of the history.', { location, days: stored })
    if (refused > 0) log.warn('Signatures of a location are of no head of the history.', { location, refused })
    if (offer.fork !== null)
      log.error('A location was shown another head for a day than it had signed.', { location, ...offer.fork })
    return reply
  }
}

async function untilOnline({ locations }: Config, isOnline: (location: string) => boolean): Promise<void> {
  const until = Date.now() + onlineWithinMs
  while (!locations.every(({ code }) => isOnline(code)) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
