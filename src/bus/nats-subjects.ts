// The subjects on NATS. What a location's credential may reach is written in terms of them (nats-permissions.ts).
import { partitionCount } from '#core/monitors/schedule.ts'

/** The stream that keeps results until they are stored. */
export const resultStream = 'results'

export const changesSubject = 'changes'
/** Not `presence.*.*`, which brokers up to 2.9 do not tell leaf nodes whose permission is `presence.<location>.*`. */
export const anyPresence = 'presence.>'
export const anyConfiguration = 'config.*'
/** Engines share the requests of all locations. */
export const configurationQueue = 'configurations'
export const anyRoute = 'routes.*'
export const routeQueue = 'routes'
export const anyCountersigning = 'countersign.*'
export const countersigningQueue = 'countersigning'

/** One for each partition, so that nothing is kept that no engine would take. */
export const resultSubjects: readonly string[] = Array.from({ length: partitionCount }, (_, partition) =>
  resultsOfPartition(partition),
)

export function resultsOfPartition(partition: number): string {
  return `results.*.${partition}`
}

export function resultsSubject(location: string, partition: number): string {
  return `results.${tokenOf(location)}.${partition}`
}

export function assignmentSubject(location: string, prober: string): string {
  return `assign.${tokenOf(location)}.${tokenOf(prober)}`
}

export function configurationSubject(location: string): string {
  return `config.${tokenOf(location)}`
}

export function presenceSubject(location: string, prober: string): string {
  return `presence.${tokenOf(location)}.${tokenOf(prober)}`
}

/** Trials for one prober. */
export function trialSubject(location: string, prober: string): string {
  return `trial.${tokenOf(location)}.${tokenOf(prober)}`
}

/** Where the answer to a trial goes. */
export function triedSubject(location: string, trialId: string): string {
  return `tried.${tokenOf(location)}.${tokenOf(trialId)}`
}

/** Where a location offers its signatures of the history's heads, and asks for new heads. */
export function countersignSubject(location: string): string {
  return `countersign.${tokenOf(location)}`
}

/** Where a location tells of routes to targets. */
export function routeSubject(location: string): string {
  return `routes.${tokenOf(location)}`
}

/** Where answers for this location go; no other credential may listen there. */
export function inboxPrefix(location: string): string {
  return `_INBOX_${tokenOf(location)}`
}

/** The location a message comes from: the broker lets only that location's credential write there. */
export function locationOf(subject: string): string {
  return subject.split('.')[1] ?? ''
}

/** A text as one token of a subject, another one for another text. Codes of locations stay as they are. */
export function tokenOf(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, (unit) => `=${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
