import type { Assignment, CheckConfiguration } from '#core/check.ts'
import type { Result } from '#core/result.ts'

/** A prober makes itself known every 2 s; it is gone after 6 s of silence, or at once when it says goodbye. */
export type Presence = { location: string; prober: string; isLeaving: boolean }

/** A hint that a monitor was written; owners compare with the table anyway. */
export type Change = { monitorId: string; partition: number }

/** Ends a subscription. */
export type Unsubscribe = () => void

/** Results that arrived together. Resolving the handler's promise acknowledges them: resolve after commit. */
export type ResultHandler = (results: Result[]) => Promise<void>

/** The side of a location. */
export type ProberBus = {
  announce: (presence: Presence) => void
  onAssignments: (location: string, prober: string, handler: (assignments: Assignment[]) => void) => Unsubscribe
  /** At most 200 ids, all of this location. Ids that do not exist or are not of this location are left out. */
  requestConfigurations: (location: string, ids: string[]) => Promise<CheckConfiguration[]>
  /** Resolves once the results are durable; rejects when that is not known within the bus's own deadline. */
  publishResults: (location: string, results: Result[]) => Promise<void>
}

/** The side of the engine and the API. */
export type EngineBus = {
  assign: (location: string, prober: string, assignments: Assignment[]) => void
  onResults: (handler: ResultHandler) => Unsubscribe
  onConfigurationRequest: (handler: (location: string, ids: string[]) => Promise<CheckConfiguration[]>) => Unsubscribe
  onPresence: (handler: (presence: Presence) => void) => Unsubscribe
  announceChange: (change: Change) => void
  onChange: (handler: (change: Change) => void) => Unsubscribe
}

export type Bus = EngineBus & ProberBus & { close: () => Promise<void> }

/** Bounds of one message: whichever is reached first. */
export const maxResultsPerMessage = 100
export const maxMessageBytes = 256 * 1024
export const maxConfigurationsPerRequest = 200
