import type { Assignment, CheckConfiguration } from '#core/monitors/check.ts'
import type { TakenRoute } from '#core/incidents/route.ts'
import type { CountersignOffer, CountersignReply } from '#core/proofs/countersign.ts'
import type { Result, Verdict } from '#core/results/result.ts'

/** How a prober announces itself, and says goodbye. */
export type Presence = {
  location: string
  /** The name of the location for people, under which a new location is registered. */
  locationName?: string | undefined
  prober: string
  /** Probers of one machine say the same; one of an earlier release says nothing, and is a witness of its location's own. */
  witness?: string | undefined
  isLeaving: boolean
  /** What it checks alone, where it is not for all kinds. */
  only?: 'browser' | undefined
  /** It has just started or reconnected, so it may not have received what was sent before. */
  isFresh?: boolean | undefined
  /** For how long its machine has had no network of its own, so that its checks tell nothing; absent while it has one. */
  lostNetworkMs?: number | undefined
  /** Ids of monitors that its process does not check for a while, at most a hundred; absent while there is none. */
  setAside?: string[] | undefined
}

/**
 * A hint that a monitor was written; owners compare with the table anyway. `hasRecovered`: its outage ended, so that
 * what depends on it is checked at once. `failedMs`: it is to be checked at once, because a round of a monitor
 * that depends on it failed that began at that time; nothing was written.
 */
export type Change = {
  monitorId: string
  partition: number
  hasRecovered?: boolean | undefined
  failedMs?: number | undefined
}

/** How long things take, in milliseconds; the first two when all is well. */
export type BusDelays = {
  /** From a connection until every prober that is there has announced itself. */
  presenceMs: number
  /** From the publication of a result until the engine hears of it. */
  resultMs: number
  /** From the receipt of a call until it is on the bus or turned away. In between its monitor is looked up. */
  callMs: number
}

/** Ends a subscription. */
export type Unsubscribe = () => void

/**
 * Results that arrived together. Resolving the handler's promise acknowledges them: resolve after commit. Rejecting it
 * gives them back, and they come again. They may also come twice: what was stored counts once.
 */
export type ResultHandler = (results: Result[]) => Promise<void>

/** The bus as probers use it. */
export type ProberBus = {
  announce: (presence: Presence) => void
  onAssignments: (location: string, prober: string, handler: (assignments: Assignment[]) => void) => Unsubscribe
  /** At most 200 ids, all of this location. Ids that do not exist or are not of this location are left out. */
  requestConfigurations: (location: string, ids: string[]) => Promise<CheckConfiguration[]>
  /**
   * Resolves once the results are durable; rejects when that is not known within the bus's own deadline, and for
   * results of another location than the one that sends them.
   */
  publishResults: (location: string, results: Result[]) => Promise<void>
  /**
   * Trials are checks of configurations that are no monitor's yet. The handler never rejects; the asking process gets
   * its answer.
   */
  onTrials: (location: string, prober: string, handler: TrialHandler) => Unsubscribe
  /** Told at most once, of a monitor that this location checks. Nobody may hear of it, as where all engines are of an earlier release. */
  tellRoute: (location: string, taken: TakenRoute) => void
  /** Answers a trial whose handler could not; the first answer counts. */
  answerTrial: (location: string, trialId: string, verdict: Verdict | null) => void
}

/** Null when the location could not tell. */
export type TrialHandler = (configuration: CheckConfiguration) => Promise<Verdict | null>

/** One check of which nothing is stored. The `monitorId` of its configuration is an id made for this trial. */
export type Trial = { configuration: CheckConfiguration; withinMs: number }

export type RouteHandler = (location: string, taken: TakenRoute) => void

export type CountersignHandler = (location: string, offer: CountersignOffer) => Promise<CountersignReply>

/** The bus as engines and APIs use it. */
export type EngineBus = {
  assign: (location: string, prober: string, assignments: Assignment[]) => void
  /**
   * Has this prober check a configuration once. Null when the location could not tell. Rejects when no answer came in
   * time. A trial is sent once and never repeated.
   */
  tryCheck: (location: string, prober: string, trial: Trial) => Promise<Verdict | null>
  /** One handler for the results of all partitions that are held here. */
  onResults: (handler: ResultHandler) => Unsubscribe
  /**
   * Begins to take the results of these partitions, and goes on until they are released, whatever the broker does.
   * Resolves once the handler has taken all that was durable before: timers may start. Resolves as well when a
   * partition is released meanwhile, and 60 s after the broker could be asked. Never rejects. In one process nothing
   * waits on the bus.
   */
  holdPartitions: (partitions: readonly number[]) => Promise<void>
  /** Takes nothing more of them; resolves when what the handler has of them is settled, or after 5 s. Never rejects. */
  releasePartitions: (partitions: readonly number[]) => Promise<void>
  /**
   * Whether the handler has taken all results of these partitions that were durable when this was asked; false when
   * that is not known after 10 s, or the broker is away. Never rejects.
   */
  hasHeard: (partitions: readonly number[]) => Promise<boolean>
  onConfigurationRequest: (handler: (location: string, ids: string[]) => Promise<CheckConfiguration[]>) => Unsubscribe
  /** Of locations that sign the history as well. The bus has verified that an offer comes from this location. */
  onCountersigning: (handler: CountersignHandler) => Unsubscribe
  /** Each comes to one of the engines. The bus has verified its location, and not whether that checks the monitor. */
  onRoutes: (handler: RouteHandler) => Unsubscribe
  onPresence: (handler: (presence: Presence) => void) => Unsubscribe
  announceChange: (change: Change) => void
  onChange: (handler: (change: Change) => void) => Unsubscribe
  /** False while the broker is away. */
  isConnected: () => boolean
  readonly delays: BusDelays
  /** Counts what waits at the broker, by stream; nothing in one process. Rejects while the broker cannot be asked. */
  readBacklog: () => Promise<Backlog[]>
}

/** `oldestAt` is when the message that waits longest came, by the broker's clock; null when none waits. */
export type Backlog = { stream: string; messages: number; bytes: number; oldestAt: Date | null }

export type Bus = EngineBus & ProberBus & { close: () => Promise<void> }

/** Bounds of one message: whichever is reached first. */
export const maxResultsPerMessage = 100
export const maxMessageBytes = 256 * 1024
export const maxConfigurationsPerRequest = 200
