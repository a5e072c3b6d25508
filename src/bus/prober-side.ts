import type { Assignment } from '#core/monitors/check.ts'
import type { Result } from '#core/results/result.ts'
import type { ProberBus, Unsubscribe } from './bus.ts'
import {
  CodecError,
  configurationsCodec,
  decodeAssignments,
  encodeResults,
  idsCodec,
  presenceCodec,
  takenRouteCodec,
} from './codec.ts'
import { answerTrial, tellVerdict } from './trials.ts'

/** What carries a prober's bytes: the bus itself, or a port to it. */
export type ProberWire = {
  announce: (bytes: Uint8Array) => void
  tellRoute: (location: string, bytes: Uint8Array) => void
  publish: (bytes: Uint8Array) => Promise<void>
  request: (location: string, bytes: Uint8Array) => Promise<Uint8Array>
  listen: (address: string, handler: (bytes: Uint8Array) => void) => Unsubscribe
  /** Answers a trial. */
  answer: (trialId: string, bytes: Uint8Array) => void
}

export function proberSide(wire: ProberWire): ProberBus {
  return {
    announce: (presence) => wire.announce(presenceCodec.encode(presence)),
    onAssignments: (location, prober, handler: (assignments: Assignment[]) => void) =>
      wire.listen(addressOf(location, prober), (bytes) => handler(decodeAssignments(bytes))),
    requestConfigurations: async (location, ids) =>
      configurationsCodec.decode(await wire.request(location, idsCodec.encode(ids))),
    publishResults: async (location, list) => {
      requireLocation(location, list)
      await Promise.all(encodeResults(list).map((bytes) => wire.publish(bytes)))
    },
    onTrials: (location, prober, handler) =>
      wire.listen(trialAddressOf(location, prober), (bytes) =>
        answerTrial(bytes, { location, handler, answer: wire.answer }),
      ),
    tellRoute: (location, taken) => wire.tellRoute(location, takenRouteCodec.encode(taken)),
    answerTrial: (location, trialId, verdict) => tellVerdict({ location, trialId, verdict }, wire.answer),
  }
}

/** Throws for a location that is not one of those on whose behalf something is sent; null for any. */
export function requireOneOf(locations: ReadonlySet<string> | null, location: string): void {
  if (locations !== null && !locations.has(location)) throw new CodecError(`${location} is no location of its sender.`)
}

/** Throws when a result says another location than the one that sends it. */
export function requireLocation(location: string, results: readonly Result[]): void {
  if (results.some((result) => result.location !== location))
    throw new Error(`A result of another location cannot be sent from ${location}.`)
}

export function addressOf(location: string, prober: string): string {
  return `${location}/${prober}`
}

export function trialAddressOf(location: string, prober: string): string {
  return `${addressOf(location, prober)} trials`
}
