import type { Presence } from '#bus/bus.ts'
import { goneAfterMs } from '#core/monitors/check.ts'
import { noWitnesses, ownWitness, type Witnesses } from '#core/results/round.ts'

/** A location has a few probers; a stolen credential can make up names without end. */
const maxProbersPerLocation = 1_000
const maxLocations = 10_000

export type PresenceBook = {
  note: (presence: Presence, nowMs: number) => void
  isOnline: (location: string, nowMs: number) => boolean
  /** Locations that were heard of, with the number of probers that are there now. */
  present: (nowMs: number) => PresentLocation[]
  /** For how long a prober of the location has had no network of its own; null while none says so. */
  lostNetworkMs: (location: string, nowMs: number) => number | null
  /** The prober of a location that checks this monitor: always the same one while the same probers are present. */
  proberFor: (location: string, work: Work, nowMs: number) => string | null
  /** On which witnesses these locations stand, by the probers that check this monitor. */
  witnesses: (locations: readonly string[], work: Work, nowMs: number) => Witnesses
  /** The witness of a location by one of its probers; null while none is there. */
  witnessOf: (location: string, nowMs: number) => string | null
  /** Whether a prober that was asked then is still there and has heard it. */
  hasHeard: (asked: Asked, nowMs: number) => boolean
  /** Rises whenever a prober came, went, or may have missed what was sent to it. */
  generation: (nowMs: number) => number
  /** The clock by which probers were heard jumped by so much. */
  shift: (jumpMs: number) => void
  /** No prober is known to have received what was sent until now, because this process was away from the bus. */
  doubt: (nowMs: number) => void
}

/** What a prober is chosen for. */
export type Work = { id: string; needsBrowser: boolean }

export type Asked = { location: string; prober: string; askedMs: number }

export type PresentLocation = { location: string; probers: number; hasLostNetwork: boolean }

/** It may not have received what was sent to it before `sinceMs`. */
type Prober = {
  name: string
  witness: string
  /** Whether it visits pages alone. */
  isForPages: boolean
  seed: number
  seenMs: number
  sinceMs: number
  lostNetworkMs: number | null
}

/**
 * Which probers are there. Presence alone decides whether a location is online: slow or missing results say something
 * of the target or the network, not of the prober (docs/decisions/rounds-and-time.md).
 */
export function createPresenceBook(): PresenceBook {
  const locations = new Map<string, Prober[]>()
  let generation = 0
  const present = (location: string, nowMs: number): Prober[] => {
    const probers = locations.get(location)
    if (probers === undefined) return []
    for (const prober of probers) if (prober.seenMs > nowMs) putBack(prober, nowMs)
    if (probers.every(({ seenMs }) => nowMs - seenMs < goneAfterMs)) return probers
    const remaining = probers.filter(({ seenMs }) => nowMs - seenMs < goneAfterMs)
    locations.set(location, remaining)
    generation += 1
    return remaining
  }
  return {
    note: (presence, nowMs) => {
      const { location, prober: name, isLeaving, isFresh = false } = presence
      const known = locations.get(location)?.find((prober) => prober.name === name)
      if (known !== undefined && !isLeaving && !isFresh) {
        known.seenMs = nowMs
        known.lostNetworkMs = presence.lostNetworkMs ?? null
        return
      }
      const others = (locations.get(location) ?? []).filter((prober) => prober.name !== name)
      if (others.length >= maxProbersPerLocation || (!locations.has(location) && locations.size >= maxLocations)) return
      if (!isLeaving) others.push(proberOf(presence, nowMs))
      locations.set(location, others)
      generation += 1
    },
    isOnline: (location, nowMs) => present(location, nowMs).some(({ isForPages }) => !isForPages),
    present: (nowMs) =>
      Array.from(locations.keys(), (location) => ({
        location,
        probers: present(location, nowMs).length,
        hasLostNetwork: longestLost(present(location, nowMs)) !== null,
      })),
    lostNetworkMs: (location, nowMs) => longestLost(present(location, nowMs)),
    proberFor: (location, work, nowMs) => chosenFor(work, present(location, nowMs))?.name ?? null,
    witnesses: (chosen, work, nowMs) => {
      if (chosen.length < 2) return noWitnesses
      return witnessesOf(chosen, (location) => chosenFor(work, present(location, nowMs)))
    },
    witnessOf: (location, nowMs) => present(location, nowMs)[0]?.witness ?? null,
    hasHeard: ({ location, prober, askedMs }, nowMs) => {
      const known = present(location, nowMs).find(({ name }) => name === prober)
      return known !== undefined && known.sinceMs <= askedMs
    },
    generation: (nowMs) => {
      for (const location of locations.keys()) present(location, nowMs)
      return generation
    },
    shift: (jumpMs) => {
      for (const probers of locations.values()) for (const prober of probers) shift(prober, jumpMs)
    },
    doubt: (nowMs) => {
      for (const probers of locations.values()) for (const prober of probers) prober.sinceMs = nowMs
      generation += 1
    },
  }
}

function proberOf({ location, prober: name, witness, only, lostNetworkMs }: Presence, nowMs: number): Prober {
  return {
    name,
    witness: witness ?? ownWitness(location),
    isForPages: only === 'browser',
    seed: hash(name, 0),
    seenMs: nowMs,
    sinceMs: nowMs,
    lostNetworkMs: lostNetworkMs ?? null,
  }
}

function longestLost(probers: readonly Prober[]): number | null {
  const lost = probers.flatMap(({ lostNetworkMs }) => lostNetworkMs ?? [])
  return lost.length === 0 ? null : Math.max(...lost)
}

function witnessesOf(chosen: readonly string[], proberAt: (location: string) => Prober | null): Witnesses {
  const asked = chosen.map((location) => [location, proberAt(location)] as const)
  return new Map(asked.flatMap(([location, prober]) => (prober === null ? [] : [[location, prober.witness]])))
}

function shift(prober: Prober, jumpMs: number): void {
  prober.seenMs += jumpMs
  prober.sinceMs += jumpMs
}

/** After the clock went back, a prober that was heard at a later time counts as heard now. */
function putBack(prober: Prober, nowMs: number): void {
  prober.seenMs = nowMs
  prober.sinceMs = Math.min(prober.sinceMs, nowMs)
}

/** Pages go to those that are there for them, and where there are none, to any that may have a browser as well. */
function chosenFor({ id, needsBrowser }: Work, probers: Prober[]): Prober | null {
  if (probers.every(({ isForPages }) => !isForPages)) return highest(probers, id)
  const apart = probers.filter(({ isForPages }) => isForPages === needsBrowser)
  return highest(apart.length === 0 && needsBrowser ? probers : apart, id)
}

/** Rendezvous hashing: a prober that comes or goes moves only its own share of the monitors. */
function highest(probers: Prober[], monitorId: string): Prober | null {
  if (probers.length === 1) return probers[0] ?? null
  let best: Prober | null = null
  let bestWeight = -1
  for (const prober of probers) {
    const weight = hash(monitorId, prober.seed)
    if (weight > bestWeight) {
      best = prober
      bestWeight = weight
    }
  }
  return best
}

/** FNV-1a with a final mix; 32 bits. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
